import { sql } from 'kysely';
import { AppError, groupBy } from '../../../contract/index.js';
import { ledgerError } from '../../storage/database-error.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { claimDue } from './claim-due.js';
import {
  fillsWindow,
  type DueAttempt,
  type InstanceTick,
  type OperationDelays,
  type Shift,
  type ShiftStats,
  type ShiftTry,
  type Tick,
  type TickResult,
  type Want,
} from '../dispatch-ledger.js';
import { pauseJittered } from '../streams/limits.js';
import { nextDue } from './next-due.js';
import { openStreams } from '../streams/open-streams.js';
import { setAside } from './set-aside.js';
import { recordOutcome } from '../../messages/outcome.js';
import { writeOutcomes } from './tick-outcomes.js';
import { jsonText } from '../../storage/statements.js';

/**
 * One transaction: first all outcomes, unconditionally, then claims. If an outcome makes it fail, each outcome gets its
 * own transaction; if claims make it fail, each instance gets its own.
 * @throws AppError LEDGER_UNAVAILABLE when it is unknown whether the commit succeeded: ask `claimed`
 */
export async function runTick(store: Store, tick: Tick): Promise<TickResult> {
  try {
    return await retryingTransaction(store, (tx) => inTransaction(tx, tick));
  } catch (error) {
    if (error instanceof AppError && error.code === 'LEDGER_UNAVAILABLE') throw error;
    return eachByItself(store, tick);
  }
}

/**
 * Locks are taken as WRITER-3 says. Only outcomes wait for them: streams, campaigns (against a change of state) and due
 * messages that are locked are skipped.
 */
async function inTransaction(tx: Tx, { wants, outcomes, nowMs }: Tick): Promise<TickResult> {
  const locked = await lockDispatchers(tx, wants, nowMs);
  const ours = wants.flatMap((want) => {
    const serving = locked.get(want.shift.instance);
    return serving && isTryOf(serving, want.shift) ? [{ ...want, epoch: serving.epoch }] : [];
  });
  await markSeen(tx, ours, locked, nowMs);
  await writeOutcomes(tx, outcomes);
  const passed = ours.map(({ shift }) => shift.instance).filter((instance) => locked.get(instance)?.has_passed);
  if (passed.length > 0) await openStreams(tx, passed, nowMs);
  const { claimed, jittered, refused, hiding } = await claimDue(tx, ours, nowMs);
  await pauseJittered(tx, jittered, nowMs);
  const again = [...hiding, ...(await setAside(tx, refused, ours, nowMs))];
  const got = groupBy(claimed, ({ instance }) => instance);
  const short = ours.filter((want) => !fillsWindow(want, got.get(want.shift.instance)?.length ?? 0));
  const due = await nextDue(
    tx,
    short.map(({ shift, delayed = [] }) => ({ instance: shift.instance, delayed })),
    nowMs,
  );
  const foundIn = (want: Want): InstanceTick => {
    const { instance } = want.shift;
    // Another transaction has locked the row: nothing was claimed, and the instance is due again.
    if (!locked.has(instance)) return { next: { atMs: nowMs, extraRoom: 0 } };
    return ours.some(({ shift }) => shift === want.shift)
      ? { next: due.get(instance), hasHidden: again.includes(instance) }
      : { isLost: true };
  };
  const byInstance = new Map(wants.map((want) => [want.shift.instance, foundIn(want)]));
  return { claimed, byInstance, unrecorded: new Map() };
}

async function eachByItself(store: Store, { wants, outcomes, nowMs }: Tick): Promise<TickResult> {
  const unrecorded = new Map<string, AppError>();
  for (const { token, outcome, atMs } of outcomes) {
    try {
      await retryingTransaction(store, (tx) => recordOutcome(tx, token, outcome, atMs));
    } catch (error) {
      unrecorded.set(token, ledgerError(error));
    }
  }
  const claimed: DueAttempt[] = [];
  const byInstance = new Map<string, InstanceTick>();
  for (const want of wants) {
    const { instance } = want.shift;
    try {
      const tick = { wants: [want], outcomes: [], nowMs };
      const own = await retryingTransaction(store, (tx) => inTransaction(tx, tick));
      claimed.push(...own.claimed);
      byInstance.set(instance, own.byInstance.get(instance) ?? {});
    } catch (error) {
      byInstance.set(instance, { next: { atMs: nowMs, extraRoom: 0 }, error: ledgerError(error) });
    }
  }
  return { claimed, byInstance, unrecorded };
}

