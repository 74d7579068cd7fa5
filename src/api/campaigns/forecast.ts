import { setImmediate } from 'node:timers/promises';
import {
  present,
  settingsOf,
  type DailyWindow,
  type Recipient,
  accountsOf,
  AppError,
  ASSUMED_INTERVAL_MS,
  type OperationName,
} from '../../contract/index.js';
import {
  inputInvalid,
  leftInQueue,
  outsideQuietHours,
  planInput,
  type PlannedAccount,
  PlannedPool,
  type PoolPost,
  PlanRows,
  rulesOfCampaign,
  timezoneOfCampaign,
  type PlanInput,
  type PlannedRecipients,
  type PlanPeriod,
} from '../../domain/index.js';
import type { CampaignView } from '../../ledger/index.js';
import type { CampaignPlan, Forecast } from './plan-schema.js';
import type { RouteDependencies } from '../route-dependencies.js';

export type PlanDependencies = Pick<
  RouteDependencies,
  'ledger' | 'clock' | 'instances' | 'checkOperation' | 'askGateway'
>;

export interface SimulationOptions {
  /** ISO UTC. @default now */
  readonly startAt?: string | undefined;
  /** Hours in which the phone or the gateway is unavailable, by the clock of `timezone`. @default none */
  readonly offline?: readonly DailyWindow[] | undefined;
  /** @default the timezone of the campaign, else of its instance, else UTC */
  readonly timezone?: string | undefined;
  /** @default hours if the campaign takes at most three days */
  readonly by?: PlanPeriod | undefined;
  readonly signal: AbortSignal;
}

/** An older reading is repeated. */
const READING_GOOD_FOR_MS = 30_000;
/** The plan is useful without the responses. */
const ASK_FOR_MS = 10_000;
/** The shortest interval that an account can be set to. No account that reports a shorter one has kept it. */
const LEAST_INTERVAL_MS = 500;

/** When a start now, or at the time of the options, posts to these recipients, and the warnings about it. */
export async function forecast(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  recipients: readonly PlannedRecipients[],
  options: SimulationOptions,
): Promise<{ forecast: Forecast; warnings: CampaignPlan['warnings'] }> {
  // The accounts that get messages of the campaign; all of its list if every one is out.
  const isIn = campaign.accounts.filter(({ outWhy }) => outWhy === undefined).map(({ instance }) => instance);
  const senders = await Promise.all(
    (isIn.length === 0 ? accountsOf(campaign) : isIn).map(async (instance) => ({
      instance,
      queue: await readQueue(dependencies, instance, options.signal),
    })),
  );
  const simulated = await simulate(dependencies, campaign, recipients, senders, options);
  return {
    forecast: { ...ofAll(senders), ...simulated },
    warnings: warningsOf({
      QUEUE_UNKNOWN:
        senders.some(({ queue }) => queue.depth === undefined) &&
        `The gateway's queue could not be read${of(senders, ({ depth }) => depth === undefined)}. Items that are in it are sent first.`,
      PACE_ASSUMED:
        senders.some(({ queue }) => queue.intervalFrom === 'assumed') &&
        `The account's pace is unknown${of(senders, ({ intervalFrom }) => intervalFrom === 'assumed')}: the forecast assumes ${ASSUMED_INTERVAL_MS / 1_000} s for each message.`,
      DEADLINE_TOO_SOON:
        simulated.notPosted > 0 && `The deadline is too early for ${simulated.notPosted} recipients: they end expired.`,
    }),
  };
}

/** The texts by code, without those that do not apply. */
export function warningsOf(texts: Readonly<Record<string, string | false>>): CampaignPlan['warnings'] {
  return Object.entries(texts).flatMap(([code, text]) => (text === false ? [] : [{ code, text }]));
}

type Queue = Pick<Forecast, 'depth' | 'depthFrom' | 'depthReadAt' | 'releaseIntervalMs' | 'intervalFrom'>;

interface Sender {
  readonly instance: string;
  readonly queue: Queue;
}

/** The accounts of a pool that a warning is about. */
function of(senders: readonly Sender[], isIt: (queue: Queue) => boolean): string {
  if (senders.length === 1) return '';
  return ` (${senders
    .filter(({ queue }) => isIt(queue))
    .map(({ instance }) => instance)
    .join(', ')})`;
}

