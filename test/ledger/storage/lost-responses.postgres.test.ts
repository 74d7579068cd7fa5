/**
 * The connection to PostgreSQL breaks at the worst moments: the server has committed, and no caller knows; or the
 * statement never reached it. Both look alike to the caller, who repeats the call with the same arguments.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { openPostgresPool } from '../../../src/ledger/storage/postgres-pool.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { shiftOf, tickAt, wantOf } from '../../support/shift.js';
import { startPostgresProxy, type ConnectionFault, type PostgresProxy } from '../../support/ledger/postgres-proxy.js';
import { Cast, CHAT, MINUTE, NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

let databaseUrl: string;
let proxy: PostgresProxy;
/** Reads the same rows on a connection of its own. */
let onlooker: Ledger;
let ledger: Ledger;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  proxy = await startPostgresProxy(databaseUrl);
  [onlooker, ledger] = await Promise.all([
    openLedger({ databaseUrl }, UNENCRYPTED),
    openLedger({ databaseUrl: proxy.url }, UNENCRYPTED),
  ]);
});

afterEach(() => {
  expect(proxy.pending(), 'faults that no statement met').toBe(0);
});

afterAll(async () => {
  await Promise.all([onlooker.close(), ledger.close()]);
  await proxy.close();
  await dropDatabase(databaseUrl);
});

const UNAVAILABLE = { code: 'LEDGER_UNAVAILABLE', next: 'wait' };
const FAULTS: readonly [ConnectionFault, string][] = [
  ['lose-answer', 'the response to its commit is lost'],
  ['lose', 'the server never got the statement'],
];

function cast(): { c: Cast; seen: Cast } {
  const c = new Cast(ledger);
  return { c, seen: new Cast(onlooker) };
}