/**
 * After this time a claim is useless, since posting deadlines have passed, and it delays every instance of the worker.
 */
const LONGEST_STATEMENT = '8s';
/** Precision of the time in a dispatcher's row at which its shift last worked. */
const SEEN_EVERY_MS = 5_000;

interface DispatcherRow extends ShiftTry {
  readonly instance: string | null;
  readonly epoch: string;
  readonly seen_at: Date;
  readonly delays: OperationDelays | null;
  /** Whether it has streams whose span has passed (LIMIT-3). */
  readonly has_passed: boolean;
}

/**
 * The first statement of a tick: later statements see every pause and takeover that was committed before. It skips
 * locked rows, since waiting for one would delay all instances of the worker. Its settings force index plans, also for
 * plans made while the tables were small, and one generic plan per connection in place of five trial plans.
 * @returns by instance: the rows that were not locked
 */
async function lockDispatchers(tx: Tx, wants: readonly Want[], nowMs: number) {
  const { rows } = await sql<DispatcherRow>`/* dispatch_lock */
    select d.instance, d.epoch::text as epoch, d.run, d.shift, d.attempt, d.seen_at, d.delays, exists (
      select from streams s where s.instance = d.instance and s.closes_at < 'infinity'
        and s.closes_at <= ${new Date(nowMs)}::timestamptz) as has_passed
    from (select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('statement_timeout', ${sql.lit(LONGEST_STATEMENT)}, true) offset 0) settings
    left join lateral (
      select instance, epoch, run, shift, attempt, seen_at, delays from dispatchers
      where instance in (select json_array_elements_text(${jsonText(wants.map(({ shift }) => shift.instance))}::json))
      order by instance for no key update skip locked) d on true`.execute(tx);
  return new Map(rows.flatMap((row) => (row.instance === null ? [] : [[row.instance, row] as const])));
}

function isTryOf(row: ShiftTry, { try: { run, shift, attempt } }: Shift): boolean {
  return row.run === run && row.shift === shift && row.attempt === attempt;
}

async function markSeen(
  tx: Tx,
  ours: readonly Want[],
  locked: ReadonlyMap<string, DispatcherRow>,
  nowMs: number,
): Promise<void> {
  const old = ours.filter(({ shift, stats }) => {
    const row = locked.get(shift.instance);
    return row !== undefined && (row.seen_at.getTime() <= nowMs - SEEN_EVERY_MS || hasNewDelay(row, stats));
  });
  if (old.length === 0) return;
  await sql`/* dispatch_seen */
    update dispatchers d set seen_at = ${new Date(nowMs)}::timestamptz, queue_depth = coalesce(s.depth, d.queue_depth),
      depth_estimated_at = case when s.depth is null then d.depth_estimated_at else ${new Date(nowMs)}::timestamptz end,
      release_interval_ms = coalesce(s.release_interval_ms, d.release_interval_ms),
      in_flight = coalesce(s.in_flight, d.in_flight), post_window = coalesce(s.post_window, d.post_window),
      delays = s.delays
    from json_to_recordset(${jsonText(old.map(statsColumns))}::json) as s(
      instance text, depth integer, release_interval_ms integer, in_flight integer, post_window integer, delays json)
    where d.instance = s.instance`.execute(tx);
}

/** The same delay differs by a few milliseconds each time that it is converted from the shift's clock. */
const SAME_DELAY_MS = 1_000;

function hasNewDelay({ delays: stored }: DispatcherRow, stats: ShiftStats | undefined): boolean {
  const of = (delays: OperationDelays | null) => Object.entries(delays ?? {});
  return of(stats?.delays ?? null).some(([operation, untilMs]) => {
    const known = of(stored).find(([name]) => name === operation)?.[1] ?? 0;
    return Math.abs(known - untilMs) > SAME_DELAY_MS;
  });
}

function statsColumns({ shift, stats }: Want) {
  return {
    instance: shift.instance,
    depth: stats?.estimatedDepth,
    release_interval_ms: stats?.releaseIntervalMs,
    in_flight: stats?.inFlight,
    post_window: stats?.window,
    delays: stats?.delays,
  };
}
