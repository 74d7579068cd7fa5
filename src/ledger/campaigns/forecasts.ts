/**
 * When campaigns are expected to end.
 *
 * ETA-1 A started campaign ends when a plan of it would say now (FORECAST-1 to FORECAST-6). Its recipients are known from
 *    counts: the audience is not read.
 * ETA-2 A forecast is kept for a minute, but not past its own end, nor after a change of the campaign's row, of its
 *    instance's settings or of the pace. Posts change none of them. A minute shows what others add to the queue.
 * ETA-3 A long simulation gives way to other work every few milliseconds.
 * ETA-4 The response to a command does not wait for the forecast of more than 10,000 recipients, which takes 2.4 s for a
 *    million. It has the one that is kept, or says FORECAST_LATER.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  EXPECTED_INTERVAL_MS,
  campaignWaitMeans,
  canonicalJson,
  groupBy,
  isPause,
  present,
  type CampaignId,
  type CampaignProgress,
  type CampaignWaiting,
  type MessageCategory,
  type Priority,
} from '../../contract/index.js';
import {
  leftInQueue,
  planInput,
  type PlannedAccount,
  PlannedPool,
  type PlannedPost,
  rulesOfCampaign,
  shareOf,
  type PlannedCampaign,
  type PlannedOther,
  type PlannedRecipients,
} from '../../domain/index.js';
import { classIn } from '../streams/streams.js';
import type { dispatcherView } from '../instances/dispatcher-view.js';
import { isCurrent } from '../messages/writer/due-rows.js';
import type { Db, Store } from '../storage/store.js';
import { usedCaps } from '../streams/open-streams.js';
import type { CampaignRow } from './campaign-row.js';

/** What is known of a campaign when it is shown. */
interface Shown {
  readonly row: CampaignRow;
  /** Recipients that were not posted to. */
  readonly pending: number;
  readonly waiting: CampaignWaiting | undefined;
  /** The accounts that get its messages. */
  readonly senders: readonly Sender[];
  /** Of more pending recipients, only a forecast that is kept is shown. @default no limit */
  readonly forecastUpTo: number | undefined;
}

export interface Sender {
  readonly instance: string;
  readonly dispatcher: Awaited<ReturnType<typeof dispatcherView>>;
}

interface Forecast {
  /** When the last message leaves the gateway's queue; undefined if none is posted. */
  readonly endsAtMs: number | undefined;
  readonly notPosted: number;
}

interface KeptForecast {
  /** Changes with what the forecast depends on, apart from posts. */
  readonly key: string;
  readonly madeAtMs: number;
  readonly forecast: Promise<Forecast>;
  /** Once it is made. */
  made?: Forecast;
}

const KEPT_MS = 60_000;
const MOST_KEPT = 1_000;
/** ETA-4. */
export const FORECAST_IN_RESPONSE = 10_000;
const SECOND_MS = 1_000;

/** The forecasts of a process. */
export class Forecasts {
  readonly #store: Store;
  readonly #kept = new Map<CampaignId, KeptForecast>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** When a campaign ends, or why that is unknown; neither if it does not run. */
  async eta(
    shown: Shown,
    nowMs: number,
  ): Promise<Pick<CampaignProgress, 'etaAt' | 'asOf' | 'willExpire' | 'etaUnknown'>> {
    const { row, pending, waiting, senders, forecastUpTo = Infinity } = shown;
    const queued = senders.reduce((sum, { dispatcher }) => sum + queuedNow(dispatcher, nowMs), 0);
    if (row.state === 'paused') return { etaUnknown: waiting?.code ?? 'PAUSED' };
    if (row.state !== 'running' && row.state !== 'scheduled') return {};
    if (pending + queued === 0) return { etaUnknown: waiting?.code ?? 'RECEIPTS' };
    const isStopped = waiting !== undefined && campaignWaitMeans(waiting.code) !== 'moves';
    if (isStopped && (pending > 0 || isPause(waiting))) return { etaUnknown: waiting.code };
    if (senders.every(({ dispatcher }) => dispatcher.releaseIntervalMs === undefined)) {
      return { etaUnknown: 'RATE_UNKNOWN' };
    }
    const facts = senders.map(({ instance, dispatcher: { releaseIntervalMs = null, settings = null } }) => [
      instance,
      releaseIntervalMs,
      settings,
    ]);
    const key = canonicalJson([row.version, facts]);
    const kept = this.#keptOf(row.id, key, nowMs);
    if (pending > forecastUpTo && kept?.made === undefined) return { etaUnknown: 'FORECAST_LATER' };
    const { madeAtMs, forecast } = kept ?? this.#begin(shown, key, nowMs);
    const { endsAtMs, notPosted } = await forecast;
    if (endsAtMs === undefined) return { etaUnknown: waiting?.code ?? 'DEADLINE_TOO_SOON' };
    return {
      etaAt: new Date(Math.ceil(Math.max(endsAtMs, nowMs + SECOND_MS) / SECOND_MS) * SECOND_MS).toISOString(),
      asOf: new Date(madeAtMs).toISOString(),
      ...(notPosted === 0 ? {} : { willExpire: notPosted }),
    };
  }

