/** The runs of schedules: one row for each occurrence, and the next step for it. */
import { createHash } from 'node:crypto';
import { sql, type Insertable, type RawBuilder, type Selectable, type UpdateObject } from 'kysely';
import {
  AppError,
  CAMPAIGN_END_STATES,
  DEFAULT_CATCHUP_WINDOW,
  SCHEDULE_RUN_POLL_MS,
  parseDurationMs,
  scheduledCampaignId,
  shortId,
  statesIn,
  type CampaignState,
  type MessageId,
  type MessageState,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
  type ScheduleRunState,
} from '../../contract/index.js';
import { LONGEST_REPEAT_MS, clockChange } from '../../domain/index.js';
import type { Schema, ScheduleRunsTable, SchedulesTable } from '../storage/schema.js';
import { shown } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';

export type ScheduleRow = Selectable<SchedulesTable>;

interface RunRow extends Selectable<ScheduleRunsTable> {
  readonly campaign_state: CampaignState | null;
  readonly campaign_ended_at: Date | null;
  readonly message_state: MessageState | null;
}

/** How a try of a run proceeds. */
export type RunDecision =
  | { readonly kind: 'go'; readonly run: ScheduleRun; readonly definition: ScheduleDefinition }
  | { readonly kind: 'wait'; readonly run: ScheduleRun; readonly why: string }
  | { readonly kind: 'ended'; readonly run: ScheduleRun };

export interface RunReason {
  readonly reason: string;
  readonly text?: string;
}

export interface RunEnd extends Partial<RunReason> {
  readonly state: Exclude<ScheduleRunState, 'pending'>;
}

/** SCHEDULE-2 to SCHEDULE-5. The schedule's row is locked. */
export async function beginRun(tx: Tx, schedule: ScheduleRow, at: Date, nowMs: number): Promise<RunDecision> {
  const { id, definition, state, version } = schedule;
  const now = new Date(nowMs);
  let due_at = at;
  if (definition.overlap === 'buffer') {
    // Temporal starts a buffered run when the earlier one has ended there, which is up to one poll after its campaign:
    // that is no delay.
    const { rows } = await sql<{ ended: Date | null }>`
      select max(ended_at) as ended from schedule_runs
      where schedule_id = ${id} and kind = 'schedule' and at < ${at}::timestamptz`.execute(tx);
    const { ended = null } = rows[0] ?? {};
    if (ended !== null && ended > at) due_at = new Date(ended.getTime() + SCHEDULE_RUN_POLL_MS);
  }
  await insertRun(tx, schedule, { at, kind: 'schedule', due_at }, nowMs);
  const row = await existingRun(tx, id, at);
  const ended = async (end: RunEnd) => ({ kind: 'ended' as const, run: await endRun(tx, row, end, nowMs) });
  if (row.ended_at !== null) return { kind: 'ended', run: runOf(row) };
  if (row.state === 'started') {
    const { campaign_id, campaign_state, message_id, message_state } = row;
    if (campaign_state !== null && !CAMPAIGN_END_STATES.includes(campaign_state)) {
      return { kind: 'wait', run: runOf(row), why: `campaign ${campaign_id} has not ended` };
    }
    if (message_state !== null && UNPOSTED.includes(message_state)) {
      return { kind: 'wait', run: runOf(row), why: `message ${message_id} was not posted yet` };
    }
    return { kind: 'ended', run: await changeRun(tx, row, { ended_at: row.campaign_ended_at ?? now }) };
  }
  // The campaign has started or the message is written: the row only has to show it.
  const hasBegun = row.message_state !== null || (row.campaign_state ?? 'draft') !== 'draft';
  if (hasBegun) return { kind: 'go', run: runOf(row), definition };
  if (state === 'deleted' || state === 'ended') return ended({ state: 'skipped', reason: `schedule_${state}` });
  if (row.schedule_version !== version) return ended({ state: 'skipped', reason: 'schedule_changed' });
  if (row.kind === 'backfill' && definition.overlap !== 'allow') {
    const isEarlier = sql`r.schedule_id = ${id} and r.at < ${at}::timestamptz and r.kind = 'backfill'`;
    const [earlier] = await runRows(tx, sql`${isEarlier} and r.ended_at is null limit 1`);
    if (earlier !== undefined) {
      const why = `the run at ${earlier.at.toISOString()} of the backfill has not ended`;
      return { kind: 'wait', run: await changeRun(tx, row, { due_at: now }), why };
    }
  }
  const late = whyLate(definition, row, nowMs);
  return late === undefined ? { kind: 'go', run: runOf(row), definition } : ended(late);
}

