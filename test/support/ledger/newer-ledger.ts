/**
 * The ledger of the next version, for every test: each table has a column that no code here knows, and there is one more
 * table. So every test shows that this version works on a ledger that a newer one has migrated (MIGRATE-2, UPGRADE-1).
 */
export const UNKNOWN = 'added_tomorrow';

/** The column has a value, so that a row that is passed on as a whole shows it. */
export const MAKE_NEWER = `
  do $$ declare name text; begin
    for name in
      select quote_ident(relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
    loop
      execute format('alter table %s add ${UNKNOWN} text default %L', name, 'tomorrow');
    end loop;
    create table ${UNKNOWN} (id text primary key);
    insert into kysely_migration (name, timestamp) values ('9998-add-tomorrow', '2030');
  end $$`;
