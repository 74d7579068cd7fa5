/** What in the ledger needs an operator. */
import {
  callbacksEndpointId,
  present,
  type Finding,
  type PauseReason,
  type PauseState,
  type ResumedBy,
} from '../contract/index.js';
import { isPauseState } from '../domain/index.js';
import type { EndpointView, NotificationSummary, Oddity } from '../ledger/index.js';
import { checkSchedules, type ReadsSchedules } from './check-schedules.js';
import { foundWith } from './finding.js';

/** Reports what in the ledger waits for an operator. */
export async function checkLedger(reads: LedgerReads, nowMs: number): Promise<Finding[]> {
  const found = [
    checkInstances(reads),
    checkNotifications(reads, nowMs),
    checkEvents(reads, nowMs),
    checkSchedules(reads),
  ];
  return (await Promise.all(found)).flat();
}

/** How the ledger is read: by the API itself, or by a command as its client. */
export interface LedgerReads extends ReadsSchedules {
  listInstances(): Promise<{ readonly items: readonly SeenInstance[] }>;
  listNotifications(): Promise<{ readonly items: readonly NotificationSummary[] }>;
  listEventEndpoints(): Promise<{ readonly items: readonly EndpointView[] }>;
}

interface SeenInstance {
  readonly name: string;
  readonly pauses: readonly {
    readonly reason: PauseReason;
    readonly since: string;
    readonly resumedBy: ResumedBy;
  }[];
  readonly connection?: { readonly status: string; readonly since: string } | undefined;
  readonly wentBack?:
    { readonly foundAt: string; readonly knownUntil?: string | undefined; readonly unresolved: number } | undefined;
  readonly queue: {
    readonly standstill?: { readonly items: number; readonly since: string; readonly remedy: string } | undefined;
  };
}

/** Reports from the API's ledger which accounts send nothing although they may look authorized. */
export function checkInstances(api: Pick<LedgerReads, 'listInstances'>): Promise<readonly Finding[]> {
  return foundWith('instances', 'which accounts are paused or stand still', async () =>
    (await api.listInstances()).items.flatMap((instance) => instanceFindings(instance)),
  );
}

function instanceFindings({ name, pauses, connection, wentBack, queue: { standstill } }: SeenInstance): Finding[] {
  const about = { subject: `instance ${name}`, instance: name };
  const findings: Finding[] = pauses.map(({ reason, since, resumedBy }) => ({
    ...about,
    verdict: 'broken',
    found: `paused: ${reason} since ${since}; nothing is posted`,
    remedy: remedyOf(name, reason, resumedBy),
  }));
  if (connection !== undefined && connection.status !== 'online') {
    const found = `the gateway's connection to the network is ${connection.status} since ${connection.since}; whether its queue moves is not watched`;
    findings.push({ ...about, verdict: 'advice', found, remedy: 'Check that the phone is on and online.' });
  }
  if (wentBack !== undefined) {
    const { foundAt, knownUntil = 'an unknown time', unresolved } = wentBack;
    const found = `the ledger was found at ${foundAt} to be an older copy, as of ${knownUntil}; ${unresolved} messages may have been sent since, and are unresolved`;
    const remedy = `Have the gateway show which: everpost message resolve --reason LEDGER_WENT_BACK --by-evidence --instance ${name}`;
    findings.push({ ...about, verdict: 'broken', found, remedy });
  }
  if (standstill !== undefined) {
    const { items, since, remedy } = standstill;
    const found = `the gateway's queue stands still: ${items} items, and nothing was released since ${since}`;
    findings.push({ ...about, verdict: 'broken', found, remedy });
  }
  return findings;
}

/** What paused it, other than the account's state. */
const PAUSED_BY: Readonly<Record<Exclude<PauseReason, PauseState>, string>> = { operator: 'An operator paused it.' };

