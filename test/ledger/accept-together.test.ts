import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NOW, SECOND, useCast, type Cast } from './cast.js';

const cast = useCast();

async function claimedMany(messages: Cast, count: number): Promise<{ id: string; token: string; idMessage: string }[]> {
  const all = [];
  for (let at = 0; at < count; at += 1) {
    const id = await messages.pending();
    const { token } = await messages.claimed(id);
    all.push({ id, token, idMessage: `G-${randomUUID()}` });
  }
  return all;
}

describe('outcomes that come together', () => {
  it('are each what they would be alone', async () => {
    const messages = cast();
    const [alone, ...together] = await claimedMany(messages, 8);
    if (alone === undefined) throw new Error('nothing was claimed');
    const before = await messages.accept(alone.token, alone.idMessage, NOW + SECOND);

    const snapshots = await Promise.all(
      together.map(({ token, idMessage }) => messages.accept(token, idMessage, NOW + SECOND)),
    );

    for (const [at, { id, token, idMessage }] of together.entries()) {
      expect(snapshots[at]).toEqual({ ...before, id, idMessage });
      const view = await messages.view(id as never);
      expect(view.attempts).toMatchObject([{ token, outcome: 'accepted', idMessage, httpStatus: 200 }]);
      expect(view.evidence.map(({ witness, what, detail }) => ({ witness, what, detail })).at(-1)).toEqual({
        witness: 'response',
        what: 'accepted',
        detail: { attempt: token, idMessage, httpStatus: 200 },
      });
    }
  });

  it('do not keep each other from being written: one id for two, a receipt that waits, a row that is unknown', async () => {
    const messages = cast();
    const [first, same, early, late, plain] = await claimedMany(messages, 5);
    if (!first || !same || !early || !late || !plain) throw new Error('nothing was claimed');
    await messages.receive(early.idMessage, 'sent');
    await messages.ledger.messages.reconcileAbandoned(late.id as never, NOW + 60 * SECOND);

    const [one, other, received, unknown, ordinary] = await Promise.all([
      messages.accept(first.token, first.idMessage),
      messages.accept(same.token, first.idMessage),
      messages.accept(early.token, early.idMessage),
      messages.accept(late.token, late.idMessage),
      messages.accept(plain.token, plain.idMessage),
    ]);

    expect([one.state, other.state].toSorted()).toEqual(['accepted', 'sending']);
    expect(received.state).toBe('sent');
    expect(unknown.state).toBe('accepted');
    expect(ordinary.state).toBe('accepted');
  });
});
