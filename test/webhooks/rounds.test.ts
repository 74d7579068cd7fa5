import { afterEach, expect, it } from 'vitest';
import { createRounds } from '../../src/webhooks/rounds.js';
import { eventually } from '../support/eventually.js';

const HOUR_MS = 60 * 60_000;

let rounds: ReturnType<typeof createRounds>;
let begun: (() => void)[];
let failed: unknown[];
afterEach(() => rounds.close());

/** Each round lasts until the test ends it, unless `work` does. */
function aRounds(work: () => Promise<boolean> = untilEnded): void {
  begun = [];
  failed = [];
  const onFailed = (error: unknown) => void failed.push(error);
  rounds = createRounds({ work, pollMs: HOUR_MS, retryFirstMs: HOUR_MS, retryMaxMs: HOUR_MS, onFailed });
}

function untilEnded(): Promise<boolean> {
  return new Promise((resolve) => begun.push(() => resolve(false)));
}

function endedAtOnce(): Promise<boolean> {
  begun.push(() => undefined);
  return Promise.resolve(false);
}

function endRound(): void {
  begun.at(-1)?.();
}

it('a round begins at once after the pause', () => {
  aRounds();
  rounds.ask();
  expect(begun).toHaveLength(1);
  endRound();
});

it('one round begins for all requests during a round and the pause after it', async () => {
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

it('a round begins without a pause for an urgent request, after the round under way', async () => {
  aRounds(endedAtOnce);
  await rounds.now();
  await rounds.now();
  await Promise.all([rounds.now(), rounds.now()]);
  expect(begun).toHaveLength(4);
});

it('a round continues while work is left', async () => {
  aRounds(async () => !(await endedAtOnce()) && begun.length < 3);
  await rounds.now();
  expect(begun).toHaveLength(3);
});

it('a round begins again after a failure, on request', async () => {
  aRounds(() => (begun.length === 0 ? endedAtOnce().then(() => Promise.reject(new Error('away'))) : endedAtOnce()));
  await rounds.now();
  expect(failed).toHaveLength(1);
  rounds.ask();
  await eventually(() => expect(begun).toHaveLength(2));
  expect(failed).toHaveLength(1);
});

it('no round begins after the close', async () => {
  aRounds(endedAtOnce);
  await rounds.now();
  rounds.ask();
  await rounds.close();
  rounds.ask();
  expect(begun).toHaveLength(1);
});
