/**
 * Shifts of dispatchers, and the worker processes that run them. A process reports that it is alive by the database's
 * clock, so that the shifts of a dead process are taken over within seconds.
 *
 * PRESENCE-1 A process reports every second that it is alive; a report is valid for {@link ALIVE_FOR_MS}. This is one
 *    row per process; heartbeats of shifts would be a write in Temporal per instance.
 * PRESENCE-2 A shift that has not ended and whose process has not reported in time is lost: its try has to be ended.
 * PRESENCE-3 A process that could not report in time itself, e.g. because the ledger was unavailable, finds no lost
 *    shifts until the others have had the same time to report.
 * PRESENCE-4 A live process that is taken for dead posts nothing twice: its claims fail by their epoch (DISPATCH-1).
 * PRESENCE-5 If no shift has begun three seconds after the lost try was ended, the next try may have died with its
 *    worker before it reached the ledger. Whichever try runs is then ended, once.
 * PRESENCE-6 A process reports which instances it serves. A row that names another shift of it comes from an older copy
 *    of the ledger: that shift has ended, and messages must not wait for it.
 */
import { sql } from 'kysely';
import { type InstanceSettings, type MessageId, present } from '../../../contract/index.js';
import { streamBlocker } from '../../../domain/index.js';
import type { Db, Tx } from '../../storage/store.js';
import { DUE_ATTEMPT, dueAttemptOf, type DueAttemptRow } from '../tick/claim-due.js';
import { type DueAttempt, type LostShift, type Shift } from '../dispatch-ledger.js';
import { configureInstances } from '../../streams/open-streams.js';
import { streamFacts, streamsOfInstance } from '../../streams/stream-blockers.js';
import { dueBehind } from '../../messages/writer/due-rows.js';
import { changing, isChangedBy } from '../../messages/writer/life-in-sql.js';
import { isUnserved } from '../../instances/dispatcher-view.js';
import { standstillOf } from '../../instances/standstill.js';
import { moveEdits } from '../../messages/edits/move-edits.js';
import { recordOutcomes } from '../outcomes/record-outcomes.js';
import { NEWEST, recordRestore } from '../went-back.js';

/**
 * DISPATCH-1, DISPATCH-3.
 * @param restore  the newest restore, which is settled (RETURN-2)
 * @param settings  of the instance, as this worker is configured; they apply from now on
 * @returns `granted: false` if a later shift has begun; else its epoch, all messages of the instance whose outcome is
 *   unknown, including those that this takeover made unknown, and the last estimated depth of the gateway's queue
 */
