import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { checkRuns } from '../../src/doctor/check-runs.js';
import type { Finding } from '../../src/contract/index.js';
import type { Ask } from '../../src/doctor/check-runs.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';

const ask: Ask = (question) => question().catch((error: unknown) => error as Error);

function doctor({ client }: TemporalForTests, taskQueue: string): Promise<Finding[]> {
  return checkRuns(client, ask, taskQueue);
}

/** A run of a template whose first activity fails each time, at once. */
async function failingRun(temporal: TemporalForTests, taskQueue: string, failure: { type: string; message: string }) {
  const openTemplate = (): never => {
    throw ApplicationFailure.create({ ...failure, nextRetryDelay: '1ms' });
  };
  const worker = await temporal.createWorker({ taskQueue, activities: { openTemplate } });
  const workflowId = `failing:${taskQueue}`;
  const args = [{ instance: 'main', template: {} }];
  const handle = await temporal.client.workflow.start('template', { taskQueue, workflowId, args });
  return { worker, workflowId, handle };
}

/** Of a type that no worker has. It starts first: the server waits ten seconds before it counts a second failure. */
let stuck: { readonly taskQueue: string; readonly workflowId: string };
test.beforeAll(async ({ temporal }) => {
  const taskQueue = `doctor-no-such-type-${randomUUID()}`;
  const worker = await temporal.createWorker({ taskQueue, activities: {} });
  const workflowId = `no-such-type:${taskQueue}`;
  const handle = await temporal.client.workflow.start('noSuchType', { taskQueue, workflowId });
  stuck = { taskQueue, workflowId };
  const running = worker.run();
  return async () => {
    await handle.terminate();
    worker.shutdown();
    await running;
  };
});

describe('the doctor checks open runs and', () => {
  test('names one whose activity fails repeatedly, with the failure, the count and the remedy', async ({
    temporal,
    taskQueue,
  }) => {
    const failure = { type: 'TypeError', message: 'rows is not iterable\nat line 3' };
    const { worker, workflowId, handle } = await failingRun(temporal, taskQueue, failure);
    await worker.runUntil(async () => {
      await expect
        .poll(() => doctor(temporal, taskQueue))
        .toEqual([
          {
            subject: 'runs',
            verdict: 'broken',
            found: expect.stringMatching(
              new RegExp(
                `^activity openTemplate fails repeatedly with TypeError \\(rows is not iterable\\): ${workflowId} failed \\d+ times, (is retried by Temporal|next try 20.*Z)$`,
              ),
            ) as string,
            remedy: expect.stringContaining(`temporal workflow describe --workflow-id ${workflowId}`) as string,
          },
          { subject: 'runs', verdict: 'advice', found: '1 of 1 open runs were described' },
        ]);
      await handle.terminate();
    });
    await expect.poll(() => doctor(temporal, taskQueue)).toMatchObject([{ verdict: 'ok' }]);
  });

  test('only gives advice when the failure passes by itself', async ({ temporal, taskQueue }) => {
    const failure = { type: 'LEDGER_UNAVAILABLE', message: 'The ledger is away.' };
    const { worker, handle } = await failingRun(temporal, taskQueue, failure);
    await worker.runUntil(async () => {
      await expect.poll(async () => (await doctor(temporal, taskQueue))[0]?.remedy).toContain('docs/errors.md');
      expect((await doctor(temporal, taskQueue)).map(({ verdict }) => verdict)).toEqual(['advice', 'advice']);
      await handle.terminate();
    });
  });

  test('reports unknown, not ok, when the server does not answer', async ({ temporal, taskQueue }) => {
    const silent: Ask = () => Promise.resolve(new Error('too late'));
    expect(await checkRuns(temporal.client, silent, taskQueue)).toMatchObject([
      { verdict: 'unknown', found: expect.stringContaining('no response (too late)') as string },
    ]);
  });

  test('names one whose workflow task fails repeatedly', async ({ temporal }) => {
    const { taskQueue, workflowId } = stuck;
    await expect
      .poll(async () => (await doctor(temporal, taskQueue))[0]?.found)
      .toMatch(new RegExp(`^the workflow task fails repeatedly with .*noSuchType.*: ${workflowId} failed 2 times`));
    const [finding] = await doctor(temporal, taskQueue);
    expect(finding).toMatchObject({ verdict: 'broken', remedy: expect.stringContaining('deploy') as string });
  });
});
