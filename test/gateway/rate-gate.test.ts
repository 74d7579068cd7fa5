import { describe, expect, it } from 'vitest';
import { createRateGate } from '../../src/gateway/index.js';
import { errorOf } from './cast.js';

const LONG_MS = 60_000;

describe('the rate gate', () => {
  it('lets requests of one instance and operation pass in order and at a distance', async () => {
    const gate = createRateGate();
    const beganMs = performance.now();
    const passed: number[] = [];
    await Promise.all(
      [0, 1, 2, 3].map(async (order) => {
        await gate.acquire('main', 'editMessage', 50, LONG_MS);
        passed.push(order);
      }),
    );
    expect(passed).toEqual([0, 1, 2, 3]);
    // Timers may be late, never early: the last of four takes at least three intervals.
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(60);
  });

  it('never lets a turn come early, counted from the first', async () => {
    const gate = createRateGate();
    const beganMs = performance.now();
    for (const turn of [0, 1, 2, 3, 4]) {
      await gate.acquire('main', 'editMessage', 100, LONG_MS);
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(turn * 10);
    }
  });

  it('separates instances and operations', async () => {
    const gate = createRateGate();
    await gate.acquire('main', 'editMessage', 0.001, 0);
    await gate.acquire('other', 'editMessage', 0.001, 0);
    await gate.acquire('main', 'sendMessage', 0.001, 0);
    expect((await errorOf(gate.acquire('main', 'editMessage', 0.001, 0))).code).toBe('GATEWAY_BUSY');
  });

  it('reports the wait at once when it is longer than the caller would wait', async () => {
    const gate = createRateGate();
    await gate.acquire('main', 'editMessage', 0.01, 10);
    const error = await errorOf(gate.acquire('main', 'editMessage', 0.01, 10));
    expect(error).toMatchObject({ code: 'GATEWAY_BUSY', next: 'wait' });
    expect(error.retryAfterMs).toBeGreaterThan(10);
    expect(error.retryAfterMs).toBeLessThanOrEqual(100_000);
  });

  it('is disabled by 0, except while the gateway asked for a pause', async () => {
    const gate = createRateGate();
    for (let request = 0; request < 100; request += 1) await gate.acquire('main', 'sendMessage', 0, 0);
    gate.block('main', 'sendMessage', LONG_MS);
    expect((await errorOf(gate.acquire('main', 'sendMessage', 0, 0))).code).toBe('GATEWAY_BUSY');
  });

  it('delays even callers with a granted turn when the gateway asked for a pause', async () => {
    const gate = createRateGate();
    await gate.acquire('main', 'editMessage', 50, LONG_MS);
    const beganMs = performance.now();
    const waiting = gate.acquire('main', 'editMessage', 50, LONG_MS);
    gate.block('main', 'editMessage', 60);
    await waiting;
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(60);
  });

  it('refuses all callers when it closes', async () => {
    const gate = createRateGate();
    await gate.acquire('main', 'editMessage', 0.1, LONG_MS);
    const waiting = errorOf(gate.acquire('main', 'editMessage', 0.1, LONG_MS));
    gate.close();
    expect(await waiting).toMatchObject({ code: 'GATEWAY_UNREACHABLE', next: 'wait' });
  });
});
