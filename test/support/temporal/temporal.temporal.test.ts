import { describe, expect } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../../src/contract/index.js';
import { test } from './temporal.js';

describe('the test support for Temporal', () => {
  test('has a shared server with the search attributes', async ({ temporal }) => {
    const { connection, namespace } = temporal;
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
  });

  test('has workers with the workflows that were bundled once', async ({ temporal, taskQueue }) => {
    const worker = await temporal.createWorker({ taskQueue, activities: {} });
    await worker.runUntil(async () => {
      expect(worker.getState()).toBe('RUNNING');
    });
    expect(worker.getState()).toBe('STOPPED');
  });

  test('has a time-skipping server that lets an hour pass at once', async ({ timeSkipping }) => {
    const before = await timeSkipping.env.currentTimeMs();
    await timeSkipping.env.sleep('1 hour');
    expect((await timeSkipping.env.currentTimeMs()) - before).toBeGreaterThanOrEqual(3_600_000);
  });

  test('has task queues with the title of their test', ({ taskQueue }) => {
    expect(taskQueue).toMatch(/^has-task-queues-with-the-title-of-their-test-[0-9a-f]{8}$/);
  });
});
