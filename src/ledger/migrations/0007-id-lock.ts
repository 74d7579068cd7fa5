import { sql, type Kysely } from 'kysely';

/**
 * The lock of anyone who stores an id and anyone who parks a receipt for it. A function, since each of its statements sees what
 * others committed while it waited for the lock; the statement that calls it does not.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // True when no one has the id and no receipt waits for it. The length keeps two different pairs from reading as one.
  await sql`
    create function lock_id_message(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0));
      return not exists (select from message_ids where instance = an_instance and id_message = an_id_message)
        and not exists (select from parked_receipts where instance = an_instance and id_message = an_id_message);
    end $$`.execute(db);
}
