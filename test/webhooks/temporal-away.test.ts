/** The ledger does not wait for Temporal: what is applied, and what is signalled, while Temporal hangs or refuses. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyLateEvidence } from '../../src/activities/index.js';
import { AppError, type EditId, type MessageId, type MessageSnapshot } from '../../src/contract/index.js';
import { onAuthorizedWith } from '../../src/starter/index.js';
import { createOptOuts, type Receiver, type ReceiverOptions } from '../../src/webhooks/index.js';
import { eventually } from '../support/eventually.js';
import { bytes, useOwnWorld } from './world.js';

const the = useOwnWorld();
const hanging: ((error: Error) => void)[] = [];
afterEach(async () => {
  // A receiver waits for them at its close, for two seconds.
  for (const end of hanging.splice(0)) end(away());
  await the.close();
  await the.dropSignals();
});

const away = () => new AppError('TEMPORAL_UNAVAILABLE', 'Temporal did not answer the signal.');
/** Until the end of the test. */
const hangs = () => new Promise<never>((_, reject) => hanging.push(reject));

/** How Temporal may fail. */
const AWAY: readonly [string, () => Promise<never>][] = [
  ['hangs', hangs],
  ['cannot be reached', () => Promise.reject(away())],
  ['refuses our credentials', () => Promise.reject(new AppError('TEMPORAL_SETUP_NEEDED', 'Temporal refused.'))],
  ['fails with an unexpected error', () => Promise.reject(new TypeError('a bug'))],
];

/** Composed as for the API and the worker, with Temporal as the test sets it. */
function aReceiver(temporal: () => Promise<'signalled'>, over: Partial<ReceiverOptions> = {}): Receiver {
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
    notify: temporal,
    incoming: createOptOuts({ ledger, instances, clock, log }),
    onAuthorized,
    lateEvidence: (...told) => applyLateEvidence({ ledger, clock }, ...told),
    ...over,
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
describe.each(AWAY)('while Temporal %s', (_, temporal) => {
  it('a STOP suppresses its sender, whose messages are not claimed any more', async () => {
    const receiver = aReceiver(temporal);
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
    const receiver = aReceiver(temporal);
    await the.accepted('A');
    const message = await pending('15550000002@c.us');

    await comes(receiver, the.status('A', 'sent'));
    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'yellowCard' }));
    await untilApplied();

    expect(await the.claim(message)).toBeUndefined();
    expect((await the.ledger.views.message(message, Date.now()))?.waiting).toMatchObject({ code: 'INSTANCE_PAUSED' });
  });

  it('the state of an authorized instance is recorded, though campaigns cannot be woken', async () => {
    const receiver = aReceiver(temporal);
    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'notAuthorized' }));
    await untilApplied();
    the.nowMs += 1_000;

    await comes(receiver, the.notification('stateInstanceChanged', { stateInstance: 'authorized' }));
    await untilApplied();

    expect(await the.ledger.instanceStates.current(the.instance)).toMatchObject({ state: 'authorized' });
  });

  it('receipts of every kind move their messages', async () => {
    const receiver = aReceiver(temporal);
    const ids = [await the.accepted('A'), await the.accepted('B'), await the.accepted('C')];

    await comes(receiver, the.status('A', 'delivered'));
    await comes(receiver, the.status('B', 'failed', { description: 'no' }));
    await comes(receiver, the.status('C', 'yellowCard'));
    await untilApplied();

    expect(await Promise.all(ids.map((id) => the.state(id)))).toEqual(['delivered', 'failed', 'accepted']);
    expect(await the.summary()).toMatchObject({ failed: 0, pendingSignals: 2 });
  });

  it('many notifications are applied in as few steps as with Temporal', async () => {
    await the.accepted('A');
    const statuses = [...Array(60).keys()].map((at) => the.status('A', 'sent', {}, at));
    await Promise.all(statuses.map((status) => the.ledger.receipts.store(the.instance, status, the.nowMs)));
    const read = vi.spyOn(the.ledger.receipts, 'unapplied');
    onTestFinished(() => read.mockRestore());

    aReceiver(temporal);
    await untilApplied();

    // One batch, and one poll that finds nothing; more would be retries.
    expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('a replay continues to its end', async () => {
    const receiver = aReceiver(temporal);
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

describe('a signal', () => {
  it('is sent when Temporal is back, with the current state of the message', async () => {
    const signalled: MessageSnapshot[] = [];
    let isBack = false;
    const receiver = aReceiver(() => Promise.resolve('signalled'), {
      notify: ({ snapshot }) => {
        if (!isBack) return Promise.reject(away());
        signalled.push(snapshot);
        return Promise.resolve('signalled');
      },
    });
    const id = await the.accepted('A');
    await comes(receiver, the.status('A', 'sent'));
    await comes(receiver, the.status('A', 'delivered'));
    await untilApplied();
    await expect
      .poll(() => the.logged.map(({ message }) => message))
      .toContain('Workflows could not be signalled; retried automatically');

    isBack = true;

    await expect.poll(() => signalled).toMatchObject([{ id, state: 'delivered' }]);
    await expect.poll(async () => (await the.summary()).pendingSignals).toBe(0);
  });

  it('is sent by the next process when one ended before it sent it', async () => {
    const id = await the.accepted('A');
    const ended = aReceiver(hangs);
    await comes(ended, the.status('A', 'sent'));
    await untilApplied();
    await ended.close();

    const next = the.receiver();
    await next.idle();

    expect(the.told).toMatchObject([{ id, state: 'sent' }]);
    expect(await the.summary()).toMatchObject({ pendingSignals: 0 });
  });

  it('is sent when a process ended between applying a notification and marking it applied', async () => {
    const id = await the.accepted('A');
    // A failure of a message with an edit is applied alone, and marked as applied afterwards.
    const editId = `edt_${randomUUID()}` as EditId;
    await the.ledger.edits.open({ editId, messageId: id, text: 'another text', nowMs: the.nowMs });
    await the.dropSignals();
    const markApplied = vi.spyOn(the.ledger.receipts, 'markApplied').mockRejectedValue(new Error('killed here'));
    const killed = aReceiver(() => Promise.reject(away()));
    await comes(killed, the.status('A', 'failed'));
    await eventually(async () => expect(await the.state(id)).toBe('failed'));
    await killed.close();
    markApplied.mockRestore();

    await the.receiver().idle();

    expect(the.told.at(-1)).toMatchObject({ id, state: 'failed' });
    expect(await the.summary()).toMatchObject({ waiting: 0, pendingSignals: 0 });
  });

  it('delays no other when it fails for its own reason, and is retried later', async () => {
    const [bad, good] = [await the.accepted('A'), await the.accepted('B')];
    const receiver = the.receiver({
      notify: ({ snapshot }) => {
        the.told.push(snapshot);
        return snapshot.id === bad ? Promise.reject(new TypeError('a bug')) : Promise.resolve('signalled');
      },
    });

    await the.post(receiver, the.status('A', 'sent'), the.status('B', 'sent'));
    expect(new Set(the.told.map(({ id }) => id))).toEqual(new Set([bad, good]));
    expect(await the.summary()).toMatchObject({ failed: 0, pendingSignals: 1 });
    const tries = the.told.length;

    await receiver.idle();
    expect(the.told).toHaveLength(tries);
    the.nowMs += 60_000;
    await receiver.idle();
    expect(the.told.at(-1)).toMatchObject({ id: bad });
    expect(the.told).toHaveLength(tries + 1);
  });
});
