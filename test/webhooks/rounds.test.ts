import { afterEach, expect, it } from 'vitest';
import { createRounds, type Rounds } from '../../src/webhooks/rounds.js';
import { eventually } from '../support/eventually.js';

const HOUR_MS = 60 * 60_000;

let rounds: Rounds;
let begun: (() => void)[];
let failed: unknown[];
afterEach(() => rounds.close());

/** Each round lasts until it is ended, unless `work` says otherwise. */
function aRounds(work: () => Promise<void> = untilEnded): void {
  begun = [];
  failed = [];
  const onFailed = (error: unknown) => void failed.push(error);
  rounds = createRounds({ work, pollMs: HOUR_MS, retryFirstMs: HOUR_MS, retryMaxMs: HOUR_MS, onFailed });
}

function untilEnded(): Promise<void> {
  return new Promise((resolve) => begun.push(resolve));
}

function endRound(): void {
  begun.at(-1)?.();
}

it('begins at once when it has rested', () => {
  aRounds();
  rounds.ask();
  expect(begun).toHaveLength(1);
  endRound();
});

it('begins once for all that ask during a round and the rest after it', async () => {
  aRounds();
  rounds.ask();
  for (let at = 0; at < 100; at += 1) rounds.ask();
  expect(begun).toHaveLength(1);
  endRound();
  await eventually(() => expect(begun).toHaveLength(2));
  const second = rounds.now();
  endRound();
  await eventually(() => expect(begun).toHaveLength(3));
  endRound();
  await second;
  expect(begun).toHaveLength(3);
});

it('begins without a rest for one who waits, after the round under way', async () => {
  aRounds(() => Promise.resolve(void begun.push(() => undefined)));
  await rounds.now();
  await rounds.now();
  await Promise.all([rounds.now(), rounds.now()]);
  expect(begun).toHaveLength(4);
});

it('begins again after a failure when it is asked for', async () => {
  aRounds(() => {
    begun.push(() => undefined);
    return begun.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
  });
  await rounds.now();
  expect(failed).toHaveLength(1);
  expect(rounds.isFailing()).toBe(true);
  rounds.ask();
  await eventually(() => expect(rounds.isFailing()).toBe(false));
  expect(begun).toHaveLength(2);
});

it('begins no round once it is closed', async () => {
  aRounds(() => Promise.resolve(void begun.push(() => undefined)));
  await rounds.now();
  rounds.ask();
  await rounds.close();
  rounds.ask();
  expect(begun).toHaveLength(1);
});
