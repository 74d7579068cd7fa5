import { describe, expect, it, vi } from 'vitest';
import { MESSAGE_STATES, MILESTONES, hasReached } from '../../../src/contract/index.js';
import { createChangeBell, waitUntil } from '../../../src/starter/waiting.js';

describe('waiting until a row has changed', () => {
  it('polls again when the bell rings for it, and for no other ring', async () => {
    const bell = createChangeBell();
    const { signal } = new AbortController();
    const heard: string[] = [];
    const mine = bell.untilRung('mine', 60_000, signal).then(() => heard.push('mine'));
    const other = bell.untilRung('other', 60_000, signal).then(() => heard.push('other'));

    bell.ring('mine');
    await mine;
    expect(heard).toEqual(['mine']);

    bell.ring('other');
    await other;
    expect(heard).toEqual(['mine', 'other']);
  });

  it('finds a change without a ring, since other processes write too', async () => {
    const read = vi.fn<() => Promise<number>>().mockResolvedValueOnce(0).mockResolvedValue(1);

    const wait = { id: 'a', read, isDone: (seen: number) => seen === 1, timeoutMs: 10_000 };
    expect(await waitUntil(createChangeBell(), { ...wait, signal: new AbortController().signal })).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('returns the current row when the time is over', async () => {
    const wait = { id: 'a', read: () => Promise.resolve('as it is'), isDone: () => false, timeoutMs: 1 };

    expect(await waitUntil(createChangeBell(), { ...wait, signal: new AbortController().signal })).toBe('as it is');
  });

  it('ends at once when no caller waits any more', async () => {
    const gone = new AbortController();
    const waiting = waitUntil(createChangeBell(), {
      id: 'a',
      read: () => Promise.resolve('as it is'),
      isDone: () => false,
      timeoutMs: 60_000,
      signal: gone.signal,
    });
    gone.abort();

    expect(await waiting).toBe('as it is');
  });
});

describe('a milestone', () => {
  it('is reached by every later state', () => {
    const reached = Object.fromEntries(
      MILESTONES.map((milestone) => [milestone, MESSAGE_STATES.filter((state) => hasReached(state, milestone))]),
    );
    const ends = ['rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed'];

    expect(reached).toEqual({
      accepted: ['accepted', 'sent', 'delivered', 'read', ...ends],
      sent: ['sent', 'delivered', 'read', ...ends],
      delivered: ['delivered', 'read', ...ends],
      read: ['read', ...ends],
      end: ['delivered', 'read', ...ends],
    });
  });
});
