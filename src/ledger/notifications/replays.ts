import { type Selectable, sql } from 'kysely';
import { assertSameRequest } from '../storage/commands.js';
import type { ReplaysTable } from '../storage/schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { TextPart } from '../sensitive/texts.js';
import {
  type Applied,
  IS_APPLIED,
  type NotificationColumns,
  recordOutcomes,
  storedNotification,
  type StoredNotification,
} from './notifications.js';

/** The next part of a replay. */
interface ReplayBatch {
  readonly replayId: string;
  readonly afterId: string;
  readonly notifications: readonly StoredNotification[];
}

/** Applies stored notifications again; each replay continues where it stopped. */
export class Replays extends TextPart {
  /**
   * Includes every applied notification that arrived since then, of this instance or of all.
   * @throws AppError IDEMPOTENCY_MISMATCH if the id belongs to a replay of other notifications
   */
  async begin(
    { id, instance, sinceMs }: { readonly id: string; readonly instance?: string; readonly sinceMs: number },
    nowMs: number,
  ): Promise<ReplayView> {
    const since = new Date(sinceMs);
    const row = await this.database.run(async (db) => {
      await sql`
        insert into replays (id, instance, since, after_id, until_id, total, begun_at, ended_at)
        select ${id}, ${instance ?? null}, ${since}::timestamptz, coalesce(min(n.id), 1) - 1, coalesce(max(n.id), 0),
          count(*), ${new Date(nowMs)}::timestamptz, case when count(*) = 0 then ${new Date(nowMs)}::timestamptz end
        from notifications n where n.received_at >= ${since}::timestamptz and ${IS_APPLIED}
          and (${instance ?? null}::text is null or n.instance = ${instance ?? null})
        on conflict do nothing`.execute(db);
      return db.selectFrom('replays').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    });
    assertSameRequest(
      row.since.getTime() === sinceMs && row.instance === (instance ?? null),
      `Replay ${id} was created by another request with the same key. Use a new Idempotency-Key for another replay.`,
    );
    return replayView(row);
  }

  async view(id: string): Promise<ReplayView | undefined> {
    const [row] = await this.database.rows(sql<ReplayRow>`select * from replays where id = ${id}`);
    return row && replayView(row);
  }

  /** A batch of the oldest replay that has not ended; empty if nothing is left. Undefined if there is no replay. */
  async next(limit: number): Promise<ReplayBatch | undefined> {
    const [replay] = await this.database.rows(sql<ReplayRow>`
      select * from replays where ended_at is null order by begun_at limit 1`);
    if (replay === undefined) return undefined;
    const { id: replayId, instance, since, after_id, until_id } = replay;
    const rows = await this.database.rows(sql<NotificationColumns>`
      select n.id, n.instance, n.body, n.received_at, n.oddity, n.about, n.hidden from notifications n
      where n.id > ${after_id} and n.id <= ${until_id} and n.received_at >= ${since}::timestamptz and ${IS_APPLIED}
        and (${instance}::text is null or n.instance = ${instance})
      order by n.id limit ${limit}`);
    return {
      replayId,
      afterId: String(after_id),
      notifications: rows.map((row) => storedNotification(row, this.texts)),
    };
  }

  /** Records that the batch is done, with the outcomes by notification id. No effect if another worker did it. */
  async advance(
    { replayId, afterId, notifications }: ReplayBatch,
    outcomes: ReadonlyMap<string, Applied>,
    nowMs: number,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const current = sql<ReplayRow>`
        select * from replays where id = ${replayId} and after_id = ${afterId} and ended_at is null for update`;
      const [replay] = (await current.execute(tx)).rows;
      if (replay === undefined) return;
      const lastId = notifications.at(-1)?.id;
      const counts = { ...replay.outcomes };
      for (const { outcome } of outcomes.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
      await sql`
        update replays set outcomes = ${jsonText(counts)}, done = done + ${notifications.length}::integer,
          after_id = ${lastId ?? afterId}, ended_at = ${lastId === undefined ? new Date(nowMs) : null}
        where id = ${replayId}`.execute(tx);
      await recordOutcomes(tx, outcomes);
    });
  }
}

type ReplayRow = Selectable<ReplaysTable>;

function replayView(row: ReplayRow) {
  return shown(row, 'id', 'instance', 'since', 'total', 'done', 'outcomes', 'begun_at', 'ended_at');
}

/** `total`: notifications to apply again. `done`: how many were applied. `outcomes`: counts by outcome. */
export type ReplayView = ReturnType<typeof replayView>;
