import { sql, type Kysely } from 'kysely';

/**
 * When receipts came, by our own clock: the gateway's times are whole seconds of another clock. And what the removal of old
 * rows looks for.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table messages add column delivered_seen_at timestamptz`,
    sql`alter table messages add column read_seen_at timestamptz`,
    sql`create index sightings_by_time on sightings (seen_at)`,
    sql`create index parked_receipts_by_time on parked_receipts (parked_at)`,
    sql`create index operations_ended on operations (ended_at) where ended_at is not null`,
    sql`create index instance_states_by_end on instance_states (seen_until)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
