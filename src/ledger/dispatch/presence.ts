/**
 * Tracks which worker processes are alive, so that the shifts of a dead process are taken over within seconds. Uses the
 * database's clock.
 *
 * PRESENCE-1 A process reports every second that it is alive; a report is valid for {@link ALIVE_FOR_MS}. This is one
 *    row per process; heartbeats of shifts would be a write in Temporal per instance.
 * PRESENCE-2 A shift that has not ended and whose process has not reported in time is lost: its try has to be ended.
 * PRESENCE-3 A process that could not report in time itself, e.g. because the ledger was unavailable, finds no lost
 *    shifts until the others have had the same time to report.
 * PRESENCE-4 A live process that is taken for dead posts nothing twice: its claims fail by their epoch (DISPATCH-1).
 * PRESENCE-5 If no shift has begun three seconds after the lost try was ended, the next try may have died with its
 *    worker before it reached the ledger. Whichever try runs is then ended, once.
 */
import { sql } from 'kysely';
import type { Db } from '../storage/store.js';
import type { LostShift } from './dispatch-ledger.js';

const ALIVE_FOR_MS = 4_000;

/** Reports that the process is alive. @returns lost shifts of other processes */
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
