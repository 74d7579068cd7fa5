import { sql } from 'kysely';
import { AppError, groupBy } from '../../../contract/index.js';
import { ledgerError } from '../../storage/database-error.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { claimDue } from './claim-due.js';
import { claimEdits, EDITS_DUE, type EditsDueRow, nextEdits, nextEditsOf } from './claim-edits.js';
import {
  fillsWindow,
  type DueAttempt,
  type DueEdit,
  type InstanceTick,
  type Shift,
  type ShiftTry,
  type Tick,
  type TickResult,
  type Want,
} from '../dispatch-ledger.js';
import { lockSharedCaps, pauseJittered, SHARES_CAP } from '../../streams/limits.js';
import { nextDue } from './next-due.js';
import { openStreams } from '../../streams/open-streams.js';
import { setAside } from './set-aside.js';
import { NEWEST, recordRestore } from '../went-back.js';
import { recordOutcomes } from '../outcomes/record-outcomes.js';
import { jsonText } from '../../storage/statements.js';

/**
 * One transaction for all outcomes and claims. If it fails, each outcome gets a transaction of its own, and then each
 * instance.
 * @throws AppError LEDGER_UNAVAILABLE when it is unknown whether a commit succeeded: ask `claimed`
 */
export async function runTick(store: Store, tick: Tick): Promise<TickResult> {
  try {
    return await retryingTransaction(store, (tx) => inTransaction(tx, tick));
  } catch (error) {
    if (error instanceof AppError && error.code === 'LEDGER_UNAVAILABLE') throw error;
  }
  const { wants, editWants = [], outcomes, nowMs } = tick;
  const unrecorded = new Map<string, AppError>();
  for (const outcome of outcomes) {
    try {
      await retryingTransaction(store, (tx) => recordOutcomes(tx, [outcome]));
    } catch (error) {
      unrecorded.set(outcome.token, ledgerError(error));
    }
  }
  const [claimed, edits]: [DueAttempt[], DueEdit[]] = [[], []];
  const byInstance = new Map<string, InstanceTick>();
  for (const instance of new Set([...wants, ...editWants].map(({ shift }) => shift.instance))) {
    const isOfIt = ({ shift }: { readonly shift: Shift }) => shift.instance === instance;
    try {
      const own = { wants: wants.filter(isOfIt), editWants: editWants.filter(isOfIt), outcomes: [], nowMs };
      const found = await retryingTransaction(store, (tx) => inTransaction(tx, own));
      claimed.push(...found.claimed);
      edits.push(...found.edits);
      byInstance.set(instance, found.byInstance.get(instance) ?? {});
    } catch (error) {
      const failure = ledgerError(error);
      if (failure.code === 'LEDGER_UNAVAILABLE') throw failure;
      byInstance.set(instance, { next: { atMs: nowMs, extraRoom: 0 }, error: failure });
    }
  }
  return { claimed, edits, byInstance, unrecorded };
}

/**
 * Locks are taken as WRITER-3 says. Only outcomes and shared caps wait for locks; streams, campaigns (against a change of
 * state) and due messages that are locked are skipped.
 */
