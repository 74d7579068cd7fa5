import { sql, type RawBuilder } from 'kysely';

/** Of one instance a list is read along an index by instance and age, which a list of instances does not allow. */
export function isOfInstances(column: string | RawBuilder<unknown>, instances: readonly string[]): RawBuilder<boolean> {
  const instance = typeof column === 'string' ? sql.ref(column) : column;
  const [only] = instances;
  if (instances.length === 1) return sql<boolean>`${instance} = ${only}`;
  return sql<boolean>`${instance} = any(${[...instances]}::text[])`;
}

/** Of the definition of a schedule. */
export function scheduleInstance(schedules: string): RawBuilder<string> {
  const definition = sql.ref(`${schedules}.definition`);
  return sql`coalesce(${definition} -> 'campaign' ->> 'instance', ${definition} -> 'message' ->> 'instance')`;
}
