import { sql, type Kysely } from 'kysely';

/** Templates, how far their submission is and what the review says; and everything that ever changed of one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table templates (
      instance text not null,
      element_name text not null,
      definition json not null,
      definition_hash text not null,
      state text not null check (state in ('pending', 'sending', 'unknown', 'submitted', 'refused')),
      version integer not null default 1,
      template_id text,
      status text,
      status_since timestamptz,
      reason text,
      last_reading text,
      may_exist boolean not null default false,
      attempt_token text,
      reconcile_after timestamptz,
      created_at timestamptz not null,
      submitted_at timestamptz,
      checked_at timestamptz,
      next_check_at timestamptz,
      check_code text,
      check_text text,
      unwatched_since timestamptz,
      namespace text,
      primary key (instance, element_name)
    )`.execute(db);
  await sql`create index templates_by_id on templates (instance, template_id)`.execute(db);
  await sql`
    create table template_changes (
      seq bigint primary key default nextval('ledger_seq'),
      instance text not null,
      element_name text not null,
      at timestamptz not null,
      witness text not null,
      what text not null,
      status text,
      reason text,
      detail json,
      foreign key (instance, element_name) references templates (instance, element_name)
    )`.execute(db);
  await sql`create index template_changes_of on template_changes (instance, element_name, seq)`.execute(db);
  await sql`
    create index messages_of_templates on messages (instance) where kind = 'template' and state = 'pending'`.execute(
    db,
  );
  // Those that wait in the gateway's queue without being listed there; a handful at any time.
  await sql`
    create index messages_unlisted on messages (instance, accepted_at)
    where state = 'accepted' and kind in ('template', 'status')`.execute(db);
}