/** The items in all queues, and the pace of the fastest account. */
function ofAll(senders: readonly Sender[]): Queue {
  const [first = UNKNOWN_PACE, ...others] = senders.map(({ queue }) => queue);
  return others.reduce<Queue>(
    (all, queue) => ({
      ...(queue.releaseIntervalMs < all.releaseIntervalMs ? queue : all),
      ...present({ depth: all.depth === undefined || queue.depth === undefined ? undefined : all.depth + queue.depth }),
    }),
    first,
  );
}

const UNKNOWN_PACE = { releaseIntervalMs: ASSUMED_INTERVAL_MS, intervalFrom: 'assumed' } as const;

/** The gateway's queue as the ledger knows it, or as the gateway says if that is old or unknown. */
async function readQueue(
  { ledger, clock, askGateway }: PlanDependencies,
  instance: string,
  signal: AbortSignal,
): Promise<Queue> {
  const known = await ledger.dispatch.view(instance);
  const { reading, estimate } = known;
  const isFresh = reading !== undefined && clock.nowMs() - Date.parse(reading.at) < READING_GOOD_FOR_MS;
  // The plan continues without a response that is late or is a rejection.
  const ask = async <Result>(method: OperationName): Promise<Result | undefined> => {
    try {
      return await askGateway<Result>(method, instance, {}, { timeoutMs: ASK_FOR_MS, signal });
    } catch (error) {
      if (error instanceof AppError && error.next !== 'bug') return undefined;
      throw error;
    }
  };
  const [queue, settings] = await Promise.all([
    isFresh ? undefined : ask<readonly unknown[]>('showMessagesQueue'),
    known.releaseIntervalMs !== undefined
      ? undefined
      : ask<{ delaySendMessagesMilliseconds?: number | null }>('getSettings'),
  ]);
  const nowMs = clock.nowMs();
  const setMs = settings?.delaySendMessagesMilliseconds ?? undefined;
  let pace: Pick<Forecast, 'releaseIntervalMs' | 'intervalFrom'> = UNKNOWN_PACE;
  if (known.releaseIntervalMs !== undefined)
    pace = { releaseIntervalMs: known.releaseIntervalMs, intervalFrom: 'learned' };
  else if (setMs !== undefined)
    pace = { releaseIntervalMs: Math.max(setMs, LEAST_INTERVAL_MS), intervalFrom: 'settings' };
  if (queue !== undefined) {
    return { depth: queue.length, depthFrom: 'read', depthReadAt: new Date(nowMs).toISOString(), ...pace };
  }
  const read = present({ depthReadAt: reading?.at });
  if (estimate === undefined) return { ...read, ...pace };
  const depth = leftInQueue(estimate.items, nowMs - Date.parse(estimate.at), known.releaseIntervalMs);
  return { depth, depthFrom: 'estimated', ...read, ...pace };
}

/** A week of minutes, or a year of hours. */
const MOST_ROWS = 10_000;
const HOURS_UP_TO_MS = 3 * 24 * 60 * 60 * 1000;

async function simulate(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  recipients: readonly PlannedRecipients[],
  senders: readonly Sender[],
  options: SimulationOptions,
) {
  const settings = dependencies.instances.get(senders[0]?.instance ?? campaign.instance);
  const timezone = options.timezone ?? timezoneOfCampaign(campaign.sendingWindows, settings);
  const accounts: PlannedAccount[] = [];
  const beside = await dependencies.ledger.campaigns.beside(campaign.id);
  for (const { instance, queue } of senders) {
    const facts = { ...options, timezone, instance, queue, others: beside.get(instance) ?? [] };
    accounts.push({ instance, input: await inputOf(dependencies, campaign, recipients, facts) });
  }
  const [{ input }] = accounts as [PlannedAccount];
  const plan = new PlannedPool(accounts);
  const carried = new Map<string, number>();
  const rows = new PlanRows(timezone, options.by === 'minute' ? 'minute' : 'hour');
  let posted = 0;
  let finishesAtMs = input.startMs;
  const take = ({ instance, postedAtMs, leavesAtMs }: PoolPost): void => {
    carried.set(instance, (carried.get(instance) ?? 0) + 1);
    rows.add(postedAtMs, leavesAtMs);
    finishesAtMs = leavesAtMs;
    posted += 1;
  };
  while (!options.signal.aborted && plan.postSome(take)) {
    if (rows.count > MOST_ROWS) throw tooManyRows(campaign.id, options.by);
    await setImmediate();
  }
  const all = recipients.reduce((total, some) => total + some.recipients, 0);
  const notPosted = all - posted;
  const lastsMs = finishesAtMs - input.startMs;
  const more = await withOneMore(accounts, options.signal);
  const by = options.by ?? (lastsMs <= HOURS_UP_TO_MS ? 'hour' : 'day');
  return {
    recipients: all,
    startsAt: iso(input.startMs),
    ...(posted === 0 ? {} : { finishesAt: iso(finishesAtMs) }),
    durationSeconds: Math.ceil(lastsMs / 1_000),
    accounts: senders.map(({ instance, queue: { releaseIntervalMs, intervalFrom } }) => ({
      instance,
      recipients: carried.get(instance) ?? 0,
      releaseIntervalMs,
      intervalFrom,
    })),
    ...(more === undefined ? {} : { withOneMore: { finishesAt: iso(more) } }),
    notPosted,
    timezone,
    by,
    rows: rows.by(by).map(withTimes),
    waits: plan.waits(notPosted === 0 ? finishesAtMs : input.deadlineMs).map(withTimes),
  };
}