export async function beginShift(
  tx: Tx,
  shift: Shift,
  restore: number,
  nowMs: number,
  settings: InstanceSettings = {},
) {
  const taken = await takeEpoch(tx, shift, restore, nowMs);
  if (taken === undefined) return { granted: false } as const;
  const { epoch } = taken;
  const { instance } = shift;
  await markAbandoned(tx, instance, epoch, nowMs);
  // FILE-2: attempts of earlier shifts that were still uploading a file were never posted.
  const { rows: uploading } = await sql<{ token: string }>`
    select token from attempts
    where instance = ${instance} and identical_hash is not null and outcome = 'unknown' and code = 'SHIFT_TAKEN_OVER'
      and content ->> 'fileId' is not null and content ->> 'url' is null`.execute(tx);
  const outcome = { kind: 'not_accepted', code: 'MESSAGE_NOT_ADMITTED', retryAfterMs: 0 } as const;
  const returned = uploading.map(({ token }) => ({ token, outcome, atMs: nowMs }));
  await recordOutcomes(tx, returned);
  // Edits that an earlier shift posted without an outcome: the journal is read at once, unless a newer one waits.
  const where = sql`e.instance = ${instance} and e.step = 'read' and e.state = 'sending'
    and not exists (select from edits newer where newer.message_id = e.message_id and newer.seq > e.seq)`;
  const due = sql`least(e.due_at, greatest(e.tried_at + interval '2 seconds', ${new Date(nowMs)}::timestamptz))`;
  await moveEdits(tx, 'readAgain', { where }, { due, nowMs });
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from messages m join attempts a on a.token = m.attempt_token
    where m.instance = ${instance} and m.state = 'unknown' order by a.seq`.execute(tx);
  const unknown = rows.map(({ id }) => id);
  await configureInstances(tx, [{ instance, settings }]);
  return { granted: true, epoch, unknown, ...present({ queueDepth: taken.queue_depth }) } as const;
}

/** Late begins of tries of this many former runs are refused: more than can still be under way. */
const FORMER_RUNS = 8;

/** A repeated begin of the same try, after a lost response, is granted again. */
async function takeEpoch(tx: Tx, { instance, try: own, worker, served }: Shift, restore: number, nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ epoch: string; queue_depth: number | null }>`
    insert into dispatchers as d (instance, epoch, run, shift, attempt, worker, process, task_token, begun_at, seen_at,
      restore)
    values (${instance}, nextval('ledger_seq'), ${own.run}, ${own.shift}, ${own.attempt}, ${worker},
      ${served?.process ?? null}, ${served?.taskToken ?? null}, ${now}, ${now}, ${restore}::integer)
    on conflict (instance) do update
      set epoch = case when (d.run, d.shift, d.attempt) = (excluded.run, excluded.shift, excluded.attempt) then d.epoch
          else excluded.epoch end,
        former_runs = case when d.run = excluded.run then d.former_runs
          else (array[d.run] || d.former_runs)[:${FORMER_RUNS}] end,
        run = excluded.run, shift = excluded.shift, attempt = excluded.attempt,
        worker = excluded.worker, process = excluded.process, task_token = excluded.task_token,
        begun_at = ${now}, seen_at = ${now}, ended_at = null
      where case when d.run = excluded.run then (d.shift, d.attempt) <= (excluded.shift, excluded.attempt)
        else excluded.run <> all(d.former_runs) end
    returning epoch::text, queue_depth`.execute(tx);
  return rows[0];
}

/** The row of a shift's dispatcher, unless another shift has replaced it. */
function isServedBy({ instance, try: { run, shift, attempt } }: Shift) {
  return sql<boolean>`(instance = ${instance} and run = ${run} and shift = ${shift} and attempt = ${attempt})`;
}

/**
 * Attempts of earlier shifts may have been accepted. Messages that wait for them only because of the chat are due
 * again.
 */
async function markAbandoned(tx: Tx, instance: string, epoch: string, nowMs: number): Promise<void> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ message_id: MessageId }>`
    with doubtful as materialized (
      select m.id, a.token from attempts a join messages m on m.id = a.message_id
      where a.instance = ${instance} and a.identical_hash is not null and a.outcome is null
        and a.epoch < ${epoch}::bigint
      order by m.id for no key update of m
    ), responded as (
      update attempts a
      set outcome = 'unknown', outcome_seq = nextval('ledger_seq'), outcome_at = ${now}, code = 'SHIFT_TAKEN_OVER'
      from doubtful d where a.token = d.token and a.outcome is null
      returning a.token, a.message_id
    ), moved as (
      ${changing('lost', { now }, sql`from responded r where m.id = r.message_id and m.attempt_token = r.token and ${isChangedBy('lost')}`)}
    )
    insert into evidence (message_id, fact, at, witness, what, detail)
    select message_id, 'abandoned:' || token, ${now}, 'dispatcher', 'abandoned', json_build_object('attempt', token)
    from responded on conflict (message_id, fact) do nothing
    returning message_id`.execute(tx);
  const ids = rows.map(({ message_id }) => message_id);
  if (ids.length > 0) await dueBehind(sql`unnest(${ids}::text[]) as e(id)`).execute(tx);
}

/** After a tick whose response was lost: the open attempts of the shift. The lock waits for that tick. */
export async function openAttempts(tx: Tx, shift: Shift): Promise<DueAttempt[]> {
  const { instance } = shift;
  await sql`select from dispatchers where instance = ${instance} for no key update`.execute(tx);
  const { rows } = await sql<DueAttemptRow>`
    select ${DUE_ATTEMPT} from attempts i join messages m on m.id = i.message_id
    where i.instance = ${instance} and i.identical_hash is not null and i.outcome is null
      and i.epoch = (select epoch from dispatchers where ${isServedBy(shift)})
    order by i.seq`.execute(tx);
  return rows.map(dueAttemptOf);
}

/**
 * @param last  the last attempt that it has claimed. If the ledger does not have it, the ledger went back (RETURN-1)
 * @returns the mark of what it did; undefined if a later shift has begun
 */
export async function endShift(tx: Tx, shift: Shift, last: string | undefined, nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ mark: string; is_older: boolean }>`
    update dispatchers set ended_at = ${now}, mark = nextval('ledger_seq')
    where ${isServedBy(shift)}
    returning mark::text, restore = ${NEWEST} and ${last ?? null}::text is not null
      and (select true from attempts where token = ${last ?? null}::text) is null as is_older`.execute(tx);
  if (rows[0]?.is_older === true) await recordRestore(tx, 'dispatcher', now);
  return rows[0]?.mark;
}

/** @returns why no messages of the instance are posted: a code, and its reasons */
export async function instanceWaitsFor(db: Db, instance: string, nowMs: number): Promise<string | undefined> {
  // Apart from hours and caps, as for messages that need the phone.
  const facts = (await streamFacts(db, streamsOfInstance(instance), nowMs)).get('transactional');
  const blocker = facts && streamBlocker({ ...facts, caps: [], rules: { ...facts.rules, settings: {} } }, nowMs);
  if (blocker !== undefined) return `${blocker.code}: ${blocker.text ?? ''}`;
  const standstill = await standstillOf(db, instance);
  return standstill && `QUEUE_STANDS_STILL: ${standstill.items} items, unchanged since ${standstill.since}`;
}

const ALIVE_FOR_MS = 4_000;

/** Reports that the process is alive and serves these instances. @returns lost shifts of other processes */
export async function sayAlive(db: Db, process: string, serving: readonly string[]): Promise<LostShift[]> {
  const aliveFor = sql`${ALIVE_FOR_MS}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<LostShift>`/* worker_presence */
    with gone as (
      delete from worker_processes where alive_until < clock_timestamp() - interval '1 day'
    ), own as (
      insert into worker_processes as w (process, alive_since, alive_until)
      values (${process}, '-infinity', clock_timestamp() + ${aliveFor})
      on conflict (process) do update set alive_until = excluded.alive_until,
        alive_since = case when w.alive_until < clock_timestamp() then clock_timestamp() else w.alive_since end
      returning alive_since
    ), ended as (
      update dispatchers set ended_at = clock_timestamp()
      where process = ${process} and ended_at is null and not (instance = any(${serving}::text[]))
    )
    select d.instance, d.task_token as "taskToken" from dispatchers d cross join own
    where d.ended_at is null and d.process <> ${process} and own.alive_since < clock_timestamp() - ${aliveFor}
      and not exists (
        select from worker_processes w where w.process = d.process and w.alive_until > clock_timestamp())`.execute(db);
  return rows;
}

/** The database's clock, in milliseconds since the epoch. */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`/* database_clock */
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  return Math.round(rows[0]!.ms);
}

/** Undefined if there was none. A running shift sees every message that was committed before this call. */
export async function lastShift(db: Db, instance: string, nowMs: number) {
  const row = await db
    .selectFrom('dispatchers')
    .select([sql<string>`epoch::text`.as('epoch'), isUnserved('dispatchers', nowMs).as('is_unserved')])
    .where('instance', '=', instance)
    .executeTakeFirst();
  return row && { epoch: row.epoch, isServing: !row.is_unserved };
}