  /** ETA-2. */
  #keptOf(id: CampaignId, key: string, nowMs: number): KeptForecast | undefined {
    const kept = this.#kept.get(id);
    const isGood = kept?.key === key && kept.madeAtMs <= nowMs && nowMs < kept.madeAtMs + KEPT_MS;
    return isGood && (kept.made?.endsAtMs ?? Infinity) > nowMs ? kept : undefined;
  }

  #begin(shown: Shown, key: string, nowMs: number): KeptForecast {
    const { id } = shown.row;
    this.#kept.delete(id);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    const forecast = this.#store.run((db) => forecastOf(db, shown, nowMs));
    const begun: KeptForecast = { key, madeAtMs: nowMs, forecast };
    this.#kept.set(id, begun);
    forecast.then(
      (made) => (begun.made = made),
      () => this.#kept.get(id) === begun && this.#kept.delete(id),
    );
    return begun;
  }
}

/** ETA-1. An account whose pace is not known yet is expected to have the usual one, as when it gets recipients. */
async function forecastOf(db: Db, { row, pending: all, senders }: Shown, nowMs: number): Promise<Forecast> {
  const pending = notHeldOut(row, all);
  const startsAtMs = row.started_at === null ? (row.start_at?.getTime() ?? nowMs) : nowMs;
  const recipients = await recipientsToPost(db, row, pending);
  const beside = await campaignsBeside(db, row);
  const planned: Omit<PlannedCampaign, 'instance' | 'settings'> = {
    id: row.id,
    priority: row.priority as Priority,
    category: row.category as MessageCategory,
    content: row.content,
    highWater: row.high_water,
    ...present({
      sendingWindows: row.sending_windows ?? undefined,
      limits: row.limits ?? undefined,
      deadlineAt: row.deadline_at?.toISOString(),
    }),
  };
  const accounts: PlannedAccount[] = [];
  for (const { instance, dispatcher } of senders) {
    const { releaseIntervalMs = EXPECTED_INTERVAL_MS, settings = {} } = dispatcher;
    const campaign = { ...planned, instance, settings };
    const input = planInput(campaign, {
      nowMs,
      startMs: Math.max(nowMs, startsAtMs),
      recipients,
      queue: { depth: queuedNow(dispatcher, nowMs), releaseIntervalMs },
      caps: await usedCaps(db, rulesOfCampaign(campaign), nowMs),
      others: beside.get(instance) ?? [],
    });
    accounts.push({ instance, input });
  }
  const emptyAtMs = accounts.map(({ input: { queue } }) => nowMs + queue.depth * queue.releaseIntervalMs);
  let endsAtMs = pending === 0 ? Math.max(...emptyAtMs) : undefined;
  let posted = 0;
  const plan = new PlannedPool(accounts);
  const take = ({ leavesAtMs }: PlannedPost): void => {
    endsAtMs = leavesAtMs;
    posted += 1;
  };
  // ETA-3.
  while (plan.postSome(take)) await setImmediate();
  return { endsAtMs, notPosted: pending - posted };
}

/** More of them say nothing more about the end. */
const MOST_BESIDE = 100;
/** DISPATCH-7: posts of a class for each post of a lower one. */
const POSTS_PER_LOWER = 7;

