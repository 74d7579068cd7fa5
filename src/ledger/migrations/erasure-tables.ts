import { sql, type Kysely } from 'kysely';

/** Erasures of recipients, and what remains of an erased number: a hash with a key of this ledger's own. */
export async function createErasureTables(db: Kysely<never>): Promise<void> {
  await sql`
    create table erasures (
      id text collate "C" primary key,
      chat_id text,
      requested_by text not null,
      requested_at timestamptz not null,
      ended_at timestamptz,
      rows json not null default '{}',
      waiting json not null default '{}',
      check ((chat_id is null) = (ended_at is not null))
    )`.execute(db);
  await sql`create index erasures_open on erasures (requested_at) where ended_at is null`.execute(db);
  await sql`
    create table erased_chats (
      chat_hash text not null,
      erasure_id text collate "C" not null references erasures (id),
      primary key (chat_hash, erasure_id)
    )`.execute(db);
  await sql`
    create table privacy_state (
      hash_key bytea not null,
      keeps_hashes boolean not null default false,
      notifications_checked bigint not null default 0
    )`.execute(db);
  await sql`create unique index privacy_state_one on privacy_state ((true))`.execute(db);
  // As hashOf in src/ledger/privacy/chat-hash.ts.
  await sql`
    create function chat_hash(chat_id text) returns text language sql stable parallel safe as $$
      select 'hash:' || encode(sha256(hash_key || convert_to(chat_id, 'UTF8')), 'hex') from privacy_state
    $$`.execute(db);
}
