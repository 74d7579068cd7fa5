import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { AppError } from '../../contract/index.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The requested part of a list. */
export interface ListFilter {
  readonly instance?: string | undefined;
  /** Only objects of these instances. @default all */
  readonly instances?: readonly string[] | undefined;
  /** From a previous page; opaque. */
  readonly cursor?: string | undefined;
  /** @default 50, at most 500 */
  readonly limit?: number | undefined;
}

/** What a caller gives as a filter; the compiler rejects one that the list would ignore. */
export type Known<Given extends Filter, Filter> = Given & Readonly<Record<Exclude<keyof Given, keyof Filter>, never>>;

/**
 * The rows of a page, newest first, and one more if the list continues.
 * @param by  the columns of the instance, the time, and one that orders rows of equal time
 */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { instance, instances, cursor, limit }: ListFilter,
  by: { readonly instance: string | RawBuilder<unknown>; readonly time: string; readonly id: string },
) {
  let page = query
    .orderBy(sql.ref(by.time), 'desc')
    .orderBy(sql.ref(by.id), 'desc')
    .limit(pageSizeOf(limit) + 1);
  if (instance !== undefined) page = page.where(isOfInstances(by.instance, [instance]));
  if (instances !== undefined) page = page.where(isOfInstances(by.instance, instances));
  if (cursor !== undefined) page = page.where(isAfter(cursor, by.time, by.id));
  return page;
}

export function pageSizeOf(limit = DEFAULT_LIMIT): number {
  return Math.min(Math.max(limit, 1), MAX_LIMIT);
}

/**
 * One page of a list.
 * @param rows  the rows of a page, and one more if the list continues
 * @param cursorOf  of the last row shown, e.g. {@link cursorAfter}
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number | undefined,
  itemOf: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): { items: Item[]; cursor?: string } {
  const size = pageSizeOf(limit);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { items: rows.slice(0, size).map(itemOf), ...(last === undefined ? {} : { cursor: cursorOf(last) }) };
}

/** Rows after the page with this cursor, newest first. @throws AppError INPUT_INVALID */
function isAfter(cursor: string, time: string, id: string) {
  const end = readCursor(cursor);
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${end.createdAt}::timestamptz, ${end.id}::text)`;
}

/** The cursor of a list by age contains the last row of the page, so that new rows do not shift pages. */
export function cursorAfter(createdAt: Date, id: string): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

/** @throws AppError INPUT_INVALID */
export function readCursor(cursor: string): { readonly createdAt: Date; readonly id: string } {
  const [, createdAtMs, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (createdAtMs === undefined || id === undefined) throw cursorInvalid();
  return { createdAt: new Date(Number(createdAtMs)), id };
}

export function cursorInvalid(): AppError {
  return new AppError('INPUT_INVALID', 'The cursor cannot be read. Use the cursor of the previous page unchanged.', {
    problems: [{ path: 'cursor', message: 'is not a cursor of this list' }],
  });
}

/**
 * The list of a single instance uses an index by instance and age, which a condition on several instances cannot use.
 */
export function isOfInstances(column: string | RawBuilder<unknown>, instances: readonly string[]): RawBuilder<boolean> {
  const instance = typeof column === 'string' ? sql.ref(column) : column;
  const [only] = instances;
  if (instances.length === 1) return sql<boolean>`${instance} = ${only}`;
  return sql<boolean>`${instance} = any(${[...instances]}::text[])`;
}

/** The instance in the definition of a schedule. */
export function scheduleInstance(schedules: string): RawBuilder<string> {
  const definition = sql.ref(`${schedules}.definition`);
  return sql`coalesce(${definition} -> 'campaign' ->> 'instance', ${definition} -> 'message' ->> 'instance')`;
}
