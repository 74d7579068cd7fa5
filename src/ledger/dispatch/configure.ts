import { sql } from 'kysely';
import { jsonText } from '../storable.js';
import type { Tx } from '../store.js';
import type { ConfiguredInstance } from './dispatch-ledger.js';
import { endOpenTimes } from './open-streams.js';

/**
 * LIMIT-4. Also ends the times of streams that were made while other settings held, and did not know of these.
 * @returns instances whose streams have other times now
 */
export async function configure(tx: Tx, instances: readonly ConfiguredInstance[]): Promise<readonly string[]> {
  const given = instances.map(({ instance, settings }) => ({
    instance,
    settings: Object.keys(settings).length === 0 ? null : settings,
  }));
  const { rows } = await sql<{ instance: string }>`/* configure_instances */
    with given as materialized (
      select * from json_to_recordset(${jsonText(given)}::json) as g(instance text, settings json)
    ), written as (
      insert into instance_settings as i (instance, settings)
      select instance, settings from given where settings is not null
      on conflict (instance) do update set settings = excluded.settings where i.settings::text <> excluded.settings::text
      returning instance
    ), removed as (
      delete from instance_settings i using given g where i.instance = g.instance and g.settings is null
      returning i.instance
    )
    select instance from written union all select instance from removed
    union all
    select g.instance from given g
    where g.settings is not null and exists (
      select from streams s where s.instance = g.instance and s.closes_at = 'infinity')`.execute(tx);
  const changed = [...new Set(rows.map(({ instance }) => instance))];
  if (changed.length > 0) await endOpenTimes(tx, sql`s.instance = any(${changed}::text[])`);
  return changed;
}
