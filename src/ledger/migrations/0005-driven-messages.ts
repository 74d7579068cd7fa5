import { sql, type Kysely } from 'kysely';

/** Whose runs move a message, and which messages still need one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messages add column namespace text`.execute(db);
  await sql`
    create index messages_unfinished on messages (id)
    where state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted') and ended_at is null`.execute(db);
  await sql`
    create index edits_unsettled on edits (message_id)
    where state in ('pending', 'sending', 'posted')`.execute(db);
}
