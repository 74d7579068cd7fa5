import { expect, it } from 'vitest';
import { removeOld } from '../../src/worker/retention-jobs.js';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

async function aRound(messagesKeptForMs: number | undefined) {
  const asked: unknown[] = [];
  const logged: string[] = [];
  const job = removeOld({
    retention: {
      removeOld: (times) => {
        asked.push(times);
        return Promise.resolve({});
      },
      removeMessages: (times) => {
        asked.push(times);
        return Promise.resolve({ campaigns: 0, messages: 3 });
      },
    },
    audit: { removeOld: () => Promise.resolve(0) },
    keptForMs: 30 * DAY,
    auditKeptForMs: 365 * DAY,
    messagesKeptForMs,
    clock: { nowMs: () => NOW },
    log: ({ level, message }) => logged.push(`${level} ${message}`),
  });
  await job.round();
  return { asked, logged };
}

it('removes messages by the age that is set, and says how many', async () => {
  const { asked, logged } = await aRound(90 * DAY);
  expect(asked).toEqual([
    { nowMs: NOW, keptSinceMs: NOW - 30 * DAY },
    { nowMs: NOW, keptSinceMs: NOW - 90 * DAY },
  ]);
  expect(logged).toContain('info messages that ended long ago were deleted');
});

it('keeps all messages where no age is set', async () => {
  const { asked } = await aRound(undefined);
  expect(asked).toEqual([{ nowMs: NOW, keptSinceMs: NOW - 30 * DAY }]);
});
