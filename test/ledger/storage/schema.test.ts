import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeSchema } from '../../../scripts/generate-schema.js';
import { openLedger } from '../../../src/ledger/index.js';
import { createTables, migrate, MIGRATIONS } from '../../../src/ledger/storage/migrate.js';
import { aDataDir } from '../../support/ledger/embedded-database.js';
import { aDatabase, onPostgres } from '../../support/ledger/ledger.js';
import { UNKNOWN } from '../../support/ledger/newer-ledger.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

it('the tables are as src/ledger/storage/schema.sql shows them; run `npm run generate` after a migration', async () => {
  const golden = await readFile(new URL('../../../src/ledger/storage/schema.sql', import.meta.url), 'utf8');
  const { db, close } = await aDatabase();
  try {
    expect(ofThisVersion(await describeSchema(db))).toBe(golden);
  } finally {
    await close();
  }
});

/** Without what the next version has added. */
function ofThisVersion(schema: string): string {
  return schema
    .replace(new RegExp(`create table ${UNKNOWN} [^;]*;\\n\\n`), '')
    .replaceAll(new RegExp(`,\\n {2}${UNKNOWN} text default [^,\\n]*`, 'g'), '');
}

it('the migrations are numbered without a gap', () => {
  const numbers = Object.keys(MIGRATIONS).map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it('a start on PostgreSQL creates the tables of an empty database only, and names the command for others (MIGRATE-3)', async () => {
  const { db, close } = await aDatabase();
  const added = { up: () => Promise.reject(new Error('a start migrates nothing')) };
  try {
    const place = { place: 'of DATABASE_URL', migrations: { ...MIGRATIONS, '0002-add-more': added } };
    await expect(createTables(db, place)).rejects.toMatchObject({
      code: 'LEDGER_OLDER',
      message:
        'The ledger of DATABASE_URL is older than this everpost: migration 0002-add-more is missing. Nothing was changed. Migrate it, with a database user that may change tables: everpost migrate',
    });
    await createTables(db, { place: 'of DATABASE_URL' });
  } finally {
    await close();
  }
});

const REMEMBER = "insert into kysely_migration (name, timestamp) values ('0099-tomorrow', '2030')";

describe('a ledger that a newer everpost has migrated', () => {
  it('is refused, with the remedy, and stays unchanged', async () => {
    const { db, close } = await aDatabase();
    try {
      await sql.raw(REMEMBER).execute(db);

      await expect(migrate(db, { place: 'of DATABASE_URL' })).rejects.toMatchObject({
        code: 'LEDGER_NEWER',
        next: 'stop',
        message:
          'The ledger of DATABASE_URL was written by a newer everpost: migration 0099-tomorrow is unknown here. Nothing was changed. Install that version or a newer one: npm install everpost@latest',
      });
      const { rows } = await sql`select name from kysely_migration where name = '0099-tomorrow'`.execute(db);
      expect(rows).toHaveLength(1);
    } finally {
      // Other tests may use the database later.
      await sql`delete from kysely_migration where name = '0099-tomorrow'`.execute(db);
      await close();
    }
  });

  it.skipIf(onPostgres)('is named by its data directory when it is embedded', async () => {
    const dataDir = await aDataDir();
    try {
      const database = await PGlite.create({ dataDir: join(dataDir, 'ledger') });
      await database.query(REMEMBER);
      await database.close();

      await expect(openLedger({ dataDir }, UNENCRYPTED)).rejects.toMatchObject({
        code: 'LEDGER_NEWER',
        message: expect.stringContaining(`The ledger in ${join(dataDir, 'ledger')} was written by a newer everpost`),
      });
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});
