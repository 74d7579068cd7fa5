import { describe, expect, it } from 'vitest';
import { createChangeBell, MAX_WAITING, createSharedReadings, createWaiting } from '../../../src/starter/waiting.js';

const fakeContext = () => ({ req: { raw: new Request('http://127.0.0.1/') } }) as never;

describe('a thousand requests that wait for one message', () => {
  it('cost one reading for a change, not a thousand', async () => {
    const bell = createChangeBell();
    const waiting = createWaiting(bell, new AbortController().signal);
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
  it('are limited in number: further ones get retryAfterMs, and requests that do not wait are served', async () => {
    const waiting = createWaiting(createChangeBell(), new AbortController().signal);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const held = Array.from({ length: MAX_WAITING }, () => waiting.held(1_000, () => gate));

    await expect(waiting.held(1_000, () => Promise.resolve())).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
      next: 'wait',
      retryAfterMs: 2_000,
    });
    await expect(waiting.held(0, () => Promise.resolve('served'))).resolves.toBe('served');

    release();
    await Promise.all(held);
    await expect(waiting.held(1_000, () => Promise.resolve('served'))).resolves.toBe('served');
  });
});
