import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SUCCESSOR_PATIENCE_MS } from '../../src/contract/index.js';
import { LEAST_NOTIFIED, RESTART_WAIT_MS, RETRY_INTERVAL_MS } from '../../src/domain/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { SECOND } from '../support/stack.js';
import { LOST_REQUEST, LOST_RESPONSE, SETTLED_MS, aWorld, sendAndLose, type World } from './world.js';

const TEXT = 'Your table is ready';
const MAY_BE_SENT_AGAIN = { onUnknown: 'auto' } as const;
/** Of the gateway between two messages. */
const PACE = { delaySendMessagesMilliseconds: 500 };

const ledger = useLedger();

/** Until a later message has left. */
async function sendLater(world: World): Promise<void> {
  await world.send('a later message');
  await world.pass(2 * RETRY_INTERVAL_MS + 3 * SECOND);
}

describe('on a day with complete notifications, a message with permission to be sent again on presumption', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(ledger, { ...PACE, outgoingWebhook: 'no' });
    for (let sent = 0; sent < LEAST_NOTIFIED; sent += 1) await world.send(`message ${sent}`);
    await world.pass(LEAST_NOTIFIED * SECOND);
  });
  afterAll(() => world.close());

  test('is sent again when a later message has left, and the evidence says so', async () => {
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT, MAY_BE_SENT_AGAIN);
    await world.pass(SETTLED_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');

    await sendLater(world);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.pass(RESTART_WAIT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'pending' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({ what: 'presumed_absent', witness: 'presumed' });

    await world.sendAgain(id);
    await world.pass(SECOND);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('RECONCILE-5 is not sent again when its own notification comes before the resend', async () => {
    const text = 'Your car is ready';
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const tenMinutesLate = { typeWebhook: 'outgoingAPIMessageReceived', kind: 'delay', ms: 600 * SECOND };
    await world.control('POST', 'notifications/faults', tenMinutesLate);
    const { id } = await sendAndLose(world, LOST_RESPONSE, text, MAY_BE_SENT_AGAIN);
    await world.pass(SETTLED_MS);
    await sendLater(world);
    await world.reconcile(id);
    await world.pass(RESTART_WAIT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'pending' });

    await world.pass(600 * SECOND);
    expect(await world.view(id)).toMatchObject({ state: 'accepted', attempts: [{ outcome: 'accepted' }] });
    expect(await world.story(id)).toEqual(['claimed', 'unknown', 'presumed_absent', 'adopted']);
    await world.sendAgain(id);
    await world.pass(SECOND);
    expect(world.delivered(text)).toBe(1);
  });
});

describe('a lost request whose absence is not proved', () => {
  let world: World;
  afterEach(() => world.close());

  test('is not sent again on a day with few notifications, and the evidence says so', async () => {
    world = await aWorld(ledger, PACE);
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT, MAY_BE_SENT_AGAIN);
    await world.pass(SETTLED_MS);
    await sendLater(world);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.pass(SUCCESSOR_PATIENCE_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'nothing_precedes' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      detail: { why: 'nothing_precedes', notPresumed: 'notifications_incomplete' },
    });
  });
});
