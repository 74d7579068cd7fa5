import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../support/ledger/ledger.js';
import { MINUTE, NOW, SECOND } from '../../cast.js';
import { accepted, aChat, DispatchCast, other } from '../cast.js';

const ledger = useLedger();

const cast = (): Promise<DispatchCast> => DispatchCast.begun(ledger);

describe('typing before a message', () => {
  it('is requested once, and the message is claimed when its time has passed (TYPING-1, TYPING-2)', async () => {
    const c = await cast();
    const id = await c.take({ typing: '3s' });

    const begun = await c.tick({ typings: 1 });
    expect(begun.claimed).toEqual([]);
    expect(begun.typing).toMatchObject([{ messageId: id, typingMs: 3 * SECOND, untilMs: NOW + 3 * SECOND }]);
    // A kill at this moment leaves no unknown outcome.
    expect(await c.state(id)).toBe('pending');
    await c.begin();
    const early = await c.tick({ typings: 1, nowMs: NOW + 2_999 });
    expect([early.claimed, early.typing]).toEqual([[], []]);
    expect(early.nextDueMs).toBe(NOW + 3 * SECOND);

    const [claimed] = await c.claim({ typings: 0, nowMs: NOW + 3 * SECOND });
    expect(claimed?.messageId).toBe(id);
    // A message that was not accepted is posted again without another typing.
    const refused = other(
      claimed ?? { token: '' },
      { kind: 'not_accepted', code: 'GATEWAY_BUSY', retryAfterMs: 0 },
      NOW + 4 * SECOND,
    );
    const again = await c.tick({ typings: 1, nowMs: NOW + 4 * SECOND, outcomes: [refused] });
    expect(again.claimed.map(({ messageId }) => messageId)).toEqual([id]);
    await ledger.dispatch.recordTyping(id, { code: 'GATEWAY_REJECTED', httpStatus: 404 }, NOW + 5 * SECOND);
    const view = await ledger.messages.view(id, NOW + 5 * SECOND);
    expect(view).toMatchObject({ typing: '3s' });
    expect(view?.evidence.map(({ what }) => what)).toEqual([
      'typing_asked',
      'claimed',
      'not_accepted',
      'claimed',
      'typing_failed',
    ]);
  });

  it('delays later messages of the same chat, and no others (TYPING-3, DISPATCH-6)', async () => {
    const c = await cast();
    const chatId = aChat();
    const typed = await c.take({ typing: '3s', chatId });
    const behind = await c.take({ chatId, content: { kind: 'location', latitude: 1, longitude: 1 } });
    const elsewhere = await c.take();

    const { claimed, typing } = await c.tick({ typings: 1 });
    expect(typing.map(({ messageId }) => messageId)).toEqual([typed]);
    expect(claimed.map(({ messageId }) => messageId)).toEqual([elsewhere]);
    const urgent = await c.take({ chatId, priority: 'urgent' });
    expect(await c.claimIds({ nowMs: NOW + SECOND })).toEqual([urgent]);
    await c.write(...claimed.map((one) => accepted(one)));
    expect(await c.claimIds({ nowMs: NOW + SECOND })).toEqual([]);
    const [first] = await c.claim({ nowMs: NOW + 3 * SECOND });
    expect(first?.messageId).toBe(typed);
    await c.write(accepted(first ?? { token: '' }, NOW + 3 * SECOND));
    expect(await c.claimIds({ nowMs: NOW + 3 * SECOND })).toEqual([behind]);
  });

  it('is requested for one message at a time, and others are claimed meanwhile', async () => {
    const c = await cast();
    const [first, second] = await c.takeMany(2, { typing: '2s' });
    const plain = await c.take();

    expect((await c.tick({ typings: 1 })).typing.map(({ messageId }) => messageId)).toEqual([first]);
    const meanwhile = await c.tick({ typings: 0, nowMs: NOW + SECOND });
    expect([meanwhile.typing, await c.state(plain)]).toEqual([[], 'sending']);
    const later = await c.tick({ typings: 1, nowMs: NOW + SECOND });
    expect(later.typing.map(({ messageId }) => messageId)).toEqual([second]);
  });

  it('is skipped when the instance does not offer it, or the message would expire during it', async () => {
    const c = await cast();
    const id = await c.take({ typing: '20s' });
    expect(await c.claimIds()).toEqual([id]);
    const short = await c.take({ typing: '20s', expiresAtMs: NOW + 10 * SECOND });
    expect(await c.claimIds({ typings: 1 })).toEqual([short]);
  });

  it('is requested only for a message that could be claimed', async () => {
    const c = await cast();
    const id = await c.take({ typing: '2s', expiresAtMs: NOW + MINUTE });
    await ledger.messages.cancel(id, 'operator', NOW);
    const { claimed, typing } = await c.tick({ typings: 1 });
    expect([claimed, typing]).toEqual([[], []]);
  });
});
