import { sql, type Kysely } from 'kysely';

/**
 * When receipts came, by our own clock: the gateway's times are whole seconds of another clock. And what the removal of old
 * rows looks for.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table messages add column delivered_seen_at timestamptz`,
    sql`alter table messages add column read_seen_at timestamptz`,
    sql`create index observations_by_time on observations (seen_at)`,
    sql`create index parked_receipts_by_time on parked_receipts (parked_at)`,
    sql`create index operations_ended on operations (ended_at) where ended_at is not null`,
    sql`create index instance_states_by_end on instance_states (seen_until)`,
  ];
  for (const statement of statements) await statement.execute(db);
  // A status callback tells our own times, so that a later state is never told with an earlier time.
  await sql`
    create or replace function record_callback() returns trigger language plpgsql as $$
    begin
      insert into callbacks (message_id, url, origin, version, state, reason, id_message, at)
      values (new.id, new.status_callback,
        coalesce(lower(substring(new.status_callback from '(?i)^https?://[^/?#]+')), new.status_callback), new.version,
        new.state, new.reason, new.id_message,
        coalesce(
          case new.state
            when 'accepted' then new.accepted_at
            when 'sent' then greatest(new.sent_seen_at, new.accepted_at)
            when 'delivered' then greatest(new.delivered_seen_at, new.sent_seen_at, new.accepted_at)
            when 'read' then greatest(new.read_seen_at, new.delivered_seen_at, new.sent_seen_at, new.accepted_at)
            else new.ended_at
          end,
          clock_timestamp()));
      return null;
    end $$`.execute(db);
}
