import { type Selectable, sql } from 'kysely';
import { assertSameRequest } from '../commands.js';
import type { ReplaysTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, LedgerPart } from '../storage/store.js';
import {
  type Applied,
  IS_APPLIED,
  recordOutcomes,
  storedNotification,
  type StoredNotification,
} from './notifications.js';

export interface Replay {
  readonly id: string;
  /** Absent: all instances. */
  readonly instance?: string;
  readonly sinceMs: number;
}

/** The next part of a replay. */
interface ReplayBatch {
  readonly replayId: string;
  readonly afterId: string;
  readonly notifications: readonly StoredNotification[];
}

/** Applies stored notifications again; each replay continues where it stopped. */
export class Replays extends LedgerPart {
  /**
   * Includes every applied notification that arrived since then.
   * @throws AppError IDEMPOTENCY_MISMATCH if the id belongs to a replay of other notifications
   */
  async begin({ id, instance, sinceMs }: Replay, nowMs: number): Promise<ReplayView> {
    const since = new Date(sinceMs);
    const row = await this.database.run(async (db) => {
      const { rows } = await sql<{ first: string | null; last: string | null; total: number }>`
        select min(id) as first, max(id) as last, count(*)::int as total from notifications n
        where received_at >= ${since} and ${IS_APPLIED}
          and (${instance ?? null}::text is null or instance = ${instance ?? null})`.execute(db);
      const { first = null, last = null, total = 0 } = rows[0] ?? {};
      await db
        .insertInto('replays')
        .values({
          id,
          instance: instance ?? null,
          since,
          after_id: String(BigInt(first ?? 1) - 1n),
          until_id: last ?? '0',
          total,
          begun_at: new Date(nowMs),
          ended_at: total === 0 ? new Date(nowMs) : null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return db.selectFrom('replays').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    });
    assertSameRequest(
      row.since.getTime() === sinceMs && row.instance === (instance ?? null),
      `Replay ${id} was created by another request with the same key. Use a new Idempotency-Key for another replay.`,
    );
    return replayView(row);
  }

  async view(id: string): Promise<ReplayView | undefined> {
    const row = await this.database.run((db) =>
      db.selectFrom('replays').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && replayView(row);
  }

  /** A batch of the oldest replay that has not ended; empty if nothing is left. Undefined if there is no replay. */
  async next(limit: number): Promise<ReplayBatch | undefined> {
    return this.database.run(async (db) => {
      const replay = await db
        .selectFrom('replays')
        .selectAll()
        .where('ended_at', 'is', null)
        .orderBy('begun_at')
        .limit(1)
        .executeTakeFirst();
      if (replay === undefined) return undefined;
      const rows = await taken(db, replay).orderBy('id').limit(limit).execute();
      return {
        replayId: replay.id,
        afterId: String(replay.after_id),
        notifications: rows.map(storedNotification),
      };
    });
  }

  /** Records that the batch is done, with the outcomes by notification id. No effect if another worker did it. */
  async advance(
    { replayId, afterId, notifications }: ReplayBatch,
    outcomes: ReadonlyMap<string, Applied>,
    nowMs: number,
  ): Promise<void> {
    const now = new Date(nowMs);
    await this.database.transaction(async (tx) => {
      const replay = await tx
        .selectFrom('replays')
        .selectAll()
        .where('id', '=', replayId)
        .where('after_id', '=', afterId)
        .where('ended_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (replay === undefined) return;
      const lastId = notifications.at(-1)?.id;
      const counts = { ...replay.outcomes };
      for (const { outcome } of outcomes.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
      await tx
        .updateTable('replays')
        .set({
          outcomes: jsonText(counts),
          done: replay.done + notifications.length,
          ...(lastId === undefined ? { ended_at: now } : { after_id: lastId }),
        })
        .where('id', '=', replayId)
        .execute();
      await recordOutcomes(tx, outcomes);
    });
  }
}

/** The notifications that a replay has not applied yet. */
function taken(db: Db, { instance, since, after_id, until_id }: Selectable<ReplaysTable>) {
  const all = db
    .selectFrom('notifications as n')
    .select(['id', 'instance', 'body', 'received_at', 'oddity'])
    .where('id', '>', after_id)
    .where('id', '<=', until_id)
    .where('received_at', '>=', since)
    .where(IS_APPLIED);
  return instance === null ? all : all.where('instance', '=', instance);
}

function replayView(row: Selectable<ReplaysTable>) {
  return shown(row, 'id', 'instance', 'since', 'total', 'done', 'outcomes', 'begun_at', 'ended_at');
}

/** `total`: notifications to apply again. `done`: how many were applied. `outcomes`: counts by outcome. */
export type ReplayView = ReturnType<typeof replayView>;
