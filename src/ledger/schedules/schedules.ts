/**
 * Schedules and their runs.
 *
 * SCHEDULE-1 The schedule's row is authoritative for what it sends, when and under which policies. Temporal's schedule
 *    follows it by its version. Temporal is authoritative for pause, note and counters; the row has them as last seen, and
 *    creates Temporal's schedule with them. A schedule that was created again takes over none of an earlier one.
 * SCHEDULE-2 Schedule and time identify an occurrence. Its row is written before anything else is done for it; a second
 *    start of an occurrence that has ended does nothing.
 * SCHEDULE-3 Each try decides under the schedule's lock whether the run begins, waits or ends. A run sends what the
 *    schedule sent when the run's row was written: after a change or a deletion it ends, unless it has started.
 * SCHEDULE-4 The id of a run's campaign or message depends only on schedule and time. If Temporal has a workflow with
 *    this id and the ledger has no row, the ledger was restored from a backup: nothing is sent again. Therefore each
 *    such message has a workflow.
 * SCHEDULE-5 A run that has not begun within the catch-up window ends: missed, or failed with its last failure.
 * SCHEDULE-6 A local time runs once on the day of a clock change, unless the schedule names every hour.
 * SCHEDULE-7 A deleted schedule is created again only once its runs have ended.
 * SCHEDULE-8 A schedule shows its counts, its failures, and what blocks its next time.
 * SCHEDULE-9 A time that Temporal did not start within the catch-up window, since it was away, is a missed run too. Its
 *    counter only says that there are some: Temporal 1.32 counts a time again whenever it looks for missed ones.
 */
import { sql } from 'kysely';
import {
  AppError,
  instanceOfSchedule,
  present,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
  type ScheduleState,
} from '../../contract/index.js';
import {
  markBegun,
  recordCommand,
  type AskedCommand,
  type CommandKind,
  assertSameRequest,
  isSameHash,
  tookEffect,
} from '../storage/commands.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { healthRows, IS_FAILING } from './schedule-health.js';
import { scheduleInstance, type ListFilter, newestFirst, pageOf, cursorsByAge } from '../storage/pages.js';
import { jsonText, shown } from '../storage/statements.js';
import { LedgerPart, type Db, type Tx } from '../storage/store.js';
import {
  beginRun,
  changeRun,
  endRun,
  insertRun,
  refuseOpenRuns,
  runOf,
  runRows,
  TEMPORAL_AWAY,
  timesWithoutRun,
  type RunDecision,
  type RunEnd,
  type RunReason,
  type ScheduleRow,
} from './schedule-runs.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A command on a schedule; a repeated id has no further effect, also after a deletion. */
interface ScheduleCommand {
  readonly commandId: string;
  readonly note?: string | undefined;
  readonly requestedBy?: string | undefined;
  readonly nowMs: number;
}

interface NewSchedule extends ScheduleCommand {
  readonly id: ScheduleId;
  readonly requestHash: string;
  readonly definition: ScheduleDefinition;
  readonly isPaused: boolean;
  readonly namespace: string;
}

const CURSORS = cursorsByAge('schedules');

/**
 * Methods that name a schedule throw AppError SCHEDULE_NOT_FOUND, and those that run or change it SCHEDULE_ENDED, unless
 * documented otherwise.
 */
