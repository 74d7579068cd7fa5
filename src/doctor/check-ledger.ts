/** What in the ledger needs an operator. */
import {
  callbacksEndpointId,
  instanceOfSchedule,
  present,
  type Finding,
  type PauseReason,
  type PauseState,
  type ResumedBy,
  type ScheduleRun,
} from '../contract/index.js';
import { isPauseState } from '../domain/index.js';
import type { EndpointView, NotificationSummary, Oddity } from '../ledger/index.js';
import { foundWith } from './finding.js';

/** Reports what in the ledger waits for an operator. */
export async function checkLedger(reads: LedgerReads, nowMs: number): Promise<Finding[]> {
  const notifications = () => reads.listNotifications();
  const found = [
    checkInstances(reads),
    foundWith('webhooks', 'the received notifications', notifications, (one) => notificationFindings(one, nowMs)),
    checkEvents(reads, nowMs),
    checkSchedules(reads),
  ];
  return (await Promise.all(found)).flat();
}

/** How the ledger is read: by the API itself, or by a command as its client. */
export interface LedgerReads {
  listInstances(): Promise<{ readonly items: readonly SeenInstance[] }>;
  listNotifications(): Promise<{ readonly items: readonly NotificationSummary[] }>;
  listEventEndpoints(): Promise<{ readonly items: readonly EndpointView[] }>;
  listSchedules(request: {
    readonly query: { readonly limit: number };
  }): Promise<{ readonly items: readonly SeenSchedule[] }>;
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
  const list = () => api.listInstances();
  return foundWith('instances', 'which accounts are paused or stand still', list, (instance) => {
    const { name, pauses, connection, wentBack } = instance;
    const { standstill } = instance.queue;
    const about = { subject: `instance ${name}`, instance: name };
    const findings: Finding[] = pauses.map(({ reason, since, resumedBy }) => {
      const found = `paused: ${reason} since ${since}; nothing is posted`;
      return { ...about, verdict: 'broken', found, remedy: remedyOf(name, reason, resumedBy) };
    });
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
  });
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

/** Reports the notifications of an instance. */
export function notificationFindings(summary: NotificationSummary, nowMs: number): Finding[] {
  const { instance, oddities, unknownTypes, waiting, waitingSince, failed, lastFailure, quotaExceeded } = summary;
  const about = { subject: `webhooks ${instance}`, instance };
  const findings: Finding[] = [{ ...about, verdict: 'ok', found: cameWords(summary) }];
  const types = Object.entries(unknownTypes).map(([type, count]) => `${type} ${count}`);
  for (const [oddity, count] of Object.entries(oddities)) {
    const [words, remedy] = ODDITIES[oddity as Oddity] ?? [oddity];
    const found = `${count} in the last day ${words}${oddity === 'unknown_message_type' ? `: ${types.join(', ')}` : ''}`;
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
  const list = () => api.listEventEndpoints();
  return foundWith('events', 'which endpoints take events', list, (endpoint): Finding[] => {
    const { id, instance, waiting, waitingSince, problem, secretsProblem } = endpoint;
    const about = { subject: `events ${instance}`, instance };
    const update = `everpost event endpoint update ${id}`;
    if (secretsProblem !== undefined) {
      const found = `nothing can be delivered to ${id}: ${secretsProblem}`;
      const header = endpoint.hasAuthorization ? `, and set its header: ${update} --authorization-file FILE` : '';
      const remedy = `If the key is lost, make a new secret: everpost event endpoint rotate-secret ${id} --keep-former-for 0s${header}`;
      return [{ ...about, verdict: 'broken', found, remedy }];
    }
    if (!endpoint.enabled) {
      const { disabledReason, disabledAt } = endpoint;
      const found = `${id} is disabled since ${disabledAt} (${disabledReason}); ${waiting} deliveries wait`;
      const remedy = `Enable it: ${update} --enable`;
      if (disabledReason === 'operator') return [{ ...about, verdict: 'advice', found, remedy }];
      const before = 'It responded that it is gone (410). Repair it, or set its new address with --url.';
      return [{ ...about, verdict: 'broken', found, remedy: `${before} ${remedy}` }];
    }
    if (waitingSince === undefined || nowMs - Date.parse(waitingSince) <= DELIVERED_WITHIN_MS) return [];
    const found = `${waiting} deliveries wait for ${id}, the oldest since ${waitingSince}`;
    if (problem === undefined) {
      const remedy = 'A worker delivers them: start one with everpost worker.';
      return [{ ...about, verdict: 'broken', found: `${found}: no worker has tried yet`, remedy }];
    }
    const repair =
      id === callbacksEndpointId(instance)
        ? 'Repair the target of the status callbacks.'
        : `Repair the endpoint, or set its new address: ${update} --url URL`;
    const remedy = `They are retried automatically for three days. ${repair}`;
    return [{ ...about, verdict: 'broken', found: `${found}: ${problem}`, remedy }];
  });
}

type SeenSchedule = Parameters<typeof instanceOfSchedule>[0] & {
  readonly id: string;
  readonly problem?: string | undefined;
  readonly failure?: Pick<ScheduleRun, 'at' | 'state' | 'reason' | 'text'> | undefined;
  readonly blockedBy?: { readonly campaignId?: string; readonly messageId?: string } | undefined;
  readonly counts: Readonly<Record<'missed' | 'overlapped' | 'failed', number>>;
};

/** The newest ones; more than one page of schedules is rare. */
const MOST_SCHEDULES = 500;

/** Reports schedules that fail, or whose times are skipped because an earlier campaign has not ended. */
export function checkSchedules(api: Pick<LedgerReads, 'listSchedules'>): Promise<readonly Finding[]> {
  const list = () => api.listSchedules({ query: { limit: MOST_SCHEDULES } });
  return foundWith('schedules', 'which schedules fail', list, (schedule) => {
    const { id, problem, failure, blockedBy, counts } = schedule;
    const about = { subject: `schedule ${id}`, instance: instanceOfSchedule(schedule) };
    const findings: Finding[] = [];
    const total = `${counts.missed} missed and ${counts.failed} failed in all`;
    if (problem !== undefined) {
      const remedy = `It does not run. Change it: everpost schedule update ${id}`;
      findings.push({ ...about, verdict: 'broken', found: problem, remedy });
    }
    if (failure !== undefined) {
      const { at, state, reason, text = reason } = failure;
      const isRetried = state === 'pending';
      const found = `its run at ${at} ${isRetried ? 'fails and is retried' : state === 'missed' ? 'was missed' : 'failed'}: ${text}; ${total}`;
      const remedy = isRetried
        ? `Correct it: everpost schedule show ${id}`
        : `Run it now: everpost schedule trigger ${id}`;
      findings.push({ ...about, verdict: 'broken', found, remedy });
    }
    if (blockedBy !== undefined && counts.overlapped > 0) {
      const blocking = blockedBy.campaignId ?? blockedBy.messageId;
      const found = `${counts.overlapped} of its times were skipped because an earlier one had not ended; ${blocking} has not ended`;
      const remedy = `Look at it: everpost ${blockedBy.campaignId === undefined ? 'message' : 'campaign'} show ${blocking}`;
      findings.push({ ...about, verdict: 'advice', found, remedy });
    }
    return findings;
  });
}
