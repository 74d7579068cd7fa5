import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { useOwnWorld } from './world.js';
import { perTest } from '../support/per-test.js';

const the = useOwnWorld();
const receiver = perTest(() => the.receiver());

describe('receipts', () => {
  it.each([
    ['out of order', ['read', 'delivered', 'sent'], 'read'],
    ['doubled', ['sent', 'sent', 'delivered', 'delivered'], 'delivered'],
    ['with one missing', ['read'], 'read'],
    ['that report a failure of a delivered message', ['delivered', 'failed'], 'delivered'],
    ['that report a delivery after a failure', ['failed', 'delivered'], 'delivered'],
    ['with an empty and an unknown status among them', ['sent', '', 'pending', 'delivered'], 'delivered'],
  ])('%s leave the message in its correct state', async (_, statuses, state) => {
    const id = await the.accepted('A');

    // Two with another second are two notifications.
    await the.post(receiver, ...statuses.map((status, at) => the.status('A', status, {}, at)));

    expect(await the.state(id)).toBe(state);
  });

  it('keep the first reason of a failure', async () => {
    const id = await the.accepted('A');

    await the.post(
      receiver,
      the.status('A', 'noAccount', { description: 'the first' }),
      the.status('A', 'failed', { description: 'the second' }),
    );

    expect(await the.ledger.views.message(id, Date.now())).toMatchObject({
      state: 'no_account',
      reason: 'no_account',
      reasonText: 'the first',
    });
  });

  it('are kept for unmatched messages, and change no message of ours', async () => {
    const id = await the.accepted('A');

    await the.post(receiver, the.status('someone else’s', 'read', { sendByApi: false }));

    expect(await the.state(id)).toBe('accepted');
    expect(await the.summary()).toMatchObject({ came: 1, waiting: 0, failed: 0 });
  });
});

describe('evidence about a message that does not move it', () => {
  async function remarksOf(id: MessageId) {
    return (await the.evidence(id)).filter(({ witness }) => witness === 'receipt');
  }

  it('includes its deletion, recorded once', async () => {
    const id = await the.accepted('A');
    await the.post(receiver, the.status('A', 'sent'));
    const messageData = { typeMessage: 'deletedMessage', deletedMessageData: { stanzaId: the.idOf('A') } };
    const deletion = the.notification('outgoingMessageReceived', { idMessage: the.idOf('B'), messageData });

    await the.post(receiver, deletion, { ...deletion, idMessage: the.idOf('C') });

    expect(await the.state(id)).toBe('sent');
    expect((await remarksOf(id)).map(({ what }) => what)).toEqual(['sent', 'deleted']);
  });

  it("includes the network's suspicion of the account", async () => {
    const id = await the.accepted('A');

    await the.post(receiver, the.status('A', 'yellowCard', { description: 'why' }));

    expect(await the.state(id)).toBe('accepted');
    expect(await remarksOf(id)).toMatchObject([{ what: 'yellowCard', detail: { description: 'why' } }]);
  });

  it('waits for the id like a receipt', async () => {
    await the.post(receiver, the.status('A', 'yellowCard'));
    // The yellow card also paused the instance, which could not send the message.
    await the.post(receiver, the.notification('stateInstanceChanged', { stateInstance: 'authorized' }));
    await the.ledger.instances.resume(the.instance, 'operator', the.nowMs);

    expect(await remarksOf(await the.accepted('A'))).toMatchObject([{ what: 'yellowCard' }]);
  });
});

describe('a notification of the instance', () => {
  it('is passed on as late evidence, with its time of arrival', async () => {
    const seen: unknown[] = [];
    await receiver.close();
    const listening = the.receiver({
      lateEvidence: (_, body, receivedAtMs) => {
        seen.push([(body as { stateInstance: string }).stateInstance, receivedAtMs]);
        return Promise.resolve(undefined);
      },
    });

    await the.post(listening, the.notification('stateInstanceChanged', { stateInstance: 'notAuthorized' }));

    expect(seen).toEqual([['notAuthorized', the.nowMs]]);
  });

  it('records a used-up plan', async () => {
    const quotaData = { method: 'sendMessage', used: 3, total: 3, status: 'QUOTE_EXCEEDED' };

    await the.post(receiver, { ...the.notification('quotaExceeded', { quotaData }), timestamp: undefined });

    expect((await the.summary()).quotaExceeded).toEqual({ at: new Date(the.nowMs).toISOString(), quota: quotaData });
  });

  it.each([
    ['deviceInfo', { avatarInfo: { chatId: '1', urlAvatar: 'x' } }],
    ['incomingCall', { idMessage: 'C', from: '15550000001@c.us', status: 'offer' }],
    ['incomingBlock', { chatId: '15550000001@c.us', chatState: 'blocked' }],
    ['statusInstanceChanged', { statusInstance: 'offline' }],
  ])('is counted when it is %s', async (kind, fields) => {
    await the.post(receiver, the.notification(kind, fields));

    expect(await the.summary()).toMatchObject({ came: 1, kinds: { [kind]: 1 }, oddities: {}, waiting: 0, failed: 0 });
  });
});
