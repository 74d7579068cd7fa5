import { sql, type Kysely } from 'kysely';

/** What holds everything of an instance until somebody releases it, what holds a campaign, and what people ask about both. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table instance_brakes (
      seq bigint primary key default nextval('ledger_seq'),
      instance text not null,
      state text not null check (state in ('yellowCard', 'blocked', 'suspended')),
      since timestamptz not null,
      witness text not null,
      released_at timestamptz,
      released_by text check (released_by in ('person', 'authorized')),
      check ((released_at is null) = (released_by is null))
    )`,
    sql`create unique index instance_brakes_on on instance_brakes (instance, state) where released_at is null`,
    sql`create table instance_connections (
      instance text primary key,
      status text not null,
      since timestamptz not null
    )`,
    sql`alter table campaigns add column breaker_from timestamptz`,
    // What a breaker looks at: the newest outcomes of a campaign, from the end.
    sql`create index messages_outcomes on messages (campaign_id, (coalesce(ended_at, sent_seen_at)))
      where campaign_id is not null and state in ('sent', 'delivered', 'read', 'failed', 'noAccount', 'rejected')
        and reason is distinct from 'content_invalid'`,
    sql`create index notifications_last_of_instance on notifications (instance, id)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
