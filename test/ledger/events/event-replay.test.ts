/** Proves REPLAY-1 and REPLAY-2. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import type { EmbeddedDatabase } from '../../../src/ledger/storage/pglite-dialect.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';
import { eventually } from '../../support/eventually.js';
import { NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

const EVENTS = 8_000;
const PART = 1_000;
const INSTANCE = 'replayed';
const ID = 'evp_0000000000000001';
const RANGE = { fromMs: NOW, toMs: NOW + 86_400_000 };

let database: EmbeddedDatabase;
let ledger: Ledger;
/** Whether the next part breaks the connection, as a kill does. */
let breaks: () => boolean = () => false;

beforeAll(async () => {
  database = await anEmbeddedDatabase();
  const { execProtocolStream } = database;
  database.execProtocolStream = (message, options) => {
    const words = Buffer.from(message).toString('latin1');
    // A lent database may have prepared other statements that insert deliveries, and this one for other endpoints.
    const isPart =
      words.startsWith('B') &&
      [...(database.prepared ?? [])].some(
        ([text, { name }]) =>
          /part as materialized.*insert into event_deliveries/s.test(text) && words.includes(`\0${name}\0`),
      );
    return isPart && breaks()
      ? Promise.reject(new Error('Connection terminated'))
      : execProtocolStream.call(database, message, options);
  };
  ledger = await openLedger({ database }, UNENCRYPTED);
  const place = { id: ID, instance: INSTANCE, url: 'https://a.example/hook' };
  await ledger.eventEndpoints.create({ ...place, events: ['*'], raw: false, requestHash: 'h' }, NOW);
  await database.query(
    `insert into events (instance, type, ordering_key, at, data)
     select $1, 'message.received', 'chat ' || n % 100, to_timestamp($2::float8 / 1000) + n / 10 * interval '1 ms', '{}'
     from generate_series(1, ${EVENTS}) n`,
    [INSTANCE, NOW],
  );
});
afterAll(() => ledger.close());

async function allDelivered(): Promise<void> {
  await database.query(`update event_deliveries set ended_at = now(), delivered = true, tries = 1`, []);
}

async function due(): Promise<number> {
  return (await ledger.eventEndpoints.view(ID)).waiting;
}

function replay(key: string): Promise<number> {
  return ledger.eventEndpoints.replay(ID, RANGE, { id: key, requestHash: 'h' }, NOW);
}

it('a replay runs in parts, and other requests are served in between (REPLAY-1)', async () => {
  await allDelivered();
  const seen: number[] = [];
  const replayed = replay(randomUUID());
  const ended = new AbortController();
  void replayed.finally(() => ended.abort());
  while (!ended.signal.aborted) seen.push(await due());

  expect(await replayed).toBe(EVENTS);
  const steps = seen.slice(1).map((count, at) => count - (seen[at] ?? 0));
  expect(steps.filter((step) => step > 0).length).toBeGreaterThan(EVENTS / PART / 4);
  expect(Math.max(...steps)).toBeLessThanOrEqual(4 * PART);
  expect(await due()).toBe(EVENTS);
});

it('a replay continues after an interruption, and delivers no event twice (REPLAY-2)', async () => {
  await allDelivered();
  const key = randomUUID();
  let parts = 0;
  breaks = () => ++parts > 5;
  await expect(replay(key)).rejects.toThrow();
  breaks = () => false;
  await eventually(async () => expect(await due()).toBe(5 * PART));
  await allDelivered();

  expect(await replay(key)).toBe(EVENTS);
  expect(await due()).toBe(EVENTS - 5 * PART);
  await allDelivered();
  expect(await replay(key)).toBe(EVENTS);
  expect(await due()).toBe(0);
});
