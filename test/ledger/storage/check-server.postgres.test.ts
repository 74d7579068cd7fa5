/** Which servers everpost starts on, also behind a connection pooler. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateLedger, openLedger } from '../../../src/ledger/index.js';
import { checkServer } from '../../../src/ledger/storage/check-server.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { missingPgBouncer, startPgBouncer } from '../../support/ledger/pgbouncer.js';
import { Cast } from '../cast.js';

let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
});

afterAll(() => dropDatabase(databaseUrl));

const open = (url: string) => openLedger({ databaseUrl: url }, UNENCRYPTED);
const unsuitable = (message: RegExp) =>
  expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) });

it('refuses a PostgreSQL that is too old, with its version and the one that is needed (SERVER-1)', async () => {
  await expect(checkServer(databaseUrl, { oldest: 990_000 })).rejects.toEqual(
    unsuitable(/its server is PostgreSQL \d\d\.\d.*needs 99 or newer.*pg_upgrade/),
  );
});

describe.skipIf(missingPgBouncer)(`behind PgBouncer${missingPgBouncer ? ` (${missingPgBouncer})` : ''}`, () => {
  const IGNORES = 'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout';

  it('refuses a pooler that rejects our settings, before anything else (SERVER-3)', async () => {
    const url = await startPgBouncer(databaseUrl, 'session');
    await expect(open(url)).rejects.toEqual(unsuitable(/pooler rejects statement_timeout.*Name PostgreSQL itself/));
  });

  it('refuses a pooler that ignores our time limits, unless the role has its own (SERVER-3)', async () => {
    const url = await startPgBouncer(databaseUrl, 'session', IGNORES);
    await expect(open(url)).rejects.toEqual(unsuitable(/pooler ignores statement_timeout.*set both for its role/));
  });

  describe('whose database has time limits', () => {
    beforeAll(() => setLimits(databaseUrl));

    it('refuses transaction pooling, also to migrate (SERVER-2)', async () => {
      const url = await startPgBouncer(databaseUrl, 'transaction', IGNORES);
      const refused = unsuitable(/shares its connections between transactions.*Name PostgreSQL itself/);
      await expect(open(url)).rejects.toEqual(refused);
      await expect(migrateLedger({ databaseUrl: url })).rejects.toEqual(refused);
    });

    it('works with session pooling: a message is sent, and wakes arrive (SERVER-2)', async () => {
      const ledger = await open(await startPgBouncer(databaseUrl, 'session', IGNORES));
      try {
        const c = new Cast(ledger);
        const { id } = await c.posting();
        expect(await c.state(id)).toBe('sending');
        const woken = new Promise((resolve) => {
          ledger.wakes.listen(resolve);
        });
        const repeated = setInterval(() => ledger.wakes.announce('main'), 50);
        expect(await woken).toBe('main');
        clearInterval(repeated);
      } finally {
        await ledger.close();
      }
    });
  });
});

async function setLimits(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const database = new URL(url).pathname.slice(1);
  await client.query(`alter database ${database} set statement_timeout = '30s'`);
  await client.query(`alter database ${database} set idle_in_transaction_session_timeout = '15s'`);
  await client.end();
}
