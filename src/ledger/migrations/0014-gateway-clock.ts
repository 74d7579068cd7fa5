import { sql, type Kysely } from 'kysely';

/** The gateway's clock as an interval; and which try of an edit may still be taken back. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    // A single offset says nothing about its own error. The next response of each gateway measures it again.
    sql`delete from gateway_clocks`,
    sql`alter table gateway_clocks drop column offset_ms`,
    sql`alter table gateway_clocks add column lowest_offset_ms bigint not null`,
    sql`alter table gateway_clocks add column highest_offset_ms bigint not null`,
    sql`alter table gateway_clocks add check (lowest_offset_ms <= highest_offset_ms)`,
    sql`alter table edits add column try_token text`,
    // Edits that are under way now: whether their request left is not known.
    sql`alter table edits add column may_have_arrived boolean not null default false`,
    sql`update edits set may_have_arrived = true where state = 'sending'`,
  ];
  for (const statement of statements) await statement.execute(db);
}
