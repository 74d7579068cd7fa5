/** The ledger does not wait for Temporal: what is applied while Temporal hangs. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyLateEvidence } from '../../src/activities/index.js';
import type { MessageId } from '../../src/contract/index.js';
import { onAuthorizedWith } from '../../src/starter/index.js';
import { createIncoming, type Receiver } from '../../src/webhooks/index.js';
import { bytes, useOwnWorld } from './world.js';

const the = useOwnWorld();
afterEach(() => the.close());

/** Composed as for the API and the worker, while every request to Temporal hangs. */
function aReceiver(): Receiver {
  const { ledger, instances } = the;
  const clock = { nowMs: () => the.nowMs };
  const log = () => undefined;
  const onAuthorized = onAuthorizedWith({
    ledger,
    instances,
    clock,
    wake: () => new Promise(() => undefined),
  });
  return the.receiver({
    incoming: createIncoming({ ledger, instances, clock, log }),
    onAuthorized,
    lateEvidence: (...told) => applyLateEvidence({ ledger, clock }, ...told),
  });
}

/** Stores a notification as the gateway sends it, without any other wait. */
const comes = (receiver: Receiver, body: object) => receiver.receive(the.instance, 'Bearer old-token', bytes(body));

const says = (chatId: string, textMessage: string) =>
  the.notification('incomingMessageReceived', {
    idMessage: randomUUID(),
    senderData: { chatId, sender: chatId },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage } },
  });

async function pending(chatId: string): Promise<MessageId> {
  const id = `msg_${randomUUID()}` as MessageId;
  const { instance, nowMs } = the;
  const request = { instance, chatId, category: 'marketing', content: { kind: 'text', text: id } } as const;
  await the.ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + 3_600_000, nowMs });
  return id;
}

async function untilApplied(): Promise<void> {
  await expect.poll(async () => (await the.summary()).waiting).toBe(0);
}

/** Proves RECEIPT-1. */
describe('while Temporal is away', () => {
  it('a STOP suppresses its sender, whose messages are not claimed any more', async () => {
    const receiver = aReceiver();
    await the.accepted('A');
    const recipient = '15550000002@c.us';
    const message = await pending(recipient);

    await comes(receiver, the.status('A', 'sent'));
    await comes(receiver, says(recipient, 'STOP'));
    await untilApplied();

    expect(await the.claim(message)).toBeUndefined();
    expect(await the.state(message)).toBe('suppressed');
  });

  it('a yellow card pauses its instance', async () => {
    const receiver = aReceiver();
    await the.accepted('A');
    const message = await pending('15550000002@c.us');

    await comes(receiver, the.status('A', 'sent'));
    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'yellowCard' }));
    await untilApplied();

    expect(await the.claim(message)).toBeUndefined();
    expect((await the.ledger.views.message(message, Date.now()))?.waiting).toMatchObject({ code: 'INSTANCE_PAUSED' });
  });

  it('the state of an authorized instance is recorded, though its dispatcher cannot be woken', async () => {
    const receiver = aReceiver();
    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'notAuthorized' }));
    await untilApplied();
    the.nowMs += 1_000;

    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'authorized' }));
    await untilApplied();

    expect(await the.ledger.instanceStates.current(the.instance)).toMatchObject({ state: 'authorized' });
  });

  it('receipts of every kind move their messages', async () => {
    const receiver = aReceiver();
    const ids = [await the.accepted('A'), await the.accepted('B'), await the.accepted('C')];

    await comes(receiver, the.status('A', 'delivered'));
    await comes(receiver, the.status('B', 'failed', { description: 'no' }));
    await comes(receiver, the.status('C', 'yellowCard'));
    await untilApplied();

    expect(await Promise.all(ids.map((id) => the.state(id)))).toEqual(['delivered', 'failed', 'accepted']);
    expect(await the.summary()).toMatchObject({ failed: 0 });
  });

  it('many notifications are applied in as few steps as with Temporal', async () => {
    await the.accepted('A');
    const statuses = [...Array(60).keys()].map((at) => the.status('A', 'sent', {}, at));
    await Promise.all(statuses.map((status) => the.ledger.receipts.store(the.instance, status, the.nowMs)));
    const read = vi.spyOn(the.ledger.receipts, 'unapplied');
    onTestFinished(() => read.mockRestore());

    aReceiver();
    await untilApplied();

    // One batch, and one poll that finds nothing; more would be retries.
    expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('a replay continues to its end', async () => {
    const receiver = aReceiver();
    await the.accepted('A');
    await comes(receiver, the.status('A', 'sent'));
    await untilApplied();

    const replay = { id: randomUUID(), instance: the.instance, sinceMs: 0 };
    await the.ledger.replays.begin(replay, the.nowMs);
    receiver.wake();

    await expect
      .poll(() => the.ledger.replays.view(replay.id))
      .toMatchObject({ done: 1, endedAt: expect.any(String) as string });
  });
});
