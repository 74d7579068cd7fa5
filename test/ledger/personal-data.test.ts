import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { NOT_PERSONAL, PERSONAL_DATA } from '../../src/ledger/privacy/personal-data.js';
import { aDatabase } from '../support/ledger.js';

it('decides for each column that may hold a text whether it is personal; list a new one in personal-data.ts', async () => {
  const { db, close } = await aDatabase();
  try {
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'bytea', 'uuid', 'ARRAY', 'character varying')
        and table_name not like 'kysely_%'`.execute(db);
    const decided = [
      ...Object.entries<object>(PERSONAL_DATA).flatMap(([table, columns]) =>
        Object.keys(columns).map((column) => `${table}.${column}`),
      ),
      ...Object.entries(NOT_PERSONAL).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
    ];
    expect(decided.toSorted()).toEqual(rows.map(({ column }) => column).toSorted());
  } finally {
    await close();
  }
});
