import { CompleteAsyncError } from '@temporalio/activity';
import { describe, expect } from 'vitest';
import {
  TEMPLATE_SET_REVIEW_UPDATE,
  TEMPLATE_STATUS_QUERY,
  templateWorkflowId,
  type TemplateReview,
  type TemplateSnapshot,
  type TemplateStatusResponse,
} from '../../src/contract/index.js';
import { templateRuns } from '../../src/starter/index.js';
import { CACHES } from '../support/temporal/temporal.js';
import { test } from './in-world.js';
import { passTime } from './pass-time.js';
import { aWorld, type TemplateRun, type World } from './world.js';
import { eventually } from '../support/eventually.js';
import { TEMPLATE } from '../support/template.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function review(world: World, status: string, more: object = {}): Promise<void> {
  return world.control('POST', 'templates/order_ready/decision', { status, ...more });
}

function setReview(run: TemplateRun, decision: TemplateReview): Promise<TemplateSnapshot> {
  return run.handle.executeUpdate<TemplateSnapshot, [TemplateReview]>(TEMPLATE_SET_REVIEW_UPDATE, { args: [decision] });
}

function polls(world: World): number {
  return world.simulator.requests().filter(({ method }) => method === 'getTemplateById').length;
}

async function historyLength({ handle }: TemplateRun): Promise<number> {
  return (await handle.describe()).historyLength;
}

describe.each(CACHES)('a template, %s', (_, maxCachedWorkflows) => {
  test('is submitted, waited for, and decided by an operator at once', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world) => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await eventually(async () => expect(polls(world)).toBe(1));
      const status = await run.handle.query<TemplateStatusResponse>(TEMPLATE_STATUS_QUERY);
      expect(status.snapshot).toMatchObject({ state: 'submitted', status: 'PENDING' });

      await expect(setReview(run, { status: 'well…' })).rejects.toMatchObject({ cause: { type: 'INPUT_INVALID' } });
      expect(await setReview(run, { status: 'REJECTED', reason: 'by mail' })).toMatchObject({ status: 'REJECTED' });
      expect(await run.handle.result()).toMatchObject({ state: 'submitted', status: 'REJECTED', reason: 'by mail' });
      expect((await run.view()).changes.at(-1)).toMatchObject({ witness: 'operator', status: 'REJECTED' });
    }));
});

test('a run that is closing submits its template again when the refused one is requested again', async ({
  temporal,
  taskQueue,
}) => {
  const key = { instance: 'main', elementName: taskQueue };
  let row = { ...key, version: 1, state: 'pending' } as TemplateSnapshot;
  const becomes = (change: Partial<TemplateSnapshot>) => (row = { ...row, version: row.version + 1, ...change });
  const submissions: unknown[] = [];
  const activities = {
    openTemplate: async () => ({ snapshot: row, category: 'UTILITY', languageCode: 'en' }),
    createTemplate: async (): Promise<TemplateSnapshot> => {
      submissions.push(row);
      throw new CompleteAsyncError();
    },
  };
  const aWorker = () => temporal.createWorker({ taskQueue, activities });
  const runs = templateRuns({ client: temporal.client, taskQueue });
  await runs.continueRun(key);
  const handle = temporal.client.workflow.getHandle(templateWorkflowId(key));
  const { runId } = await handle.describe();
  const answer = (snapshot: TemplateSnapshot) =>
    temporal.client.activity.complete({ workflowId: handle.workflowId, activityId: '2' }, snapshot);
  const first = await aWorker();
  await first.runUntil(() => eventually(() => expect(submissions).toHaveLength(1)));
  // The task in which it would end waits for a worker.
  await answer(becomes({ state: 'refused' }));
  becomes({ state: 'pending' });
  await runs.continueRun(key);

  const second = await aWorker();
  await second.runUntil(async () => {
    await eventually(() => expect(submissions).toHaveLength(2));
    expect((await handle.describe()).runId).toBe(runId);
    await handle.terminate();
  });
});

