/** PostgreSQL stops under a ledger in use, and starts again: the ledger needs no restart, and has lost nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { startPostgres, type PostgresServer } from '../../support/ledger/postgres.js';
import { Cast, NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

const UNAVAILABLE = { code: 'LEDGER_UNAVAILABLE', next: 'wait' };

// A server for this file only: other tests use the shared one.
let server: PostgresServer;
let ledger: Ledger;

beforeAll(async () => {
  server = await startPostgres();
  ledger = await openLedger({ databaseUrl: server.url }, UNENCRYPTED);
});

afterAll(async () => {
  await ledger.close();
  await server.close();
});

it('the ledger is unavailable while the server is down, and then has every acknowledged write', async () => {
  const c = new Cast(ledger);
  const sending = await c.pending();
  const pending = await c.pending();
  const { token } = await c.claimed(sending);

  await server.crash();
  await expect(ledger.ping()).rejects.toMatchObject(UNAVAILABLE);
  await expect(c.claim(pending)).rejects.toMatchObject(UNAVAILABLE);
  await expect(c.accept(token, 'A1')).rejects.toMatchObject(UNAVAILABLE);
  await expect(c.ledger.receipts.store(c.instance, { body: 1 }, NOW)).rejects.toMatchObject(UNAVAILABLE);
  await expect(openLedger({ databaseUrl: server.url }, UNENCRYPTED)).rejects.toMatchObject(UNAVAILABLE);

  await server.start();
  expect(await c.state(pending)).toBe('pending');
  expect(await c.state(sending)).toBe('sending');
  expect(await c.accept(token, 'A1')).toMatchObject({ state: 'accepted', idMessage: 'A1' });
  expect(await c.claim(pending)).toBeDefined();
});

it('a write is whole or absent when the server crashes during many, and the same calls succeed afterwards', async () => {
  const c = new Cast(ledger);
  const messages = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const { id, token } = await c.posting();
      return { id, token, idMessage: `${c.instance}-${n}` };
    }),
  );

  // Some are written by now, some are under way, some have not begun.
  const writes = messages.map(({ token, idMessage }) => c.accept(token, idMessage));
  await Promise.race(writes);
  const [results] = await Promise.all([Promise.allSettled(writes), server.crash()]);
  await server.start();

  const lost = results.filter((result) => result.status === 'rejected');
  expect(lost.map(({ reason }: PromiseRejectedResult): unknown => reason)).toEqual(
    lost.map(() => expect.objectContaining(UNAVAILABLE)),
  );
  for (const [n, { id, token, idMessage }] of messages.entries()) {
    const state = await c.state(id);
    expect(['sending', 'accepted']).toContain(state);
    if (results[n]?.status === 'fulfilled') expect(state).toBe('accepted');
    expect(await c.accept(token, idMessage)).toMatchObject({ state: 'accepted', idMessage, version: 3 });
    expect(await c.evidence(id, 'accepted')).toHaveLength(1);
  }
});