/** When the last message leaves with one more account like the fastest one, with an empty queue; undefined: none leaves. */
async function withOneMore(accounts: readonly PlannedAccount[], signal: AbortSignal): Promise<number | undefined> {
  const fastest = accounts.toSorted((a, b) => a.input.queue.releaseIntervalMs - b.input.queue.releaseIntervalMs)[0];
  if (fastest === undefined) return undefined;
  const input = { ...fastest.input, queue: { ...fastest.input.queue, depth: 0 }, others: [] };
  const plan = new PlannedPool([...accounts, { instance: '', input }]);
  let lastMs: number | undefined;
  const take = ({ leavesAtMs }: PoolPost): void => {
    lastMs = leavesAtMs;
  };
  while (!signal.aborted && plan.postSome(take)) await setImmediate();
  return lastMs;
}

async function inputOf(
  { ledger, clock, instances }: PlanDependencies,
  campaign: CampaignView,
  recipients: readonly PlannedRecipients[],
  {
    startAt,
    offline,
    timezone,
    ...sender
  }: SimulationOptions & Sender & Required<Pick<PlanInput, 'others'>> & { readonly timezone: string },
): Promise<PlanInput> {
  const { depth = 0, releaseIntervalMs } = sender.queue;
  const { definition } = campaign;
  const planned = {
    ...campaign,
    instance: sender.instance,
    category: definition.category ?? 'marketing',
    settings: settingsOf(instances.get(sender.instance)),
  };
  const nowMs = clock.nowMs();
  const startsAt = startAt ?? campaign.startAt ?? definition.startAt;
  return planInput(planned, {
    nowMs,
    startMs: Math.max(nowMs, startsAt === undefined ? nowMs : Date.parse(startsAt)),
    recipients,
    queue: { depth, releaseIntervalMs },
    caps: await ledger.dispatch.usedCaps(rulesOfCampaign(planned), nowMs),
    online: offline && outsideQuietHours({ timezone, windows: offline }),
    others: sender.others,
  });
}

function tooManyRows(id: string, by: PlanPeriod | undefined): AppError {
  const message = `is too short for a campaign that takes so long: ${by} gives more than ${MOST_ROWS} rows. Use hour or day`;
  return inputInvalid(`The plan of campaign ${id}`, [{ path: 'by', message }]);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function withTimes<Period extends { fromMs: number; untilMs: number }>({ fromMs, untilMs, ...rest }: Period) {
  return { from: iso(fromMs), until: iso(untilMs), ...rest };
}

/** The recipients of a draft to post to, by the clock that their sending windows use. */
export class PlannedAudience {
  /** Lines are stored only if they affect the result. */
  readonly #hasJitter: boolean;
  readonly #streams = new Map<string | undefined, { recipients: number; readonly lines: number[] }>();

  constructor({ limits }: CampaignView) {
    this.#hasJitter = limits?.jitter !== undefined;
  }

  add({ line, timezone }: Recipient): void {
    const stream = this.#streams.get(timezone) ?? { recipients: 0, lines: [] };
    this.#streams.set(timezone, stream);
    stream.recipients += 1;
    if (this.#hasJitter) stream.lines.push(line);
  }

  byTimezone(): PlannedRecipients[] {
    return [...this.#streams].map(([timezone, { recipients, lines }]) => ({
      timezone,
      recipients,
      lineAt: (place) => lines[place] ?? 0,
    }));
  }
}