async function inTransaction(tx: Tx, { wants, editWants = [], outcomes, nowMs }: Tick): Promise<TickResult> {
  // Lock the rows of the dispatchers. A shift whose row is locked, and that still serves its instance, may claim.
  const asked = [...wants, ...editWants];
  const rows = await lockDispatchers(tx, asked, nowMs);
  const ours = serving(wants, rows);
  const ourEdits = serving(editWants, rows);

  // All others are lost: another shift serves the instance, or an older copy of the ledger has no row of it. If another
  // transaction has locked the row, the instance is due again.
  const byInstance = new Map<string, InstanceTick>(instancesOf(asked).map((instance) => [instance, { isLost: true }]));
  const skipped = instancesOf(asked).filter((instance) => !rows.has(instance));
  if (skipped.length > 0) {
    const known = await tx.selectFrom('dispatchers').select('instance').where('instance', 'in', skipped).execute();
    const isDue: InstanceTick = { next: { atMs: nowMs, extraRoom: 0 }, nextEdits: { postAtMs: nowMs } };
    for (const { instance } of known) byInstance.set(instance, isDue);
  }

  // Record restores, mark the shifts as alive, and record what became of earlier claims.
  await settleRestores(tx, [...rows.values()], nowMs);
  const marks = await markSeen(tx, ours, nowMs);
  await recordOutcomes(tx, outcomes);

  // Claim messages, once the spans and the caps of their streams are up to date.
  const passed = instancesOf(ours.filter(({ row }) => row.has_passed));
  if (passed.length > 0) await openStreams(tx, passed, nowMs);
  const sharing = instancesOf(ours.filter(({ row }) => row.shares_cap));
  if (sharing.length > 0) await lockSharedCaps(tx, sharing);
  const { claimed, jittered, refused, hiding } = await claimDue(tx, ours, nowMs);
  await pauseJittered(tx, jittered, nowMs);
  const hidden = new Set([...hiding, ...(await setAside(tx, refused, ours, nowMs))]);
  const got = groupBy(claimed, ({ instance }) => instance);
  const short = ours.filter((want) => !fillsWindow(want, got.get(want.shift.instance)?.length ?? 0));
  const next = await nextDue(tx, short, nowMs);

  // Claim edits, where the locked row says that some are due.
  const dueBy = (at: Date | null, most: number) => (at !== null && at.getTime() <= nowMs ? most : 0);
  const editing = ourEdits
    .map(({ row, ...want }) => ({
      ...want,
      posts: dueBy(row.post_at, want.posts),
      reads: dueBy(row.read_at, want.reads),
    }))
    .filter(({ posts, reads }) => posts + reads > 0);
  const edits = await claimEdits(tx, editing, nowMs);
  const changed = await nextEdits(tx, instancesOf(editing));

  // What each of ours gets told.
  for (const { shift, row } of [...ours, ...ourEdits]) {
    const { instance } = shift;
    byInstance.set(instance, {
      next: next.get(instance),
      hasHidden: hidden.has(instance),
      nextEdits: changed.get(instance) ?? nextEditsOf(row),
      mark: marks.get(instance),
    });
  }
  return { claimed, edits, byInstance, unrecorded: new Map() };
}

/** DISPATCH-1, RETURN-1: the wants of shifts that still serve their instances, each with the locked row. */
function serving<One extends { readonly shift: Shift }>(
  wants: readonly One[],
  rows: ReadonlyMap<string, DispatcherRow>,
) {
  return wants.flatMap((want) => {
    const { instance, try: own } = want.shift;
    const row = rows.get(instance);
    const isOwn = row?.run === own.run && row.shift === own.shift && row.attempt === own.attempt;
    return isOwn && row.has_last ? [{ ...want, row, epoch: row.epoch }] : [];
  });
}

function instancesOf(wants: readonly { readonly shift: Shift }[]): string[] {
  return wants.map(({ shift }) => shift.instance);
}

/** RETURN-1, RETURN-3: of instances that shifts of this tick serve. */
async function settleRestores(tx: Tx, rows: readonly DispatcherRow[], nowMs: number): Promise<void> {
  const isOlder = rows.some(({ has_last, is_settled }) => !has_last && is_settled);
  if (isOlder) await recordRestore(tx, 'dispatcher', sql`${new Date(nowMs)}::timestamptz`);
  const unharmed = rows.flatMap(({ instance, has_last, is_settled }) =>
    has_last && !is_settled ? [instance ?? ''] : [],
  );
  if (unharmed.length === 0) return;
  await sql`update dispatchers set restore = ${NEWEST} where instance = any(${unharmed}::text[])`.execute(tx);
}

/**
 * After this time a claim is useless, since posting deadlines have passed, and it delays every instance of the worker.
 */
const LONGEST_STATEMENT = '8s';
/** Precision of the time in a dispatcher's row at which its shift last worked. */
const SEEN_EVERY_MS = 5_000;
/** The same delay differs by a few milliseconds each time that it is converted from the shift's clock. */
const SAME_DELAY_MS = 1_000;

