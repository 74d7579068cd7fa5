/**
 * Which processes of workers live, so that the shifts of one that died are taken over within seconds. By the database's clock.
 *
 * PRESENCE-1 A process says every second that it lives, for {@link ALIVE_FOR_MS} more. That is one row for each process, where
 *    heartbeats of shifts would be a write in Temporal for each instance.
 * PRESENCE-2 A shift that has not ended, and whose process has not said so in time, is lost: its try is to be ended.
 * PRESENCE-3 A process that could not say so in time itself, e.g. since the ledger was away, finds no lost shifts until others had
 *    as long to say it again.
 * PRESENCE-4 A process that lives and was taken for dead posts nothing twice: its claims fail by their epoch (DISPATCH-1).
 */
import { sql } from 'kysely';
import type { Db } from '../storage/store.js';
import type { LostShift } from './dispatch-ledger.js';

const ALIVE_FOR_MS = 4_000;

/** Says that the process lives. @returns shifts of others that are lost */
export async function sayAlive(db: Db, process: string): Promise<LostShift[]> {
  const aliveFor = sql`${ALIVE_FOR_MS}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<LostShift>`/* worker_presence */
    with gone as (
      delete from worker_processes where alive_until < clock_timestamp() - interval '1 day'
    ), own as (
      insert into worker_processes as w (process, alive_since, alive_until)
      values (${process}, '-infinity', clock_timestamp() + ${aliveFor})
      on conflict (process) do update set alive_until = excluded.alive_until,
        alive_since = case when w.alive_until < clock_timestamp() then clock_timestamp() else w.alive_since end
      returning alive_since
    )
    select d.instance, d.task_token as "taskToken" from dispatchers d cross join own
    where d.ended_at is null and d.process <> ${process} and own.alive_since < clock_timestamp() - ${aliveFor}
      and not exists (
        select from worker_processes w where w.process = d.process and w.alive_until > clock_timestamp())`.execute(db);
  return rows;
}
