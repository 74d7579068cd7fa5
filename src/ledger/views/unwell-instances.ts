import { sql } from 'kysely';
import { LEDGER_WENT_BACK } from '../../contract/index.js';
import { isStandstill, newestReading } from '../instances/standstill.js';
import type { Db } from '../storage/store.js';

/** Those of the instances that an operator has to look at: all in one statement, since there may be hundreds. */
export async function unwellInstances(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ instance: string }>`/* unwell_instances */
    select i.instance from unnest(${names}::text[]) i(instance)
    left join instance_connections c on c.instance = i.instance
    left join lateral (
      select s.state from instance_states s where s.instance = i.instance order by s.since desc, s.seq desc limit 1
    ) seen on true
    left join lateral (${newestReading('i')}) reading on true
    where exists (select from instance_pauses p where p.instance = i.instance and p.resumed_at is null)
      or seen.state <> 'authorized' or c.status <> 'online' or ${isStandstill('i')}
      or exists (select from restores) and exists (
        select from messages m where m.state = 'unresolved' and m.reason = ${LEDGER_WENT_BACK} and m.instance = i.instance)
    order by i.instance collate "C"`.execute(db);
  return rows.map(({ instance }) => instance);
}
