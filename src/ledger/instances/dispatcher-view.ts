import { type Selectable, sql } from 'kysely';
import { present, type InstanceSettings } from '../../contract/index.js';
import type { DispatchersTable } from '../schema.js';
import type { Db } from '../storage/store.js';
import { newestReading, standstillOf } from './standstill.js';

/**
 * Figures of the current or last shift, and of the queue, for operators; empty for an instance that was never
 * dispatched.
 */
export async function dispatcherView(db: Db, instance: string) {
  const { rows } = await sql<
    Selectable<DispatchersTable> & { length: number | null; read_at: Date | null; settings: InstanceSettings | null }
  >`
    select d.*, reading.length, reading.ended_at as read_at, i.settings
    from dispatchers d left join lateral (${newestReading('d')}) reading on true
    left join instance_settings i on i.instance = d.instance
    where d.instance = ${instance}`.execute(db);
  const [row] = rows;
  if (row === undefined) return {};
  const isServing = row.ended_at === null;
  return present({
    worker: row.worker,
    servedSince: isServing ? row.begun_at.toISOString() : undefined,
    seenAt: row.seen_at.toISOString(),
    reading: itemsAt(row.length, row.read_at),
    estimate: itemsAt(row.queue_depth, row.depth_estimated_at),
    standstill: await standstillOf(db, instance),
    releaseIntervalMs: row.release_interval_ms,
    inFlight: isServing ? row.in_flight : 0,
    window: row.post_window,
    settings: row.settings ?? undefined,
  });
}

function itemsAt(items: number | null, at: Date | null) {
  return items === null || at === null ? undefined : { items, at: at.toISOString() };
}
