import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import {
  AppError,
  DEFAULT_GRACE_TIME,
  DEFAULT_MISSED_START,
  parseDurationMs,
  present,
  scheduledCampaignId,
  type CampaignState,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
  type ScheduleRunKind,
  type ScheduleState,
} from '../../contract/index.js';
import { LONGEST_REPEAT_MS, sameLocalTime } from '../../domain/index.js';
import { recordCommand, type CommandKind } from '../commands.js';
import { iso } from '../iso.js';
import { isOfInstances, SCHEDULE_INSTANCE } from '../keys/of-instances.js';
import { pageOf, readCursor } from '../page-cursor.js';
import type { ScheduleRunsTable, SchedulesTable } from '../schema.js';
import { jsonText } from '../storable.js';
import type { Db, Store, Tx } from '../store.js';
import type {
  NewSchedule,
  RunDecision,
  RunReason,
  ScheduleCommand,
  ScheduleLedger,
  ScheduleView,
} from './schedule-ledger.js';

type ScheduleRow = Selectable<SchedulesTable>;

interface RunRow extends Selectable<ScheduleRunsTable> {
  readonly campaign_state: CampaignState | null;
  readonly start_missed_at: Date | null;
  readonly campaign_started_at: Date | null;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const SECOND = 1_000;

export class Schedules implements ScheduleLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async create({ id, requestHash, definition, isPaused, note, namespace, nowMs }: NewSchedule) {
    return this.#store.transaction(async (tx) => {
      const now = new Date(nowMs);
      const fresh = {
        request_hash: requestHash,
        definition: jsonText(definition),
        state: isPaused ? ('paused' as const) : ('active' as const),
        note: note ?? null,
        covered_from: now,
        namespace,
        problem: null,
        created_at: now,
      };
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('schedules')
        .values({ id, ...fresh })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((is) => ({ ...fresh, version: is('schedules.version', '+', 1) }))
            .where('schedules.state', '=', 'deleted')
            // Its runs stay known, and are of this instance.
            .where(sql<boolean>`schedules.definition -> 'campaign' ->> 'instance' = ${definition.campaign.instance}`),
        )
        .executeTakeFirstOrThrow();
      const row = await existing(tx, id);
      if (row.request_hash !== requestHash) {
        throw new AppError(
          'IDEMPOTENCY_MISMATCH',
          `Schedule ${id} was made from another request. Choose another id, or delete it first: everpost schedule delete ${id}`,
        );
      }
      return { schedule: viewOf(row), isNew: numInsertedOrUpdatedRows === 1n };
    });
  }

  async view(id: ScheduleId): Promise<ScheduleView | undefined> {
    const row = await this.#store.run((db) => rowOf(db, id));
    return row === undefined || row.state === 'deleted' ? undefined : viewOf(row);
  }

  async list({ state, instances, cursor, limit = DEFAULT_LIMIT }: Parameters<ScheduleLedger['list']>[0]) {
    const pageSize = Math.min(Math.max(limit, 1), MAX_LIMIT);
    const rows = await this.#store.run((db) => {
      let query = db
        .selectFrom('schedules')
        .selectAll()
        .where('state', '<>', 'deleted')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize + 1);
      if (instances !== undefined) query = query.where(isOfInstances(SCHEDULE_INSTANCE, instances));
      if (state !== undefined) query = query.where('state', '=', state);
      if (cursor !== undefined) {
        const { createdAt, id } = readCursor(cursor);
        query = query.where(sql<boolean>`(created_at, id) < (${createdAt}::timestamptz, ${id}::text)`);
      }
      return query.execute();
    });
    return pageOf(rows, pageSize, viewOf, ({ created_at, id }) => ({ createdAt: created_at, id }));
  }

  pause(id: ScheduleId, command: ScheduleCommand): Promise<ScheduleView> {
    return this.#change(id, 'pause', 'paused', command);
  }

  resume(id: ScheduleId, command: ScheduleCommand): Promise<ScheduleView> {
    return this.#change(id, 'resume', 'active', command);
  }

  async remove(id: ScheduleId, nowMs: number): Promise<void> {
    await this.#store.transaction(async (tx) => {
      const row = await lock(tx, id);
      if (row.state === 'deleted') return;
      await tx
        .updateTable('schedules')
        .set((is) => ({ state: 'deleted', version: is('version', '+', 1), covered_from: new Date(nowMs) }))
        .where('id', '=', id)
        .execute();
    });
  }

  async runs(id: ScheduleId, limit: number): Promise<ScheduleRun[]> {
    const rows = await this.#store.run((db) =>
      runRows(db).where('r.schedule_id', '=', id).orderBy('r.at', 'desc').limit(limit).execute(),
    );
    return rows.map(runOf);
  }

  async trigger(id: ScheduleId, key: string, nowMs: number): Promise<ScheduleRun> {
    return this.#store.transaction(async (tx) => {
      await lockExisting(tx, id);
      const known = await runRows(tx).where('r.schedule_id', '=', id).where('r.key', '=', key).executeTakeFirst();
      if (known !== undefined) return runOf(known);
      for (let atMs = Math.floor(nowMs / SECOND) * SECOND; ; atMs += SECOND) {
        if (await insertRun(tx, id, { atMs, kind: 'trigger', key, startAtMs: nowMs, nowMs })) {
          return runOf(await existingRun(tx, id, atMs));
        }
      }
    });
  }

  async addRuns(id: ScheduleId, kind: 'schedule' | 'backfill', times: readonly string[], nowMs: number) {
    return this.#store.transaction(async (tx) => {
      const { definition } = await lockExisting(tx, id);
      const added: ScheduleRun[] = [];
      for (const at of times) {
        const atMs = Date.parse(at);
        const startAtMs = kind === 'backfill' ? nowMs : startMs(id, definition, atMs);
        if (await insertRun(tx, id, { atMs, kind, startAtMs, nowMs }))
          added.push(runOf(await existingRun(tx, id, atMs)));
      }
      return added;
    });
  }

  async beginRun(id: ScheduleId, at: string, nowMs: number): Promise<RunDecision> {
    const atMs = Date.parse(at);
    return this.#store.transaction(async (tx) => {
      const schedule = await lock(tx, id);
      const { definition } = schedule;
      await insertRun(tx, id, { atMs, kind: 'schedule', startAtMs: startMs(id, definition, atMs), nowMs });
      const row = await existingRun(tx, id, atMs);
      if (row.ended_at !== null) return { kind: 'ended', run: runOf(row) };
      // Its campaign has started: what is left is to say so.
      if (row.campaign_state !== null && row.campaign_state !== 'draft') {
        return { kind: 'go', run: runOf(row), definition };
      }
      const skipped = await whySkipped(tx, schedule, row, nowMs);
      if (skipped !== undefined) return { kind: 'ended', run: await skip(tx, row, skipped, nowMs) };
      const blocking = await blockingRun(tx, schedule, row, nowMs);
      if (blocking === undefined) {
        // What it waited for was no delay of its own: its start counts from now.
        const waited = row.state === 'waiting' ? { start_at: new Date(nowMs), reason: null, text: null } : {};
        await changeRun(tx, row, { state: 'pending', begun_at: row.begun_at ?? new Date(nowMs), ...waited });
        return { kind: 'go', run: runOf(await existingRun(tx, id, atMs)), definition };
      }
      const why = { reason: 'overlap', text: `campaign ${blocking.campaign_id} has not ended` };
      const mayWait = definition.overlap === 'buffer' && !(await anotherWaits(tx, row));
      if (!mayWait && row.kind !== 'backfill') return { kind: 'ended', run: await skip(tx, row, why, nowMs) };
      await changeRun(tx, row, { state: 'waiting', ...why });
      return { kind: 'wait', run: runOf(await existingRun(tx, id, atMs)) };
    });
  }

  async failedTry(id: ScheduleId, at: string, { reason, text }: RunReason): Promise<void> {
    await this.#store.run((db) =>
      db
        .updateTable('schedule_runs')
        .set((is) => ({ reason, text: text ?? null, tries: is('tries', '+', 1) }))
        .where('schedule_id', '=', id)
        .where('at', '=', new Date(at))
        .where('ended_at', 'is', null)
        .execute(),
    );
  }

  async endRun(id: ScheduleId, at: string, end: Parameters<ScheduleLedger['endRun']>[2], nowMs: number) {
    const { state, reason = null, text = null } = end;
    return this.#store.run(async (db) => {
      await db
        .updateTable('schedule_runs')
        .set({ state, reason, text, ended_at: new Date(nowMs) })
        .where('schedule_id', '=', id)
        .where('at', '=', new Date(at))
        .where('ended_at', 'is', null)
        .execute();
      return runOf(await existingRun(db, id, Date.parse(at)));
    });
  }

  async openRuns(namespace: string): Promise<ScheduleRun[]> {
    const rows = await this.#store.run((db) =>
      runRows(db)
        .innerJoin('schedules as s', 's.id', 'r.schedule_id')
        .where('s.namespace', '=', namespace)
        .where('r.ended_at', 'is', null)
        .orderBy('r.at')
        .execute(),
    );
    return rows.map(runOf);
  }

  async ofNamespace(namespace: string): Promise<ScheduleView[]> {
    const rows = await this.#store.run((db) =>
      db
        .selectFrom('schedules')
        .selectAll()
        .where('namespace', '=', namespace)
        .where(sql<boolean>`(state <> 'deleted' or synced_version < version)`)
        .orderBy('id')
        .execute(),
    );
    return rows.map(viewOf);
  }

  async synced(id: ScheduleId, version: number, problem?: string): Promise<void> {
    await this.#store.run((db) =>
      db
        .updateTable('schedules')
        .set({ synced_version: version, problem: problem ?? null })
        .where('id', '=', id)
        .where('synced_version', '<=', version)
        .execute(),
    );
  }

  async coveredUntilMs(id: ScheduleId): Promise<number> {
    const { rows } = await this.#store.run((db) =>
      sql<{ at: Date }>`
        select greatest(s.covered_from, (select max(r.at) from schedule_runs r where r.schedule_id = s.id and r.kind = 'schedule'))
          as at
        from schedules s where s.id = ${id}`.execute(db),
    );
    const [covered] = rows;
    if (covered === undefined) throw notFound(id);
    return covered.at.getTime();
  }

  #change(
    id: ScheduleId,
    kind: CommandKind,
    state: ScheduleState,
    { commandId, note, requestedBy, nowMs }: ScheduleCommand,
  ) {
    return this.#store.transaction(async (tx) => {
      const row = await lockExisting(tx, id);
      const subject = `schedule:${id}` as const;
      const { begun_at } = await recordCommand(
        tx,
        subject,
        kind,
        { id: commandId, ...present({ requestedBy }) },
        nowMs,
      );
      if (begun_at !== null) return viewOf(row);
      const now = new Date(nowMs);
      await tx
        .updateTable('commands')
        .set({ begun_at: now })
        .where('subject', '=', subject)
        .where('id', '=', commandId)
        .execute();
      if (row.state === state && (note === undefined || note === row.note)) return viewOf(row);
      await tx
        .updateTable('schedules')
        .set((is) => ({
          state,
          note: note ?? null,
          version: is('version', '+', 1),
          ...(row.state === state ? {} : { covered_from: now }),
        }))
        .where('id', '=', id)
        .execute();
      return viewOf(await existing(tx, id));
    });
  }
}

