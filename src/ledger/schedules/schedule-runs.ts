/** The runs of schedules: one row for each occurrence, and the next step for it. */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type Selectable, type UpdateObject } from 'kysely';
import {
  DEFAULT_MISSED_START,
  parseDurationMs,
  scheduledCampaignId,
  shortId,
  type CampaignState,
  type MessageId,
  type MessageState,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
  type ScheduleRunKind,
  type ScheduleRunState,
} from '../../contract/index.js';
import { LONGEST_REPEAT_MS, isMissed, sameLocalTime } from '../../domain/index.js';
import { UNDER_WAY } from '../campaigns/campaign-row.js';
import type { Schema, ScheduleRunsTable, SchedulesTable } from '../schema.js';
import { shown } from '../storage/statements.js';
import { stateList } from '../storage/state-lists.js';
import type { Db, Tx } from '../storage/store.js';

export type ScheduleRow = Selectable<SchedulesTable>;

interface RunRow extends Selectable<ScheduleRunsTable> {
  readonly campaign_state: CampaignState | null;
  readonly start_missed_at: Date | null;
  readonly campaign_started_at: Date | null;
  readonly message_state: MessageState | null;
}

/** How a try of a run proceeds. */
export type RunDecision =
  | { readonly kind: 'go'; readonly run: ScheduleRun; readonly definition: ScheduleDefinition }
  /** The run waits for the end of the campaign, or the post of the message, that its text names. */
  | { readonly kind: 'wait'; readonly run: ScheduleRun }
  | { readonly kind: 'ended'; readonly run: ScheduleRun };

export interface RunReason {
  readonly reason: string;
  readonly text?: string;
}

export interface RunEnd extends Partial<RunReason> {
  readonly state: Exclude<ScheduleRunState, 'pending' | 'waiting'>;
}

/** SCHEDULE-2, SCHEDULE-3. The schedule's row is locked. */
export async function beginRun(tx: Tx, schedule: ScheduleRow, atMs: number, nowMs: number): Promise<RunDecision> {
  const { id, definition } = schedule;
  const newRun = { atMs, kind: 'schedule', startAtMs: startMs(id, definition, atMs), nowMs } as const;
  const row = (await insertRun(tx, schedule, newRun)) ?? (await existingRun(tx, id, new Date(atMs)));
  if (row.ended_at !== null) return { kind: 'ended', run: runOf(row) };
  // The campaign has started or the message is written: only the end of the run has to be recorded.
  if (row.message_state !== null || (row.campaign_state ?? 'draft') !== 'draft') {
    return { kind: 'go', run: runOf(row), definition };
  }
  const skipped = await whySkipped(tx, schedule, row, nowMs);
  if (skipped !== undefined) return { kind: 'ended', run: await skip(tx, row, skipped, nowMs) };
  const blocking = await blockingRun(tx, schedule, row, nowMs);
  if (blocking === undefined) {
    // Waiting for an earlier run does not count as a delay: the grace time starts now.
    const waited = row.state === 'waiting' ? { start_at: new Date(nowMs), reason: null, text: null } : {};
    const begun = { state: 'pending', begun_at: row.begun_at ?? new Date(nowMs), ...waited } as const;
    return { kind: 'go', run: await changeRun(tx, row, begun), definition };
  }
  const why = { reason: 'overlap', text: blockingWords(blocking) };
  const mayWait = definition.overlap === 'buffer' && !(await anotherWaits(tx, row));
  if (!mayWait && row.kind !== 'backfill') return { kind: 'ended', run: await skip(tx, row, why, nowMs) };
  return { kind: 'wait', run: await changeRun(tx, row, { state: 'waiting', ...why }) };
}

/** @param which  a condition on the run `r`, its campaign `c` and its message `m`, and more */
export async function runRows(db: Db, which: RawBuilder<unknown>): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.*, c.state as campaign_state, c.start_missed_at, c.started_at as campaign_started_at, m.state as message_state
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
    ...shown(row, 'schedule_id', 'at', 'kind', 'state', 'start_at', 'start_missed_at', 'tries', 'created_at'),
    ...shown(row, 'campaign_id', 'campaign_state', 'message_id', 'message_state', 'reason', 'text', 'ended_at'),
  };
}

interface NewRun {
  readonly atMs: number;
  readonly kind: ScheduleRunKind;
  readonly key?: string;
  readonly startAtMs: number;
  readonly nowMs: number;
}

