import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../../src/ledger/index.js';
import { messagesIn, moveMessages } from '../../../../src/ledger/messages/writer/move-messages.js';
import type { Schema } from '../../../../src/ledger/storage/schema.js';
import { openPostgresPool } from '../../../../src/ledger/storage/postgres-pool.js';
import { UNENCRYPTED } from '../../../support/ledger/at-rest.js';
import { aDatabaseUrl, dropDatabase } from '../../../support/ledger/ledger.js';
import { Cast, NOW } from '../../cast.js';

const MESSAGES = 60;
const ROUNDS = 25;

let databaseUrl: string;
let ledger: Ledger;
let db: Kysely<Schema>;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPostgresPool(databaseUrl, 4) }) });
});

afterAll(async () => {
  await Promise.all([db.destroy(), ledger.close()]);
  await dropDatabase(databaseUrl);
});

it('WRITER-3 facts about the same messages wait for each other, in whatever order the messages are given', async () => {
  const c = new Cast(ledger);
  const ids = await Promise.all(Array.from({ length: MESSAGES }, () => c.pending()));
  const orders = [ids, ids.toReversed(), ids.toSorted(), ids.toSorted().toReversed()];
  const move = (order: readonly string[]) => moveMessages(db, 'editRequested', messagesIn(order), { nowMs: NOW });
  for (let round = 1; round <= ROUNDS; round += 1) {
    const moved = await Promise.all(orders.map((order) => move(order)));
    expect(moved.map(({ length }) => length)).toEqual(orders.map(() => MESSAGES));
  }
  expect((await c.view(ids[0]!)).version).toBe(1 + ROUNDS * orders.length);
});
