/** Pauses and observed states of an instance, and the conditions of a claim on them: INSTANCE-1 to INSTANCE-6. */
import { type Selectable, sql } from 'kysely';
import { AppError, PAUSE_REASONS, type PauseReason, type PauseState, type ResumedBy } from '../../contract/index.js';
import { isPauseState, isSendingState, SENDING_STATES } from '../../domain/index.js';
import type { InstancePausesTable, InstanceStatesTable } from '../storage/schema.js';
import { shown } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';

/**
 * Between two observations an account may have been in another state. A gap up to this length counts as the same state:
 * it is ten times a worker's poll interval of a minute, enough for a restart of everything. The state in a longer gap
 * is unknown.
 */
export const BRIDGED_MS = 10 * 60_000;

/** INSTANCE-2. @param row  an alias with a column `instance` */
export function isNotPaused(row: string) {
  return sql<boolean>`not exists (
    select from instance_pauses pause where pause.instance = ${sql.table(row)}.instance and pause.resumed_at is null)`;
}

/** CLEAR-1: when its queue is cleared at the latest; null if it is not being cleared. @param row  as above */
export function clearedAt(row: string, nowMs: number) {
  return sql<Date | null>`(select max(clearing.stops_posts_until) from operations clearing
    where clearing.instance = ${sql.table(row)}.instance
      and clearing.stops_posts_until > ${new Date(nowMs)}::timestamptz)`;
}

/** INSTANCE-2, CLEAR-1: an instance may post. @param row  an alias with a column `instance` */
export function mayPost(row: string, nowMs: number) {
  return sql<boolean>`(${isNotPaused(row)} and ${clearedAt(row, nowMs)} is null)`;
}

/** INSTANCE-5. The last observation, if the account was away in it and it is recent enough: one row or none. */
export function awayState(instance: ReturnType<typeof sql>, now: Date) {
  return sql<{ state: string; since: Date }>`
    select seen.state, seen.since from (
      select s.state, s.since, s.seen_until from instance_states s
      where s.instance = ${instance} order by s.since desc, s.seq desc limit 1) seen
    where seen.state <> all(${SENDING_STATES}::text[]) and seen.seen_until > ${new Date(now.getTime() - BRIDGED_MS)}::timestamptz`;
}

/** The newest observation of an account's state. @param which  a condition on its row. @default every row */
export async function newestState(db: Db, instance: string, which = sql`true`) {
  const { rows } = await sql<Selectable<InstanceStatesTable>>`
    select * from instance_states where instance = ${instance} and ${which}
    order by since desc, seq desc limit 1`.execute(db);
  return rows[0];
}

/**
 * The state in which the account was last seen, ISO UTC: since when it is known to be in it, and when it was last seen
 * in it.
 */
export async function seenState(db: Db, instance: string) {
  const row = await newestState(db, instance);
  return row && { ...shown(row, 'state', 'since'), seenAt: row.seen_until.toISOString() };
}

export interface SeenPause {
  readonly instance: string;
  readonly reason: PauseState;
  readonly witness: string;
  /** When the account was in this state, by our clock. */
  readonly atMs: number;
}

/**
 * The pauses that have not ended, oldest first.
 * @param until  only those that began before this place in the ledger's sequence
 */
export async function activePauses(db: Db, instance: string, until: number = Number.MAX_SAFE_INTEGER) {
  const { rows } = await sql<Pick<Selectable<InstancePausesTable>, 'reason' | 'since' | 'witness'>>`
    select reason, since, witness from instance_pauses
    where instance = ${instance} and resumed_at is null and seq <= ${until} order by since, seq`.execute(db);
  return rows.map((row) => shown(row, 'reason', 'since', 'witness'));
}

/**
 * `since`: when the account was first seen in this state, or the operator paused it. The witness:
 * `stateInstanceChanged`, `getStateInstance`, `outgoingMessageStatus`, `operator`.
 */
export type InstancePause = Awaited<ReturnType<typeof activePauses>>[number];

/**
 * Waits for the tick that is claiming, so that the next tick sees what is written with this lock. The lock is taken
 * only if the query reads from it.
 */
export function dispatcherLocked(instance: string) {
  return sql`dispatcher as materialized (
      select from dispatchers where instance = ${instance} for no key update
    )`;
}

/** See {@link Instances} INSTANCE-1 and INSTANCE-4. */
export async function pauseInstance(db: Db, { instance, reason, witness, atMs }: SeenPause): Promise<void> {
  const at = new Date(atMs);
  await sql`/* pause_instance */
    with ${dispatcherLocked(instance)}
    insert into instance_pauses (instance, reason, since, witness)
    select ${instance}::text, ${reason}::text, ${at}::timestamptz, ${witness}::text
    from (select count(*) from dispatcher) locked
    where not exists (
      select from instance_pauses b
      where b.instance = ${instance} and b.reason = ${reason} and b.resumed_at >= ${at}::timestamptz)
    on conflict (instance, reason) where resumed_at is null do nothing`.execute(db);
}

/** See {@link Instances} INSTANCE-6. @returns the operator's pause, also if an earlier command began it */
export async function operatorPause(tx: Tx, instance: string, witness: string, nowMs: number): Promise<InstancePause> {
  await sql`/* pause_instance_by_operator */
    with ${dispatcherLocked(instance)}
    insert into instance_pauses (instance, reason, since, witness)
    select ${instance}::text, 'operator', ${new Date(nowMs)}::timestamptz, ${witness}::text
    from (select count(*) from dispatcher) locked
    on conflict (instance, reason) where resumed_at is null do nothing`.execute(tx);
  const pause = (await activePauses(tx, instance)).find(({ reason }) => reason === 'operator');
  if (pause === undefined)
    throw new AppError('INTERNAL', `Instance ${instance} was paused, but the pause is missing. Report this bug.`);
  return pause;
}

/** See {@link Instances} INSTANCE-3. */
export async function resume(
  tx: Tx,
  instance: string,
  asked: { by: ResumedBy; nowMs: number; only?: readonly PauseReason[]; until?: number },
): Promise<InstancePause[]> {
  const { by, nowMs, only = PAUSE_REASONS, until } = asked;
  const on = (await activePauses(tx, instance, until)).filter(({ reason }) => only.includes(reason));
  if (on.length === 0) return [];
  if (on.some(({ reason }) => isPauseState(reason))) {
    const last = await seenState(tx, instance);
    if (last === undefined || !isSendingState(last.state)) {
      const seen = last === undefined ? 'its state is unknown' : `it was last seen as ${last.state}`;
      throw new AppError(
        'INSTANCE_NOT_AUTHORIZED',
        `Instance ${instance} stays paused: ${seen}. Let the account rest, reboot or link it. Once it is authorized, resume it: everpost instance resume ${instance}`,
      );
    }
  }
  await sql`
    update instance_pauses set resumed_at = ${new Date(nowMs)}, resumed_by = ${by}
    where instance = ${instance} and resumed_at is null and reason = any(${on.map(({ reason }) => reason)}::text[])
  `.execute(tx);
  return on;
}
