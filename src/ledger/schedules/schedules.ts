/**
 * Schedules and their runs.
 *
 * SCHEDULE-1 The schedule's row is authoritative for what it sends and whether it is paused or deleted. Temporal's
 *    schedule follows the row, by its version.
 * SCHEDULE-2 Schedule and time identify an occurrence. Its row is written before anything else is done for it; a second
 *    start of an occurrence that has ended does nothing.
 * SCHEDULE-3 Each try decides under the schedule's lock whether the run proceeds, waits or is skipped.
 * SCHEDULE-4 The id of a run's campaign or message depends only on schedule and time. If Temporal has a workflow with
 *    this id and the ledger has no row, the ledger was restored from a backup: nothing is sent again. Therefore each
 *    such message has a workflow.
 * SCHEDULE-5 Every occurrence has a row; a skipped one has the reason.
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
} from '../commands.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { scheduleInstance, type ListFilter, newestFirst, pageOf, cursorsByAge } from '../storage/pages.js';
import { shown, jsonText } from '../storage/statements.js';
import { LedgerPart, type Tx } from '../storage/store.js';
import {
  beginRun,
  type RunDecision,
  type RunEnd,
  type RunReason,
  changeRun,
  insertRun,
  runOf,
  runRows,
  startMs,
  type ScheduleRow,
} from './schedule-runs.js';

const SECOND = 1_000;

interface ScheduleFilter extends Omit<ListFilter, 'instance'> {
  readonly state?: ScheduleState;
}

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
   *   created the schedule and it was deleted since
   */
  async create({ id, commandId, requestHash, definition, isPaused, note, namespace, nowMs }: NewSchedule) {
    return this.database.transaction(async (tx) => {
      if (!(await takesEffect(tx, id, 'create', { id: commandId }, nowMs))) {
        return { schedule: await sameSchedule(tx, await lock(tx, id), requestHash), isNew: false };
      }
      const now = new Date(nowMs);
      const fresh = {
        request_hash: keyedHash(requestHash),
        definition: jsonText(definition),
        state: isPaused ? ('paused' as const) : ('active' as const),
        note: note ?? null,
        covered_from: now,
        namespace,
        problem: null,
        created_at: now,
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
      return {
        schedule: await sameSchedule(tx, created ?? (await lock(tx, id)), requestHash),
        isNew: created !== undefined,
      };
    });
  }

  /** Undefined if it does not exist or was deleted. */
  async view(id: ScheduleId): Promise<ScheduleView | undefined> {
    const [row] = await this.database.rows(
      sql<ScheduleRow>`select * from schedules where id = ${id} and state <> 'deleted'`,
    );
    return row && scheduleView(row);
  }

  /** Newest first, without deleted ones. */
  async list(filter: ScheduleFilter) {
    const by = { instance: scheduleInstance('schedules'), time: 'created_at', id: 'id', cursors: CURSORS };
    const rows = await this.database.run((db) => {
      const query = newestFirst(db.selectFrom('schedules').selectAll(), filter, by).where('state', '<>', 'deleted');
      return (filter.state === undefined ? query : query.where('state', '=', filter.state)).execute();
    });
    return pageOf(rows, filter.limit, scheduleView, ({ created_at, id }) => CURSORS.write(created_at, id));
  }

  pause(id: ScheduleId, command: ScheduleCommand) {
    return this.#change(id, 'pause', 'paused', command);
  }

  resume(id: ScheduleId, command: ScheduleCommand) {
    return this.#change(id, 'resume', 'active', command);
  }

  async remove(id: ScheduleId, nowMs: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lock(tx, id);
      await sql`
        update schedules set state = 'deleted', version = version + 1, covered_from = ${new Date(nowMs)}
        where id = ${id} and state <> 'deleted'`.execute(tx);
    });
  }

  /** The runs of a schedule, the latest first. */
  async runs(id: ScheduleId, limit: number): Promise<ScheduleRun[]> {
    const ofSchedule = sql`r.schedule_id = ${id} order by r.at desc limit ${limit}`;
    return (await this.database.run((db) => runRows(db, ofSchedule))).map(runOf);
  }

  /** A run that an operator requests, at this second or the next one without a run. The same key is the same run. */
  async trigger(id: ScheduleId, key: string, nowMs: number): Promise<ScheduleRun> {
    return this.database.transaction(async (tx) => {
      const schedule = await lockRunning(tx, id);
      let [run] = await runRows(tx, sql`r.schedule_id = ${id} and r.key = ${key}`);
      for (let atMs = Math.floor(nowMs / SECOND) * SECOND; run === undefined; atMs += SECOND) {
        run = await insertRun(tx, schedule, { atMs, kind: 'trigger', key, startAtMs: nowMs, nowMs });
      }
      return runOf(run);
    });
  }

  /** Creates missing rows for these times, ISO UTC. @returns those that are new */
  async addRuns(id: ScheduleId, kind: 'schedule' | 'backfill', times: readonly string[], nowMs: number) {
    return this.database.transaction(async (tx) => {
      const schedule = await lockRunning(tx, id);
      const added: ScheduleRun[] = [];
      for (const atMs of times.map((at) => Date.parse(at))) {
        const startAtMs = kind === 'backfill' ? nowMs : startMs(id, schedule.definition, atMs);
        const run = await insertRun(tx, schedule, { atMs, kind, startAtMs, nowMs });
        if (run !== undefined) added.push(runOf(run));
      }
      return added;
    });
  }

  /**
   * SCHEDULE-2, SCHEDULE-3. Called at the beginning of every try.
   * @param at ISO UTC
   */
  async beginRun(id: ScheduleId, at: string, nowMs: number): Promise<RunDecision> {
    return this.database.transaction(async (tx) => beginRun(tx, await lock(tx, id), Date.parse(at), nowMs));
  }

  /** A try failed and is repeated. */
  async failedTry(id: ScheduleId, at: string, why: RunReason): Promise<void> {
    const failed = { text: null, ...why, tries: sql<number>`tries + 1` };
    await this.database.run((db) => changeRun(db, { schedule_id: id, at: new Date(at) }, failed));
  }

  /** A run that ended before does not change. */
  endRun(id: ScheduleId, at: string, end: RunEnd, nowMs: number): Promise<ScheduleRun> {
    const ended = { reason: null, text: null, ...end, ended_at: new Date(nowMs) };
    return this.database.run((db) => changeRun(db, { schedule_id: id, at: new Date(at) }, ended));
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

  /** Temporal's schedule matches this version, or cannot be created because of this problem. */
  async synced(id: ScheduleId, version: number, problem?: string): Promise<void> {
    await this.database.rows(sql`
      update schedules set synced_version = ${version}, problem = ${problem ?? null}
      where id = ${id} and synced_version <= ${version}`);
  }

  /** Occurrences after this time, in milliseconds since the epoch, have no row yet. */
  async coveredUntilMs(id: ScheduleId): Promise<number> {
    const [covered] = await this.database.rows(sql<{ at: Date }>`
      select greatest(s.covered_from, (select max(r.at) from schedule_runs r where r.schedule_id = s.id and r.kind = 'schedule'))
        as at
      from schedules s where s.id = ${id}`);
    return (covered ?? notFound(id)).at.getTime();
  }

  #change(id: ScheduleId, kind: CommandKind, state: ScheduleState, asked: ScheduleCommand): Promise<ScheduleView> {
    const { commandId, note, requestedBy, nowMs } = asked;
    return this.database.transaction(async (tx) => {
      const row = await lockRunning(tx, id);
      const command = { id: commandId, ...present({ requestedBy }) };
      if (!(await takesEffect(tx, id, kind, command, nowMs))) return scheduleView(row);
      if (row.state === state && (note === undefined || note === row.note)) return scheduleView(row);
      const coveredFrom = row.state === state ? row.covered_from : new Date(nowMs);
      const { rows } = await sql<ScheduleRow>`
        update schedules set state = ${state}, note = ${note ?? null}, covered_from = ${coveredFrom},
          version = version + 1
        where id = ${id} returning *`.execute(tx);
      return scheduleView(rows[0] ?? row);
    });
  }
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

/** Also a deleted schedule. */
async function lock(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  const row = await tx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? notFound(id);
}

async function lockRunning(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  const row = await lock(tx, id);
  if (row.state === 'deleted') return notFound(id);
  if (row.state !== 'ended') return row;
  throw new AppError(
    'SCHEDULE_ENDED',
    `Schedule ${id} has ended: ${row.note}. Create a new schedule, or delete this one: everpost schedule delete ${id}`,
  );
}

function notFound(id: ScheduleId): never {
  throw new AppError(
    'SCHEDULE_NOT_FOUND',
    `Schedule ${id} is not in the ledger. List schedules: everpost schedule list`,
  );
}

export type ScheduleView = ReturnType<typeof scheduleView>;

function scheduleView(row: ScheduleRow) {
  return {
    ...shown(row, 'id', 'definition', 'state', 'note', 'version', 'problem', 'created_at'),
    /** False while Temporal's schedule still has to be created, changed or deleted. */
    isSynced: row.synced_version === row.version,
  };
}
