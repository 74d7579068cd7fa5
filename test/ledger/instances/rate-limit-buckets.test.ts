import { describe, expect, it } from 'vitest';
import { useCast } from '../cast.js';

const LONG_MS = 60_000;
const operation = 'sendMessage';

describe('a rate limit bucket', () => {
  const aCast = useCast();

  it('grants turns to all callers, each at a distance from the last one', async () => {
    const { ledger, instance } = aCast();
    const first = await ledger.rateLimitBuckets.reserve({
      instance,
      operation,
      turns: 3,
      spacingMs: 5_000,
      maxWaitMs: LONG_MS,
    });
    const second = await ledger.rateLimitBuckets.reserve({
      instance,
      operation,
      turns: 1,
      spacingMs: 5_000,
      maxWaitMs: LONG_MS,
    });
    expect(first).toMatchObject({ turns: 3, firstInMs: 0, blockedForMs: 0 });
    expect(second.turns).toBe(1);
    expect(second.firstInMs).toBeGreaterThan(10_000);
    expect(second.firstInMs).toBeLessThanOrEqual(15_000);
  });

  it('grants no turn that is further away than the caller would wait, and keeps it for the next caller', async () => {
    const { ledger, instance } = aCast();
    const asked = { instance, operation, spacingMs: 10_000 };
    expect(await ledger.rateLimitBuckets.reserve({ ...asked, turns: 5, maxWaitMs: 15_000 })).toMatchObject({
      turns: 2,
    });
    const refused = await ledger.rateLimitBuckets.reserve({ ...asked, turns: 1, maxWaitMs: 1_000 });
    expect(refused.turns).toBe(0);
    expect(refused.firstInMs).toBeGreaterThan(15_000);
    expect(await ledger.rateLimitBuckets.reserve({ ...asked, turns: 1, maxWaitMs: LONG_MS })).toMatchObject({
      turns: 1,
    });
  });

  it('grants concurrent requests in turn, from one bucket and from many', async () => {
    const { ledger, instance } = aCast();
    const { rateLimitBuckets } = ledger;
    const asked = { operation, turns: 1, spacingMs: 5_000, maxWaitMs: LONG_MS } as const;
    const names = [instance, `${instance}-b`, instance, `${instance}-b`, instance];
    await Promise.all(names.map((name) => rateLimitBuckets.block(name, operation, 0)));
    const granted = await Promise.all(names.map((name) => rateLimitBuckets.reserve({ ...asked, instance: name })));
    const inSeconds = granted.map(({ turns, firstInMs }) => [turns, Math.ceil(firstInMs / 5_000)]);
    expect(inSeconds).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 2],
    ]);
  });

  it('grants a free turn also to a late caller', async () => {
    const { ledger, instance } = aCast();
    const asked = { instance, operation, turns: 1, spacingMs: 1_000, maxWaitMs: -50 };
    expect(await ledger.rateLimitBuckets.reserve(asked)).toMatchObject({ turns: 1, firstInMs: 0 });
  });

  it('is blocked for every caller, and a shorter block does not end a longer one', async () => {
    const { ledger, instance } = aCast();
    await ledger.rateLimitBuckets.block(instance, operation, 30_000);
    await ledger.rateLimitBuckets.block(instance, operation, 10);
    expect(await ledger.rateLimitBuckets.blockedForMs(instance, operation)).toBeGreaterThan(20_000);
    const refused = await ledger.rateLimitBuckets.reserve({
      instance,
      operation,
      turns: 1,
      spacingMs: 1,
      maxWaitMs: 1_000,
    });
    expect(refused.turns).toBe(0);
    expect(refused.blockedForMs).toBeGreaterThan(20_000);
  });

  it('is separate for each instance and operation', async () => {
    const { ledger, instance } = aCast();
    await ledger.rateLimitBuckets.block(instance, operation, 30_000);
    expect(await ledger.rateLimitBuckets.blockedForMs(instance, 'editMessage')).toBe(0);
    expect(await ledger.rateLimitBuckets.blockedForMs(`${instance}-other`, operation)).toBe(0);
  });

  it('grants no turn twice to concurrent requests', async () => {
    const { ledger, instance } = aCast();
    const asked = { instance, operation, turns: 1, spacingMs: 1_000, maxWaitMs: LONG_MS };
    const granted = await Promise.all(Array.from({ length: 20 }, () => ledger.rateLimitBuckets.reserve(asked)));
    const turnsMs = granted.map(({ firstInMs }) => firstInMs).toSorted((a, b) => a - b);
    for (const [turn, firstInMs] of turnsMs.entries()) expect(firstInMs).toBeGreaterThan(turn * 1_000 - 900);
  });
});