function remedyOf(name: string, reason: PauseReason, resumedBy: ResumedBy): string {
  const resume = `everpost instance resume ${name}`;
  if (!isPauseState(reason)) return `${PAUSED_BY[reason]} Resume it: ${resume}`;
  if (resumedBy === 'operator') return `Check the account. Once it is authorized, resume it: ${resume}`;
  return 'It is resumed automatically once it is authorized.';
}

const DAY_MS = 24 * 60 * 60_000;
/** Notifications are applied immediately, unless something fails. */
const APPLIED_WITHIN_MS = 60_000;

/** The description and remedy of each oddity. */
const ODDITIES: Readonly<Record<Oddity, readonly [words: string, remedy?: string]>> = {
  cut: ['larger than 1 MB; only the beginning was stored'],
  malformed: [
    'not JSON, or without a typeWebhook',
    'Another program may be posting here. Set a webhookToken; where one is set already, replace it.',
  ],
  another_instance: [
    'with the idInstance of another account; not applied',
    "Correct that account's webhookUrl: each account has its own address, /webhooks/NAME.",
  ],
  unknown_kind: ['of a kind that this version does not know'],
  incomplete: ['without their subject, e.g. a status without id'],
  unreadable_chat: ['of a chat whose id has an unknown form; a STOP in them has no effect'],
  unknown_message_type: ['are messages of a type that this version does not know; their texts are read'],
};

/** Reports the notifications in the API's ledger. */
export function checkNotifications(
  api: Pick<LedgerReads, 'listNotifications'>,
  nowMs: number,
): Promise<readonly Finding[]> {
  return foundWith('webhooks', 'the received notifications', async () =>
    (await api.listNotifications()).items.flatMap((summary) => notificationFindings(summary, nowMs)),
  );
}

export function notificationFindings(summary: NotificationSummary, nowMs: number): Finding[] {
  const { instance, oddities, unknownTypes, waiting, waitingSince, failed, lastFailure, quotaExceeded } = summary;
  const about = { subject: `webhooks ${instance}`, instance };
  const findings: Finding[] = [{ ...about, verdict: 'ok', found: cameWords(summary) }];
  for (const [oddity, count] of Object.entries(oddities)) {
    const [words, remedy] = ODDITIES[oddity as Oddity] ?? [oddity];
    const found = `${count} in the last day ${words}${oddity === 'unknown_message_type' ? typeWords(unknownTypes) : ''}`;
    findings.push({ ...about, verdict: 'advice', found, ...present({ remedy }) });
  }
  if (waitingSince !== undefined && nowMs - Date.parse(waitingSince) > APPLIED_WITHIN_MS) {
    const found = `${waiting} stored and not applied yet, the oldest since ${waitingSince}`;
    const remedy = "They are applied automatically once the ledger responds; the API's log has the reason.";
    findings.push({ ...about, verdict: 'advice', found, remedy });
  }
  if (failed > 0) {
    const newest =
      lastFailure === undefined ? '' : `; the newest was received ${lastFailure.at}: ${lastFailure.problem}`;
    const found = `${failed} could not be applied and were set aside${newest}`;
    const remedy = `Apply them again, at the latest after an update: everpost notification replay --since 30d --instance ${instance}`;
    findings.push({ ...about, verdict: 'broken', found, remedy });
  }
  const { possibleOptOuts, unsentToRuns, unsentToRunsSince } = summary;
  if (possibleOptOuts > 0) {
    const found = `${possibleOptOuts} messages may mean STOP and wait for a decision`;
    const remedy = `Accept or dismiss each: everpost suppression possible --instance ${instance}`;
    findings.push({ ...about, verdict: 'advice', found, remedy });
  }
  if (unsentToRunsSince !== undefined && nowMs - Date.parse(unsentToRunsSince) > APPLIED_WITHIN_MS) {
    const found = `${unsentToRuns} workflows of messages wait for what happened, the oldest since ${unsentToRunsSince}`;
    const remedy = "They get it automatically once Temporal responds; the worker's log has the reason.";
    findings.push({ ...about, verdict: 'advice', found, remedy });
  }
  if (quotaExceeded !== undefined && nowMs - Date.parse(quotaExceeded.at) < DAY_MS) {
    const found = `the gateway reports since ${quotaExceeded.at} that a limit of the plan is reached`;
    findings.push({ ...about, verdict: 'advice', found, remedy: "See the plan in the gateway's own console." });
  }
  return findings;
}

