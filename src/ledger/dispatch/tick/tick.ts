import { sql } from 'kysely';
import { AppError } from '../../../contract/index.js';
import { ledgerError } from '../../storage/database-error.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { claimDue } from './claim-due.js';
import {
  fillsWindow,
  type DueAttempt,
  type DueTyping,
  type Outcome,
  type Tick,
  type TickResult,
  epochNumber,
  type Want,
} from '../dispatch-ledger.js';
import { pauseJittered } from '../streams/limits.js';
import { nextDue } from './next-due.js';
import { openStreams } from '../streams/open-streams.js';
import { setAside } from './set-aside.js';
import { writeOutcome, writeOutcomes } from './tick-outcomes.js';
import { jsonText } from '../../storage/statements.js';

/** One transaction for all; if it fails, one for each. */
export async function runTick(store: Store, tick: Tick): Promise<TickResult> {
  try {
    return await retryingTransaction(store, (tx) => inTransaction(tx, tick));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return eachByItself(store, tick);
  }
}

const NOTHING: TickResult = {
  claimed: [],
  typing: [],
  lost: [],
  nextDueMs: new Map(),
  extraRoom: new Map(),
  again: [],
  unrecorded: new Map(),
  failed: new Map(),
};

/**
 * The lock order: dispatchers, streams, campaigns (only against a change of state; skipped if locked), messages,
 * attempts, ids, caps.
 */
async function inTransaction(tx: Tx, tick: Tick): Promise<TickResult> {
  const { wants, outcomes, nowMs } = tick;
  const { ours, lost, busy, passed } = await lockDispatchers(tx, wants, nowMs);
  await writeOutcomes(tx, outcomes);
  if (passed.length > 0) await openStreams(tx, passed, nowMs);
  const { claimed, jittered, refused, typing } = await claimDue(tx, ours, nowMs);
  await pauseJittered(tx, jittered, nowMs);
  const again = await setAside(tx, refused, ours, nowMs);
  const got = new Map<string, number>();
  for (const { instance } of [...claimed, ...typing]) got.set(instance, (got.get(instance) ?? 0) + 1);
  const short = ours.filter((want) => !fillsWindow(want, got.get(want.shift.instance) ?? 0));
  const due = await nextDue(
    tx,
    short.map(({ shift, delayed = [] }) => ({ instance: shift.instance, delayed })),
    nowMs,
  );
  const nextDueMs = new Map([...due].map(([instance, { atMs }]) => [instance, atMs]));
  for (const instance of busy) nextDueMs.set(instance, nowMs);
  const extraRoom = new Map([...due].map(([instance, next]) => [instance, next.extraRoom]));
  return { ...NOTHING, claimed, typing, lost, nextDueMs, extraRoom, again };
}

async function eachByItself(store: Store, tick: Tick): Promise<TickResult> {
  const unrecorded = await writeEach(store, tick.outcomes);
  const claimed: DueAttempt[] = [];
  const typing: DueTyping[] = [];
  const lost: string[] = [];
  const nextDueMs = new Map<string, number>();
  const extraRoom = new Map<string, number>();
  const again: string[] = [];
  const failed = new Map<string, AppError>();
  for (const want of tick.wants) {
    try {
      const one = await retryingTransaction(store, (tx) => inTransaction(tx, { ...tick, wants: [want], outcomes: [] }));
      claimed.push(...one.claimed);
      typing.push(...one.typing);
      lost.push(...one.lost);
      again.push(...one.again);
      for (const [instance, atMs] of one.nextDueMs) nextDueMs.set(instance, atMs);
      for (const [instance, room] of one.extraRoom) extraRoom.set(instance, room);
    } catch (error) {
      failed.set(want.shift.instance, ledgerError(error));
      nextDueMs.set(want.shift.instance, tick.nowMs);
    }
  }
  return { claimed, typing, lost, nextDueMs, extraRoom, again, unrecorded, failed };
}

/** @returns outcomes that could not be recorded */
async function writeEach(store: Store, outcomes: readonly Outcome[]): Promise<Map<string, AppError>> {
  const unrecorded = new Map<string, AppError>();
  for (const one of outcomes) {
    try {
      await retryingTransaction(store, (tx) => writeOutcome(tx, one));
    } catch (error) {
      unrecorded.set(one.token, ledgerError(error));
    }
  }
  return unrecorded;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'LEDGER_UNAVAILABLE';
}