/** @param which  a condition on the run `r`, its campaign `c` and its message `m`, and more */
export async function runRows(db: Db, which: RawBuilder<unknown>): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.*, c.state as campaign_state, c.ended_at as campaign_ended_at, m.state as message_state
    from schedule_runs r left join campaigns c on c.id = r.campaign_id left join messages m on m.id = r.message_id
    where ${which}`.execute(db);
  return rows;
}

async function existingRun(db: Db, id: ScheduleId, at: Date): Promise<RunRow> {
  const [row] = await runRows(db, sql`r.schedule_id = ${id} and r.at = ${at}`);
  if (row === undefined) throw new Error(`Schedule ${id} has no run at ${at.toISOString()}`);
  return row;
}

export function runOf(row: RunRow): ScheduleRun {
  return {
    ...shown(row, 'schedule_id', 'at', 'kind', 'state', 'tries', 'created_at', 'ended_at'),
    ...shown(row, 'campaign_id', 'campaign_state', 'message_id', 'message_state', 'reason', 'text'),
  };
}

export const TEMPORAL_AWAY = {
  state: 'missed',
  reason: 'temporal_away',
  text: 'Temporal was away until its catch-up window had passed',
} as const;

/**
 * SCHEDULE-9.
 * @param times  those of Temporal's schedule, ISO UTC
 * @returns those without a run that were not skipped for an earlier one; jitter makes a time later than its run's
 */
export async function timesWithoutRun(
  db: Db,
  { id, definition: { overlap, jitter = '0s' } }: Pick<ScheduleRow, 'id' | 'definition'>,
  times: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ at: Date }>`
    select t.at from unnest(${times}::timestamptz[]) t(at)
    where not exists (
      select from schedule_runs r where r.schedule_id = ${id} and r.kind <> 'trigger'
        and r.at between t.at - ${parseDurationMs(jitter)} * interval '1 ms' and t.at)
    and (${overlap === 'allow'} or not exists (
      select from (
        select r.ended_at from schedule_runs r
        where r.schedule_id = ${id} and r.kind <> 'trigger' and r.state = 'started' and r.at < t.at
        order by r.at desc limit 1) before
      where before.ended_at is null or before.ended_at > t.at))
    order by t.at`.execute(db);
  return rows.map(({ at }) => at.toISOString());
}

/** SCHEDULE-2. A run of a backfill replaces one that Temporal has never started. @returns undefined if the run exists */
export async function insertRun(
  tx: Tx,
  { id, definition, version }: ScheduleRow,
  run: Pick<Insertable<ScheduleRunsTable>, 'at' | 'kind' | 'key' | 'due_at'>,
  nowMs: number,
): Promise<ScheduleRun | undefined> {
  const at = run.at.toISOString();
  if (run.kind === 'backfill') {
    await sql`delete from schedule_runs
      where schedule_id = ${id} and at = ${run.at} and reason = ${TEMPORAL_AWAY.reason}`.execute(tx);
  }
  // Both ids depend only on the occurrence (SCHEDULE-4).
  const sends =
    definition.message === undefined
      ? { campaign_id: scheduledCampaignId(id, at) }
      : { message_id: `msg_${shortId(createHash('sha256').update(`schedule ${id} ${at}`).digest())}` as MessageId };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('schedule_runs')
    .values({
      schedule_id: id,
      schedule_version: version,
      state: 'pending',
      created_at: new Date(nowMs),
      ...sends,
      ...run,
    })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'at']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  const row = await existingRun(tx, id, run.at);
  if (run.kind === 'trigger') return runOf(row);
  // SCHEDULE-6. Temporal may start two runs of one local time at once, in any order: the first that has a row counts.
  const { rows: others } = await sql<{ at: Date }>`
    select at from schedule_runs
    where schedule_id = ${id} and at <> ${run.at} and kind <> 'trigger' and state not in ('skipped', 'missed')
      and abs(extract(epoch from at - ${run.at}::timestamptz)) <= ${LONGEST_REPEAT_MS / 1_000}`.execute(tx);
  const othersMs = others.map((other) => other.at.getTime());
  const text = clockChange(definition, row.at.getTime(), othersMs);
  if (text === undefined) return runOf(row);
  return endRun(tx, row, { state: 'skipped', reason: 'clock_change', text }, nowMs);
}

/** SCHEDULE-5. */
function whyLate(
  { catchupWindow = DEFAULT_CATCHUP_WINDOW, jitter = '0s' }: ScheduleDefinition,
  row: RunRow,
  nowMs: number,
): RunEnd | undefined {
  const lastMs = row.due_at.getTime() + parseDurationMs(catchupWindow) + parseDurationMs(jitter);
  if (nowMs <= lastMs) return undefined;
  if (row.tries > 0) return { state: 'failed', reason: row.reason ?? 'INTERNAL', ...(row.text && { text: row.text }) };
  return { state: 'missed', reason: 'late', text: `it could not begin until ${new Date(lastMs).toISOString()}` };
}

const UNPOSTED: readonly MessageState[] = statesIn('pending', 'in_flight');

/** A row of a run, or what identifies it. */
type RunKey = Pick<RunRow, 'schedule_id' | 'at'>;

/** A run that has ended stays unchanged. */
export function endRun(db: Db, run: RunKey, end: RunEnd, nowMs: number): Promise<ScheduleRun> {
  return changeRun(db, run, { reason: null, text: null, ...end, ended_at: new Date(nowMs) });
}

/** A run that has ended stays unchanged. @returns the run as it is now */
export async function changeRun(
  db: Db,
  { schedule_id, at }: RunKey,
  change: UpdateObject<Schema, 'schedule_runs'>,
): Promise<ScheduleRun> {
  await db
    .updateTable('schedule_runs')
    .set(change)
    .where('schedule_id', '=', schedule_id)
    .where('at', '=', at)
    .where('ended_at', 'is', null)
    .execute();
  return runOf(await existingRun(db, schedule_id, at));
}

/** SCHEDULE-7. @throws AppError SCHEDULE_RUNS_OPEN */
export async function refuseOpenRuns(tx: Tx, id: ScheduleId): Promise<void> {
  const isOpen = sql`r.schedule_id = ${id} and r.ended_at is null
    and exists (select from schedules s where s.id = r.schedule_id and s.state = 'deleted') order by r.at limit 1`;
  const [open] = await runRows(tx, isOpen);
  if (open === undefined) return;
  const { at, campaign_id, message_id } = open;
  const remedy =
    campaign_id === null
      ? `Try again once message ${message_id} was posted.`
      : `Try again once its campaign has ended, or cancel it: everpost campaign cancel ${campaign_id}`;
  throw new AppError(
    'SCHEDULE_RUNS_OPEN',
    `Schedule ${id} was deleted, and its run at ${at.toISOString()} has not ended. ${remedy}`,
  );
}
