import { expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.js';
import { retentionJobs } from '../../src/worker/index.js';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

async function aRound(messagesKeptForMs: number | undefined) {
  const asked: unknown[] = [];
  const logged: string[] = [];
  const retention: Ledger['retention'] = {
    removeOld: (times) => {
      asked.push(times);
      return Promise.resolve({});
    },
    removeMessages: (times) => {
      asked.push(times);
      return Promise.resolve({ campaigns: 0, messages: 3 });
    },
  };
  const ledger = { retention, audit: { removeOld: () => Promise.resolve(0) } };
  const jobs = retentionJobs(
    {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the job uses nothing else of it
      ledger: ledger as unknown as Ledger,
      clock: { nowMs: () => NOW },
      log: ({ level, message }) => logged.push(`${level} ${message}`),
    },
    { keptForMs: 30 * DAY, eventsKeptForMs: 30 * DAY, auditKeptForMs: 365 * DAY, messagesKeptForMs },
  );
  await jobs.find(({ name }) => name === 'remove old records')?.round();
  return { asked, logged };
}

it('the job removes messages by the configured age, and counts them', async () => {
  const { asked, logged } = await aRound(90 * DAY);
  expect(asked).toEqual([
    { nowMs: NOW, keptSinceMs: NOW - 30 * DAY },
    { nowMs: NOW, keptSinceMs: NOW - 90 * DAY },
  ]);
  expect(logged).toContain('info messages that ended long ago were deleted');
});

it('the job keeps all messages when no age is configured', async () => {
  const { asked } = await aRound(undefined);
  expect(asked).toEqual([{ nowMs: NOW, keptSinceMs: NOW - 30 * DAY }]);
});