/**
 * After this time a claim is useless, since posting deadlines have passed, and it delays every instance of the worker.
 */
const LONGEST_STATEMENT = '8s';
/** Precision of the time in a dispatcher's row at which its shift last worked. */
const SEEN_EVERY_MS = 5_000;

/** The shifts with the newest epoch; requests of others are ignored. */
interface Locked {
  readonly ours: readonly Want[];
  readonly lost: readonly string[];
  /** Locked by another transaction: nothing is claimed for them in this tick. */
  readonly busy: readonly string[];
  /** Instances of these shifts with streams whose span has passed (LIMIT-3). */
  readonly passed: readonly string[];
}

interface DispatcherRow {
  readonly instance: string | null;
  readonly epoch: string;
  readonly seen_at: Date;
  readonly has_passed: boolean;
}

/**
 * The first statement of a tick: later statements see every pause and takeover that was committed before. It skips
 * locked rows, since waiting for one would delay all instances of the worker. Its settings force index plans, also for
 * plans made while the tables were small, and one generic plan per connection in place of five trial plans.
 */
async function lockDispatchers(tx: Tx, wants: readonly Want[], nowMs: number): Promise<Locked> {
  const { rows } = await sql<DispatcherRow>`/* dispatch_lock */
    select d.instance, d.epoch::text as epoch, d.seen_at, exists (
      select from streams s where s.instance = d.instance and s.closes_at < 'infinity'
        and s.closes_at <= ${new Date(nowMs)}::timestamptz) as has_passed
    from (select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('statement_timeout', ${sql.lit(LONGEST_STATEMENT)}, true) offset 0) settings
    left join lateral (
      select instance, epoch, seen_at from dispatchers
      where instance in (select json_array_elements_text(${jsonText(wants.map(({ shift }) => shift.instance))}::json))
      order by instance for no key update skip locked) d on true`.execute(tx);
  const byInstance = new Map(rows.map((row) => [row.instance, row]));
  const ours: Want[] = [];
  const lost: string[] = [];
  const busy: string[] = [];
  for (const want of wants) {
    const row = byInstance.get(want.shift.instance);
    if (row === undefined) busy.push(want.shift.instance);
    else if (row.epoch === epochNumber(want.shift.epoch)) ours.push(want);
    else lost.push(want.shift.instance);
  }
  await markSeen(tx, ours, byInstance, nowMs);
  const passed = ours
    .map(({ shift }) => shift.instance)
    .filter((instance) => byInstance.get(instance)?.has_passed === true);
  return { ours, lost, busy, passed };
}

async function markSeen(
  tx: Tx,
  ours: readonly Want[],
  byInstance: ReadonlyMap<string | null, DispatcherRow>,
  nowMs: number,
): Promise<void> {
  const old = ours.filter(({ shift }) => {
    const row = byInstance.get(shift.instance);
    return row !== undefined && row.seen_at.getTime() <= nowMs - SEEN_EVERY_MS;
  });
  if (old.length === 0) return;
  await sql`/* dispatch_seen */
    update dispatchers d set seen_at = ${new Date(nowMs)}::timestamptz, queue_depth = coalesce(s.depth, d.queue_depth),
      depth_read_at = coalesce(s.read_at, d.depth_read_at),
      release_interval_ms = coalesce(s.release_interval_ms, d.release_interval_ms),
      in_flight = coalesce(s.in_flight, d.in_flight), post_window = coalesce(s.post_window, d.post_window)
    from json_to_recordset(${jsonText(old.map(statsColumns))}::json) as s(
      instance text, depth integer, read_at timestamptz, release_interval_ms integer, in_flight integer, post_window integer)
    where d.instance = s.instance`.execute(tx);
}

function statsColumns({ shift, stats }: Want) {
  return {
    instance: shift.instance,
    depth: stats?.depth,
    read_at: stats?.readAtMs === undefined ? undefined : new Date(stats.readAtMs),
    release_interval_ms: stats?.releaseIntervalMs,
    in_flight: stats?.inFlight,
    post_window: stats?.window,
  };
}
