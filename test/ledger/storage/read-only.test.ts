/** A server that reads and does not write, as a standby does, and a primary that became one. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/index.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';
import { closeAfterTest } from '../../support/close-after-test.js';

it('is unavailable, and available again when it writes', async () => {
  const { db, ledger, close } = await aDatabase();
  closeAfterTest(close);
  const write = () => ledger.instances.pauseByOperator('main', 'command-1', 'operator', 0);
  await sql`set default_transaction_read_only = on`.execute(db);
  await expect(write()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
  await sql`set default_transaction_read_only = off`.execute(db);
  await expect(write()).resolves.toMatchObject({ reason: 'operator' });
});

it('is not ready', async () => {
  const database = await anEmbeddedDatabase();
  const ledger = await openLedger({ database }, UNENCRYPTED);
  closeAfterTest(() => ledger.close());
  await ledger.ping();
  await database.query('set default_transaction_read_only = on', []);
  await expect(ledger.ping()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
});