/** @returns undefined if the run exists */
export async function insertRun(
  tx: Tx,
  { id, definition }: ScheduleRow,
  { atMs, kind, key, startAtMs, nowMs }: NewRun,
): Promise<RunRow | undefined> {
  const at = new Date(atMs);
  const sends =
    definition.message === undefined
      ? { campaign_id: scheduledCampaignId(id, at.toISOString()) }
      : { message_id: scheduledMessageId(id, at.toISOString()) };
  const times = { start_at: new Date(startAtMs), created_at: new Date(nowMs) };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('schedule_runs')
    .values({ schedule_id: id, at, kind, key: key ?? null, state: 'pending', ...sends, ...times })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'at']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? existingRun(tx, id, at) : undefined;
}

/** The id depends only on the occurrence. */
function scheduledMessageId(id: ScheduleId, at: string): MessageId {
  return `msg_${shortId(createHash('sha256').update(`schedule ${id} ${at}`).digest())}` as MessageId;
}

/** The result is the same for the same occurrence in every process. */
export function startMs(id: ScheduleId, { jitter }: ScheduleDefinition, atMs: number): number {
  if (jitter === undefined) return atMs;
  const hash = createHash('sha256').update(`${id} ${atMs}`).digest();
  return atMs + Math.floor((hash.readUInt32BE() / 2 ** 32) * parseDurationMs(jitter));
}

/** Why an occurrence is skipped; a run that an operator requested is skipped only if its schedule runs no more. */
async function whySkipped(tx: Tx, schedule: ScheduleRow, row: RunRow, nowMs: number): Promise<RunReason | undefined> {
  const { state, definition } = schedule;
  if (state === 'deleted' || state === 'ended') return { reason: `schedule_${state}` };
  if (row.kind !== 'schedule') return undefined;
  if (state === 'paused') return { reason: 'schedule_paused' };
  const { missedStart = definition.message === undefined ? DEFAULT_MISSED_START : 'skip' } = definition;
  if (missedStart === 'skip' && isMissed(row.start_at, definition, nowMs)) {
    return { reason: 'start_missed', text: `its start was at ${row.start_at.toISOString()}` };
  }
  // Temporal may start both at once, in any order: the first to proceed counts.
  const others = await sql<Pick<RunRow, 'at'>>`
    select at from schedule_runs r where ${isOther(row)} and kind = 'schedule' and begun_at is not null
      and state <> 'skipped' and abs(extract(epoch from at - ${row.at}::timestamptz)) <= ${LONGEST_REPEAT_MS / 1_000}`.execute(
    tx,
  );
  const othersMs = others.rows.map(({ at }) => at.getTime());
  const same = sameLocalTime(definition, row.at.getTime(), othersMs);
  if (same === undefined) return undefined;
  return { reason: 'clock_set_back', text: `the same local time ran at ${new Date(same).toISOString()}` };
}

/**
 * An earlier run that blocks this one: its campaign has not ended, its message was not posted yet, or it is about to
 * start. A run whose start was missed, and that waits for an operator or for its recipients, does not block.
 */
async function blockingRun(tx: Tx, { definition }: ScheduleRow, row: RunRow, nowMs: number) {
  if (definition.overlap === 'allow') return undefined;
  const isUnfinished = sql`(r.ended_at is null and r.at < ${row.at}::timestamptz
    or c.state = any(${UNDER_WAY}::text[]) or m.state in ${stateList('pending', 'in_flight')})`;
  const others = await runRows(tx, sql`${isOther(row)} and ${isUnfinished} order by r.at`);
  return others.find((other) => {
    if (other.ended_at === null) return other.state === 'waiting' || !isMissed(other.start_at, definition, nowMs);
    return other.campaign_started_at !== null || other.start_missed_at === null;
  });
}

function blockingWords({ campaign_id, message_id }: RunRow): string {
  return message_id === null ? `campaign ${campaign_id} has not ended` : `message ${message_id} was not posted yet`;
}

async function anotherWaits(tx: Tx, row: RunRow): Promise<boolean> {
  const { rows } = await sql`
    select from schedule_runs r where ${isOther(row)} and state = 'waiting' limit 1`.execute(tx);
  return row.state !== 'waiting' && rows.length > 0;
}

/** A condition on the run `r`. */
function isOther({ schedule_id, at }: RunRow) {
  return sql`r.schedule_id = ${schedule_id} and r.at <> ${at}`;
}

function skip(tx: Tx, row: RunRow, why: RunReason, nowMs: number): Promise<ScheduleRun> {
  return changeRun(tx, row, { state: 'skipped', text: null, ...why, ended_at: new Date(nowMs) });
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
