import { sql, type Kysely } from 'kysely';

/** What pauses everything of an instance until someone resumes it, what pauses a campaign, and what operators ask about both. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table instance_pauses (
      seq bigint primary key default nextval('ledger_seq'),
      instance text not null,
      reason text not null check (reason in ('yellowCard', 'blocked', 'suspended')),
      since timestamptz not null,
      witness text not null,
      resumed_at timestamptz,
      resumed_by text check (resumed_by in ('operator', 'authorized')),
      check ((resumed_at is null) = (resumed_by is null))
    )`,
    sql`create unique index instance_pauses_on on instance_pauses (instance, reason) where resumed_at is null`,
    sql`create table instance_connections (
      instance text primary key,
      status text not null,
      since timestamptz not null
    )`,
    sql`alter table campaigns add column auto_pause_from timestamptz`,
    // What an automatic pause looks at: the newest outcomes of a campaign, from the end.
    sql`create index messages_outcomes on messages (campaign_id, (coalesce(ended_at, sent_seen_at)))
      where campaign_id is not null and state in ('sent', 'delivered', 'read', 'failed', 'no_account', 'rejected')
        and reason is distinct from 'content_invalid'`,
    sql`create index notifications_last_of_instance on notifications (instance, id)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
