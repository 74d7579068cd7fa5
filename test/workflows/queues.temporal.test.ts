/** What waits for what in Temporal while the runs of thousands of sent messages are due: rules TASKS-1 and TASKS-2. */
import { describe, expect } from 'vitest';
import {
  dispatchTaskQueue,
  type MessageId,
  type MessageSnapshot,
  type MessageStart,
  type OpenedMessage,
  type ScheduleId,
} from '../../src/contract/index.js';
import { messageRuns, temporalSchedules } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { FakeDispatcher, wake } from './instance-world.js';
import { test } from '../support/temporal/temporal.js';
import { HELLO, start } from './raw-start.js';
import type { Place } from './world.js';

/** More than a worker takes at once. */
const RUNS = 30;

/** Starts the runs of rows, as many as one of them has to wait for. */
async function startRunsOfRows({ temporal: { client }, taskQueue }: Place): Promise<void> {
  const runs = messageRuns({ client, taskQueue });
  for (let at = 0; at < RUNS; at += 1)
    await runs.start({ id: `msg_${taskQueue}_${at}` as MessageId, instance: 'main', kind: 'text' });
}

/** The activities of runs that end with their first step, in the order in which the runs began. */
function recording() {
  const begun: string[] = [];
  const snapshot = { id: 'msg_1' as MessageId, state: 'cancelled', version: 1, edits: [] } as Partial<MessageSnapshot>;
  return {
    begun,
    activities: {
      async openMessage({ input }: MessageStart): Promise<OpenedMessage> {
        begun.push(typeof input === 'object' && input !== null && 'id' in input ? 'row' : 'caller');
        return { snapshot: snapshot as MessageSnapshot, instance: 'main', kind: 'text' };
      },
      runSchedule: async () => void begun.push('schedule'),
    },
  };
}

describe('while the runs of many messages are due', () => {
  test('TASKS-1: an instance is served by workers that take none of them', async ({ temporal, taskQueue }) => {
    const place = { temporal, taskQueue };
    await startRunsOfRows(place);
    const handle = await wake(place);
    const dispatcher = new FakeDispatcher();
    const { activities } = dispatcher;
    const worker = await temporal.createWorker({ taskQueue: dispatchTaskQueue(taskQueue), activities });
    await worker.runUntil(() => eventually(() => expect(dispatcher.shifts).toEqual([1])));
    await handle.terminate('the test has ended');
  });

  test('TASKS-2: schedules begin first, then what callers start, then the runs of rows', async ({
    temporal,
    taskQueue,
  }) => {
    const place = { temporal, taskQueue };
    await startRunsOfRows(place);
    const called = await start(place, HELLO);
    const scheduleId = `s-${taskQueue.slice(-8)}` as ScheduleId;
    const schedules = temporalSchedules({ client: temporal.client, taskQueue });
    await schedules.startRun({ scheduleId, at: '2030-01-01T00:00:00.000Z' });

    const { begun, activities } = recording();
    const worker = await temporal.createWorker({
      taskQueue,
      activities,
      // One after the other.
      maxCachedWorkflows: 0,
      maxConcurrentWorkflowTaskExecutions: 1,
      maxConcurrentWorkflowTaskPolls: 1,
    });
    await worker.runUntil(() => eventually(() => expect(begun).toHaveLength(RUNS + 2)));
    expect(begun.slice(0, 3)).toEqual(['schedule', 'caller', 'row']);
    await called.result();
  });
});
