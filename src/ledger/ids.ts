import { sql, type RawBuilder } from 'kysely';
import type { IdSource } from './ledger.js';
import type { Db, Store } from './store.js';

/** After every character that an id may have: ids are ASCII, and ordered byte by byte. */
const AFTER_ALL = '~';

export class Ids {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The first ids that begin with it, byte by byte in their order. */
  beginningWith(source: IdSource, beginning: string, limit: number): Promise<string[]> {
    return this.#store.run((db) => idsOf(db, source, beginning, limit));
  }
}

/** A range of the primary key. */
async function idsOf(db: Db, source: IdSource, beginning: string, limit: number): Promise<string[]> {
  const { table, column, where } = sourceOf(source);
  const id = sql.ref(column);
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${sql.table(table)}
    where ${id} >= ${beginning} and ${id} < ${beginning + AFTER_ALL} and ${where}
    order by ${id} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

function sourceOf(source: IdSource): { table: string; column: string; where: RawBuilder<unknown> } {
  switch (source.kind) {
    case 'message':
      return { table: 'messages', column: 'id', where: sql`true` };
    case 'campaign':
      return { table: 'campaigns', column: 'id', where: sql`plan_until is null` };
    case 'operation':
      return { table: 'operations', column: 'id', where: sql`method = ${source.method}` };
    case 'template':
      return { table: 'templates', column: 'element_name', where: sql`instance = ${source.instance}` };
  }
}
