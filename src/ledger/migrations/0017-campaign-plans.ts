import { sql, type Kysely } from 'kysely';

/** A campaign that was only made for a plan: it never starts, no list shows it, and it is removed at the latest at this time. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table campaigns add column plan_until timestamptz`,
    sql`alter table campaigns add constraint campaigns_plans_never_start
      check (plan_until is null or state in ('draft', 'cancelled'))`,
    sql`create index campaigns_plans on campaigns (plan_until) where plan_until is not null`,
  ];
  for (const statement of statements) await statement.execute(db);
}