test('a run believes what it reads last: after a restore of the ledger the version is lower', async ({
  temporal,
  taskQueue,
}) => {
  const key = { instance: 'main', elementName: taskQueue };
  const at = (version: number) => ({ ...key, version, state: 'submitted', status: 'PENDING' }) as TemplateSnapshot;
  const asked: number[] = [];
  const activities = {
    openTemplate: async () => ({ snapshot: at(7), category: 'UTILITY', languageCode: 'en' }),
    followTemplate: async ({ seenVersion }: { readonly seenVersion: number }): Promise<TemplateSnapshot> => {
      asked.push(seenVersion);
      if (seenVersion !== 3) return at(3);
      throw new CompleteAsyncError();
    },
  };
  const worker = await temporal.createWorker({ taskQueue, activities });
  const handle = temporal.client.workflow.getHandle(templateWorkflowId(key));
  await worker.runUntil(async () => {
    await templateRuns({ client: temporal.client, taskQueue }).continueRun(key);
    await eventually(() => expect(asked.length).toBeGreaterThan(1));
    expect(asked).toEqual([7, 3]);
    await handle.terminate();
  });
});

describe('a worker that is replaced between two polls', () => {
  test('is followed by another, which continues to poll', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [500] });
    let run: TemplateRun | undefined = undefined;
    await world.run(
      async () => {
        run = await world.startTemplate(TEMPLATE);
        await eventually(async () => expect(polls(world)).toBeGreaterThan(1));
      },
      async () => {
        await review(world, 'APPROVED');
        expect(await run?.handle.result()).toMatchObject({ status: 'APPROVED' });
        expect(world.simulator.requests().filter(({ method }) => method === 'createTemplate')).toHaveLength(1);
      },
    );
  });
});

describe('a decision', () => {
  test('ends the wait when it is pushed during a poll, and that poll does not undo it', ({ inWorld }) =>
    inWorld(async (world) => {
      const late = { method: 'getTemplateById', kind: 'late-answer', ms: 1_500, accepted: true, times: 1 };
      await world.control('POST', 'faults', late);
      const run = await world.startTemplate(TEMPLATE);
      await eventually(async () => expect(polls(world)).toBe(1));
      await setReview(run, { status: 'APPROVED' });
      expect(await run.handle.result()).toMatchObject({ status: 'APPROVED' });
      await eventually(async () => expect(world.simulator.requests().at(-1)?.status).toBe(200));
      expect(await run.view()).toMatchObject({ status: 'APPROVED' });
    }));
});

describe('a review’s long waits', () => {
  test('are short at first, then hours, for a template that is approved after a day, and the history does not grow', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await passTime(world, timeSkipping, MINUTE);
      expect(polls(world)).toBe(2);
      const lengthBefore = await historyLength(run);
      await passTime(world, timeSkipping, DAY);
      const pollsInADay = polls(world);
      expect(pollsInADay).toBeGreaterThan(20);
      expect(pollsInADay).toBeLessThan(30);
      expect(await historyLength(run)).toBe(lengthBefore);

      await review(world, 'APPROVED');
      await passTime(world, timeSkipping, HOUR + MINUTE);
      expect(await run.handle.result()).toMatchObject({ status: 'APPROVED' });
    });
  });

  test('end after thirty days without a decision, with that reason, and the status stays', ({ inWorld }) =>
    inWorld({ templatePollIntervalsMs: [200] }, async (world) => {
      const run = await world.startTemplate(TEMPLATE);
      const { statusSince = '' } = await run.reaches('PENDING');
      const sinceMs = Date.parse(statusSince);
      world.clock.set(sinceMs + 29 * DAY);
      const pollsBefore = polls(world);
      // The second one began after the clock was set.
      await eventually(async () => expect(polls(world)).toBeGreaterThan(pollsBefore + 1));
      expect((await run.handle.describe()).status.name).toBe('RUNNING');

      world.clock.set(sinceMs + 31 * DAY);
      expect(await run.handle.result()).toMatchObject({
        status: 'PENDING',
        unwatchedSince: expect.any(String) as string,
      });
    }));
});
