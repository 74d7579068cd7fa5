/** When a gateway's queue stands still: STANDSTILL-1 to STANDSTILL-4. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListedItem } from '../../../src/domain/index.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { DispatchCast } from '../dispatch/cast.js';

let database: Awaited<ReturnType<typeof aDatabase>>;
let c: DispatchCast;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  c = await DispatchCast.begun(database.ledger);
  await releasesEvery(3_000);
  await see('authorized');
});

let readAtMs = NOW;

/** A worker reads the queue. */
async function lists(...ids: string[]): Promise<void> {
  readAtMs += 2 * SECOND;
  const items = ids.map((id): ListedItem => ({ ids: id === '' ? [] : [id], kind: 'text', chat: '15550000001@c.us' }));
  await c.ledger.queueReadings.record(c.instance, { begunAtMs: readAtMs - 100, endedAtMs: readAtMs, items });
}

/** The database's clock advances: what it has recorded gets older. */
async function pass(ms: number): Promise<void> {
  await sql`update queue_readings set recorded_at = recorded_at - ${ms}::float8 * interval '1 millisecond',
    unchanged_since = unchanged_since - ${ms}::float8 * interval '1 millisecond' where instance = ${c.instance}`.execute(
    database.db,
  );
}

async function releasesEvery(ms: number): Promise<void> {
  await sql`update dispatchers set release_interval_ms = ${ms} where instance = ${c.instance}`.execute(database.db);
}

const see = (state: string, atMs = NOW) => c.ledger.instanceStates.record({ instance: c.instance, state, atMs });
const standstill = async () => (await c.ledger.dispatch.view(c.instance)).standstill;
/** With an interval of three seconds. */
const LONG = 17 * MINUTE;

