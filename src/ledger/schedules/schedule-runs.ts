/** The runs of schedules: one row for each occurrence, and the next step for it. */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type Selectable, type UpdateObject } from 'kysely';
import {
  CAMPAIGN_END_STATES,
  DEFAULT_CATCHUP_WINDOW,
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
  type ScheduleRunKind,
  type ScheduleRunState,
} from '../../contract/index.js';
import { LONGEST_REPEAT_MS, clockChange } from '../../domain/index.js';
import type { Schema, ScheduleRunsTable, SchedulesTable } from '../schema.js';
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
export async function beginRun(tx: Tx, schedule: ScheduleRow, atMs: number, nowMs: number): Promise<RunDecision> {
  const { id, definition } = schedule;
  const dueAt = await dueAtOf(tx, schedule, atMs);
  await insertRun(tx, schedule, { atMs, kind: 'schedule', dueAt, nowMs });
  const row = await existingRun(tx, id, new Date(atMs));
  if (row.ended_at !== null) return { kind: 'ended', run: runOf(row) };
  if (row.state === 'started') {
    const unfinished = whatIsUnfinished(row);
    if (unfinished !== undefined) return { kind: 'wait', run: runOf(row), why: unfinished };
    const end = { ended_at: row.campaign_ended_at ?? new Date(nowMs) };
    return { kind: 'ended', run: await changeRun(tx, row, end) };
  }
  // The campaign has started or the message is written: the row only has to show it.
  const hasBegun = row.message_state !== null || (row.campaign_state ?? 'draft') !== 'draft';
  if (hasBegun) return { kind: 'go', run: runOf(row), definition };
  const obsolete = whyObsolete(schedule, row);
  if (obsolete !== undefined) return { kind: 'ended', run: await endRun(tx, row, obsolete, nowMs) };
  const earlier = definition.overlap === 'allow' ? undefined : await earlierBackfill(tx, row);
  if (earlier !== undefined) {
    const run = await changeRun(tx, row, { due_at: new Date(nowMs) });
    return { kind: 'wait', run, why: `the run at ${earlier.at.toISOString()} of the backfill has not ended` };
  }
  const late = whyLate(schedule, row, nowMs);
  if (late !== undefined) return { kind: 'ended', run: await endRun(tx, row, late, nowMs) };
  return { kind: 'go', run: runOf(row), definition };
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

interface NewRun {
  readonly atMs: number;
  readonly kind: ScheduleRunKind;
  readonly key?: string;
  readonly dueAt: Date;
  readonly nowMs: number;
}

/** SCHEDULE-2. @returns undefined if the run exists */
export async function insertRun(
  tx: Tx,
  { id, definition, version }: ScheduleRow,
  { atMs, kind, key, dueAt, nowMs }: NewRun,
): Promise<ScheduleRun | undefined> {
  const at = new Date(atMs);
  const sends =
    definition.message === undefined
      ? { campaign_id: scheduledCampaignId(id, at.toISOString()) }
      : { message_id: scheduledMessageId(id, at.toISOString()) };
  const rest = { schedule_version: version, due_at: dueAt, created_at: new Date(nowMs) };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('schedule_runs')
    .values({ schedule_id: id, at, kind, key: key ?? null, state: 'pending', ...sends, ...rest })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'at']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  const row = await existingRun(tx, id, at);
  const text = kind === 'trigger' ? undefined : await clockChangeAt(tx, definition, row);
  if (text === undefined) return runOf(row);
  return endRun(tx, row, { state: 'skipped', reason: 'clock_change', text }, nowMs);
}

/** The id depends only on the occurrence. */
function scheduledMessageId(id: ScheduleId, at: string): MessageId {
  return `msg_${shortId(createHash('sha256').update(`schedule ${id} ${at}`).digest())}` as MessageId;
}

/** Temporal starts a buffered run when the earlier one has ended: that is no delay. */
async function dueAtOf(tx: Tx, { id, definition }: ScheduleRow, atMs: number): Promise<Date> {
  if (definition.overlap !== 'buffer') return new Date(atMs);
  const { rows } = await sql<{ ended: Date | null }>`
    select max(ended_at) as ended from schedule_runs
    where schedule_id = ${id} and kind = 'schedule' and at < ${new Date(atMs)}::timestamptz`.execute(tx);
  return new Date(Math.max(atMs, rows[0]?.ended?.getTime() ?? atMs));
}

/** SCHEDULE-6. Temporal may start two runs of one local time at once, in any order: the first that has a row counts. */
async function clockChangeAt(tx: Tx, definition: ScheduleDefinition, { schedule_id, at }: RunRow) {
  const { rows } = await sql<{ at: Date }>`
    select at from schedule_runs
    where schedule_id = ${schedule_id} and at <> ${at} and kind <> 'trigger' and state not in ('skipped', 'missed')
      and abs(extract(epoch from at - ${at}::timestamptz)) <= ${LONGEST_REPEAT_MS / 1_000}`.execute(tx);
  return clockChange(
    definition,
    at.getTime(),
    rows.map((other) => other.at.getTime()),
  );
}

/** SCHEDULE-3. */
function whyObsolete({ state, version }: ScheduleRow, row: RunRow): RunEnd | undefined {
  if (state === 'deleted' || state === 'ended') return { state: 'skipped', reason: `schedule_${state}` };
  return row.schedule_version === version ? undefined : { state: 'skipped', reason: 'schedule_changed' };
}

/** SCHEDULE-5. */
function whyLate({ definition }: ScheduleRow, row: RunRow, nowMs: number): RunEnd | undefined {
  const { catchupWindow = DEFAULT_CATCHUP_WINDOW, jitter = '0s' } = definition;
  const lastMs = row.due_at.getTime() + parseDurationMs(catchupWindow) + parseDurationMs(jitter);
  if (nowMs <= lastMs) return undefined;
  if (row.tries > 0) return { state: 'failed', reason: row.reason ?? 'INTERNAL', ...(row.text && { text: row.text }) };
  return { state: 'missed', reason: 'late', text: `it could not begin until ${new Date(lastMs).toISOString()}` };
}

/** What the run of a started campaign or message waits for. */
function whatIsUnfinished({ campaign_id, campaign_state, message_id, message_state }: RunRow): string | undefined {
  if (campaign_state !== null && !CAMPAIGN_END_STATES.includes(campaign_state)) {
    return `campaign ${campaign_id} has not ended`;
  }
  const isUnposted = message_state !== null && UNPOSTED.includes(message_state);
  return isUnposted ? `message ${message_id} was not posted yet` : undefined;
}

const UNPOSTED: readonly MessageState[] = statesIn('pending', 'in_flight');

async function earlierBackfill(tx: Tx, { schedule_id, at, kind }: RunRow): Promise<RunRow | undefined> {
  if (kind !== 'backfill') return undefined;
  const isEarlier = sql`r.schedule_id = ${schedule_id} and r.at < ${at}::timestamptz`;
  const [earlier] = await runRows(tx, sql`${isEarlier} and r.kind = 'backfill' and r.ended_at is null limit 1`);
  return earlier;
}

/** An end without a new reason keeps the last one. */
export function endRun(
  db: Db,
  run: Pick<RunRow, 'schedule_id' | 'at'>,
  end: RunEnd,
  nowMs: number,
): Promise<ScheduleRun> {
  return changeRun(db, run, { reason: null, text: null, ...end, ended_at: new Date(nowMs) });
}

/** A run that has ended stays unchanged. @returns the run as it is now */
export async function changeRun(
  db: Db,
  { schedule_id, at }: Pick<RunRow, 'schedule_id' | 'at'>,
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
