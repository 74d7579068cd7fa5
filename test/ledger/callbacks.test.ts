import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { MINUTE, NOW, SECOND, useCast, type Cast } from './cast.js';

const URL = 'https://example.com/hook';
const LATER = Date.now() + 60 * MINUTE;

const theCast = useCast();
let the: Cast;
beforeEach(() => {
  the = theCast();
});

async function callbacksOf(id: MessageId): Promise<string[]> {
  return ((await the.view(id)).callbacks ?? []).map(({ state }) => state);
}

function claim(perOrigin = 100, besides: readonly string[] = []) {
  return the.ledger.callbacks.claim({ nowMs: LATER, leaseMs: MINUTE, perOrigin, besides });
}

describe('what a callback is to be told', () => {
  it.each<[string, readonly string[], (id: MessageId) => Promise<unknown>]>([
    ['a cancellation', ['cancelled'], (id) => the.ledger.messages.cancel(id, 'test', NOW)],
    ['a refusal', ['rejected'], (id) => the.ledger.messages.reject(id, { reason: 'no' }, NOW)],
    ['its end by time', ['expired'], (id) => the.ledger.messages.expire(id, NOW + 61 * MINUTE)],
    ['an attempt too late', ['expired'], (id) => the.claim(id, NOW + 61 * MINUTE)],
    [
      'an attempt that is abandoned, and an operator who settles it',
      ['sending', 'unknown', 'pending'],
      async (id) => {
        await the.claim(id);
        await the.takeOver(id, NOW + 60 * SECOND);
        await the.ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, NOW + 60 * SECOND);
      },
    ],
    [
      'a question that nothing answers',
      ['sending', 'unknown', 'unresolved'],
      async (id) => {
        await the.claim(id);
        await the.takeOver(id, NOW + 60 * SECOND);
        const question = await the.ledger.reconciling.question(id);
        if (question !== undefined)
          await the.ledger.reconciling.markUnresolved(question, 'no one knows', NOW + 60 * SECOND);
      },
    ],
    [
      'receipts that came together',
      ['sending', 'accepted', 'delivered'],
      async (id) => {
        const idMessage = `of ${id}`;
        await the.accept((await the.claimed(id)).token, idMessage);
        const receipts = (['sent', 'delivered'] as const).map((status, at) => ({
          id: String(at),
          instance: the.instance,
          receipt: { kind: 'status', idMessage, status, atMs: NOW } as const,
        }));
        await the.ledger.receipts.applyTogether(receipts, NOW);
      },
    ],
  ])('follows from %s', async (_, states, change) => {
    const id = await the.pending({ statusCallback: URL });

    await change(id);

    expect(await callbacksOf(id)).toEqual(states);
  });

  it('is nothing where nothing changes, and where no one asked for it', async () => {
    const silent = await the.accepted('A1');
    const id = await the.accepted('A2', { statusCallback: URL });

    await the.receive('A2', 'sent');
    await the.receive('A2', 'sent');
    await the.receive('A2', 'failed');
    await the.receive('A2', 'no_account');

    expect(await callbacksOf(id)).toEqual(['sending', 'accepted', 'sent', 'failed']);
    expect((await the.view(silent)).callbacks).toBeUndefined();
  });

  it('carries our own time, so that a later state never has an earlier time', async () => {
    const id = await the.accepted('A3', { statusCallback: URL });

    await the.receive('A3', 'sent', { atMs: NOW + 5 * SECOND, nowMs: NOW + 9 * SECOND });

    expect((await the.view(id)).callbacks?.at(-1)?.at).toBe('2026-03-01T10:00:09.000Z');
  });

  it.each(['HTTPS://EXAMPLE.COM/hook', 'no URL at all', ''])(
    'never stands in the way of a change (%j)',
    async (url) => {
      const id = await the.pending({ statusCallback: url });

      await the.claim(id);

      expect(await callbacksOf(id)).toEqual(['sending']);
    },
  );
});

describe('callbacks that are due', () => {
  it('are given out once, and of one message only the earliest', async () => {
    const origin = `https://${the.instance}.example`;
    const ids = [
      await the.accepted('B1', { statusCallback: `${origin}/a` }),
      await the.accepted('B2', { statusCallback: `${origin}/b` }),
    ];

    const claimed = [...(await claim()), ...(await claim())].filter((one) => one.origin === origin);

    expect(claimed.map(({ messageId, state }) => [messageId, state])).toEqual(ids.map((id) => [id, 'sending']));
  });

  it('are so many of one origin and none of one that is busy', async () => {
    const origin = `https://${the.instance}.example`;
    for (const path of ['a', 'b', 'c']) {
      await the.pending({ statusCallback: `${origin}/${path}` }).then((id) => the.claim(id));
    }

    expect((await claim(2, [origin])).filter((one) => one.origin === origin)).toHaveLength(0);
    expect((await claim(2)).filter((one) => one.origin === origin)).toHaveLength(2);
    expect((await claim(2)).filter((one) => one.origin === origin)).toHaveLength(1);
  });

  it('are forgotten some time after they ended', async () => {
    const id = await the.accepted('B3', { statusCallback: URL });
    for (const { sequence, messageId } of await claim()) {
      if (messageId === id) await the.ledger.callbacks.delivered(sequence, NOW);
    }

    await the.ledger.callbacks.forget(NOW);
    expect(await callbacksOf(id)).toEqual(['sending', 'accepted']);
    await the.ledger.callbacks.forget(NOW + 1);
    expect(await callbacksOf(id)).toEqual(['accepted']);
  });
});
