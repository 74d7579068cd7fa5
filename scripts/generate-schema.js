// Generates schema.sql, the tables after all migrations, for operators and for code reviews.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';

/**
 * Sequences, tables, constraints, indexes, functions and triggers in a form that does not depend on the server's
 * version.
 * @param {import('kysely').QueryExecutorProvider} db  a ledger
 */
export async function describeSchema(db) {
  /** @param {import('kysely').RawBuilder<unknown>} statement */
  const rowsOf = async (statement) =>
    /** @type {Readonly<Record<'name' | 'table' | 'definition', string>>[]} */ ((await statement.execute(db)).rows);

  const sequences = await rowsOf(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    order by 1`);
  const unlogged = await rowsOf(sql`
    select c.relname as table from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'u'`);
  const columns = await rowsOf(sql`
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
    order by c.relname, a.attnum`);
  // Newer servers also list not-null columns as constraints, which the columns show already.
  const constraints = await rowsOf(sql`
    select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = current_schema()::regnamespace and k.contype <> 'n' and c.relname not like 'kysely%'
    order by c.relname, k.conname`);
  const indexes = await rowsOf(sql`
    select c.relname as table, replace(pg_get_indexdef(i.indexrelid), current_schema() || '.', '') as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and c.relname not like 'kysely%'
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
    order by c.relname, definition`);

  const functions = await rowsOf(sql`
    select replace(pg_get_functiondef(p.oid), current_schema() || '.', '') as definition
    from pg_proc p where p.pronamespace = current_schema()::regnamespace order by p.proname`);

  const triggers = await rowsOf(sql`
    select replace(pg_get_triggerdef(t.oid, true), current_schema() || '.', '') as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal order by t.tgname`);

  const tables = [...new Set(columns.map(({ table }) => table))];
  const isUnlogged = new Set(unlogged.map(({ table }) => table));
  /** @param {typeof columns} rows @param {string} table */
  const of = (rows, table) => rows.filter((row) => row.table === table).map(({ definition }) => definition);
  return [
    '-- Generated from the migrations by `npm run generate`. Do not edit.',
    ...sequences.map(({ name }) => `create sequence ${name};`),
    ...tables.map((table) =>
      [
        `create ${isUnlogged.has(table) ? 'unlogged ' : ''}table ${table} (`,
        [...of(columns, table), ...of(constraints, table)].map((line) => `  ${line}`).join(',\n'),
        ');',
        ...of(indexes, table).map((definition) => `${definition};`),
      ].join('\n'),
    ),
    ...functions.map(({ definition }) => `${definition.trimEnd()};`),
    ...triggers.map(({ definition }) => `${definition};`),
    '',
  ].join('\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { migrate } = await import('../dist/ledger/storage/migrate.js');
  const { pgliteDialect } = await import('../dist/ledger/storage/pglite-dialect.js');
  const db = new Kysely({ dialect: pgliteDialect(await PGlite.create()) });
  await migrate(db);
  await writeFile(new URL('../src/ledger/storage/schema.sql', import.meta.url), await describeSchema(db));
  await db.destroy();
}
