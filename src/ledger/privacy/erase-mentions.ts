import { sql } from 'kysely';
import { jsonText } from '../storage/statements.js';
import type { Store, Tx } from '../storage/store.js';
import { eraseEvents, type RecordErased, type Subject } from './erase-own-rows.js';
import { type Holds, PERSONAL_DATA } from './personal-data.js';

/** Pages of 8 kB that one statement reads. */
const PAGES = 1_000;
/** Rows that one transaction changes. */
const ROWS = 200;

/**
 * Removes the number from every row that contains it. Scans whole tables, a range of pages at a time, since no index
 * covers the content of texts.
 */
export async function eraseMentions(store: Store, subject: Subject, record: RecordErased): Promise<number> {
  let erased = 0;
  for (const [table, columns] of Object.entries<Readonly<Record<string, Holds>>>(PERSONAL_DATA)) {
    // The end of the erasure removes its own chat id, and the recipient's lids.
    if (table === 'erasures' || table === 'known_lids') continue;
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
  const rows = await store.rows(sql<{ pages: number }>`
      select (pg_relation_size(${of.table}::regclass) / current_setting('block_size')::int)::int as pages`);
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
      if (holds === 'row') return [sql`${sql.ref(name)} = '{}'`];
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

/** Bytes as ASCII characters, since a number contains no others. */
function textOf({ name, holds }: Searched['searched'][number]) {
  return holds === 'bytes' ? sql`encode(${sql.ref(name)}, 'escape')` : sql`${sql.ref(name)}::text`;
}

/** The number becomes 0 in texts, which is also a valid number in JSON. */
function changed(value: string, holds: Holds, pattern: string, mentions: Mentions) {
  if (holds !== 'data') return sql`${value.replaceAll(new RegExp(pattern, 'g'), '$10')}`;
  return sql`${jsonText(blankMentions(JSON.parse(value), mentions))}::json`;
}

/** Values that count, order or relate rows stay, unless they contain the number. */
const KEPT = new Set([
  'typeWebhook',
  'typeMessage',
  'idMessage',
  'idInstance',
  'typeInstance',
  'type',
  'kind',
  'timestamp',
  'status',
  'state',
  'sendByApi',
  'isAdmin',
  'isSuperAdmin',
]);

type Mentions = (text: string) => boolean;

/**
 * Blanks each object that contains the number, and in a list only those entries. So it blanks one member of a group,
 * one message of a journal, and a whole notification.
 */
function blankMentions(value: unknown, mentions: Mentions): unknown {
  if (!mentions(jsonOf(value))) return value;
  if (Array.isArray(value)) return value.map((one) => blankMentions(one, mentions));
  if (value === null || typeof value !== 'object') return blank(value, mentions);
  const entries = Object.entries(value);
  const isAbout = entries.some(([name, inner]) => mentions(name) || (!holdsList(inner) && mentions(jsonOf(inner))));
  if (isAbout) return blank(value, mentions);
  return Object.fromEntries(entries.map(([name, inner]) => [name, blankMentions(inner, mentions)]));
}

function holdsList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsList);
}

/** Every value, except the kept ones. */
export function blank(value: unknown, mentions: Mentions, isKept = false): unknown {
  if (Array.isArray(value)) return value.map((one) => blank(one, mentions));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !mentions(name))
        .map(([name, inner]) => [name, blank(inner, mentions, KEPT.has(name))]),
    );
  }
  if (isKept && !mentions(jsonOf(value))) return value;
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? 0 : value;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** The forms of a number in texts: alone, or before `@c.us`. */
export function mentionPattern(digits: readonly string[]): string {
  return `(^|[^0-9A-Za-z])(${digits.join('|')})(?![0-9])`;
}