export class Schedules extends LedgerPart {
  /**
   * Writes the schedule unless it exists. A deleted schedule may be created again; its occurrences are kept.
   * @throws AppError IDEMPOTENCY_MISMATCH if the id exists with another request hash; SCHEDULE_DELETED if this command
   *   created the schedule and it was deleted since; SCHEDULE_RUNS_OPEN (SCHEDULE-7)
   */
  async create({ id, commandId, requestHash, definition, isPaused, note, namespace, nowMs }: NewSchedule) {
    return this.database.transaction(async (tx) => {
      if (!(await takesEffect(tx, id, 'create', { id: commandId }, nowMs))) {
        return { schedule: await sameSchedule(tx, await lock(tx, id), requestHash), isNew: false };
      }
      await refuseOpenRuns(tx, id);
      const fresh = {
        request_hash: keyedHash(requestHash),
        definition: jsonText(definition),
        state: isPaused ? ('paused' as const) : ('active' as const),
        note: note ?? null,
        missed_seen: 0,
        missed_until: new Date(nowMs),
        overlapped: 0,
        namespace,
        problem: null,
        synced_version: 0,
        created_at: new Date(nowMs),
      };
      const created = await tx
        .insertInto('schedules')
        .values({ id, ...fresh })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((is) => ({ ...fresh, version: is('schedules.version', '+', 1) }))
            .where('schedules.state', '=', 'deleted')
            // The runs of a deleted schedule are kept, and belong to this instance.
            .where(sql<boolean>`${scheduleInstance('schedules')} = ${instanceOfSchedule(definition)}`),
        )
        .returningAll()
        .executeTakeFirst();
      const row = created ?? (await lock(tx, id));
      return { schedule: await sameSchedule(tx, row, requestHash), isNew: created !== undefined };
    });
  }

  /** Undefined if it does not exist or was deleted. */
  async view(id: ScheduleId): Promise<ScheduleView | undefined> {
    const row = await this.database.run((db) => selected(db, id).executeTakeFirst());
    return row === undefined || row.state === 'deleted' ? undefined : scheduleView(row);
  }

  /** Newest first, without deleted ones. @param filter.isFailing  only those that need an operator (SCHEDULE-8) */
  async list(filter: Omit<ListFilter, 'instance'> & { readonly state?: ScheduleState; readonly isFailing?: boolean }) {
    const by = { instance: scheduleInstance('schedules'), time: 'created_at', id: 'id', cursors: CURSORS };
    const rows = await this.database.run((db) => {
      const query = newestFirst(db.selectFrom('schedules').selectAll(), filter, by).where('state', '<>', 'deleted');
      const ofState = filter.state === undefined ? query : query.where('state', '=', filter.state);
      return (filter.isFailing === true ? ofState.where(IS_FAILING) : ofState).execute();
    });
    return pageOf(rows, filter.limit, scheduleView, ({ created_at, id }) => CURSORS.write(created_at, id));
  }

  /** SCHEDULE-8. */
  async healthOf(ids: readonly ScheduleId[]) {
    const rows = await this.database.rows(healthRows(sql`s.id = any(${ids}::text[])`));
    return new Map(
      rows.map(({ id, failure, openRun, ...counts }) => [id, { ...counts, ...present({ failure, openRun }) }]),
    );
  }

  /** Records that Temporal paused or resumed the schedule. */
  steered(id: ScheduleId, kind: 'pause' | 'resume', asked: ScheduleCommand): Promise<ScheduleView> {
    const { commandId, note = null, requestedBy, nowMs } = asked;
    return this.database.transaction(async (tx) => {
      const row = await lockRunning(tx, id);
      const command = { id: commandId, ...present({ requestedBy }) };
      if (!(await takesEffect(tx, id, kind, command, nowMs))) return scheduleView(row);
      const state = kind === 'pause' ? ('paused' as const) : ('active' as const);
      const steered = { state, note, missed_until: new Date(nowMs) };
      await tx.updateTable('schedules').set(steered).where('id', '=', id).execute();
      return scheduleView({ ...row, ...steered });
    });
  }

  /** Whether a command took effect before. */
  tookEffect(id: ScheduleId, commandId: string): Promise<boolean> {
    return this.database.run((db) => tookEffect(db, `schedule:${id}`, commandId));
  }

  /** SCHEDULE-1. What Temporal's schedule of this version shows. No time is missed while it is paused. */
  async observe(id: ScheduleId, seen: ScheduleObservation, nowMs: number): Promise<void> {
    const { version, isPaused, note = '', missed, overlapped } = seen;
    const state = isPaused ? 'paused' : 'active';
    await this.database.rows(sql`
      update schedules set state = ${state}, note = nullif(${note}::text, ''), missed_seen = ${missed}, overlapped = ${overlapped},
        missed_until = case when state <> ${state} then ${new Date(nowMs)} else missed_until end
      where id = ${id} and version = ${version} and synced_version = version and state in ('active', 'paused')
        and (state, coalesce(note, ''), missed_seen, overlapped)
          is distinct from (${state}::text, ${note}::text, ${missed}::integer, ${overlapped}::integer)`);
  }

  /** SCHEDULE-9. See {@link timesWithoutRun}. */
  readonly withoutRun = this.statement(timesWithoutRun);

  /** SCHEDULE-9. Up to `untilMs`, these times were missed. A schedule that was changed meanwhile has other times. */
  async recordMissed({ id, version }: ScheduleView, times: readonly string[], untilMs: number, nowMs: number) {
    await this.database.transaction(async (tx) => {
      const schedule = await lock(tx, id);
      if (schedule.version !== version) return;
      for (const at of times.map((time) => new Date(time))) {
        const run = await insertRun(tx, schedule, { at, kind: 'schedule', due_at: at }, nowMs);
        if (run !== undefined) await endRun(tx, { schedule_id: id, at }, TEMPORAL_AWAY, nowMs);
      }
      await sql`update schedules set missed_until = ${new Date(untilMs)} where id = ${id}`.execute(tx);
    });
  }

  /** The same definition changes nothing. */
  async update(id: ScheduleId, definition: ScheduleDefinition, nowMs: number): Promise<ScheduleView> {
    return this.database.transaction(async (tx) => {
      const row = await lockRunning(tx, id);
      const { rows } = await sql<ScheduleRow>`
        update schedules
        set definition = ${jsonText(definition)}::json, version = version + 1, missed_until = ${new Date(nowMs)}
        where id = ${id} and definition::jsonb <> ${jsonText(definition)}::jsonb returning *`.execute(tx);
      return scheduleView(rows[0] ?? row);
    });
  }

  async remove(id: ScheduleId): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lock(tx, id);
      await sql`
        update schedules set state = 'deleted', version = version + 1 where id = ${id} and state <> 'deleted'`.execute(
        tx,
      );
    });
  }

  /** The runs of a schedule, the latest first. */
  async runs(id: ScheduleId, limit: number): Promise<ScheduleRun[]> {
    const ofSchedule = sql`r.schedule_id = ${id} order by r.at desc limit ${limit}`;
    return (await this.database.run((db) => runRows(db, ofSchedule))).map(runOf);
  }

  /**
   * A run that an operator requests, at this second or the next one without a run. A schedule has no times with
   * seconds, so the run takes none of them. The same key is the same run.
   */
  async trigger(id: ScheduleId, key: string, nowMs: number): Promise<ScheduleRun> {
    return this.database.transaction(async (tx) => {
      const schedule = await lockRunning(tx, id);
      const [before] = await runRows(tx, sql`r.schedule_id = ${id} and r.key = ${key}`);
      let run = before && runOf(before);
      for (let atMs = Math.floor(nowMs / SECOND) * SECOND; run === undefined; atMs += SECOND) {
        if (atMs % MINUTE === 0) continue;
        const asked = { at: new Date(atMs), kind: 'trigger', key, due_at: new Date(nowMs) } as const;
        run = await insertRun(tx, schedule, asked, nowMs);
      }
      return run;
    });
  }

  /** Creates rows for these times, ISO UTC, without one or whose run Temporal has never started. @returns those that are new */
  async backfill(id: ScheduleId, times: readonly string[], nowMs: number): Promise<ScheduleRun[]> {
    return this.database.transaction(async (tx) => {
      const schedule = await lockRunning(tx, id);
      const added: ScheduleRun[] = [];
      for (const at of times) {
        const asked = { at: new Date(at), kind: 'backfill', due_at: new Date(nowMs) } as const;
        const run = await insertRun(tx, schedule, asked, nowMs);
        if (run !== undefined) added.push(run);
      }
      return added;
    });
  }

  /**
   * SCHEDULE-2 to SCHEDULE-6. Called at the beginning of every try.
   * @param at ISO UTC
   */
  async beginRun(id: ScheduleId, at: string, nowMs: number): Promise<RunDecision> {
    return this.database.transaction(async (tx) => beginRun(tx, await lock(tx, id), new Date(at), nowMs));
  }

  /** A try failed and is repeated. */
  async failedTry(id: ScheduleId, at: string, why: RunReason): Promise<void> {
    const failed = { text: null, ...why, tries: sql<number>`tries + 1` };
    await this.database.run((db) => changeRun(db, { schedule_id: id, at: new Date(at) }, failed));
  }

  /** The campaign or message is written. The run stays open until that has ended. */
  started(id: ScheduleId, at: string): Promise<ScheduleRun> {
    const started = { state: 'started', reason: null, text: null } as const;
    return this.database.run((db) => changeRun(db, { schedule_id: id, at: new Date(at) }, started));
  }

  /** A run that ended before does not change. */
  endRun(id: ScheduleId, at: string, end: RunEnd, nowMs: number): Promise<ScheduleRun> {
    return this.database.run((db) => endRun(db, { schedule_id: id, at: new Date(at) }, end, nowMs));
  }

  /** Open runs of the schedules of this namespace. */
  async openRuns(namespace: string): Promise<ScheduleRun[]> {
    const areOpen = sql`r.ended_at is null
      and r.schedule_id in (select id from schedules where namespace = ${namespace}) order by r.at`;
    return (await this.database.run((db) => runRows(db, areOpen))).map(runOf);
  }

  /** All schedules of this namespace. Deleted ones only while Temporal's schedule still has to be deleted. */
  async ofNamespace(namespace: string): Promise<ScheduleView[]> {
    const rows = await this.database.rows(sql<ScheduleRow>`
      select * from schedules where namespace = ${namespace} and (state <> 'deleted' or synced_version < version)
      order by id`);
    return rows.map(scheduleView);
  }

  /** For Temporal, also a deleted one. `coveredUntilMs`: up to this time Temporal has started the occurrences. */
  async toSync(id: ScheduleId) {
    return this.database.run(async (db) => {
      const row = (await selected(db, id).executeTakeFirst()) ?? scheduleUnknown(id);
      const { rows } = await sql<{ at: Date | null }>`
        select max(at) as at from schedule_runs where schedule_id = ${id} and kind = 'schedule'`.execute(db);
      const coveredUntilMs = Math.max(row.created_at.getTime(), rows[0]?.at?.getTime() ?? 0);
      return { ...scheduleView(row), wasSynced: row.synced_version > 0, coveredUntilMs };
    });
  }

  /**
   * Temporal's schedule matches this version, or cannot be created because of this problem.
   * @returns false if there is a newer version: Temporal may have got them in the wrong order
   */
  async synced(id: ScheduleId, version: number, problem?: string): Promise<boolean> {
    const rows = await this.database.rows(sql`
      update schedules set synced_version = version, problem = ${problem ?? null}
      where id = ${id} and version = ${version} returning id`);
    return rows.length > 0;
  }
}

