import { afterEach, describe, expect, test } from 'vitest';
import {
  LONGEST_UNKNOWN_MS,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
  type MessageSnapshot,
} from '../../src/contract/index.js';
import { LEAST_NOTIFIED, RESTART_WAIT_MS, RETRY_INTERVAL_MS } from '../../src/domain/index.js';
import type { Settings } from '../../src/simulator/index.js';
import { useLedger } from '../support/ledger.js';
import { ALICE, RECONCILE_MS, SETTLED_MS, TIMES, aWorld, proveAbsent, type World } from './world.js';

const TEXT = 'Your table is ready';
const LOST_RESPONSE = { kind: 'lose-answer', accepted: true };
const LOST_REQUEST = { kind: 'reset', accepted: false };
const NO_NOTICES = { outgoingWebhook: 'no', outgoingAPIMessageWebhook: 'no' } as const;
const SECOND_MS = 1_000;
/** Long enough for every item to leave the queue. */
const ALL_LEFT_MS = 4 * 60_000;

const ledger = useLedger();
let world: World;
afterEach(() => world.close());

/** A world in which one message has left, so that later ones wait in the queue for a minute. */
async function aBusyWorld(settings: Partial<Settings> = {}): Promise<World> {
  world = await aWorld(ledger, settings);
  await world.send('the first leaves at once');
  await world.pass(SECOND_MS);
  return world;
}

async function anIdleWorld(settings: Partial<Settings> = {}): Promise<World> {
  world = await aWorld(ledger, settings);
  return world;
}

async function sendAndLose(fault: object, content = TEXT, request = {}): Promise<MessageSnapshot> {
  await world.fault(fault);
  const row = await world.send(content, request);
  expect(row.state).toBe('unknown');
  return row;
}

