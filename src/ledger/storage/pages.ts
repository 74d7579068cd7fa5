import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Cursors, cursorsOf, textPart, timePart } from './cursors.js';

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

/** The cursors of a list by age. */
export function cursorsByAge(list: string): Cursors<readonly [time: Date, id: string]> {
  return cursorsOf(list, timePart, textPart);
}

/** The order of a list by age: the columns of the instance, the time, and one that orders rows of equal time. */
interface ByAge {
  readonly instance: string | RawBuilder<unknown>;
  readonly time: string;
  readonly id: string;
  readonly cursors: ReturnType<typeof cursorsByAge>;
}

/**
 * The rows of a page, newest first, and one more if the list continues.
 * @throws AppError INPUT_INVALID for a cursor of another list
 */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { instance, instances, cursor, limit }: ListFilter,
  by: ByAge,
) {
  let page = query
    .orderBy(sql.ref(by.time), 'desc')
    .orderBy(sql.ref(by.id), 'desc')
    .limit(pageSizeOf(limit) + 1);
  if (instance !== undefined) page = page.where(isOfInstances(by.instance, [instance]));
  if (instances !== undefined) page = page.where(isOfInstances(by.instance, instances));
  if (cursor !== undefined) {
    const [lastTime, lastId] = by.cursors.read(cursor);
    page = page.where(
      sql<boolean>`(${sql.ref(by.time)}, ${sql.ref(by.id)}) < (${lastTime}::timestamptz, ${lastId}::text)`,
    );
  }
  return page;
}

export function pageSizeOf(limit = DEFAULT_LIMIT): number {
  return Math.min(Math.max(limit, 1), MAX_LIMIT);
}

/**
 * One page of a list.
 * @param rows  the rows of a page, and one more if the list continues
 * @param cursorOf  of the last row shown
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
  return sql`coalesce(${definition} -> 'campaign' ->> 'instance', ${definition} -> 'campaign' -> 'instances' ->> 0,
    ${definition} -> 'message' ->> 'instance')`;
}