/** What Temporal's schedule shows. Each count is since its creation. */
export interface ScheduleObservation {
  /** Of the definition that Temporal has; NaN if it does not say. */
  readonly version: number;
  readonly isPaused: boolean;
  readonly note?: string;
  /** Of times, some of them repeatedly. */
  readonly missed: number;
  readonly overlapped: number;
}

/** @returns false for a command that took effect before */
async function takesEffect(tx: Tx, schedule: ScheduleId, kind: CommandKind, command: AskedCommand, nowMs: number) {
  const subject = `schedule:${schedule}` as const;
  const { begun_at } = await recordCommand(tx, subject, kind, command, nowMs);
  if (begun_at !== null) return false;
  await markBegun(tx, subject, command.id, nowMs);
  return true;
}

/** @throws AppError SCHEDULE_DELETED | IDEMPOTENCY_MISMATCH unless the request created this schedule */
async function sameSchedule(tx: Tx, row: ScheduleRow, requestHash: string): Promise<ScheduleView> {
  const { id } = row;
  if (row.state === 'deleted') {
    throw new AppError(
      'SCHEDULE_DELETED',
      `Schedule ${id} was created by this request and deleted since. Create it again with a new Idempotency-Key.`,
    );
  }
  assertSameRequest(
    await isSameHash(tx, row.request_hash, requestHash),
    `Schedule ${id} was created by another request. Choose another id, or delete it first: everpost schedule delete ${id}`,
  );
  return scheduleView(row);
}