describe.each(FAULTS)('when a connection breaks (%s)', (fault, why) => {
  const isDone = fault === 'lose-answer';

  it(`open writes the row once, though ${why}`, async () => {
    const { c, seen } = cast();
    const id = c.anId();
    const request = c.request();
    const open = () => c.ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + MINUTE, nowMs: NOW });

    // The ledger repeats it alone, in case another message of the group was the cause.
    proxy.next(/dispatch_intake/, fault);
    expect(await open()).toMatchObject({ id, state: 'pending', version: 1 });
    expect(await open()).toMatchObject({ id, state: 'pending', version: 1 });
    expect(await seen.view(id)).toMatchObject({ content: request.content, attempts: [] });
  });

  it(`a tick gives one right to post, though ${why}`, async () => {
    const { c, seen } = cast();
    const id = await c.pending();
    const shift = shiftOf(c.instance);
    await c.ledger.dispatch.beginShift(shift, NOW);

    proxy.next(/commit/i, fault);
    await expect(tickAt(c.ledger.dispatch, NOW, { wants: [wantOf(shift)] })).rejects.toMatchObject(UNAVAILABLE);
    expect(await seen.state(id)).toBe(isDone ? 'sending' : 'pending');

    const found = await c.ledger.dispatch.claimed(shift);
    expect(found.map(({ messageId }) => messageId)).toEqual(isDone ? [id] : []);
    const [attempt = await c.claimed(id)] = found;
    expect(await c.claim(id)).toBeUndefined();
    expect(await seen.view(id)).toMatchObject({ state: 'sending', version: 2, attempts: [{ token: attempt.token }] });
    expect(await seen.evidence(id, 'claimed')).toHaveLength(1);
  });

  it(`recordOutcome keeps an accepted id once, though ${why}`, async () => {
    const { c, seen } = cast();
    const { id, token } = await c.posting();

    proxy.next(/commit/i, fault);
    await expect(c.accept(token, `A-${id}`)).rejects.toMatchObject(UNAVAILABLE);
    expect(await seen.state(id)).toBe(isDone ? 'accepted' : 'sending');

    expect(await c.accept(token, `A-${id}`)).toMatchObject({ state: 'accepted', idMessage: `A-${id}`, version: 3 });
    expect(await seen.evidence(id, 'accepted')).toHaveLength(1);
    expect(await seen.evidence(id, 'duplicated')).toEqual([]);
  });

  it(`recordOutcome makes a message pending again once, though ${why}`, async () => {
    const { c, seen } = cast();
    const { id, token } = await c.posting();
    const refused = { kind: 'not_accepted', code: 'GATEWAY_BUSY', httpStatus: 429 } as const;

    proxy.next(/commit/i, fault);
    await expect(c.record(token, refused)).rejects.toMatchObject(UNAVAILABLE);
    await c.record(token, refused);
    expect(await c.view(id)).toMatchObject({ state: 'pending' });

    // A repetition while the next attempt is out takes nothing from that attempt.
    await c.claimed(id);
    await c.record(token, refused);
    expect(await c.view(id)).toMatchObject({ state: 'sending' });
    expect(await seen.evidence(id, 'not_accepted')).toHaveLength(1);
  });

  it(`a receipt is applied once, though ${why}`, async () => {
    const { c, seen } = cast();
    const id = await c.accepted(`A-${c.instance}`);
    const { idMessage } = await seen.view(id);

    proxy.next(/commit/i, fault);
    await expect(c.receive(String(idMessage), 'sent')).rejects.toMatchObject(UNAVAILABLE);
    expect(await c.receive(String(idMessage), 'sent')).toMatchObject({ state: 'sent' });
    expect(await seen.evidence(id, 'sent')).toHaveLength(1);
  });

  it(`a notification is stored once, though ${why}`, async () => {
    const { c } = cast();
    const body = { typeWebhook: 'outgoingMessageStatus', chatId: CHAT, idMessage: c.instance };

    proxy.next(/store_notification/, fault);
    await expect(c.ledger.receipts.store(c.instance, body, NOW)).rejects.toMatchObject(UNAVAILABLE);
    expect(await c.ledger.receipts.store(c.instance, body, NOW)).toMatchObject({ duplicate: isDone });
    const stored = (await onlooker.receipts.unapplied(500)).filter(({ instance }) => instance === c.instance);
    expect(stored).toHaveLength(1);
  });

  it(`an edit replaces the text once, though ${why}`, async () => {
    const { c, seen } = cast();
    const id = await c.pending({ text: 'first' });
    const editId = c.anEditId();
    const open = () => c.ledger.edits.open({ editId, messageId: id, text: 'second', nowMs: NOW });

    proxy.next(/commit/i, fault);
    await expect(open()).rejects.toMatchObject(UNAVAILABLE);
    expect((await open()).edit).toMatchObject({ id: editId, state: 'edited', via: 'before_send' });
    expect(await seen.view(id)).toMatchObject({ version: 3, content: { text: 'second' }, edits: [{ id: editId }] });
  });
});

describe('a connection without responses', () => {
  const MAX_CONNECTIONS = 1;
  const RESPONSE_TIMEOUT_MS = 1_000;

  it.each([
    ['a statement', /select 'silenced'/],
    ['a commit', /commit/i],
    ['the statement that discards its plans', /discard plans/],
  ])('is closed when %s gets no response in time, and its place in the pool becomes free', async (_, statement) => {
    const times = { responseTimeoutMs: RESPONSE_TIMEOUT_MS, planLifetimeMs: 0 };
    const pool = openPostgresPool(proxy.url, MAX_CONNECTIONS, times);
    const store = new Store(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }));
    try {
      // From its second use on a connection has plans to discard.
      await store.run((db) => sql`select`.execute(db));
      proxy.next(statement, 'silence');
      const used = store.transaction((tx) => sql`select 'silenced'`.execute(tx));
      await expect(used).rejects.toMatchObject(UNAVAILABLE);

      const response = await store.run((db) => sql<{ one: number }>`select 1 as one`.execute(db));
      expect(response.rows).toEqual([{ one: 1 }]);
    } finally {
      await store.close();
    }
  });
});
