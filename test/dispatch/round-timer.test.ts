/** When the ticker begins a round. */
import { describe, expect, test } from 'vitest';
import { RoundTimer } from '../../src/dispatch/shift/timers.js';
import { LedClock } from './led-clock.js';

/** Rounds take no time, and are due again only on request. */
function aRoundTimer() {
  const clock = new LedClock();
  const begun: number[] = [];
  const state = { isFull: false };
  const rounds = new RoundTimer(
    clock,
    () => {
      begun.push(clock.nowMs());
      return Promise.resolve(Infinity);
    },
    () => state.isFull,
  );
  return { clock, begun, rounds, state };
}

/** Proves TICKER-1. */
describe('a round', () => {
  test('begins at once when it is the first, and at least 10 ms after the previous one', async () => {
    const { clock, begun, rounds } = aRoundTimer();
    rounds.ask();
    await clock.pass(3);
    rounds.ask();
    await clock.pass(20);
    expect(begun).toEqual([0, 10]);
    expect(clock.pending).toBe(0);
  });

  test('begins without a wait when it is full', async () => {
    const { clock, begun, rounds, state } = aRoundTimer();
    rounds.ask();
    await clock.pass(3);
    rounds.ask();
    await clock.pass(1);
    state.isFull = true;
    rounds.ask();
    await clock.pass(20);
    expect(begun).toEqual([0, 4]);
  });

  test('is late from the time at which it is due until it has ended, and not while none is due', async () => {
    const clock = new LedClock();
    let end = (_nextAtMs: number): void => undefined;
    const rounds = new RoundTimer(
      clock,
      () =>
        new Promise<number>((resolve) => {
          end = resolve;
        }),
      () => false,
    );
    expect(rounds.lateMs).toBe(0);
    rounds.ask();
    await clock.pass(5_000);
    expect(rounds.lateMs).toBe(5_000);
    end(60_000);
    await clock.pass(1_000);
    expect(rounds.lateMs).toBe(0);
  });

  test('waits for others if it can, at most 400 ms, and not for what cannot wait', async () => {
    const { clock, begun, rounds } = aRoundTimer();
    rounds.askSoon();
    rounds.askSoon();
    await clock.pass(1_000);
    rounds.askSoon();
    await clock.pass(20);
    rounds.askSoon();
    await clock.pass(379);
    expect(begun).toEqual([0, 1_000]);
    rounds.ask();
    await clock.pass(400);
    expect(begun).toEqual([0, 1_000, 1_399]);
  });
});
