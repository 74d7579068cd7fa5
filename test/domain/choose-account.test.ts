import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseAccounts,
  poolChanges,
  tailToSpread,
  type PoolAccount,
  type SendingAccount,
} from '../../src/domain/index.js';

const NOW = Date.UTC(2026, 0, 1);
const account = (instance: string, over: Partial<SendingAccount> = {}): SendingAccount => ({
  instance,
  opensAtMs: NOW,
  queued: 0,
  ahead: 0,
  others: [],
  intervalMs: 1_000,
  ...over,
});
const choose = (accounts: readonly SendingAccount[], count: number) =>
  chooseAccounts(
    accounts,
    Array.from({ length: count }, () => undefined),
    NOW,
  );
const shares = (accounts: readonly SendingAccount[], count: number) => {
  const chosen = choose(accounts, count);
  return accounts.map(({ instance }) => chosen.filter((one) => one === instance).length);
};

describe('the account of a recipient', () => {
  it('is the one that talked with him last, while the pool has it (CHOOSE-1)', () => {
    const accounts = [account('a'), account('b', { opensAtMs: Infinity })];
    expect(chooseAccounts(accounts, ['b', 'gone', 'b'], NOW)).toEqual(['b', 'a', 'b']);
  });

  it('is the one that sends soonest: by pace, queue, hours and cap (CHOOSE-2)', () => {
    expect(shares([account('a'), account('b')], 10)).toEqual([5, 5]);
    expect(shares([account('a', { intervalMs: 500 }), account('b')], 30)).toEqual([20, 10]);
    expect(shares([account('a', { ahead: 6 }), account('b')], 10)).toEqual([2, 8]);
    expect(shares([account('a', { opensAtMs: NOW + 5_000 }), account('b')], 9)).toEqual([2, 7]);
    expect(shares([account('a', { left: { messages: 3, untilMs: NOW + 3_600_000 } }), account('b')], 20)).toEqual([
      3, 17,
    ]);
  });

  it('is the one that sends soonest although others wait there: they take turns (CHOOSE-2)', () => {
    expect(shares([account('a', { others: [1_000] }), account('b')], 30)).toEqual([10, 20]);
    expect(shares([account('a', { others: [2] }), account('b')], 30)).toEqual([14, 16]);
    expect(shares([account('a', { queued: 6 }), account('b')], 10)).toEqual([2, 8]);
  });

  it('may be one whose pace is unknown: it is expected to be the usual one', () => {
    expect(shares([account('a', { intervalMs: undefined }), account('b', { intervalMs: 500 })], 27)).toEqual([14, 13]);
  });

  it('is the one with the fewest messages ahead if none can send (CHOOSE-3)', () => {
    const closed = { opensAtMs: Infinity };
    expect(shares([account('a', { ...closed, ahead: 2 }), account('b', closed)], 4)).toEqual([1, 3]);
  });

  it('leaves no two accounts that can send further apart than one message', () => {
    const some = fc.array(fc.record({ ahead: fc.nat(50), intervalMs: fc.integer({ min: 100, max: 5_000 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(some, fc.integer({ min: 300, max: 600 }), (given, count) => {
        const accounts = given.map((own, at) => account(String(at), own));
        const ends = accounts.map(({ ahead, intervalMs = 0 }, at) => ({
          endMs: (ahead + shares(accounts, count)[at]!) * intervalMs,
          intervalMs,
          isGiven: shares(accounts, count)[at]! > 0,
        }));
        // No message would have left sooner from another account.
        for (const one of ends.filter(({ isGiven }) => isGiven)) {
          for (const other of ends) expect(one.endMs).toBeLessThanOrEqual(other.endMs + other.intervalMs);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('an account whose messages last much longer than those of another one (CHOOSE-4)', () => {
  it('gives back its last messages, so that both end together', () => {
    const [slow, fast] = [
      account('a', { ahead: 13, intervalMs: 15_000 }),
      account('b', { ahead: 14, intervalMs: 500 }),
    ];
    expect(tailToSpread([slow, fast], NOW)).toEqual({ instance: 'a', count: 13 });
    expect(tailToSpread([{ ...slow, ahead: 4 }, fast], NOW)).toBeUndefined();
    expect(tailToSpread([{ ...slow, ahead: 13, opensAtMs: NOW + 1 }, fast], NOW)).toBeUndefined();
    expect(tailToSpread([slow, { ...fast, opensAtMs: Infinity }], NOW)).toBeUndefined();
    expect(tailToSpread([account('a', { ahead: 9_000 }), fast], NOW)).toEqual({ instance: 'a', count: 256 });
    const capped = account('a', { ahead: 10, left: { messages: 4, untilMs: NOW + 3_600_000 } });
    expect(tailToSpread([capped, fast], NOW)).toEqual({ instance: 'a', count: 6 });
  });

  it('moves nothing for ever: in each round the last message leaves no later', () => {
    const cap = fc.option(fc.record({ messages: fc.nat(400), untilMs: fc.constant(NOW + 86_400_000) }), {
      nil: undefined,
    });
    const one = fc.record({
      ahead: fc.nat(2_000),
      queued: fc.nat(64),
      others: fc.array(fc.nat(500), { maxLength: 2 }),
      intervalMs: fc.integer({ min: 500, max: 300_000 }),
      left: cap,
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (given) => {
        let accounts = given.map((own, at) => account(String(at), own));
        const all = sum(accounts);
        let lastMs = Infinity;
        for (let rounds = 0; ; rounds += 1) {
          expect(rounds).toBeLessThan(200);
          const tail = tailToSpread(accounts, NOW);
          if (tail === undefined) break;
          expect(tail.count).toBeLessThanOrEqual(256);
          accounts = moved(accounts, tail.instance, -tail.count);
          for (const instance of choose(accounts, tail.count)) accounts = moved(accounts, instance, 1);
          const endMs = Math.max(...accounts.map((own) => endOf(own)));
          expect(endMs).toBeLessThanOrEqual(lastMs);
          lastMs = endMs;
        }
        expect(sum(accounts)).toBe(all);
      }),
      { numRuns: 100 },
    );
  });

  const sum = (accounts: readonly SendingAccount[]) => accounts.reduce((total, { ahead }) => total + ahead, 0);
  const moved = (accounts: readonly SendingAccount[], instance: string, count: number) =>
    accounts.map((own) => (own.instance === instance ? { ...own, ahead: own.ahead + count } : own));
  const endOf = ({ ahead, queued, others, intervalMs = 0, left }: SendingAccount) => {
    const turns = others.reduce((total, other) => total + Math.min(ahead, other), 0);
    return (
      Math.max(NOW, left !== undefined && ahead > left.messages ? left.untilMs : 0) +
      (queued + ahead + turns) * intervalMs
    );
  };
});

describe('the accounts of a pool', () => {
  const of = (over: Partial<PoolAccount> = {}): PoolAccount => ({
    instance: 'a',
    out: null,
    isConfigured: true,
    isBlocked: false,
    blockedSinceMs: null,
    ...over,
  });
  const rules = { nowMs: NOW, moveAfterMs: 60_000, isRequired: false };
  const other = of({ instance: 'b' });
  const long = { isBlocked: true, blockedSinceMs: NOW - 60_000 };

  it('go out after `moveAfter`, only while another one can send, and not if required (MOVE-1, MOVE-3)', () => {
    const out = [{ instance: 'a', blockedSinceMs: NOW - 60_000, out: 'cannot_send' }];
    expect(poolChanges([of(long), other], rules)).toEqual(out);
    expect(poolChanges([of(long), other], { ...rules, isRequired: true })).toEqual([]);
    expect(poolChanges([of(long)], rules)).toEqual([]);
    expect(poolChanges([of(long), { ...other, ...long }], rules)).toEqual([]);
    expect(poolChanges([of(long), { ...other, out: 'too_many_failures' }], rules)).toEqual([]);
    expect(poolChanges([of({ isBlocked: true }), other], rules)).toEqual([
      { instance: 'a', blockedSinceMs: NOW, out: null },
    ]);
  });

  it('come back once they can send', () => {
    expect(poolChanges([of({ out: 'cannot_send', blockedSinceMs: NOW - 1 }), other], rules)).toEqual([
      { instance: 'a', blockedSinceMs: null, out: null },
    ]);
    expect(poolChanges([of({ ...long, out: 'cannot_send' }), other], rules)).toEqual([]);
  });

  it('go out at once if the instances file has them no more (MOVE-2)', () => {
    expect(poolChanges([of({ isConfigured: false }), other], rules)).toMatchObject([{ out: 'not_configured' }]);
    expect(poolChanges([of({ out: 'not_configured', blockedSinceMs: NOW }), other], rules)).toMatchObject([
      { out: null },
    ]);
  });

  it('stay out if an operator or the automatic pause said so (MOVE-4)', () => {
    for (const out of ['removed', 'too_many_failures'] as const)
      expect(poolChanges([of({ out }), other], rules)).toEqual([]);
  });
});
