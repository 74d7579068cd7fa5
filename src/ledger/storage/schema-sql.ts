import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import type { Schema } from '../schema.js';
import { migrate } from './migrate.js';
import { PGliteDialect } from './pglite-dialect.js';
import type { Db } from './store.js';

/** The tables after all migrations, for operators and for code reviews: the content of `schema.sql`. */
export async function schemaSql(): Promise<string> {
  const db = new Kysely<Schema>({ dialect: new PGliteDialect(await PGlite.create()) });
  try {
    await migrate(db);
    return await describeSchema(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Sequences, tables, constraints, indexes, functions and triggers in a form that does not depend on the server's
 * version.
 */
export async function describeSchema(db: Db): Promise<string> {
  const sequences = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    order by 1`.execute(db);
  const unlogged = await sql<{ table: string }>`
    select c.relname as table from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'u'`.execute(db);
  const columns = await sql<{ table: string; definition: string }>`
    select c.relname as table,
      concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
        (select 'collate "' || l.collname || '"' from pg_collation l join pg_type t on t.oid = a.atttypid
          where l.oid = a.attcollation and a.attcollation <> t.typcollation),
        case when a.attidentity = 'a' then 'generated always as identity' end,
        case when a.attnotnull then 'not null' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid)) as definition
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
    order by c.relname, a.attnum`.execute(db);
  // Newer servers also list not-null columns as constraints, which the columns show already.
  const constraints = await sql<{ table: string; definition: string }>`
    select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = current_schema()::regnamespace and k.contype <> 'n' and c.relname not like 'kysely%'
    order by c.relname, k.conname`.execute(db);
  const indexes = await sql<{ table: string; definition: string }>`
    select c.relname as table, replace(pg_get_indexdef(i.indexrelid), current_schema() || '.', '') as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and c.relname not like 'kysely%'
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
    order by c.relname, definition`.execute(db);

  const functions = await sql<{ definition: string }>`
    select replace(pg_get_functiondef(p.oid), current_schema() || '.', '') as definition
    from pg_proc p where p.pronamespace = current_schema()::regnamespace order by p.proname`.execute(db);

  const triggers = await sql<{ definition: string }>`
    select replace(pg_get_triggerdef(t.oid, true), current_schema() || '.', '') as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal order by t.tgname`.execute(db);

  const tables = [...new Set(columns.rows.map(({ table }) => table))];
  const isUnlogged = new Set(unlogged.rows.map(({ table }) => table));
  const of = (rows: { table: string; definition: string }[], table: string): string[] =>
    rows.filter((row) => row.table === table).map(({ definition }) => definition);
  return [
    '-- Generated from the migrations by `npm run generate`. Do not edit.',
    ...sequences.rows.map(({ name }) => `create sequence ${name};`),
    ...tables.map((table) =>
      [
        `create ${isUnlogged.has(table) ? 'unlogged ' : ''}table ${table} (`,
        [...of(columns.rows, table), ...of(constraints.rows, table)].map((line) => `  ${line}`).join(',\n'),
        ');',
        ...of(indexes.rows, table).map((definition) => `${definition};`),
      ].join('\n'),
    ),
    ...functions.rows.map(({ definition }) => `${definition.trimEnd()};`),
    ...triggers.rows.map(({ definition }) => `${definition};`),
    '',
  ].join('\n\n');
}
