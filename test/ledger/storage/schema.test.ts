import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/ledger/storage/migrate.js';
import { describeSchema } from '../../../scripts/generate-schema.js';
import { aDatabase } from '../../support/ledger/ledger.js';

it('the tables are as src/ledger/schema.sql shows them; run `npm run generate` after a migration', async () => {
  const golden = await readFile(new URL('../../../src/ledger/schema.sql', import.meta.url), 'utf8');
  const { db, close } = await aDatabase();
  try {
    expect(await describeSchema(db)).toBe(golden);
  } finally {
    await close();
  }
});

it('the migrations are numbered without a gap', () => {
  const numbers = Object.keys(MIGRATIONS).map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