function selected(db: Db, id: ScheduleId) {
  return db.selectFrom('schedules').selectAll().where('id', '=', id);
}

/** Also a deleted schedule. */
async function lock(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  return (await selected(tx, id).forUpdate().executeTakeFirst()) ?? scheduleUnknown(id);
}

async function lockRunning(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  const row = await lock(tx, id);
  if (row.state === 'deleted') return scheduleUnknown(id);
  refuseEnded(row);
  return row;
}

/** @throws AppError SCHEDULE_ENDED */
export function refuseEnded({ id, state, note }: { id: string; state: string; note?: string | null | undefined }) {
  if (state !== 'ended') return;
  throw new AppError(
    'SCHEDULE_ENDED',
    `Schedule ${id} has ended: ${note}. Create a new schedule, or delete this one: everpost schedule delete ${id}`,
  );
}

export function scheduleUnknown(id: string): never {
  throw new AppError('SCHEDULE_NOT_FOUND', `There is no schedule ${id}. List schedules: everpost schedule list`);
}

export type ScheduleView = ReturnType<typeof scheduleView>;

function scheduleView(row: ScheduleRow) {
  return {
    ...shown(row, 'id', 'definition', 'state', 'note', 'version', 'problem', 'overlapped', 'created_at'),
    ...shown(row, 'missed_seen', 'missed_until'),
    /** False while Temporal's schedule still has to be created, changed or deleted. */
    isSynced: row.synced_version === row.version,
  };
}
