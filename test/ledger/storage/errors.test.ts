import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ledgerError } from '../../../src/ledger/storage/database-error.js';
import { openLedger } from '../../../src/ledger/index.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { aDatabase, onPostgres } from '../../support/ledger/ledger.js';
import { choosePorts } from '../../../src/tools/local-temporal/index.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

describe('a ledger that cannot be reached', () => {
  it('reports that and the remedy, without the password', async () => {
    const [port] = await choosePorts('127.0.0.1', [0]);
    const error = await openLedger(
      { databaseUrl: `postgres://user:s3cret@127.0.0.1:${port}/everpost` },
      UNENCRYPTED,
    ).catch(String);

    expect(error).toContain('Ledger unavailable (ECONNREFUSED): no server listens there.');
    expect(error).not.toContain('s3cret');
  });

  it('has a different error than an address that cannot be parsed', async () => {
    const opening = openLedger({ databaseUrl: 'postgres://user:s3cret@[nowhere/everpost' }, UNENCRYPTED);
    await expect(opening).rejects.toMatchObject({ code: 'CONFIG_INVALID', next: 'stop' });
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('s3cret') });
  });
});

// Only a server can disappear while the ledger uses it.
if (onPostgres) {
  describe('a connection that the server ends', () => {
    it('fails its own call with an error to wait, and not the next call', async () => {
      const { db, close } = await aDatabase();
      try {
        const store = new Store(db);
        const used = store.transaction((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx));
        await expect(used).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });

        const response = await store.run((any) => sql<{ one: number }>`select 1 as one`.execute(any));
        expect(response.rows).toEqual([{ one: 1 }]);
      } finally {
        await close();
      }
    });
  });
}

describe('an error of the database driver', () => {
  const thrown = (code: string, fields: object = {}) =>
    Object.assign(new Error('value "15550001111@c.us" is wrong'), { code, severity: 'ERROR', ...fields });

  it.each(['08006', '40001', '40P01', '57P01', '57014', 'ECONNRESET'])('means wait for %s', (code) => {
    expect(ledgerError(thrown(code))).toMatchObject({ code: 'LEDGER_UNAVAILABLE', next: 'wait' });
  });

  it('means wait when the connection broke without a code', () => {
    expect(ledgerError(new Error('Connection terminated unexpectedly')).code).toBe('LEDGER_UNAVAILABLE');
  });

  it('names what an operator has to correct', () => {
    expect(ledgerError(thrown('28P01')).message).toMatch(/password is wrong.*DATABASE_URL.*--data-dir/);
  });

  it('is a bug otherwise, with the cause but without the contents of a row', () => {
    const error = ledgerError(
      thrown('22P02', {
        detail: 'Failing row contains (15550001111@c.us, hello)',
        params: ['hello'],
        table: 'messages',
      }),
    );

    expect(error).toMatchObject({ code: 'INTERNAL', next: 'bug', cause: { code: '22P02', table: 'messages' } });
    const cause = error.cause as Error;
    const everything = [error.message, cause.message, cause.stack, JSON.stringify(cause)].join('\n');
    expect(everything).not.toMatch(/15550001111|hello/);
  });

  it('stays unchanged when it is an AppError', () => {
    const own = ledgerError(new Error('x'));
    expect(ledgerError(own)).toBe(own);
  });
});
