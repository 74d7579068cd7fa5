import { sql, type Kysely } from 'kysely';

/**
 * How many messages of an instance went from one state to another: appended by triggers, folded by a background job. No
 * statement updates a row here, so that statements do not wait for each other.
 */
export async function createMessageCounts(db: Kysely<never>): Promise<void> {
  await sql`
    create table message_counts (
      instance text not null,
      from_state text,
      state text not null,
      messages bigint not null
    )`.execute(db);

  await sql`
    create function count_inserted_messages() returns trigger language plpgsql as $$
    begin
      insert into message_counts (instance, state, messages)
      select instance, state, count(*) from new_rows group by 1, 2;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_count_states_inserted after insert on messages referencing new table as new_rows
    for each statement execute function count_inserted_messages()`.execute(db);

  // Grouped by id, not joined: a join that was planned for a few rows would compare a thousand with a thousand.
  await sql`
    create function count_changed_messages() returns trigger language plpgsql as $$
    begin
      insert into message_counts (instance, from_state, state, messages)
      select instance, from_state, state, count(*) from (
        select instance, max(state) filter (where is_old) as from_state, max(state) filter (where not is_old) as state
        from (
          select id, instance, state, true as is_old from old_rows
          union all
          select id, instance, state, false from new_rows) both_rows
        group by id, instance) changed
      where from_state <> state group by 1, 2, 3;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_count_states_changed after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function count_changed_messages()`.execute(db);
}