describe('a queue stands still', () => {
  it('once nothing was released for fifteen minutes and thirty intervals, and until something is', async () => {
    await lists('A', 'B');
    await pass(16 * MINUTE);
    await lists('A', 'B');
    expect(await standstill()).toBeUndefined();
    await pass(MINUTE);
    await lists('A', 'B');
    expect(await standstill()).toMatchObject({ items: 2 });
    await lists('B');
    expect(await standstill()).toBeUndefined();
  });

  it('also while other senders add items, and if it was not read for long', async () => {
    await lists('A');
    await pass(5 * MINUTE);
    await lists('A', 'foreign');
    await pass(12 * MINUTE);
    await lists('A', 'foreign', 'more');
    expect(await standstill()).toMatchObject({ items: 3 });
  });

  it('later with a longer interval, and after five hours if the interval is not known', async () => {
    await releasesEvery(60_000);
    await lists('A');
    await pass(44 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(2 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeDefined();
    await sql`update dispatchers set release_interval_ms = null where instance = ${c.instance}`.execute(database.db);
    await pass(200 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(70 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeDefined();
  });
});

describe('a queue does not stand still', () => {
  it('if it was only just filled, or is empty', async () => {
    await lists();
    await pass(LONG);
    await lists();
    expect(await standstill()).toBeUndefined();
    await lists('A', 'B', 'C');
    expect(await standstill()).toBeUndefined();
  });

  it('if an item behind the first one left, or the first one is another', async () => {
    await lists('A', 'B');
    await pass(LONG);
    await lists('A', 'C');
    expect(await standstill()).toBeUndefined();
    await pass(LONG);
    await lists('X', 'A', 'C');
    expect(await standstill()).toBeUndefined();
  });

  it('if its items have no ids, so that they may be others', async () => {
    await lists('');
    await pass(LONG);
    await lists('');
    expect(await standstill()).toBeUndefined();
  });

  it.each([
    ['is not authorized', () => see('notAuthorized', NOW + SECOND)],
    ['has a yellow card', () => see('yellowCard', NOW + SECOND)],
    ['is offline', () => c.ledger.instances.recordConnection({ instance: c.instance, status: 'offline', atMs: NOW })],
    ['is paused', () => c.ledger.instances.pauseByOperator(c.instance, 'one', 'operator', NOW)],
  ])('while the account %s, at once', async (_, happens) => {
    await lists('A');
    await pass(LONG);
    await lists('A');
    expect(await standstill()).toBeDefined();
    await happens();
    expect(await standstill()).toBeUndefined();
    await lists('A');
    await pass(MINUTE);
    expect(await standstill()).toBeUndefined();
  });

  it('if its state is not known', async () => {
    const other = await DispatchCast.begun(database.ledger);
    [c] = [other];
    await releasesEvery(3_000);
    await lists('A');
    await pass(LONG);
    await lists('A');
    expect(await standstill()).toBeUndefined();
  });

  it('before the account was authorized for as long, without a gap in its observations', async () => {
    await lists('A');
    await pass(LONG);
    await see('starting', NOW + SECOND);
    await see('authorized', NOW + 2 * SECOND);
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(LONG);
    await see('authorized', NOW + 60 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(LONG);
    await see('authorized', NOW + 61 * MINUTE);
    await lists('A');
    expect(await standstill()).toBeDefined();
  });

  it('before the account had as long since an order that restarts it', async () => {
    await lists('A');
    await pass(LONG);
    const order = { method: 'setSettings', instance: c.instance, requestHash: 'h', request: {}, nowMs: Date.now() };
    const { id } = await c.ledger.operations.open({ id: `op-${c.instance}`, ...order });
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(LONG);
    await c.ledger.operations.finish(id, { state: 'done', result: {} }, Date.now());
    await lists('A');
    expect(await standstill()).toBeUndefined();
    await pass(LONG);
    // As long ago as the reading.
    await sql`update operations set ended_at = ended_at - interval '23 minutes' where id = ${id}`.execute(database.db);
    await lists('A');
    expect(await standstill()).toBeDefined();
  });

  it('by a reading that is ten minutes old', async () => {
    await lists('A');
    await pass(LONG);
    await lists('A');
    await pass(9 * MINUTE);
    expect(await standstill()).toBeDefined();
    await pass(2 * MINUTE);
    expect(await standstill()).toBeUndefined();
  });
});

describe('the queues to read while nothing is due', () => {
  const isToRead = async () => (await c.ledger.queueReadings.toRead([c.instance, 'other'])).includes(c.instance);

  it('are those that may have items, every two minutes', async () => {
    expect(await isToRead()).toBe(false);
    await lists('A');
    expect(await isToRead()).toBe(false);
    await pass(2 * MINUTE);
    expect(await isToRead()).toBe(true);
    await lists();
    await pass(2 * MINUTE);
    expect(await isToRead()).toBe(false);
    await c.take();
    const { token } = await c.claimOne();
    await c.write({
      token,
      outcome: { kind: 'accepted', idMessage: `G-${c.instance}`, httpStatus: 200 },
      atMs: readAtMs + 1,
    });
    expect(await isToRead()).toBe(true);
  });

  it('are not those of accounts that release nothing', async () => {
    await lists('A');
    await pass(2 * MINUTE);
    await see('notAuthorized', NOW + SECOND);
    expect(await isToRead()).toBe(false);
  });
});

it('a standstill begins and ends with an event, and its run says that messages wait for it', async () => {
  const { ledger } = database;
  const { instance } = c;
  await ledger.eventEndpoints.create(
    { id: `evp_${instance}`, instance, events: ['*'], raw: false, requestHash: 'h' },
    NOW,
  );
  await lists('A');
  await pass(LONG);
  await lists('A');
  await lists('A');
  expect(await ledger.dispatch.endShift(c.shift, NOW)).toMatchObject({
    waitingFor: expect.stringMatching(/^QUEUE_STANDS_STILL: 1 items, unchanged since /),
  });
  await lists('B');
  const { rows } = await sql<{ data: object }>`
    select data from events where instance = ${instance} and type = 'instance.queue_standstill' order by seq`.execute(
    database.db,
  );
  expect(rows).toMatchObject([{ data: { state: 'began', items: 1 } }, { data: { state: 'ended', items: 1 } }]);
});