function typeWords(types: NotificationSummary['unknownTypes']): string {
  return `: ${Object.entries(types)
    .map(([type, count]) => `${type} ${count}`)
    .join(', ')}`;
}

function cameWords({ came, repeats, lastAt }: NotificationSummary): string {
  if (lastAt === undefined) return 'no notification was received yet';
  if (came === 0) return `no notification in the last day; the last one was received ${lastAt}`;
  const again = repeats === 0 ? '' : `, ${repeats} repeated`;
  return `${came} notifications in the last day${again}; the last ${lastAt}`;
}

/** Retries follow after 5, 10, 20 … seconds: an endpoint that fails for this long needs an operator. */
const DELIVERED_WITHIN_MS = 10 * 60_000;

/** Reports event endpoints that are disabled, or whose deliveries fail. */
export function checkEvents(api: Pick<LedgerReads, 'listEventEndpoints'>, nowMs: number): Promise<readonly Finding[]> {
  return foundWith('events', 'which endpoints take events', async () =>
    (await api.listEventEndpoints()).items.flatMap((endpoint) => eventFindings(endpoint, nowMs)),
  );
}

export function eventFindings(endpoint: EndpointView, nowMs: number): Finding[] {
  const { id, instance, enabled, waiting, waitingSince, problem, secretsProblem } = endpoint;
  const about = { subject: `events ${instance}`, instance };
  if (secretsProblem !== undefined) {
    const found = `nothing can be delivered to ${id}: ${secretsProblem}`;
    const header = endpoint.hasAuthorization
      ? `, and set its header: everpost event endpoint update ${endpoint.id} --authorization-file FILE`
      : '';
    return [
      {
        ...about,
        verdict: 'broken',
        found,
        remedy: `If the key is lost, make a new secret: everpost event endpoint rotate-secret ${endpoint.id} --keep-former-for 0s${header}`,
      },
    ];
  }
  if (!enabled) return [disabledFinding(about, endpoint)];
  if (waitingSince === undefined || nowMs - Date.parse(waitingSince) <= DELIVERED_WITHIN_MS) return [];
  const why = problem === undefined ? 'no worker has tried yet' : problem;
  const found = `${waiting} deliveries wait for ${id}, the oldest since ${waitingSince}: ${why}`;
  return [{ ...about, verdict: 'broken', found, remedy: deliveryRemedy(endpoint) }];
}

function disabledFinding(about: Pick<Finding, 'subject' | 'instance'>, endpoint: EndpointView): Finding {
  const { id, waiting, disabledReason, disabledAt } = endpoint;
  const byOperator = disabledReason === 'operator';
  const found = `${id} is disabled since ${disabledAt} (${disabledReason}); ${waiting} deliveries wait`;
  const before = byOperator ? '' : 'It responded that it is gone (410). Repair it, or set its new address with --url. ';
  const remedy = `${before}Enable it: everpost event endpoint update ${id} --enable`;
  return { ...about, verdict: byOperator ? 'advice' : 'broken', found, remedy };
}

function deliveryRemedy({ id, instance, problem }: EndpointView): string {
  if (problem === undefined) return 'A worker delivers them: start one with everpost worker.';
  const retried = 'They are retried automatically for three days';
  if (id === callbacksEndpointId(instance)) return `${retried}. Repair the target of the status callbacks.`;
  return `${retried}. Repair the endpoint, or set its new address: everpost event endpoint update ${id} --url URL`;
}