async function rowOf(db: Db, id: ScheduleId): Promise<ScheduleRow | undefined> {
  return db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
}

async function existing(db: Db, id: ScheduleId): Promise<ScheduleRow> {
  const row = await rowOf(db, id);
  if (row === undefined) throw notFound(id);
  return row;
}

/** Also one that was deleted. */
async function lock(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  const row = await tx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (row === undefined) throw notFound(id);
  return row;
}

async function lockExisting(tx: Tx, id: ScheduleId): Promise<ScheduleRow> {
  const row = await lock(tx, id);
  if (row.state === 'deleted') throw notFound(id);
  return row;
}

function notFound(id: ScheduleId): AppError {
  return new AppError(
    'SCHEDULE_NOT_FOUND',
    `Schedule ${id} is not in the ledger. Check the id: everpost schedule list`,
  );
}

function viewOf(row: ScheduleRow): ScheduleView {
  return {
    id: row.id,
    definition: row.definition,
    state: row.state,
    version: row.version,
    isSynced: row.synced_version === row.version,
    createdAt: row.created_at.toISOString(),
    ...present({ note: row.note, problem: row.problem }),
  };
}

function runRows(db: Db) {
  return db
    .selectFrom('schedule_runs as r')
    .leftJoin('campaigns as c', 'c.id', 'r.campaign_id')
    .selectAll('r')
    .select(['c.state as campaign_state', 'c.start_missed_at', 'c.started_at as campaign_started_at']);
}

