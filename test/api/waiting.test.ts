import { describe, expect, it, vi } from 'vitest';
import { MESSAGE_STATES, MILESTONES, hasReached } from '../../src/contract/index.js';
import { createChangeBell, createSharedReadings, createWaiting, waitUntil } from '../../src/api/waiting.js';
import { MAX_WAITING, createKeyLimits } from '../../src/api/key-limits.js';

describe('waiting until a row has changed', () => {
  it('polls again when the bell rings for it, and for no other ring', async () => {
    const bell = createChangeBell();
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

  const row = { id: 'a', read: () => Promise.resolve('as it is'), isDone: () => false, timeoutMs: 60_000 };
  const { signal } = new AbortController();

  it('finds a change without a ring, since other processes write too', async () => {
    const read = vi.fn<() => Promise<number>>().mockResolvedValueOnce(0).mockResolvedValue(1);

    const wait = { ...row, read, isDone: (seen: number) => seen === 1, signal };
    expect(await waitUntil(createChangeBell(), wait)).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('returns the current row when the time is over', async () => {
    expect(await waitUntil(createChangeBell(), { ...row, timeoutMs: 1, signal })).toBe('as it is');
  });

  it('ends at once when no caller waits any more', async () => {
    const gone = new AbortController();
    const waiting = waitUntil(createChangeBell(), { ...row, signal: gone.signal });
    gone.abort();

    expect(await waiting).toBe('as it is');
  });
});

describe('a milestone', () => {
  it('is reached by every later state', () => {
    const reached = Object.fromEntries(
      MILESTONES.map((milestone) => [milestone, MESSAGE_STATES.filter((state) => hasReached(state, milestone))]),
    );
    const ends = ['rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed', 'held_out'];

    expect(reached).toEqual({
      accepted: ['accepted', 'sent', 'delivered', 'read', ...ends],
      sent: ['sent', 'delivered', 'read', ...ends],
      delivered: ['delivered', 'read', ...ends],
      read: ['read', ...ends],
      end: ['delivered', 'read', ...ends],
    });
  });
});

function aContext() {
  const headers = new Map<string, string>();
  const header = (name: string, value: string) => void headers.set(name, value);
  return { headers, c: { req: { raw: new Request('http://127.0.0.1/') }, get: () => undefined, header } as never };
}
const fakeContext = () => aContext().c;
const noLimits = createKeyLimits({ reserve: () => Promise.reject(new Error('no key is used')) });

describe('a thousand requests that wait for one message', () => {
  it('cost one reading for a change, not a thousand', async () => {
    const bell = createChangeBell();
    const waiting = createWaiting(bell, new AbortController().signal, noLimits);
    let state = 'accepted';
    const readings: string[] = [];
    const wait = {
      id: 'msg_1',
      reads: 'state',
      read: () => {
        readings.push(state);
        return Promise.resolve(state);
      },
      isDone: (seen: string) => seen === 'sent',
      timeoutMs: 60_000,
    };
    const responses = Array.from({ length: 1_000 }, () => waiting.until(fakeContext(), wait));
    await expect.poll(() => readings.length).toBeGreaterThan(0);

    state = 'sent';
    bell.ring('msg_1');
    expect(new Set(await Promise.all(responses))).toEqual(new Set(['sent']));
    expect(readings.filter((seen) => seen === 'sent')).toHaveLength(1);
  });

  it('all fail when the reading fails', async () => {
    const share = createSharedReadings();
    const failing = Array.from({ length: 3 }, () => share('a', () => Promise.reject(new Error('away'))));

    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describe('waiting requests', () => {
  it('are limited in number: the work of further ones is done without a wait, and they learn when to retry', async () => {
    const waiting = createWaiting(createChangeBell(), new AbortController().signal, noLimits);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const held = Array.from({ length: MAX_WAITING }, () => waiting.held(fakeContext(), 1_000, () => gate));
    const waitOf = async (c: never, timeoutMs: number) =>
      waiting.held(c, timeoutMs, (wait) => Promise.resolve(wait.timeoutMs));

    const { c, headers } = aContext();
    expect(await waitOf(c, 1_000)).toBe(0);
    expect([...headers]).toEqual([['Retry-After', '2']]);
    const unasked = aContext();
    expect(await waitOf(unasked.c, 0)).toBe(0);
    expect([...unasked.headers]).toEqual([]);

    release();
    await Promise.all(held);
    const free = aContext();
    expect(await waitOf(free.c, 1_000)).toBe(1_000);
    expect([...free.headers]).toEqual([]);
  });
});
