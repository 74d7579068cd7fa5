import { afterEach, describe, expect, test } from 'vitest';
import { WITNESS_PATIENCE_MS } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { SECOND } from '../support/stack.js';
import {
  LOST_REQUEST,
  LOST_RESPONSE,
  NO_NOTICES,
  RECONCILE_MS,
  SETTLED_MS,
  TIMES,
  aBusyWorld,
  aWorld,
  sendAndLose,
  type World,
} from './world.js';

const TEXT = 'Your table is ready';
/** Long enough for every item to leave the queue. */
const ALL_LEFT_MS = 4 * 60_000;

const ledger = useLedger();
let world: World;
afterEach(() => world.close());

/** Proves RECONCILE-1 to RECONCILE-5, and with them PROMISE-1, PROMISE-3 and PROMISE-5. */
describe('a lost response of an accepted message', () => {
  test('is found by a notification that came before the loss of the response was recorded', async () => {
    world = await aWorld(ledger);
    await world.fault({ kind: 'lose-answer', accepted: true, ms: 100 });
    const sending = world.send(TEXT);
    await expect.poll(() => world.delivered(TEXT)).toBe(1);
    await world.pass(SECOND);
    const { id, state } = await sending;

    expect(state).toBe('unknown');
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found through a receipt with an unknown id', async () => {
    world = await aWorld(ledger, { outgoingAPIMessageWebhook: 'no' });
    await world.control('POST', 'faults', { method: 'lastOutgoingMessages', kind: 'status', status: 403, times: 9 });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT);
    await world.pass(SECOND);

    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
    expect((await world.view(id)).evidence.find(({ what }) => what === 'adopted')?.witness).toBe('getMessage');
  });

  test('becomes unresolved when its outcome stays unknown, until an operator decides', async () => {
    world = await aWorld(ledger, NO_NOTICES);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT);

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.pass(WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'nothing_precedes' });

    expect(await ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'loopback' }, 0)).toMatchObject({
      state: 'sent',
    });
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is found by a notification that comes when the message is already unresolved', async () => {
    world = await aWorld(ledger, { stateWebhook: 'no' });
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    await world.control('POST', 'notifications/faults', { kind: 'delay', ms: 3_600_000, times: 9 });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });

    await world.pass(3_600_000);

    expect((await world.view(id)).state).toBe('delivered');
  });
});

describe('a request that may arrive late', () => {
  test('is not proved absent before it has settled, and is found afterwards', async () => {
    world = await aBusyWorld(ledger);
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(world, { kind: 'reset', accepted: true, acceptAfterMs: TIMES.settleTimeMs }, TEXT);

    expect(await world.reconcile(id)).toContain('too_early');
    await world.pass(RECONCILE_MS - 1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });

    await world.pass(ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });
});

describe('a lost request', () => {
  test('is not proved absent after a restart of the instance', async () => {
    world = await aBusyWorld(ledger);
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.patch({ state: 'starting' });
    await world.pass(SECOND);
    await world.patch({ state: 'authorized' });

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('instance_restarted');
  });

  test('is not proved absent when an older listing was as long, which may have been truncated', async () => {
    world = await aBusyWorld(ledger);
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);

    await world.pass(SETTLED_MS);
    expect(await world.reconcile(id)).toContain('listing_incomplete');
  });

  test('is unresolved with an idle queue, and posted once when an operator states that it was not sent', async () => {
    world = await aWorld(ledger);
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    const resolve = (outcome: 'accepted' | 'not_accepted', nowMs = Date.parse('2026-03-02T00:00:00Z')) =>
      ledger.reconciling.resolve(id, { outcome, witness: 'loopback' }, nowMs);
    await expect(resolve('not_accepted', 0)).rejects.toThrow(/may still accept its request/);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });

    for (const _ of ['first', 'repeated']) expect(await resolve('not_accepted')).toMatchObject({ state: 'pending' });
    expect(await world.sendAgain(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
    await expect(resolve('accepted')).rejects.toMatchObject({ code: 'RESOLVE_NOT_POSSIBLE' });
  });
});

describe('identical messages', () => {
  test('wait while one of them is unresolved', async () => {
    world = await aWorld(ledger, NO_NOTICES);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const first = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(first.id)).toMatchObject({ state: 'unresolved' });

    expect(await world.send(TEXT)).toMatchObject({ state: 'pending' });
    expect(world.delivered(TEXT)).toBe(0);
  });
});
