import { type Selectable, sql } from 'kysely';
import { present, type InstanceSettings } from '../../contract/index.js';
import type { DispatchersTable } from '../storage/schema.js';
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

/** A shift without a process that reports counts as dead when it has claimed nothing for this long. */
const GONE_AFTER_MS = 30_000;

/**
 * True if no shift serves the instance. A shift lives as long as its process (PRESENCE-1): one without room, or with
 * nothing but an unknown outcome, claims nothing for long. @param row  an alias with a column `instance`
 */
export function isUnserved(row: string, nowMs: number) {
  return sql<boolean>`not exists (
    select from dispatchers served where served.instance = ${sql.table(row)}.instance and served.ended_at is null
      and coalesce(
        (select w.alive_until > clock_timestamp() from worker_processes w where w.process = served.process),
        served.seen_at > ${new Date(nowMs - GONE_AFTER_MS)}::timestamptz))`;
}
