import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/doctor/check-runs.js';
import { checkTaskQueues, queueFindings } from '../../src/doctor/check-task-queues.js';
import { dispatchTaskQueue, type MessageId } from '../../src/contract/index.js';
import { messageRuns, readTaskQueues, type TaskQueueReading } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';

const ask: Ask = (question) => question().catch((error: unknown) => error as Error);

describe('the doctor checks the task queues and', () => {
  test('names each one that no worker polls', async ({ temporal: { client }, taskQueue }) => {
    expect(await checkTaskQueues(client, ask, taskQueue)).toEqual(
      [
        `no worker polls task queue "${dispatchTaskQueue(taskQueue)}": messages are stored, and wait`,
        `no worker polls task queue "${taskQueue}": workflows wait, and so do messages that they send`,
      ].map((found) => ({
        subject: 'worker',
        verdict: 'broken',
        found,
        remedy: 'Start one: everpost worker (or everpost dev).',
      })),
    );
  });

  test('says how many workers poll', async ({ temporal: { client, createWorker }, taskQueue }) => {
    const workers = [
      await createWorker({ taskQueue, activities: {} }),
      await createWorker({ taskQueue: dispatchTaskQueue(taskQueue), activities: {} }),
    ] as const;
    await workers[0].runUntil(() =>
      workers[1].runUntil(() =>
        eventually(async () =>
          expect(await checkTaskQueues(client, ask, taskQueue)).toEqual([
            { subject: 'worker', verdict: 'ok', found: `1 polling task queue "${dispatchTaskQueue(taskQueue)}"` },
            { subject: 'worker', verdict: 'ok', found: `1 polling task queue "${taskQueue}"` },
          ]),
        ),
      ),
    );
  });

  test('reports unknown, not ok, when the server does not answer', async ({ temporal: { client }, taskQueue }) => {
    const silent: Ask = () => Promise.resolve(new Error('too late'));
    expect(await checkTaskQueues(client, silent, taskQueue)).toMatchObject([
      { verdict: 'unknown', found: expect.stringContaining('no response (too late)') as string },
    ]);
  });
});

test('reads how many tasks wait, and for how long', async ({ temporal: { client }, taskQueue }) => {
  const runs = messageRuns({ client, taskQueue });
  const ids = [1, 2, 3].map((at) => `msg_${taskQueue}_${at}` as MessageId);
  for (const id of ids) await runs.start({ id, instance: 'main', kind: 'text' });
  await eventually(async () => {
    const [workflows, ...others] = await readTaskQueues({ client, taskQueue });
    expect(workflows).toMatchObject({ taskQueue, tasks: 'workflow', polledAtMs: [], waiting: 3 });
    expect(workflows?.oldestAgeMs).toBeGreaterThan(0);
    expect(others.map(({ waiting, oldestAgeMs }) => [waiting, oldestAgeMs])).toEqual([0, 1, 2].map(() => [0, 0]));
  });
  for (const id of ids) await client.workflow.getHandle(`message:${id}`).terminate('the test has ended');
});

describe('a task queue', () => {
  const waits = { longerThanMs: 15_000, verdict: 'broken', effect: 'messages wait for them' } as const;
  const limits = { unpolled: 'messages wait', waits };
  const reading: TaskQueueReading = {
    taskQueue: 'q',
    tasks: 'workflow',
    polledAtMs: [Date.now()],
    waiting: 0,
    oldestAgeMs: 0,
    idleVersions: [],
  };
  const idleVersions = [{ namespace: 'default', deploymentName: 'everpost', buildId: '2' }];
  const command =
    'temporal worker deployment set-current-version --namespace default --deployment-name everpost --build-id 2';

  it('is broken when its oldest task has waited for too long, of whatever type', () => {
    const activities = { ...reading, tasks: 'activity', waiting: 7, oldestAgeMs: 31_000 } as const;
    expect(queueFindings([{ ...reading, waiting: 1, oldestAgeMs: 15_000 }], limits)).toMatchObject([{ verdict: 'ok' }]);
    expect(queueFindings([{ ...reading, waiting: 2 }, activities], limits)).toEqual([
      {
        subject: 'worker',
        verdict: 'broken',
        found: 'about 9 tasks wait in task queue "q", the oldest for 31 s: messages wait for them',
        remedy: expect.stringContaining('everpost worker') as string,
      },
    ]);
  });

  it('is broken when no version that polls gets its tasks, with the command (UPGRADE-3)', () => {
    expect(queueFindings([{ ...reading, idleVersions }], limits)).toMatchObject([
      {
        verdict: 'broken',
        found: expect.stringContaining('everpost:2, which is not the current one'),
        remedy: `Run: ${command}`,
      },
    ]);
  });

  it('is served when one of its versions gets its tasks, and names the command for the other one when they wait', () => {
    const both = { ...reading, polledAtMs: [Date.now(), Date.now()], idleVersions };
    expect(queueFindings([both], limits)).toMatchObject([{ verdict: 'ok' }]);
    const waiting = { ...both, waiting: 2, oldestAgeMs: 31_000 };
    expect(queueFindings([waiting], limits)).toMatchObject([
      { verdict: 'broken', remedy: expect.stringContaining(`If everpost:2 has to take them, run: ${command}`) },
    ]);
  });

  it('is not polled when the last poll is too long ago', () => {
    const polledAtMs = [Date.parse('2026-01-01T00:00:00Z')];
    expect(queueFindings([{ ...reading, polledAtMs }], limits)).toMatchObject([
      { verdict: 'broken', found: expect.stringContaining('; the last poll was 2026-01-01T00:00:00.000Z') as string },
    ]);
  });
});
