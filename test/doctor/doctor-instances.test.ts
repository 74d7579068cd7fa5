/** What the doctor reports of accounts that send nothing: of the API's ledger, through the API. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInstances } from '../../src/doctor/check-ledger.js';
import { someApi } from '../api/api-parts.js';
import { aDatabase } from '../support/ledger/ledger.js';
import { aReading, showQueue } from '../support/shift.js';

let database: Awaited<ReturnType<typeof aDatabase>>;
let parts: Awaited<ReturnType<typeof someApi>>;
beforeAll(async () => {
  database = await aDatabase();
  parts = await someApi({ ledger: database.ledger });
});
afterAll(async () => {
  await parts.close();
  await database.close();
});

const nowMs = Date.now();
const doctor = () => checkInstances({ listInstances: async () => (await parts.call('GET', '/v1/instances')).body });

async function read(atMs: number): Promise<void> {
  const {
    items: [item],
    ...reading
  } = aReading({ items: 1, atMs });
  const items = item === undefined ? [] : [{ ...item, ids: ['A'] }];
  await database.ledger.queueReadings.record('main', { ...reading, items });
}

test('the doctor reports a queue that stands still, with what to do, until the account is offline', async () => {
  const { ledger, db } = database;
  await ledger.instanceStates.record({ instance: 'main', state: 'authorized', atMs: nowMs });
  await showQueue(ledger, 'main', { releaseIntervalMs: 500, inFlight: 0, window: 1 }, nowMs);
  await read(nowMs);
  expect(await doctor()).toEqual([]);
  await sql`update queue_readings set unchanged_since = unchanged_since - interval '1 hour'`.execute(db);
  await read(nowMs + 2_000);
  const { body } = await parts.call('GET', '/v1/instances/main');
  const { standstill } = body.queue as { standstill: { remedy: string } };
  expect(await doctor()).toEqual([
    {
      subject: 'instance main',
      instance: 'main',
      verdict: 'broken',
      found: expect.stringMatching(/^the gateway's queue stands still: 1 items, and nothing was released since /),
      remedy: standstill.remedy,
    },
  ]);
  expect(standstill.remedy).toMatch(/everpost operation run clearMessagesQueue --instance main$/);

  await ledger.instances.recordConnection({ instance: 'main', status: 'offline', atMs: nowMs });
  expect(await doctor()).toMatchObject([{ verdict: 'advice', remedy: 'Check that the phone is on and online.' }]);
});
