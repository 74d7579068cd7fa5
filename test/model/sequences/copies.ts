/** Copies of all rows of a ledger, as a backup has them. */
import { sql, type Kysely } from 'kysely';
import type { CampaignId, CampaignState, MessageState } from '../../../src/contract/index.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';

/** Recipients by state; those of an open one count by themselves. */
type Counts = Readonly<Record<string, number>>;

export class LedgerCopies {
  readonly #db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  async take(): Promise<void> {
    await sql`do $$ declare t record; begin
      drop schema if exists model cascade;
      create schema model;
      create table model.tables (name text, columns text, rows json);
      create table model.sequences as
        select sequencename as name, last_value from pg_sequences where schemaname = 'public';
      for t in ${TABLES} loop
        execute format('insert into model.tables select %L, %L, json_agg(r) from public.%I r', t.name, t.columns, t.name);
      end loop;
    end $$`.execute(this.#db);
  }

  /** The ledger has the rows of the copy again, and no others. */
  async restore(): Promise<void> {
    await sql`do $$ declare t record; begin
      set local session_replication_role = replica;
      for t in select * from model.tables loop
        execute format('delete from public.%I', t.name);
        execute format('insert into public.%I (%s) overriding system value select %s
          from json_populate_recordset(null::public.%I, %L)', t.name, t.columns, t.columns, t.name, t.rows);
      end loop;
      perform setval('public.' || quote_ident(s.name), s.last_value) from model.sequences s
        where s.last_value is not null;
      -- The reports of processes were valid for seconds.
      delete from public.worker_processes;
    end $$`.execute(this.#db);
  }

  /** A server that lost its primary takes no writes. Other connections end, so that none keeps what was set before. */
  async setReadOnly(isReadOnly: boolean): Promise<void> {
    const value = sql.lit(isReadOnly ? 'on' : 'off');
    await this.#db.transaction().execute(async (tx) => {
      await sql`set transaction read write`.execute(tx);
      await sql`do $$ begin
        execute format('alter database %I set default_transaction_read_only = %L', current_database(), ${value});
        perform set_config('default_transaction_read_only', ${value}, false);
        perform pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid();
      end $$`.execute(tx);
    });
  }

  /** Whether a process reports that it is alive, which it does by the database's clock. */
  async setAlive(process: string, isAlive: boolean): Promise<void> {
    const until = sql.lit(isAlive ? 'infinity' : '-infinity');
    await this.#db.transaction().execute(async (tx) => {
      await sql`set transaction read write`.execute(tx);
      await sql`insert into worker_processes (process, alive_since, alive_until)
        values (${process}, '-infinity', ${until}) on conflict (process) do update set alive_until = ${until}`.execute(
        tx,
      );
    });
  }

  /** The newest edit of each message. */
  async edits() {
    const { rows } = await sql<{
      message_id: string;
      id_message: string | null;
      state: string;
      text: string;
      /** Whether it was posted, and has nothing to do any more. */
      is_settled: boolean;
      closes_ms: number | null;
      is_posted: boolean;
    }>`/* model_edits */ select distinct on (e.message_id) e.message_id, m.id_message, e.state, e.text,
        e.via = 'gateway' and e.step is null as is_settled, e.state in ('sending', 'posted') as is_posted,
        extract(epoch from e.closes_at)::float8 * 1000 as closes_ms
      from edits e join messages m on m.id = e.message_id order by e.message_id, e.seq desc`.execute(this.#db);
    return rows;
  }

  /** What an observer sees of all campaigns: their counts as the ledger keeps them, and counted again from the rows. */
  async campaigns() {
    const { rows } = await sql<{
      id: CampaignId;
      state: CampaignState;
      pause_text: string | null;
      started_ms: number | null;
      audience: number;
      state_without_message: MessageState;
      recipients: number;
      /** Messages that belong to no recipient. */
      strange: number;
      counted: Counts;
      recounted: Counts;
    }>`/* model_campaigns */ select c.id, c.state, c.pause_text, extract(epoch from c.started_at)::float8 * 1000 as started_ms, c.audience, c.state_without_message,
        (select count(*)::integer from recipients r where r.audience_no = c.audience_no) as recipients,
        (select count(*)::integer from messages m where m.campaign_id = c.id and not exists (
          select from recipients r where r.audience_no = c.audience_no and r.line = m.line and r.chat_id = m.chat_id)) as strange,
        (select coalesce(json_object_agg(key, n order by key), '{}') from (
          select state || case when is_open then ' open' else '' end as key, sum(recipients) as n
          from campaign_counts where campaign_id = c.id group by 1 having sum(recipients) <> 0) k) as counted,
        (select coalesce(json_object_agg(key, n order by key), '{}') from (
          select state || case when ended_at is null then ' open' else '' end as key, count(*) as n
          from messages where campaign_id = c.id group by 1) k) as recounted
      from campaigns c where c.plan_until is null`.execute(this.#db);
    return rows;
  }

  /** What an observer sees of the runs of schedules. */
  async scheduleRuns() {
    const { rows } = await sql<{
      id: string;
      at_ms: number;
      kind: string;
      state: string;
      reason: string | null;
      tries: number;
      ended_ms: number | null;
      /** When its campaign started, or its message was written. */
      began_ms: number | null;
      text: string;
    }>`/* model_schedule_runs */ select r.schedule_id as id, r.kind, r.state, r.reason, r.tries,
        extract(epoch from r.at)::float8 * 1000 as at_ms, extract(epoch from r.ended_at)::float8 * 1000 as ended_ms,
        extract(epoch from coalesce(c.started_at, m.created_at))::float8 * 1000 as began_ms,
        coalesce(c.content ->> 'text', m.content ->> 'text', '') as text
      from schedule_runs r left join campaigns c on c.id = r.campaign_id left join messages m on m.id = r.message_id
      order by r.schedule_id, r.at`.execute(this.#db);
    return rows;
  }

  /** The chats that get no marketing messages, with the instance for which this is so. */
  async silent() {
    const { rows } = await sql<{ chat: string; instance: string | null }>`/* model_silent */
      select distinct x.chat_id as chat, s.instance from suppressions s join suppressed_chats x on x.suppression_id = s.id
      where s.removed_at is null`.execute(this.#db);
    return rows;
  }

  /** The rows of each table, but of those that keep what happened. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await sql<{ name: string }>`/* model_tables */ select t.name from (${TABLES}) t`.execute(this.#db);
    const counted = rows
      .filter(({ name }) => !HISTORY.has(name))
      .map(({ name }) => sql`select ${name}::text as name, count(*)::integer as size from ${sql.table(name)}`);
    const sizes = await sql<{ name: string; size: number }>`${sql.join(counted, sql` union all `)}`.execute(this.#db);
    return new Map(sizes.rows.map(({ name, size }) => [name, size]));
  }

  /** What an observer sees of all messages. */
  async messages() {
    const { rows } = await sql<{
      id: string;
      instance: string;
      state: string;
      id_message: string | null;
      text: string | null;
      reason: string | null;
      /** Of the template that it names, as the ledger knows it. */
      verdict: string | null;
      verdict_ms: number | null;
      campaign: string | null;
      line: number | null;
      chat: string;
      /** When it is due; null if it has no due row. Infinity if it waits behind another one. */
      due_ms: number | null;
      behind: string | null;
      claimed_ms: number | null;
    }>`/* model_messages */ select m.id, m.instance, m.state, m.id_message, coalesce(m.content ->> 'text', (m.content -> 'params' ->> 0) || ' template') as text, m.reason, d.behind,
        m.campaign_id as campaign, m.line, m.chat_id as chat,
        t.status as verdict, extract(epoch from t.status_since)::float8 * 1000 as verdict_ms,
        extract(epoch from d.due_at)::float8 * 1000 as due_ms,
        extract(epoch from a.claimed_at)::float8 * 1000 as claimed_ms
      from messages m left join attempts a on a.token = m.attempt_token
      left join due_messages d on d.message_id = m.id
      left join templates t on t.instance = m.instance and t.element_name = m.content ->> 'elementName'
      order by m.place`.execute(this.#db);
    return rows;
  }
}

/** Messages, and what is kept with them; templates; the database's own row. */
const HISTORY = new Set(
  [
    ['messages', 'attempts', 'edits', 'evidence', 'message_ids', 'message_counts'],
    ['templates', 'template_changes', 'ledger_identity', 'privacy_state'],
  ].flat(),
);

const TABLES = sql`select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname`;