/** FORECAST-8: by account, what other running campaigns have left, shared out over their accounts. */
export async function campaignsBeside(
  db: Db,
  { id }: Pick<CampaignRow, 'id'>,
): Promise<ReadonlyMap<string, PlannedOther[]>> {
  // `lower_by` is positive for a lower class than that of the campaign.
  const { rows } = await sql<{ instance: string; waiting: number; lower_by: number }>`/* campaigns_beside */
    select own.instance, ceil(counted.pending::float8 / accounts.number)::integer as waiting,
      ${classIn('c')} - ${classIn('this')} as lower_by
    from campaigns this join campaign_accounts own on own.campaign_id = this.id and own.out_at is null
    join campaign_accounts other on other.instance = own.instance and other.campaign_id <> this.id and other.out_at is null
    join campaigns c on c.id = other.campaign_id and c.state = 'running'
    cross join lateral (
      select count(*) as number from campaign_accounts p where p.campaign_id = c.id and p.out_at is null) accounts
    cross join lateral (
      select c.audience - coalesce(sum(n.recipients) filter (where n.state <> 'pending'), 0) as pending
      from campaign_counts n where n.campaign_id = c.id) counted
    where this.id = ${id} limit ${MOST_BESIDE}`.execute(db);
  const turnsOf = (lowerBy: number) => (lowerBy === 0 ? 1 : lowerBy < 0 ? POSTS_PER_LOWER : 1 / POSTS_PER_LOWER);
  const others = groupBy(rows, ({ instance }) => instance);
  return new Map(
    [...others].map(([instance, campaigns]) => [
      instance,
      campaigns.map(({ waiting, lower_by }) => ({ waiting, turns: turnsOf(lower_by) })),
    ]),
  );
}

/** By the last estimate of a shift, or a later reading. */
function queuedNow({ estimate, reading, releaseIntervalMs }: Sender['dispatcher'], nowMs: number): number {
  const isReadLater = reading !== undefined && reading.at > (estimate?.at ?? '');
  const known = isReadLater ? reading : estimate;
  return known === undefined ? 0 : leftInQueue(known.items, nowMs - Date.parse(known.at), releaseIntervalMs);
}

/** About how many of the recipients that are pending are not held out. */
export function notHeldOut({ definition: { holdOut } }: CampaignRow, pending: number): number {
  return holdOut === undefined ? pending : Math.ceil(pending * (1 - shareOf(holdOut)));
}

/** The recipients of a started campaign that were not posted to, by the clock that their sending windows use. */
export async function recipientsToPost(db: Db, row: CampaignRow, pending: number): Promise<PlannedRecipients[]> {
  let firstLine = 0;
  if (row.limits?.jitter !== undefined) {
    // The lines give the pauses between messages. Those before the last one are usually all recipients.
    const last = await sql<{ line: number | null }>`
      select max(line) as line from recipients where audience_no = ${row.audience_no}`.execute(db);
    firstLine = (last.rows[0]?.line ?? 0) - pending + 1;
  }
  if (!row.by_timezone) return [{ recipients: pending, lineAt: (place) => firstLine + place }];
  const { rows } = await sql<{ timezone: string; due: number; unread: number }>`
    select z.timezone, z.recipients - z.read_recipients as unread, (
      select count(*)::integer from streams s join due_messages d on d.stream_id = s.id
      where s.campaign_id = c.id and s.timezone = z.timezone and ${isCurrent('s')}) as due
    from campaigns c join campaign_timezones z on z.campaign_id = c.id where c.id = ${row.id}
    order by z.timezone`.execute(db);
  // Usually a timezone has its due and its unread recipients. Parked messages, and those that are composed again after a
  // change of the order, are in no stream or were read before: they are shared out by the unread ones.
  const unread = rows.reduce((total, zone) => total + zone.unread, 0);
  const inStreams = rows.reduce((total, zone) => total + zone.due, 0);
  const others = Math.max(0, pending - inStreams);
  let before = 0;
  return rows.map(({ timezone, due, unread: own }, at) => {
    const share = unread === 0 ? others / rows.length : (others * own) / unread;
    const left = pending - before;
    const recipients = at === rows.length - 1 ? left : Math.min(left, due + Math.round(share));
    const first = firstLine + before;
    before += recipients;
    return { timezone, recipients, lineAt: (place) => first + place };
  });
}
