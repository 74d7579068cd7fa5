import { sql, type Kysely } from 'kysely';

/** Constraints between tables of several files, and the functions and triggers that keep tables together. */
export async function createTriggers(db: Kysely<never>): Promise<void> {
  await sql`
    alter table campaigns add constraint campaigns_audience foreign key (audience_no) references audiences (no)`.execute(
    db,
  );
  await sql`
    alter table messages add constraint messages_campaign foreign key (campaign_id) references campaigns (id)`.execute(
    db,
  );

  // A function, because each of its statements sees what others committed while it waited for the lock. The length
  // keeps two pairs from reading as one.
  await sql`
    create function lock_id_message(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0));
      return not exists (select from message_ids where instance = an_instance and id_message = an_id_message)
        and not exists (select from parked_receipts where instance = an_instance and id_message = an_id_message);
    end $$`.execute(db);
  // The same lock, for many ids in one statement: waiting for several could be a deadlock.
  await sql`
    create function try_lock_unowned_id(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      return pg_try_advisory_xact_lock(
          hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0))
        and not exists (select from message_ids where instance = an_instance and id_message = an_id_message);
    end $$`.execute(db);

  // A workflow that waits for a message is signalled when the message is settled or first sent, when its receipts are no longer
  // waited for, and when an edit of it changed. Receipts after the first signal nothing, in whatever order they come.
  // The time is reset, so that a signal that was put off is tried for the newer version. The first outcome completes the
  // activity that the workflow waits in; what comes later is a signal.
  await sql`
    create function record_signal() returns trigger language plpgsql as $$
    begin
      insert into pending_signals as p (message_id, version, since, next_try_at, completes_send)
      values (new.id, new.version, clock_timestamp(), '-infinity', old.state in ('pending', 'sending', 'unknown'))
      on conflict (message_id) do update
        set version = greatest(p.version, excluded.version), next_try_at = excluded.next_try_at,
          completes_send = p.completes_send or excluded.completes_send, tries = 0;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_record_signal after update of version on messages for each row
    when (new.run = 'started' and new.version <> old.version and (new.ended_at is distinct from old.ended_at
      or (new.state <> old.state and new.state in
        ('accepted', 'rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed', 'unresolved'))
      or (new.state in ('sent', 'delivered', 'read')
        and (new.run_waits or old.state not in ('sent', 'delivered', 'read')))))
    execute function record_signal()`.execute(db);

  // At the end of the transaction, when the message has the version that the edit gave it. The workflow itself begins an edit.
  await sql`
    create function record_edit_signal() returns trigger language plpgsql as $$
    begin
      -- A run is told of a new edit by who wrote it; the signal is for when that did not succeed.
      insert into pending_signals as p (message_id, version, since, next_try_at, completes_send)
      select id, version, clock_timestamp(),
        case tg_op when 'INSERT' then clock_timestamp() + interval '30 seconds' else '-infinity' end, false
      from messages where id = new.message_id and run = 'started'
      on conflict (message_id) do update
        set version = greatest(p.version, excluded.version), next_try_at = least(p.next_try_at, excluded.next_try_at),
          tries = 0;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger edits_record_signal after update of state on edits
    deferrable initially deferred for each row execute function record_edit_signal()`.execute(db);
  await sql`
    create constraint trigger edits_record_new after insert on edits deferrable initially deferred
    for each row when (new.campaign_id is null) execute function record_edit_signal()`.execute(db);

  // A dispatched message has a row in due_messages exactly while it is pending, whichever statement moves it. The claim and
  // the ordinary acceptance, which happen to nearly every message, keep to that by themselves and do not fire this.
  await sql`
    create function keep_due_row() returns trigger language plpgsql as $$
    declare
      next_due timestamptz;
    begin
      if old.state in ('sending', 'unknown', 'unresolved') then
        if new.state not in ('sending', 'unknown', 'unresolved') or new.ended_at is not null then
          update attempts set identical_hash = null where message_id = new.id and identical_hash is not null;
        end if;
        update due_messages d set due_at = m.due_at, behind = null
        from messages m where d.behind = new.id and m.id = d.message_id;
      end if;
      if old.state = 'pending' then
        delete from due_messages
        where stream_id = new.stream_id and due_at in (new.due_at, 'infinity') and place = new.place;
      elsif new.state = 'pending' then
        next_due := coalesce((select retry_at from attempts where token = old.attempt_token), new.due_at);
        update messages set due_at = next_due where id = new.id and due_at <> next_due;
        -- An ended campaign has no stream any more; reading ahead makes one for what a retry takes up.
        -- Typing is shown once, unless the message had ended.
        insert into due_messages (stream_id, due_at, place, message_id, chat_id, expires_at, behind, typing_ms)
        select new.stream_id, case when s.id is null then 'infinity' else next_due end, new.place, new.id, new.chat_id,
          new.expires_at, case when s.id is null then new.campaign_id end,
          case when old.state not in ('sending', 'unknown', 'unresolved') then new.typing_ms end
        from (select) one left join streams s on s.id = new.stream_id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_keep_due_row after update of state, ended_at on messages for each row
    when (new.stream_id is not null
      and (new.state <> old.state or (new.state = 'unresolved' and new.ended_at is distinct from old.ended_at))
      and not (old.state = 'pending' and new.state = 'sending')
      and not (old.state = 'sending' and new.state = 'accepted'))
    execute function keep_due_row()`.execute(db);

  await sql`
    create function count_recipients() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
        select campaign_id, state, ended_at is null, case when state = 'expired' then reason end, count(*)
        from new_rows where campaign_id is not null group by 1, 2, 3, 4;
      else
        insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
        select campaign_id, state, is_open, reason, sum(recipients) from (
          select campaign_id, state, ended_at is null as is_open, case when state = 'expired' then reason end as reason,
            -1 as recipients from old_rows where campaign_id is not null
          union all
          select campaign_id, state, ended_at is null, case when state = 'expired' then reason end, 1
          from new_rows where campaign_id is not null) changed
        group by 1, 2, 3, 4 having sum(recipients) <> 0;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_count_inserted after insert on messages referencing new table as new_rows
    for each statement execute function count_recipients()`.execute(db);
  await sql`
    create trigger messages_count_changed after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function count_recipients()`.execute(db);
}
