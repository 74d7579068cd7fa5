import { sql, type Kysely } from 'kysely';

/** Who does not want to be written to, by whose word, and since when. Nothing is ever deleted: what holds no longer says why. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table suppressions (
      id text primary key,
      instance text,
      chat_id text not null,
      scope text not null check (scope in ('marketing', 'all')),
      source text not null check (source in ('stop_word', 'operator', 'import')),
      since timestamptz not null,
      recorded_at timestamptz not null,
      word text,
      id_message text,
      note text,
      removed_at timestamptz,
      removed_by text check (removed_by in ('start_word', 'operator')),
      removed_word text,
      removed_id_message text,
      check ((removed_at is null) = (removed_by is null)),
      check (source <> 'stop_word' or (instance is not null and id_message is not null))
    )`,
    // A word counts once, however often its notification comes; a wish of an operator or a file once while it holds.
    sql`create unique index suppressions_words on suppressions (instance, id_message) where source = 'stop_word'`,
    sql`create unique index suppressions_wishes on suppressions (coalesce(instance, ''), chat_id, source, scope)
      where source <> 'stop_word' and removed_at is null`,
    sql`create index suppressions_newest on suppressions (recorded_at desc, id desc)`,
    // Every chat id under which the gateway may reach the same recipient.
    sql`create table suppressed_chats (
      chat_id text not null,
      suppression_id text not null references suppressions (id),
      primary key (chat_id, suppression_id)
    )`,
    sql`create table start_words (
      instance text not null,
      id_message text not null,
      chat_id text not null,
      word text not null,
      at timestamptz not null,
      primary key (chat_id, instance, id_message)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
