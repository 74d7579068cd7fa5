import { setImmediate } from 'node:timers/promises';
import {
  CAMPAIGN_DEADLINE_MS,
  present,
  RECIPIENT_TIMEZONE,
  settingsOf,
  type DailyWindow,
  type Recipient,
  AppError,
  ASSUMED_INTERVAL_MS,
  type OperationName,
} from '../../contract/index.js';
import {
  localDayAt,
  outsideQuietHours,
  PlannedPosts,
  PlanRows,
  typingMsOf,
  type PlanInput,
  type PlannedStream,
  type PlanPeriod,
  type SendingRules,
} from '../../domain/index.js';
import type { CampaignView } from '../../ledger/index.js';
import type { CampaignPlan, Forecast } from './plan-schema.js';
import type { AskGateway } from '../../starter/index.js';
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
  audience: PlannedAudience,
  options: SimulationOptions,
): Promise<{ forecast: Forecast; warnings: CampaignPlan['warnings'] }> {
  const queue = await readQueue(dependencies, campaign.instance, options.signal);
  const simulated = await simulate(dependencies, campaign, audience, queue, options);
  return {
    forecast: { recipients: audience.recipients, ...queue, ...simulated },
    warnings: warningsOf({
      QUEUE_UNKNOWN:
        queue.depth === undefined && "The gateway's queue could not be read. Items that are in it are sent first.",
      PACE_ASSUMED:
        queue.intervalFrom === 'assumed' &&
        `The account's pace is unknown: the forecast assumes ${ASSUMED_INTERVAL_MS / 1_000} s for each message.`,
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

/** The gateway's queue as the ledger knows it, or as the gateway says if that is old or unknown. */
async function readQueue(
  { ledger, clock, askGateway }: PlanDependencies,
  instance: string,
  signal: AbortSignal,
): Promise<Queue> {
  const known = await ledger.dispatch.view(instance);
  const { reading, estimate } = known;
  const isFresh = reading !== undefined && clock.nowMs() - Date.parse(reading.at) < READING_GOOD_FOR_MS;
  const ask = askedFor(askGateway, instance, signal);
  const [queue, settings] = await Promise.all([
    isFresh ? undefined : ask<readonly unknown[]>('showMessagesQueue'),
    known.releaseIntervalMs !== undefined
      ? undefined
      : ask<{ delaySendMessagesMilliseconds?: number | null }>('getSettings'),
  ]);
  const nowMs = clock.nowMs();
  const pace = paceOf(known.releaseIntervalMs, settings?.delaySendMessagesMilliseconds);
  if (queue !== undefined) {
    return { depth: queue.length, depthFrom: 'read', depthReadAt: new Date(nowMs).toISOString(), ...pace };
  }
  const read = present({ depthReadAt: reading?.at });
  if (estimate === undefined) return { ...read, ...pace };
  const depth = leftOf(estimate.items, nowMs - Date.parse(estimate.at), known.releaseIntervalMs);
  return { depth, depthFrom: 'estimated', ...read, ...pace };
}

/** The estimated depth now: the last estimate, minus the releases since if the pace is known. */
function leftOf(depth: number, ageMs: number, releaseIntervalMs = Infinity): number {
  return Math.max(depth - Math.floor(ageMs / releaseIntervalMs), 0);
}

/** The plan continues without a response that is late or is a rejection. */
function askedFor(askGateway: AskGateway, instance: string, signal: AbortSignal) {
  return async <Result>(method: OperationName): Promise<Result | undefined> => {
    try {
      return await askGateway<Result>(method, instance, {}, { timeoutMs: ASK_FOR_MS, signal });
    } catch (error) {
      if (error instanceof AppError && error.next !== 'bug') return undefined;
      throw error;
    }
  };
}

function paceOf(
  seenMs: number | undefined,
  setMs: number | null | undefined,
): Pick<Forecast, 'releaseIntervalMs' | 'intervalFrom'> {
  if (seenMs !== undefined) return { releaseIntervalMs: seenMs, intervalFrom: 'learned' };
  if (setMs === undefined || setMs === null) return { releaseIntervalMs: ASSUMED_INTERVAL_MS, intervalFrom: 'assumed' };
  return { releaseIntervalMs: Math.max(setMs, LEAST_INTERVAL_MS), intervalFrom: 'settings' };
}

/** Processed in one turn of the event loop, which takes a few milliseconds. Then other requests run. */
const POSTS_AT_ONCE = 20_000;
const HOURS_UP_TO_MS = 3 * 24 * 60 * 60 * 1000;

async function simulate(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  audience: PlannedAudience,
  queue: Queue,
  options: SimulationOptions,
) {
  const timezone = timezoneOf(dependencies, campaign, options);
  const input = await inputOf(dependencies, campaign, audience, queue, { ...options, timezone });
  const plan = new PlannedPosts(input);
  const rows = new PlanRows(timezone);
  let posted = 0;
  let finishesAtMs = input.startMs;
  for (let post = plan.next(); post !== undefined && !options.signal.aborted; post = plan.next()) {
    rows.add(post.postedAtMs, post.leavesAtMs);
    finishesAtMs = post.leavesAtMs;
    posted += 1;
    if (posted % POSTS_AT_ONCE === 0) await setImmediate();
  }
  const notPosted = audience.recipients - posted;
  const lastsMs = finishesAtMs - input.startMs;
  const by = options.by ?? (lastsMs <= HOURS_UP_TO_MS ? 'hour' : 'day');
  return {
    startsAt: iso(input.startMs),
    ...(posted === 0 ? {} : { finishesAt: iso(finishesAtMs) }),
    durationSeconds: Math.ceil(lastsMs / 1_000),
    notPosted,
    timezone,
    by,
    rows: rows.by(by).map(withTimes),
    waits: plan.waits(notPosted === 0 ? finishesAtMs : input.deadlineMs).map(withTimes),
  };
}

async function inputOf(
  { ledger, clock, instances }: PlanDependencies,
  campaign: CampaignView,
  audience: PlannedAudience,
  { depth = 0, releaseIntervalMs }: Queue,
  { startAt, offline, timezone }: SimulationOptions & { readonly timezone: string },
): Promise<PlanInput> {
  const { id, instance, priority, definition, highWater, sendingWindows, limits } = campaign;
  const settings = settingsOf(instances.get(instance));
  const nowMs = clock.nowMs();
  const startsAt = startAt ?? campaign.startAt ?? definition.startAt;
  const startMs = Math.max(nowMs, startsAt === undefined ? nowMs : Date.parse(startsAt));
  const today = localDayAt(settings.limits?.timezone ?? 'UTC', nowMs);
  const [posted, ownPosted] = await Promise.all(
    [undefined, id].map((campaignId) => ledger.dispatch.postedSince(instance, campaignId, today.startMs)),
  );
  const jitter = limits?.jitter;
  return {
    nowMs,
    startMs,
    deadlineMs: campaign.deadlineAt === undefined ? startMs + CAMPAIGN_DEADLINE_MS : Date.parse(campaign.deadlineAt),
    streams: audience.streams((ofRecipients) => ({
      instance,
      isUrgent: priority === 'urgent',
      isMarketing: (definition.category ?? 'marketing') === 'marketing',
      settings,
      campaign: { id, timezone: ofRecipients, sendingWindows, limits },
    })),
    queue: { depth, releaseIntervalMs, highWater },
    typingMs: typingMsOf(campaign.content),
    posted: (scope, dayStartMs) =>
      (dayStartMs === today.startMs ? (scope === `campaign:${id}` ? ownPosted : posted) : undefined) ?? 0,
    ...present({
      jitter: jitter && { ...jitter, seed: jitter.seed ?? id },
      online: offline && outsideQuietHours({ timezone, windows: offline }),
    }),
  };
}

function timezoneOf({ instances }: PlanDependencies, campaign: CampaignView, { timezone }: SimulationOptions): string {
  const ofCampaign = campaign.sendingWindows?.timezone;
  const { sendingWindows, quietHours, limits } = instances.get(campaign.instance);
  return (
    timezone ??
    (ofCampaign === RECIPIENT_TIMEZONE ? undefined : ofCampaign) ??
    sendingWindows?.timezone ??
    quietHours?.timezone ??
    limits?.timezone ??
    'UTC'
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function withTimes<Period extends { fromMs: number; untilMs: number }>({ fromMs, untilMs, ...rest }: Period) {
  return { from: iso(fromMs), until: iso(untilMs), ...rest };
}

/** The recipients of a campaign to post to, by the clock that their sending windows use. */
export class PlannedAudience {
  recipients = 0;
  /** Lines are stored only if they affect the result. */
  readonly #hasJitter: boolean;
  /** A started campaign has posted to all recipients before this place, since it posts in the order of lines. */
  readonly #firstPlace: number;
  readonly #streams = new Map<string | undefined, { recipients: number; readonly lines: number[] }>();

  constructor({ state, audience, counts, limits }: CampaignView) {
    this.#hasJitter = limits?.jitter !== undefined;
    this.#firstPlace = state === 'draft' ? 0 : audience - counts.pending;
  }

  add({ line, timezone }: Recipient, place: number): void {
    if (place < this.#firstPlace) return;
    const stream = this.#streams.get(timezone) ?? { recipients: 0, lines: [] };
    this.#streams.set(timezone, stream);
    stream.recipients += 1;
    if (this.#hasJitter) stream.lines.push(line);
    this.recipients += 1;
  }

  streams(rulesOf: (timezone: string | undefined) => SendingRules): PlannedStream[] {
    return [...this.#streams].map(([timezone, { recipients, lines }]) => ({
      rules: rulesOf(timezone),
      recipients,
      lineAt: (place) => lines[place] ?? 0,
    }));
  }
}
