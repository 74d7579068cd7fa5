/** Clearing a queue, and rebooting, against the simulator: CLEAR-1, CLEAR-2, CLEAR-6. */
import { expect, describe, it } from 'vitest';
import { clearQueue, settleLost } from '../../src/activities/clear-queue.js';
import { operationActivity } from '../../src/activities/operation-activities.js';
import { type MessageId, type OperationName } from '../../src/contract/index.js';
import type { OperationView } from '../../src/ledger/index.js';
import { CHAT, MINUTE, SECOND, useOwnCast } from '../ledger/cast.js';
import { editDependencies, useGatewayScene } from './gateway-scene.js';

const c = useOwnCast();
const the = useGatewayScene(() => c.instance, 300);
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 300, settleTimeMs: 2_000, editConfirmTimeoutMs: 20_000 };
const woken: string[] = [];

function deps() {
  return { ...editDependencies(the, c.ledger, TIMES), wake: (instance: string) => void woken.push(instance) };
}

async function anOrder(method: OperationName = 'clearMessagesQueue'): Promise<OperationView> {
  const id = `op_${c.instance}_${method}`;
  return c.ledger.operations.open({
    id,
    method,
    instance: c.instance,
    requestHash: 'h',
    request: {},
    nowMs: the.nowMs,
  });
}

/** Messages in the simulator's queue, which releases one every ten minutes: the first of them leaves at once. */
async function queued(count: number): Promise<MessageId[]> {
  await the.gateway.call(c.instance, 'setSettings', { delaySendMessagesMilliseconds: 600_000 });
  const ids: MessageId[] = [];
  for (let one = 0; one <= count; one += 1) {
    const { id, token } = await c.posting();
    const { response } = await the.gateway.call(c.instance, 'sendMessage', { chatId: CHAT, message: `text ${one}` });
    await c.accept(token, response.idMessage);
    if (one === 0) await c.receive(response.idMessage, 'sent');
    else ids.push(id);
  }
  return ids;
}

const states = (ids: readonly MessageId[]) => Promise.all(ids.map((id) => c.state(id)));
const fault = (more: object) => the.control('faults', { method: 'clearMessagesQueue', times: 1, ...more });
const run = async () => clearQueue(deps(), await anOrder());

describe('a queue', () => {
  it('is cleared once, and what it held is cancelled or in doubt', async () => {
    const ids = await queued(3);
    expect(await run()).toMatchObject({ state: 'done', result: { isCleared: true } });
    expect(the.posts('clearMessagesQueue')).toBe(1);
    expect((await the.gateway.call(c.instance, 'showMessagesQueue', {})).response).toEqual([]);
    expect(await states(ids)).toEqual(['unresolved', 'cancelled', 'cancelled']);
    expect(woken).toContain(c.instance);
    const activity = operationActivity(deps(), 'clearMessagesQueue');
    expect(await activity({ operationId: (await anOrder()).id })).toMatchObject({ state: 'done' });
    expect(the.posts('clearMessagesQueue')).toBe(1);
  });

  it('is not cleared while a POST is under way', async () => {
    const { token } = await c.posting();
    await expect(run()).rejects.toMatchObject({ code: 'POSTS_UNDER_WAY', retryAfterMs: SECOND });
    expect(the.posts('clearMessagesQueue')).toBe(0);
    await c.record(token, { kind: 'unknown', code: 'LOST' });
    expect(await run()).toMatchObject({ state: 'done' });
  });

  it('is cleared by the next try if the request surely did not arrive', async () => {
    const ids = await queued(2);
    await fault({ kind: 'status', status: 429 });
    await expect(run()).rejects.toMatchObject({ code: 'GATEWAY_BUSY' });
    expect(await states(ids)).toEqual(['accepted', 'accepted']);
    expect(await c.claim(await c.pending())).toBeDefined();
  });

  it('keeps its messages if the gateway refuses', async () => {
    const ids = await queued(2);
    await fault({ kind: 'status', status: 200, body: { isCleared: false } });
    await expect(run()).rejects.toMatchObject({ code: 'GATEWAY_REJECTED' });
    expect(await anOrder()).toMatchObject({ state: 'failed', code: 'GATEWAY_REJECTED' });
    expect(await states(ids)).toEqual(['accepted', 'accepted']);
  });

  it.each([true, false])('is read once a lost request is settled: accepted %s', async (accepted) => {
    const ids = await queued(3);
    await fault({ kind: 'lose-answer', accepted });
    await expect(run()).rejects.toMatchObject({ code: 'POSTS_UNDER_WAY' });
    const order = await anOrder();
    expect(order.state).toBe('sending');
    await expect(clearQueue(deps(), order)).rejects.toMatchObject({ code: 'POSTS_UNDER_WAY' });
    the.nowMs += MINUTE;
    expect(await clearQueue(deps(), order)).toMatchObject({ state: 'may_have_happened' });
    expect(await states(ids)).toEqual(Array.from(ids, () => (accepted ? 'unresolved' : 'accepted')));
    expect(the.posts('clearMessagesQueue')).toBe(1);
  });

  it('has its effect recorded although the activity ended before it (CLEAR-6)', async () => {
    const ids = await queued(2);
    const settle = { ...c.ledger.queueClears, settle: () => Promise.reject(new Error('killed')) };
    const killed = { ...c.ledger, queueClears: Object.setPrototypeOf(settle, c.ledger.queueClears) as never };
    await expect(clearQueue({ ...deps(), ledger: killed }, await anOrder())).rejects.toThrow('killed');
    expect(await c.ledger.queueClears.lost(the.nowMs)).not.toContainEqual({
      id: (await anOrder()).id,
      instance: c.instance,
    });
    the.nowMs += MINUTE;
    const [lost] = (await c.ledger.queueClears.lost(the.nowMs)).filter(({ instance }) => instance === c.instance);
    expect(await settleLost(deps(), lost!, 'OPERATION_MAY_HAVE_HAPPENED')).toMatchObject({
      state: 'may_have_happened',
    });
    expect(await states(ids)).toEqual(['unresolved', 'unresolved']);
  });
});

describe('a message in doubt', () => {
  it('is sent after all if the journal shows it', async () => {
    const [id] = await queued(1);
    // It leaves when the interval has passed, and its notification is lost.
    const order = await anOrder();
    const { instance } = c;
    await c.ledger.queueClears.stopPosts(order.id, instance, the.nowMs + MINUTE);
    await c.ledger.queueClears.begin({ id: order.id, instance, untilMs: the.nowMs }, the.nowMs);
    the.nowMs += 11 * MINUTE;
    await settleLost(deps(), order, 'GATEWAY_OUTCOME_UNKNOWN');
    expect(await c.state(id!)).toMatch(/^(?:sent|delivered)$/);
  });
});

it('a reboot reads the state of the account, which is then away', async () => {
  await c.ledger.instanceStates.record({ instance: c.instance, state: 'authorized', atMs: the.nowMs - SECOND });
  const { id: operationId } = await anOrder('reboot');
  const activity = operationActivity(deps(), 'reboot');
  expect(await activity({ operationId })).toMatchObject({ state: 'done' });
  expect(await c.ledger.instanceStates.current(c.instance)).toMatchObject({ state: 'starting' });
});
