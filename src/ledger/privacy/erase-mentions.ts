import { type RawBuilder, sql } from 'kysely';
import { stateList } from '../storage/state-lists.js';
import { jsonText } from '../storage/statements.js';
import type { Store, Tx } from '../storage/store.js';
import { DataEraser, withoutNumber } from './blank-data.js';
import { eraseEvents, type RecordErased, type Subject } from './erase-own-rows.js';
import { type Holds, PERSONAL_DATA } from './personal-data.js';
import { STILL_NEEDED, type Needs } from './still-needed.js';

/** Pages of 8 kB that one statement reads. */
const PAGES = 1_000;
/** Rows that one transaction changes. */
const ROWS = 200;
/** Ids of kept rows that the receipt lists for each table. */
const MOST_LISTED = 20;

/** Rows that still contain the number, by table. */
export type KeptRows = Readonly<Record<string, { readonly count: number; readonly ids: readonly string[] }>>;

/**
 * Removes the number from every row that contains it, except rows that are still needed. Scans whole tables, a range of
 * pages at a time, since no index covers the content of texts.
 */
export async function eraseMentions(
  store: Store,
  subject: Subject,
  record: RecordErased,
): Promise<{ readonly erased: number; readonly kept: KeptRows }> {
  const { pattern, namePattern } = subject;
  const inDoubt = await store.rows(sql<{ instance: string }>`
    select distinct instance from messages
    where state in ${stateList('in_flight', 'unresolved')} and (content::text ~ ${pattern} or hidden ~ ${pattern})`);
  const needs = { namePattern, instancesInDoubt: inDoubt.map(({ instance }) => instance) };
  const scan = { store, subject, record, needs, data: new DataEraser(subject) };
  let erased = 0;
  const kept: Record<string, KeptRows[string]> = {};
  for (const [table, columns] of Object.entries<Readonly<Record<string, Holds>>>(PERSONAL_DATA)) {
    const found = await eraseIn(scan, table as keyof typeof PERSONAL_DATA, Object.entries(columns));
    erased += found.erased;
    if (found.kept.count > 0) kept[table] = found.kept;
  }
  return { erased, kept };
}

type Column = readonly [name: string, holds: Holds];

/** Kinds in which the number is searched. Rows with a `chat` of the recipient are their own (erase-own-rows.ts). */
const SEARCHED: ReadonlySet<Holds> = new Set(['sent', 'words', 'data', 'whole', 'copy', 'bytes']);

interface Scan {
  readonly store: Store;
  readonly subject: Subject;
  readonly record: RecordErased;
  readonly needs: Needs;
  readonly data: DataEraser;
}

async function eraseIn(scan: Scan, table: keyof typeof PERSONAL_DATA, columns: readonly Column[]) {
  const { store, subject, needs } = scan;
  const contain = (some: readonly Column[]) => areIn(some, subject);
  const searched = columns.filter(([, holds]) => SEARCHED.has(holds));
  const addresses = columns.filter(([, holds]) => holds === 'address');
  let erased = 0;
  const kept = { count: 0, ids: [] as string[] };
  if (searched.length + addresses.length === 0) return { erased, kept };
  const { pages } = (await store.row(sql<{ pages: number }>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`)) ?? {
    pages: 0,
  };
  const needed = STILL_NEEDED[table];
  const isNeeded = needed?.isNeeded(needs) ?? sql<boolean>`false`;
  for (let from = 0; from < pages; from += PAGES) {
    const inPages = sql`t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + PAGES},0)`}::tid`;
    for (let count = ROWS; count === ROWS; erased += count) {
      count = await store.transaction((tx) =>
        eraseRows(tx, scan, table, columns, sql`${inPages} and (${contain(searched)}) and not ${isNeeded}`),
      );
    }
    if (needed === undefined) continue;
    const stay = sql`(${contain(searched)}) and ${isNeeded} or ${contain(addresses)}`;
    const listed = await store.rows(sql<{ count: number; ids: string[] | null }>`
      select count(*)::int as count, (array_agg(${needed.id}))[:${sql.lit(MOST_LISTED)}] as ids
      from ${sql.table(table)} t where ${inPages} and (${stay})`);
    for (const { count, ids } of listed) {
      kept.count += count;
      const names = (ids ?? []).map((id) => withoutNumber(id, subject));
      kept.ids = [...kept.ids, ...names].slice(0, MOST_LISTED);
    }
  }
  return { erased, kept };
}

/** Whether one of the columns contains the number. */
function areIn(columns: readonly Column[], { pattern }: Subject): RawBuilder<boolean> {
  if (columns.length === 0) return sql`false`;
  return sql`${sql.join(
    columns.map((column) => sql`coalesce(${textOf(column)} ~ ${pattern}, false)`),
    sql` or `,
  )}`;
}

async function eraseRows(
  tx: Tx,
  { subject, record, data }: Scan,
  table: string,
  columns: readonly Column[],
  which: RawBuilder<boolean>,
): Promise<number> {
  const searched = columns.filter(([, holds]) => SEARCHED.has(holds));
  if (searched.length === 0) return 0;
  const found = await sql<Record<string, string | null>>`
    select t.ctid::text as row, ${sql.join(searched.map((column) => sql`${textOf(column)} as ${sql.ref(column[0])}`))}
    from ${sql.table(table)} t where ${which} limit ${ROWS} for update of t`.execute(tx);
  const isCopy = searched.some(([, holds]) => holds === 'copy');
  if (isCopy) await eraseEvents(sql`ctid = any(${found.rows.map(({ row }) => row)}::tid[])`).execute(tx);
  for (const { row, ...values } of isCopy ? [] : found.rows) {
    const changes = searched.flatMap(([name, holds]) => {
      const value = values[name];
      if (value === null || value === undefined || !data.mentions(value)) return [];
      if (holds !== 'data') return [sql`${sql.ref(name)} = ${withoutNumber(value, subject)}`];
      // A mention that is left, e.g. in the digits of another number, would be found again and again.
      const erased = withoutNumber(jsonText(data.erase(JSON.parse(value))), subject);
      return [sql`${sql.ref(name)} = ${erased}::json`];
    });
    const ofRow = columns.flatMap(([name, holds]) => (holds === 'row' ? [sql`${sql.ref(name)} = '{}'`] : []));
    const hashes = columns.flatMap(([name, holds]) =>
      holds === 'hash'
        ? [sql`${sql.ref(name)} = ${name === 'identical_hash' || name === 'hidden' ? null : 'erased'}`]
        : [],
    );
    await sql`update ${sql.table(table)} set ${sql.join([...changes, ...ofRow, ...hashes])} where ctid = ${row}::tid`.execute(
      tx,
    );
  }
  await record(tx, table, found.rows.length);
  return found.rows.length;
}

/** Bytes as ASCII characters, since a number contains no others. */
function textOf([name, holds]: Column) {
  const column = sql.ref(`t.${name}`);
  return holds === 'bytes' ? sql`encode(${column}, 'escape')` : sql`${column}::text`;
}

/** A text in JSON that is a number or chat id of the recipient, and nothing else. */
export function onlyNumberPattern(digits: readonly string[]): string {
  return String.raw`"\+?(?:${digits.join('|')})(?:[.:][0-9]+)*(?:@(?:c\.us|lid|s\.whatsapp\.net))?"`;
}

/** The forms of a number in texts: alone, or before `@c.us`. The id of a group that its owner's number begins is none. */
export function mentionPattern(digits: readonly string[]): string {
  return String.raw`(^|[^0-9A-Za-z])(${digits.join('|')})(?![0-9]|-[0-9]+@g\.us)`;
}
