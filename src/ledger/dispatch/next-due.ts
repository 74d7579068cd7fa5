import { sql } from 'kysely';
import { jsonText } from '../storable.js';
import type { Db } from '../store.js';
import { isReady } from './streams.js';

/** Of these instances: when the first message of a ready stream is due. Parked ones are not due. */
export async function nextDue(db: Db, instances: readonly string[], nowMs: number): Promise<Map<string, number>> {
  if (instances.length === 0) return new Map();
  const { rows } = await sql<{ instance: string; due_at: Date }>`/* dispatch_next_due */
    select w.instance, min(d.due_at) as due_at
    from json_array_elements_text(${jsonText(instances)}::json) w(instance)
    cross join lateral (
      select * from streams stream where stream.instance = w.instance and ${isReady(new Date(nowMs))} offset 0) s
    cross join lateral (
      select q.due_at from due_messages q where q.stream_id = s.id and q.due_at < 'infinity'
      order by q.due_at, q.place limit 1) d
    group by w.instance`.execute(db);
  return new Map(rows.map(({ instance, due_at }) => [instance, due_at.getTime()]));
}

/** A shift that was not at work for so long is not there any more, whatever its row says. */
const GONE_AFTER_MS = 30_000;

/** Instances with a due message that no shift serves. */
export async function dueInstances(db: Db, limit: number, nowMs: number): Promise<string[]> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ instance: string }>`
    select distinct stream.instance from streams stream
    where exists (select from due_messages d where d.stream_id = stream.id and d.due_at <= ${now}::timestamptz)
      and not exists (
        select from dispatchers d where d.instance = stream.instance and d.ended_at is null
          and d.seen_at > ${new Date(nowMs - GONE_AFTER_MS)}::timestamptz)
      and ${isReady(now)}
    order by stream.instance limit ${limit}`.execute(db);
  return rows.map(({ instance }) => instance);
}
