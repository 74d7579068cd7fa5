import { describe, expect, it } from 'vitest';
import type { ReserveTurns } from '../../../src/ledger/index.js';
import { useOwnCast } from '../cast.js';

const LONG_MS = 60_000;
const operation = 'sendMessage';

describe('a rate limit bucket', () => {
  const the = useOwnCast();
  const asked = { operation, turns: 1, spacingMs: 5_000, maxWaitMs: LONG_MS };
  const reserve = (over: Partial<ReserveTurns> = {}) =>
    the.ledger.rateLimitBuckets.reserve({ instance: the.instance, ...asked, ...over });
  const block = (forMs: number) => the.ledger.rateLimitBuckets.block(the.instance, operation, forMs);
  const blockedForMs = (instance: string, by = operation) => the.ledger.rateLimitBuckets.blockedForMs(instance, by);

  it('grants turns to all callers, each at a distance from the last one', async () => {
    const first = await reserve({ turns: 3 });
    const second = await reserve();
    expect(first).toMatchObject({ turns: 3, firstInMs: 0, blockedForMs: 0 });
    expect(second.turns).toBe(1);
    expect(second.firstInMs).toBeGreaterThan(10_000);
    expect(second.firstInMs).toBeLessThanOrEqual(15_000);
  });

  it('grants no turn that is further away than the caller would wait, and keeps it for the next caller', async () => {
    const spacingMs = 10_000;
    expect(await reserve({ spacingMs, turns: 5, maxWaitMs: 15_000 })).toMatchObject({ turns: 2 });
    const refused = await reserve({ spacingMs, maxWaitMs: 1_000 });
    expect(refused.turns).toBe(0);
    expect(refused.firstInMs).toBeGreaterThan(15_000);
    expect(await reserve({ spacingMs })).toMatchObject({ turns: 1 });
  });

  it('grants concurrent requests in turn, from one bucket and from many', async () => {
    const { instance, ledger } = the;
    const names = [instance, `${instance}-b`, instance, `${instance}-b`, instance];
    await Promise.all(names.map((name) => ledger.rateLimitBuckets.block(name, operation, 0)));
    const granted = await Promise.all(names.map((name) => reserve({ instance: name })));
    const inSeconds = granted.map(({ turns, firstInMs }) => `${turns} in ${Math.ceil(firstInMs / 5_000)}`);
    expect(inSeconds).toEqual(['1 in 0', '1 in 0', '1 in 1', '1 in 1', '1 in 2']);
  });

  it('grants a free turn also to a late caller', async () => {
    expect(await reserve({ spacingMs: 1_000, maxWaitMs: -50 })).toMatchObject({ turns: 1, firstInMs: 0 });
  });

  it('is blocked for every caller, and a shorter block does not end a longer one', async () => {
    await block(30_000);
    await block(10);
    expect(await blockedForMs(the.instance)).toBeGreaterThan(20_000);
    const refused = await reserve({ spacingMs: 1, maxWaitMs: 1_000 });
    expect(refused.turns).toBe(0);
    expect(refused.blockedForMs).toBeGreaterThan(20_000);
  });

  it('is separate for each instance and operation', async () => {
    await block(30_000);
    expect(await blockedForMs(the.instance, 'editMessage')).toBe(0);
    expect(await blockedForMs(`${the.instance}-other`)).toBe(0);
  });

  it('grants no turn twice to concurrent requests', async () => {
    const granted = await Promise.all(Array.from({ length: 20 }, () => reserve({ spacingMs: 1_000 })));
    const turnsMs = granted.map(({ firstInMs }) => firstInMs).toSorted((a, b) => a - b);
    for (const [turn, firstInMs] of turnsMs.entries()) expect(firstInMs).toBeGreaterThan(turn * 1_000 - 900);
  });
});
