import { sql, Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { pgliteDialect } from '../../../src/ledger/storage/pglite-dialect.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';

it('the embedded database lets timers and sockets run between the transactions of a loop', async () => {
  const db = new Kysely<Schema>({ dialect: pgliteDialect(await anEmbeddedDatabase()) });
  const turns: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    setImmediate(() => turns.push(count));
    await db.transaction().execute((tx) => sql`select 1`.execute(tx));
    expect(turns).toEqual(Array.from({ length: count + 1 }, (_, at) => at));
  }
  await db.destroy();
});
