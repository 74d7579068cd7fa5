import { present } from '../../../contract/index.js';
import { sql } from 'kysely';
import { iso } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';
import type { DispatcherView, LastShift } from '../dispatch-ledger.js';

/** A shift without a tick for this long counts as dead, even if its row says that it serves. */
const GONE_AFTER_MS = 30_000;

/** True if no shift serves the instance. @param row  an alias with a column `instance` */
export function isUnserved(row: string, nowMs: number) {
  return sql<boolean>`not exists (
    select from dispatchers served where served.instance = ${sql.table(row)}.instance and served.ended_at is null
      and served.seen_at > ${new Date(nowMs - GONE_AFTER_MS)}::timestamptz)`;
}

export async function lastShift(db: Db, instance: string, nowMs: number): Promise<LastShift | undefined> {
  const row = await db
    .selectFrom('dispatchers')
    .select([sql<string>`epoch::text`.as('epoch'), isUnserved('dispatchers', nowMs).as('is_unserved')])
    .where('instance', '=', instance)
    .executeTakeFirst();
  return row && { epoch: row.epoch, isServing: !row.is_unserved };
}

export async function dispatcherView(db: Db, instance: string): Promise<DispatcherView> {
  const row = await db.selectFrom('dispatchers').selectAll().where('instance', '=', instance).executeTakeFirst();
  if (row === undefined) return {};
  const isServing = row.ended_at === null;
  return present({
    worker: row.worker,
    servedSince: isServing ? row.begun_at.toISOString() : undefined,
    seenAt: row.seen_at.toISOString(),
    depth: row.queue_depth,
    depthReadAt: iso(row.depth_read_at),
    releaseIntervalMs: row.release_interval_ms,
    inFlight: isServing ? row.in_flight : 0,
    window: row.post_window,
  });
}
