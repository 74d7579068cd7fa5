/** What waits for what in Temporal while the runs of thousands of sent messages are due: rules TASKS-1 and TASKS-2. */
import { describe, expect } from 'vitest';
import {
  dispatchTaskQueue,
  type MessageId,
  type OpenedMessage,
  type ScheduleId,
  type SendInput,
  type ShownMessage,
} from '../../src/contract/index.js';
import { messageRuns, temporalSchedules } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { FakeDispatcher, wake } from './instance-world.js';
import { test } from '../support/temporal/temporal.js';
import { HELLO, start } from './raw-start.js';
import type { Place } from './world.js';

const RUNS = 30;
const CALLED = 'msg_1' as MessageId;

function rowOf({ taskQueue }: Place, at: number) {
  return { id: `msg_${taskQueue}_${at}` as MessageId, instance: 'main', kind: 'text' } as const;
}

/** Starts the runs of rows, for which new work would have to wait. */
async function startRunsOfRows(place: Place): Promise<void> {
  const runs = messageRuns({ client: place.temporal.client, taskQueue: place.taskQueue });
  for (let at = 1; at <= RUNS; at += 1) await runs.start(rowOf(place, at));
}

/** A worker that takes one task after the other, and the order in which its runs began or were changed. */
class SlowWorker {
  readonly begun: string[] = [];
  /** Whether messages can still be edited, so that their runs stay open. */
  areOpen = false;
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async runUntil(happened: () => Promise<void>): Promise<void> {
    const { temporal, taskQueue } = this.#place;
    const worker = await temporal.createWorker({
      taskQueue,
      activities: {
        openMessage: async (): Promise<OpenedMessage> => {
          this.begun.push('caller');
          return { message: this.#message(), instance: 'main', kind: 'text' };
        },
        sendMessage: async ({ messageId }: SendInput): Promise<ShownMessage> => {
          if (messageId !== CALLED) this.begun.push('row');
          return this.#message();
        },
        cancelMessage: async (): Promise<ShownMessage> => {
          this.begun.push('cancellation');
          return this.#message();
        },
        runSchedule: async () => void this.begun.push('schedule'),
      },
      maxCachedWorkflows: 0,
      maxConcurrentWorkflowTaskExecutions: 1,
      maxConcurrentWorkflowTaskPolls: 1,
    });
    await worker.runUntil(happened);
  }

  #message(): ShownMessage {
    const later = new Date(Date.now() + 60_000).toISOString();
    const known = { id: CALLED, expiresAt: later };
    if (this.areOpen) return { ...known, state: 'sent', editableUntil: later, hasEnded: false };
    return { ...known, state: 'cancelled', hasEnded: true };
  }
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

    const worker = new SlowWorker(place);
    await worker.runUntil(() => eventually(() => expect(worker.begun).toHaveLength(RUNS + 2)));
    expect(worker.begun.slice(0, 3)).toEqual(['schedule', 'caller', 'row']);
    await called.result();
  });

  test('TASKS-2: a message whose run was started from its row is changed before the others', async ({
    temporal,
    taskQueue,
  }) => {
    const place = { temporal, taskQueue };
    const runs = messageRuns({ client: temporal.client, taskQueue });
    const worker = new SlowWorker(place);
    const row = rowOf(place, 0);
    worker.areOpen = true;
    await runs.start(row);
    const handle = temporal.client.workflow.getHandle(`message:${row.id}`);
    // A task that the worker has when it stops is lost for ten seconds, and the cancellation would wait for it.
    await worker.runUntil(() =>
      eventually(async () => {
        const { events } = await handle.fetchHistory();
        expect(events?.at(-1)?.timerStartedEventAttributes).toBeTruthy();
      }),
    );

    worker.areOpen = false;
    await startRunsOfRows(place);
    const cancelled = runs.cancel(row);
    await eventually(async () => {
      const { raw } = await handle.describe();
      expect(raw.workflowExecutionInfo?.priority?.priorityKey).toBe(1);
    });
    await worker.runUntil(() => eventually(() => expect(worker.begun).toHaveLength(RUNS + 2)));
    expect(worker.begun.indexOf('cancellation')).toBeLessThan(RUNS / 2);
    await cancelled;
  });

  test('TASKS-2: a run that has ended is changed no more', async ({ temporal, taskQueue }) => {
    const place = { temporal, taskQueue };
    const runs = messageRuns({ client: temporal.client, taskQueue });
    const worker = new SlowWorker(place);
    await runs.start(rowOf(place, 0));
    await worker.runUntil(async () => {
      await temporal.client.workflow.getHandle(`message:${rowOf(place, 0).id}`).result();
      expect(await runs.cancel(rowOf(place, 0))).toBe('gone');
    });
    expect(await runs.cancel(rowOf(place, 1))).toBe('gone');
  });
});
