import { sql } from 'kysely';
import { jsonText } from '../storable.js';
import type { Store, Tx } from '../store.js';
import { blankMentions, type Mentions } from './blank.js';
import { PERSONAL_DATA, type Holds } from './personal-data.js';
import { eraseEvents } from './erase-own-rows.js';
import type { RecordErased, Subject } from './subject.js';

/** Pages of 8 kB that one statement reads. */
const PAGES = 1_000;
/** Rows that one transaction changes. */
const ROWS = 200;

/**
 * Takes the number out of every row that names it. Tables are read from end to end, a range of pages at a time: nothing
 * is indexed by what stands inside of texts.
 */
export async function eraseMentions(store: Store, subject: Subject, record: RecordErased): Promise<number> {
  let erased = 0;
  for (const [table, columns] of Object.entries<Readonly<Record<string, Holds>>>(PERSONAL_DATA)) {
    // An erasure names its own chat until it ends.
    if (table === 'erasures') continue;
    const searched = Object.entries(columns).flatMap(([name, holds]) => (holds === 'hash' ? [] : [{ name, holds }]));
    if (searched.length > 0) erased += await eraseInTable(store, subject, { table, searched }, record);
  }
  return erased;
}

interface Searched {
  readonly table: string;
  readonly searched: readonly { readonly name: string; readonly holds: Holds }[];
}

async function eraseInTable(store: Store, subject: Subject, of: Searched, record: RecordErased): Promise<number> {
  const { rows } = await store.run((db) =>
    sql<{ pages: number }>`
      select (pg_relation_size(${of.table}::regclass) / current_setting('block_size')::int)::int as pages`.execute(db),
  );
  let erased = 0;
  for (let from = 0; from < (rows[0]?.pages ?? 0); from += PAGES) {
    for (;;) {
      const count = await store.transaction((tx) => eraseInPages(tx, subject, of, from, record));
      erased += count;
      if (count < ROWS) break;
    }
  }
  return erased;
}

async function eraseInPages(
  tx: Tx,
  { pattern }: Subject,
  { table, searched }: Searched,
  from: number,
  record: RecordErased,
): Promise<number> {
  const names = sql.join(
    searched.map((column) => sql`${textOf(column)} ~ ${pattern}`),
    sql` or `,
  );
  const isPending =
    table === 'notifications' ? sql`and id not in (select notification_id from pending_notifications)` : sql``;
  const found = await sql<Record<string, string | null>>`
    select ctid::text as row, ${sql.join(searched.map((column) => sql`${textOf(column)} as ${sql.ref(column.name)}`))}
    from ${sql.table(table)}
    where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${from + PAGES},0)`}::tid and (${names}) ${isPending}
    limit ${ROWS} for update`.execute(tx);
  const isCopy = searched.some(({ holds }) => holds === 'copy');
  if (isCopy) await eraseEvents(sql`ctid = any(${found.rows.map(({ row }) => row)}::tid[])`).execute(tx);
  const mentions: Mentions = (text) => new RegExp(pattern).test(text);
  for (const { row, ...values } of isCopy ? [] : found.rows) {
    const changes = searched.flatMap(({ name, holds }) => {
      const value = values[name];
      return value === null || value === undefined || !mentions(value)
        ? []
        : [sql`${sql.ref(name)} = ${changed(value, holds, pattern, mentions)}`];
    });
    if (changes.length > 0) {
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where ctid = ${row}::tid`.execute(tx);
    }
  }
  await record(tx, table, found.rows.length);
  return found.rows.length;
}

/** Bytes as their ASCII characters: a number has no others. */
function textOf({ name, holds }: Searched['searched'][number]) {
  return holds === 'bytes' ? sql`encode(${sql.ref(name)}, 'escape')` : sql`${sql.ref(name)}::text`;
}

/** The number is a 0 in words, which also is a number in JSON. */
function changed(value: string, holds: Holds, pattern: string, mentions: Mentions) {
  if (holds !== 'data') return sql`${value.replaceAll(new RegExp(pattern, 'g'), '$10')}`;
  return sql`${jsonText(blankMentions(JSON.parse(value), mentions))}::json`;
}