async function fromAnotherTool(chatId: string): Promise<void> {
  await fetch(`${world.simulator.url}/waInstance1101000001/sendMessage/simulator-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId, message: 'from another tool' }),
  });
}

/** Proves RECONCILE-1 to RECONCILE-5, and with them PROMISE-1, PROMISE-3 and PROMISE-5. */
describe('a lost response of an accepted message', () => {
  test('is found in the queue at once', async () => {
    await aBusyWorld();
    const { id } = await sendAndLose(LOST_RESPONSE);

    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);

    expect(await world.view(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: 'accepted' }] });
    expect(await world.story(id)).toEqual(['claimed', 'unknown', 'adopted', 'sent', 'delivered']);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is adopted when its notification arrives, without a request to the gateway', async () => {
    await anIdleWorld();
    // Only after the lost response is recorded: the next test covers the other order.
    const delay = { typeWebhook: 'outgoingAPIMessageReceived', kind: 'delay', ms: SECOND_MS / 2, times: 1 };
    await world.control('POST', 'notifications/faults', delay);
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.pass(SECOND_MS);

    expect(await world.view(id)).toMatchObject({ state: 'delivered' });
    expect((await world.view(id)).evidence.find(({ what }) => what === 'adopted')?.witness).toBe(
      'outgoingAPIMessageReceived',
    );
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is found by a notification that came before the loss of the response was recorded', async () => {
    await anIdleWorld();
    await world.fault({ kind: 'lose-answer', accepted: true, ms: 100 });
    const sending = world.send(TEXT);
    await expect.poll(() => world.delivered(TEXT)).toBe(1);
    await world.pass(SECOND_MS);
    const { id, state } = await sending;

    expect(state).toBe('unknown');
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found in the journal when notifications are off', async () => {
    await anIdleWorld(NO_NOTICES);
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.pass(SECOND_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({ what: 'adopted', witness: 'lastOutgoingMessages' });
  });

  test('is found through a receipt with an unknown id', async () => {
    await anIdleWorld({ outgoingAPIMessageWebhook: 'no' });
    await world.control('POST', 'faults', { method: 'lastOutgoingMessages', kind: 'status', status: 403, times: 9 });
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.pass(SECOND_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
    expect((await world.view(id)).evidence.find(({ what }) => what === 'adopted')?.witness).toBe('getMessage');
  });

  test('stays unknown for an hour while the journal cannot be read', async () => {
    await anIdleWorld(NO_NOTICES);
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    await world.control('POST', 'faults', { method: 'lastOutgoingMessages', kind: 'status', status: 429 });

    expect(await world.reconcile(id)).toContain('nothing_precedes');
    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
  });

  test('becomes unresolved when its outcome stays unknown, until an operator decides', async () => {
    await anIdleWorld(NO_NOTICES);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const { id } = await sendAndLose(LOST_RESPONSE);

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
    await anIdleWorld({ stateWebhook: 'no' });
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    await world.control('POST', 'notifications/faults', { kind: 'delay', ms: 3_600_000, times: 9 });
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });

    await world.pass(3_600_000);

    expect((await world.view(id)).state).toBe('delivered');
  });
});

describe('a request that may arrive late', () => {
  test('is not proved absent before it has settled, and is found afterwards', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose({ kind: 'reset', accepted: true, acceptAfterMs: TIMES.settleTimeMs });

    expect(await world.reconcile(id)).toContain('too_early');
    await world.pass(RECONCILE_MS - 1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });

    await world.pass(ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });
});

describe('a lost request', () => {
  test('is proved absent by an earlier item that is still queued, and posted again', async () => {
    await aBusyWorld();
    const older = await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST);

    expect(await world.reconcile(id)).toContain('too_early');
    expect(await proveAbsent(world, id)).toMatchObject({ state: 'pending' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      what: 'absent',
      witness: 'showMessagesQueue',
      detail: { preceding: [older.idMessage] },
    });

    expect(await world.sendAgain(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is neither proved nor presumed absent after an operation of ours that may have restarted the instance', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id, instance } = await sendAndLose(LOST_REQUEST, TEXT, { onUnknown: 'auto' }).then((row) =>
      world.view(row.id),
    );
    // Requested a day ago, and run by a worker that returned after the claim.
    const operation = { id: `op_${id}`, method: 'setSettings', instance, requestHash: 'h', request: {}, nowMs: 0 };
    await ledger.operations.open(operation);
    await ledger.operations.beginOnce(operation.id);

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('instance_restarted');
  });

  test('is not proved absent after a restart of the instance', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST);
    await world.patch({ state: 'starting' });
    await world.pass(SECOND_MS);
    await world.patch({ state: 'authorized' });

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('instance_restarted');
  });

  test('is proved absent although a message of another tool to another chat is behind, and is posted once', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST);
    await fromAnotherTool('15557654321@c.us');

    expect(await proveAbsent(world, id)).toMatchObject({ state: 'pending' });
    expect(await world.sendAgain(id)).toMatchObject({ state: 'accepted' });
    await world.pass(2 * ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is not proved absent when an older listing was as long, which may have been truncated', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST);

    await world.pass(SETTLED_MS);
    expect(await world.reconcile(id)).toContain('listing_incomplete');
  });

  test('is unresolved with an idle queue, and posted once when an operator states that it was not sent', async () => {
    await anIdleWorld();
    const { id } = await sendAndLose(LOST_REQUEST);
    await expect(ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, 0)).rejects.toThrow(
      /may still accept its request/,
    );
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });

    const later = Date.parse('2026-03-02T00:00:00Z');
    expect(await ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, later)).toMatchObject(
      { state: 'pending' },
    );
    expect(await ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, later)).toMatchObject(
      { state: 'pending' },
    );
    expect(await world.sendAgain(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);
    expect(world.delivered(TEXT)).toBe(1);
    await expect(
      ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'loopback' }, later),
    ).rejects.toMatchObject({
      code: 'RESOLVE_NOT_POSSIBLE',
    });
  });

  test('is not posted again when its message was cancelled meanwhile', async () => {
    await aBusyWorld();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST);
    await ledger.messages.cancel(id, 'request', 0);

    expect(await proveAbsent(world, id)).toMatchObject({ state: 'cancelled' });
  });
});

describe('a message with permission to be sent again on presumption', () => {
  test("is sent again when a later message has left and the day's notifications are complete, and the evidence says so", async () => {
    await anIdleWorld({ delaySendMessagesMilliseconds: 500 });
    for (let sent = 0; sent < LEAST_NOTIFIED; sent += 1) await world.send(`message ${sent}`);
    await world.pass(LEAST_NOTIFIED * SECOND_MS);
    const { id } = await sendAndLose(LOST_REQUEST, TEXT, { onUnknown: 'auto' });
    await world.pass(SETTLED_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');

    await world.send('a later message');
    await world.pass(2 * RETRY_INTERVAL_MS + 3 * SECOND_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.pass(RESTART_WAIT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'pending' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({ what: 'presumed_absent', witness: 'presumed' });

    await world.sendAgain(id);
    await world.pass(SECOND_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('RECONCILE-5 is not sent again when its own notification comes before the resend', async () => {
    await anIdleWorld({ delaySendMessagesMilliseconds: 500, outgoingWebhook: 'no' });
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    for (let sent = 0; sent < LEAST_NOTIFIED; sent += 1) await world.send(`message ${sent}`);
    await world.pass(LEAST_NOTIFIED * SECOND_MS);
    const tenMinutesLate = { typeWebhook: 'outgoingAPIMessageReceived', kind: 'delay', ms: 600 * SECOND_MS };
    await world.control('POST', 'notifications/faults', tenMinutesLate);
    const { id } = await sendAndLose(LOST_RESPONSE, TEXT, { onUnknown: 'auto' });
    await world.pass(SETTLED_MS);
    await world.send('a later message');
    await world.pass(2 * RETRY_INTERVAL_MS + 3 * SECOND_MS);
    await world.reconcile(id);
    await world.pass(RESTART_WAIT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'pending' });

    await world.pass(600 * SECOND_MS);
    expect(await world.view(id)).toMatchObject({ state: 'accepted', attempts: [{ outcome: 'accepted' }] });
    expect(await world.story(id)).toEqual(['claimed', 'unknown', 'presumed_absent', 'adopted']);
    await world.sendAgain(id);
    await world.pass(SECOND_MS);
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is not sent again on a day with few notifications, and the evidence says so', async () => {
    await anIdleWorld({ delaySendMessagesMilliseconds: 500 });
    const { id } = await sendAndLose(LOST_REQUEST, TEXT, { onUnknown: 'auto' });
    await world.pass(SETTLED_MS);
    await world.send('a later message');
    await world.pass(2 * RETRY_INTERVAL_MS + 3 * SECOND_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.pass(SUCCESSOR_PATIENCE_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'nothing_precedes' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      detail: { why: 'nothing_precedes', notPresumed: 'notifications_incomplete' },
    });
  });

  test('is not sent again without that permission', async () => {
    await anIdleWorld({ delaySendMessagesMilliseconds: 500 });
    const { id } = await sendAndLose(LOST_REQUEST);
    await world.pass(RECONCILE_MS);
    await world.send('a later message');
    await world.pass(SECOND_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
  });

  test('is not sent again when the instance was not authorized all the time', async () => {
    await anIdleWorld({ delaySendMessagesMilliseconds: 500 });
    const { id } = await sendAndLose(LOST_REQUEST, TEXT, { onUnknown: 'auto' });
    await world.patch({ state: 'sleepMode' });
    await world.patch({ state: 'authorized' });
    await world.pass(RECONCILE_MS);
    await world.send('a later message');
    await world.pass(SECOND_MS);
    expect(await world.reconcile(id)).toContain('nothing_precedes');
  });
});

describe('identical messages', () => {
  test('wait while one of them is unresolved', async () => {
    await anIdleWorld(NO_NOTICES);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const first = await sendAndLose(LOST_REQUEST);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(first.id)).toMatchObject({ state: 'unresolved' });

    expect(await world.send(TEXT)).toMatchObject({ state: 'pending' });
    expect(world.delivered(TEXT)).toBe(0);
  });
});

describe('the witnesses', () => {
  test('serve all waiting messages with one reading of the queue', async () => {
    await aBusyWorld();
    await world.patch({ state: 'notAuthorized' });
    const rows: MessageSnapshot[] = [];
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six'])
      rows.push(await sendAndLose(LOST_RESPONSE, text));
    // Slow enough for all other messages to ask while the first reading is under way.
    await world.fault({ method: 'showMessagesQueue', kind: 'late-answer', ms: 1_000 });

    const found = await Promise.all(rows.map(({ id }) => world.reconcile(id)));

    expect(found.map((row) => typeof row !== 'string' && row.state)).toEqual(rows.map(() => 'accepted'));
    const readings = world.simulator.requests().filter(({ method }) => method === 'showMessagesQueue');
    expect(readings.length).toBeLessThanOrEqual(2);
  });

  test('are asked again when a queue cannot be read now, and not when it can never be read', async () => {
    await anIdleWorld();
    const { id } = await sendAndLose(LOST_REQUEST);
    await world.pass(RECONCILE_MS);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 503 });
    expect(await world.reconcile(id)).toContain('no_reading');

    await world.pass(WITNESS_PATIENCE_MS);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 503 });
    expect(await world.reconcile(id)).toContain('no_reading');
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 404 });
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'no_reading' });
  });

  test.each([
    ['403', 403, 'GATEWAY_UNAUTHORIZED'],
    ['466', 466, 'GATEWAY_PLAN_LIMIT'],
    ['503', 503, 'GATEWAY_OUTCOME_UNKNOWN'],
    ['429', 429, 'GATEWAY_BUSY'],
  ])('keep a message unknown for an hour at most when the queue always answers %s', async (_, status, code) => {
    await anIdleWorld();
    const { id } = await sendAndLose(LOST_REQUEST);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status, times: 9 });
    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS - 1);
    expect(await world.reconcile(id)).toContain('no_reading');
    await world.pass(1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'no_reading' });

    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      what: 'unresolved',
      detail: {
        why: 'no_reading',
        unavailable: [{ witness: 'showMessagesQueue', code, httpStatus: status }],
      },
    });
  });

  test.each([403, 466, 502])(
    'keep a message unknown for an hour at most when the journal always answers %d',
    async (status) => {
      await anIdleWorld(NO_NOTICES);
      const { id } = await sendAndLose(LOST_RESPONSE);
      await world.fault({ method: 'lastOutgoingMessages', kind: 'status', status, times: 9 });
      await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS - 1);
      expect(await world.reconcile(id)).toMatch(/nothing_precedes.*2026-03-01T11:00:09/);
      await world.pass(1);
      expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'nothing_precedes' });

      expect((await world.view(id)).evidence.at(-1)).toMatchObject({
        detail: { unavailable: [{ witness: 'lastOutgoingMessages', httpStatus: status }] },
      });
    },
  );

  test('keep a message unknown for an hour at most when another sender’s item waits behind it', async () => {
    await aBusyWorld();
    await world.patch({ state: 'sleepMode' });
    const { id } = await sendAndLose(LOST_REQUEST);
    await fromAnotherTool(ALICE);

    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS - 1);
    expect(await world.reconcile(id)).toContain('unaccounted_item_in_queue');
    await world.pass(1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'unaccounted_item_in_queue' });
  });

  test('end a poll in time when they never answer, so that the message is unresolved', async () => {
    await anIdleWorld();
    const { id } = await sendAndLose(LOST_REQUEST);
    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS);

    expect(await world.reconcileWithDeafWitnesses(id)).toMatchObject({ state: 'unresolved', reason: 'no_reading' });

    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      detail: {
        unavailable: [
          { witness: 'showMessagesQueue', code: 'GATEWAY_OUTCOME_UNKNOWN' },
          { witness: 'lastOutgoingMessages', code: 'GATEWAY_OUTCOME_UNKNOWN' },
        ],
      },
    });
  });

  test('agree with a response that comes after an adoption', async () => {
    await aBusyWorld();
    const { id } = await sendAndLose(LOST_RESPONSE);
    const adopted = await world.reconcile(id);
    const { attempts } = await world.view(id);
    const idMessage = typeof adopted === 'string' ? '' : (adopted.idMessage ?? '');

    await ledger.messages.recordOutcome(
      attempts[0]!.token,
      { kind: 'accepted', idMessage, httpStatus: 200 },
      Date.now(),
    );

    expect(await world.view(id)).toMatchObject({ state: 'accepted', idMessage });
    expect(await world.story(id)).toEqual(['claimed', 'unknown', 'adopted', 'accepted']);
  });

  test('are overruled by a response with another id than the adopted one', async () => {
    await aBusyWorld();
    const { id } = await sendAndLose(LOST_RESPONSE);
    await world.reconcile(id);
    const { attempts } = await world.view(id);

    await ledger.messages.recordOutcome(
      attempts[0]!.token,
      { kind: 'accepted', idMessage: 'OURS', httpStatus: 200 },
      Date.now(),
    );

    expect(await world.view(id)).toMatchObject({ state: 'accepted', idMessage: 'OURS' });
    expect(await world.story(id)).toContain('adopted_another');
  });
});