async function existingRun(db: Db, id: ScheduleId, atMs: number): Promise<RunRow> {
  return runRows(db).where('r.schedule_id', '=', id).where('r.at', '=', new Date(atMs)).executeTakeFirstOrThrow();
}

function runOf(row: RunRow): ScheduleRun {
  return {
    scheduleId: row.schedule_id,
    at: row.at.toISOString(),
    kind: row.kind,
    state: row.state,
    campaignId: row.campaign_id,
    startAt: row.start_at.toISOString(),
    tries: row.tries,
    createdAt: row.created_at.toISOString(),
    ...present({
      campaignState: row.campaign_state,
      startMissedAt: iso(row.start_missed_at),
      reason: row.reason,
      text: row.text,
      endedAt: iso(row.ended_at),
    }),
  };
}

interface NewRun {
  readonly atMs: number;
  readonly kind: ScheduleRunKind;
  readonly key?: string;
  readonly startAtMs: number;
  readonly nowMs: number;
}

/** @returns false where there is one */
async function insertRun(tx: Tx, id: ScheduleId, { atMs, kind, key, startAtMs, nowMs }: NewRun): Promise<boolean> {
  const at = new Date(atMs);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('schedule_runs')
    .values({
      schedule_id: id,
      at,
      kind,
      key: key ?? null,
      campaign_id: scheduledCampaignId(id, at.toISOString()),
      state: 'pending',
      start_at: new Date(startAtMs),
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'at']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The same for the same occurrence, in every process. */
function startMs(id: ScheduleId, { jitter }: ScheduleDefinition, atMs: number): number {
  if (jitter === undefined) return atMs;
  const hash = createHash('sha256').update(`${id} ${atMs}`).digest();
  return atMs + Math.floor((hash.readUInt32BE() / 2 ** 32) * parseDurationMs(jitter));
}

function isMissed({ start_at }: RunRow, { graceTime = DEFAULT_GRACE_TIME }: ScheduleDefinition, nowMs: number) {
  return start_at.getTime() + parseDurationMs(graceTime) < nowMs;
}

/** What keeps an occurrence from running for good; what an operator has asked for by itself runs. */
async function whySkipped(
  tx: Tx,
  { state, definition }: ScheduleRow,
  row: RunRow,
  nowMs: number,
): Promise<RunReason | undefined> {
  if (state === 'deleted') return { reason: 'schedule_deleted' };
  if (row.kind !== 'schedule') return undefined;
  if (state === 'paused') return { reason: 'schedule_paused' };
  const { missedStart = DEFAULT_MISSED_START } = definition;
  if (missedStart === 'skip' && isMissed(row, definition, nowMs)) {
    return { reason: 'start_missed', text: `its start was at ${row.start_at.toISOString()}` };
  }
  // Temporal may start both at once, in any order: the first that went on is the one.
  const others = await runRows(tx)
    .where('r.schedule_id', '=', row.schedule_id)
    .where('r.at', '<>', row.at)
    .where('r.kind', '=', 'schedule')
    .where('r.begun_at', 'is not', null)
    .where('r.state', '<>', 'skipped')
    .where(sql<boolean>`abs(extract(epoch from r.at - ${row.at}::timestamptz)) <= ${LONGEST_REPEAT_MS / SECOND}`)
    .execute();
  const same = sameLocalTime(
    definition,
    row.at.getTime(),
    others.map(({ at }) => at.getTime()),
  );
  if (same === undefined) return undefined;
  return { reason: 'clock_set_back', text: `the same local time ran at ${new Date(same).toISOString()}` };
}

/**
 * Another run that this one may not run beside: its campaign has not ended, or it comes before and is about to start. One whose
 * start was missed, and that waits for an operator or for its recipients, is in no way.
 */
async function blockingRun(
  tx: Tx,
  { definition }: ScheduleRow,
  row: RunRow,
  nowMs: number,
): Promise<RunRow | undefined> {
  if (definition.overlap === 'allow') return undefined;
  const others = await runRows(tx)
    .where('r.schedule_id', '=', row.schedule_id)
    .where('r.at', '<>', row.at)
    .where(
      sql<boolean>`(r.ended_at is null and r.at < ${row.at}::timestamptz or c.state in
        ('scheduled', 'running', 'paused', 'cancelling'))`,
    )
    .orderBy('r.at')
    .execute();
  return others.find((other) => {
    if (other.ended_at === null) return other.state === 'waiting' || !isMissed(other, definition, nowMs);
    return other.campaign_started_at !== null || other.start_missed_at === null;
  });
}

async function anotherWaits(tx: Tx, row: RunRow): Promise<boolean> {
  if (row.state === 'waiting') return false;
  const waiting = await tx
    .selectFrom('schedule_runs')
    .select('at')
    .where('schedule_id', '=', row.schedule_id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return waiting !== undefined;
}

async function skip(tx: Tx, row: RunRow, why: RunReason, nowMs: number): Promise<ScheduleRun> {
  await changeRun(tx, row, { state: 'skipped', text: null, ...why, ended_at: new Date(nowMs) });
  return runOf(await existingRun(tx, row.schedule_id, row.at.getTime()));
}

async function changeRun(
  tx: Tx,
  { schedule_id, at }: RunRow,
  change: Partial<
    Pick<Selectable<ScheduleRunsTable>, 'state' | 'start_at' | 'begun_at' | 'reason' | 'text' | 'ended_at'>
  >,
): Promise<void> {
  await tx
    .updateTable('schedule_runs')
    .set(change)
    .where('schedule_id', '=', schedule_id)
    .where('at', '=', at)
    .execute();
}
