import { expect, test } from 'vitest';
import type { LogEntry } from '../../src/contract/index.js';
import { temporalLogger } from '../../src/worker/temporal-runtime.js';

test('the retries of all pollers while Temporal is unavailable become one log line a minute, and every other line stays', () => {
  const logged: LogEntry[] = [];
  let nowMs = 0;
  const logger = temporalLogger(
    (entry) => logged.push(entry),
    () => nowMs,
  );
  for (; nowMs < 120_000; nowMs += 500) {
    logger.warn('gRPC call poll_activity_task_queue retried 6 times', { target: 'temporalio_client::retry' });
  }
  logger.warn('Activity not found', { target: 'temporalio_sdk_core::worker::activities' });
  const shown = logged.filter(({ level }) => level !== 'debug').map(({ message }) => message);
  expect(shown).toEqual([
    'gRPC call poll_activity_task_queue retried 6 times',
    'gRPC call poll_activity_task_queue retried 6 times',
    'Activity not found',
  ]);
});