interface DispatcherRow extends ShiftTry, EditsDueRow {
  readonly instance: string | null;
  readonly epoch: string;
  readonly seen_at: Date;
  readonly delays: Readonly<Record<string, number>> | null;
  /** Whether it has streams whose span has passed (LIMIT-3). */
  readonly has_passed: boolean;
  /** Whether a campaign with a cap of its own has other accounts, too (LIMIT-6). */
  readonly shares_cap: boolean;
  /** RETURN-1: whether the ledger has the last attempt of the shift that asks. */
  readonly has_last: boolean;
  /** RETURN-2. */
  readonly is_settled: boolean;
}

/**
 * The first statement of a tick: later statements see every pause and takeover that was committed before. It skips
 * locked rows, since waiting for one would delay all instances of the worker. Its settings force index plans, also for
 * plans made while the tables were small, and one generic plan per connection in place of five trial plans.
 * @returns by instance: the rows that were not locked
 */
async function lockDispatchers(
  tx: Tx,
  wants: readonly { readonly shift: Shift; readonly last?: string }[],
  nowMs: number,
) {
  const last = Object.fromEntries(
    wants.flatMap(({ shift, last: token }) => (token === undefined ? [] : [[shift.instance, token]])),
  );
  const { rows } = await sql<DispatcherRow>`/* dispatch_lock */
    select d.instance, d.epoch::text as epoch, d.run, d.shift, d.attempt, d.seen_at, d.delays, exists (
      select from streams s where s.instance = d.instance and s.closes_at < 'infinity'
        and s.closes_at <= ${new Date(nowMs)}::timestamptz) as has_passed, exists (
      select from streams s where s.instance = d.instance and s.closes_at < 'infinity' and ${SHARES_CAP}) as shares_cap,
      l.token is null or (select true from attempts a where a.token = l.token) is not null as has_last,
      d.restore = ${NEWEST} as is_settled, ${EDITS_DUE}
    from (select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('statement_timeout', ${sql.lit(LONGEST_STATEMENT)}, true), ${jsonText(last)}::jsonb as last offset 0) settings
    left join lateral (
      select instance, epoch, run, shift, attempt, seen_at, delays, restore from dispatchers
      where instance in (select json_array_elements_text(${jsonText(instancesOf(wants))}::json))
      order by instance for no key update skip locked) d on true
    left join lateral (select settings.last ->> d.instance as token) l on true`.execute(tx);
  return new Map(rows.flatMap((row) => (row.instance === null ? [] : [[row.instance, row] as const])));
}

/** @returns by instance: the new mark (RETURN-1) */
async function markSeen(
  tx: Tx,
  ours: readonly (Want & { readonly row: DispatcherRow })[],
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const old = ours.filter(({ row, stats }) => {
    if (row.seen_at.getTime() <= nowMs - SEEN_EVERY_MS) return true;
    return Object.entries(stats?.delays ?? {}).some(
      ([operation, untilMs]) => Math.abs((row.delays?.[operation] ?? 0) - untilMs) > SAME_DELAY_MS,
    );
  });
  if (old.length === 0) return new Map();
  const columns = old.map(({ shift: { instance }, stats }) => {
    const { estimatedDepth: depth, inFlight: in_flight, window: post_window, delays } = stats ?? {};
    return { instance, depth, release_interval_ms: stats?.releaseIntervalMs, in_flight, post_window, delays };
  });
  const { rows } = await sql<{ instance: string; mark: string }>`/* dispatch_seen */
    update dispatchers d set mark = nextval('ledger_seq'), seen_at = ${new Date(nowMs)}::timestamptz, queue_depth = coalesce(s.depth, d.queue_depth),
      depth_estimated_at = case when s.depth is null then d.depth_estimated_at else ${new Date(nowMs)}::timestamptz end,
      release_interval_ms = coalesce(s.release_interval_ms, d.release_interval_ms),
      in_flight = coalesce(s.in_flight, d.in_flight), post_window = coalesce(s.post_window, d.post_window),
      delays = s.delays
    from json_to_recordset(${jsonText(columns)}::json) as s(
      instance text, depth integer, release_interval_ms integer, in_flight integer, post_window integer, delays json)
    where d.instance = s.instance
    returning d.instance, d.mark::text`.execute(tx);
  return new Map(rows.map(({ instance, mark }) => [instance, mark]));
}
