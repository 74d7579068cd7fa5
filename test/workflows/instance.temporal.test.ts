/** The workflow `instance`, with a dispatcher that the test plays: its calls, their times, and the kept data. */
import type { WorkflowHandle } from '@temporalio/client';
import { activityInfo } from '@temporalio/activity';
import { describe, expect } from 'vitest';
import { dispatchActivity } from '../../src/activities/dispatch-activity.js';
import { dispatchTaskQueue, present, type ShiftReport } from '../../src/contract/index.js';
import type { ShiftResult } from '../../src/dispatch/index.js';
import { endShiftTry } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { FakeDispatcher, IDLE, dueIn, test, wake, withWorker } from './instance-world.js';

/** The types of the run's events, without those of its workflow tasks. */
async function eventsOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const [type = ''] = Object.keys(event).filter((key) => key.endsWith('EventAttributes') && event[key as 'eventId']);
    return type.startsWith('workflowTask') ? [] : [type.replace('EventAttributes', '')];
  });
}

describe('an instance', () => {
  test('waits without a timer when it is idle, and adds no event to its history until it is woken', ({ play }) =>
    play([], async ({ dispatcher, handle, wakeAgain }) => {
      const idle = [
        'workflowExecutionStarted',
        'workflowExecutionSignaled',
        'activityTaskScheduled',
        'activityTaskStarted',
        'activityTaskCompleted',
      ];
      await eventually(async () => expect(await eventsOf(handle)).toEqual(idle));

      await wakeAgain();
      const again = ['workflowExecutionSignaled', ...idle.slice(2)];
      await eventually(async () => expect(await eventsOf(handle)).toEqual([...idle, ...again]));
      expect(dispatcher.shifts).toEqual([1, 1]);
    }));

  test('is served again when its next message is due, without a wake', ({ play }) => {
    let dueAtMs = Infinity;
    let servedAtMs = 0;
    const first = () => ((dueAtMs = Date.now() + 2_000), dueIn(2_000));
    const second = () => ((servedAtMs = Date.now()), IDLE);
    return play([first, second], async ({ dispatcher }) => {
      await eventually(async () => expect(dispatcher.shifts).toHaveLength(2));
      expect(servedAtMs).toBeGreaterThanOrEqual(dueAtMs);
    });
  });

  test('is found by its search attribute while it posts nothing, and not once it posts again', ({ play }) =>
    play([() => ({ ...IDLE, waitingFor: 'INSTANCE_PAUSED' })], async ({ handle, wakeAgain }) => {
      const shown = async () => (await handle.describe()).searchAttributes['EverpostState'];
      await eventually(async () => expect(await shown()).toEqual(['waiting']));
      await wakeAgain();
      await eventually(async () => expect(await shown()).toEqual(['serving']));
    }));

  test('is served at once when it is woken before its next message is due', ({ play }) =>
    play([() => dueIn(60 * 60_000)], async ({ dispatcher, handle, wakeAgain }) => {
      await eventually(async () => expect(await eventsOf(handle)).toContain('timerStarted'));
      await wakeAgain();
      await eventually(async () => expect(dispatcher.shifts).toHaveLength(2));
    }));

  test('is served once more after a shift during which it was woken', ({ play }) => {
    let endShift = (): void => undefined;
    const woken = new Promise<void>((resolve) => (endShift = resolve));
    return play([() => woken.then(() => IDLE)], async ({ dispatcher, wakeAgain }) => {
      await eventually(async () => expect(dispatcher.shifts).toHaveLength(1));
      await wakeAgain();
      endShift();
      await eventually(async () => expect(dispatcher.shifts).toHaveLength(2));
    });
  });

  test('has the outcomes recorded that the ledger could not accept from a shift', ({ play }) => {
    const outcome = { kind: 'accepted', idMessage: 'G-1', httpStatus: 200 } as const;
    const unrecorded = [{ token: 'att_1', outcome, atMs: 1_000 }];
    return play([() => ({ ended: 'ledger_unavailable', unrecorded })], async ({ dispatcher }) => {
      await eventually(async () => expect(dispatcher.recorded).toEqual(unrecorded));
    });
  });

  test('continues as a new run after some shifts, so that the next worker has little to replay', ({
    play,
    temporal: { client },
  }) => {
    const shifts = Array.from({ length: 30 }, () => (): ShiftReport => ({ ended: 'time', unrecorded: [] }));
    return play(shifts, async ({ dispatcher, handle, wakeAgain }) => {
      const { runId } = await handle.describe();
      await eventually(() => expect(dispatcher.shifts).toHaveLength(31));
      const latest = await wakeAgain();
      await eventually(() => expect(dispatcher.shifts).toHaveLength(32));
      expect((await latest.describe()).runId).not.toBe(runId);
      expect((await client.workflow.getHandle(handle.workflowId, runId).describe()).historyLength).toBeLessThan(130);
    });
  });

  test('continues as a new run when its history has grown, and loses no wake', async ({ temporal, taskQueue }) => {
    const stage = { temporal, taskQueue };
    const dispatcher = new FakeDispatcher();
    // A history of over four megabytes, which the server considers long.
    const padding = 'x'.repeat(1_500_000);
    const handle = await wake(stage, padding);
    const { runId } = await handle.describe();
    for (let times = 0; times < 2; times += 1) await wake(stage, padding);
    // This wake arrives during the shift after which the run continues as new.
    dispatcher.ends = [async () => (await wake(stage), IDLE)];
    await withWorker(stage, dispatcher, async () => {
      await eventually(async () => expect(dispatcher.shifts).toHaveLength(2));
      const latest = temporal.client.workflow.getHandle(handle.workflowId);
      await eventually(async () => expect((await latest.describe()).runId).not.toBe(runId));
      await latest.terminate('the test has ended');
    });
  });
});

describe('the shift of a worker', () => {
  test('is replaced at once when its worker died and its try is ended, by its token or by its name', ({
    play,
    temporal: { client },
  }) => {
    const tokens: string[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const hangs = () => {
      tokens.push(activityInfo().base64TaskToken);
      return ended.then(() => IDLE);
    };
    return play([hangs, hangs, hangs], async ({ handle }) => {
      const instance = handle.workflowId.replace(/^instance:/, '');
      await eventually(() => expect(tokens).toHaveLength(1));
      await endShiftTry({ client }, { instance, ...present({ taskToken: tokens[0] }) });
      await eventually(() => expect(tokens).toHaveLength(2));
      // The current try is not meant.
      await endShiftTry({ client }, { instance, ...present({ taskToken: tokens[0] }) });
      const { raw } = await handle.describe();
      expect(raw.pendingActivities?.map(({ attempt }) => attempt)).toEqual([2]);
      await endShiftTry({ client }, { instance });
      await eventually(() => expect(tokens).toHaveLength(3));
      end();
      await handle.terminate();
      await endShiftTry({ client }, { instance });
    });
  });

  test('is replaced at once when its worker drains', async ({ temporal, taskQueue }) => {
    const stage = { temporal, taskQueue };
    const drains = new AbortController();
    const served: string[] = [];
    /** The real activity, with a dispatcher that serves until it is stopped. */
    const activitiesOf = (name: string, stopping?: AbortSignal) => ({
      dispatch: dispatchActivity(
        {
          worker: name,
          processId: name,
          clock: { nowMs: Date.now },
          ledger: { dispatch: { inUse: async () => new Set() } },
          ...present({ stopping }),
        },
        {
          wake: () => undefined,
          serving: () => [],
          view: () => undefined,
          lateMs: () => 0,
          async run(_, signal): Promise<ShiftResult> {
            served.push(name);
            await new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => resolve(), { once: true });
            });
            return { ended: 'stopping', unrecorded: [] };
          },
        },
      ),
    });
    const aWorker = (activities: object) =>
      temporal.createWorker({
        taskQueue: dispatchTaskQueue(taskQueue),
        activities,
        shutdownGraceTime: '1 minute',
      });
    const first = await aWorker(activitiesOf('first', drains.signal));
    const working = first.run();
    const handle = await wake(stage);
    await eventually(() => expect(served).toEqual(['first']));
    const beganAtMs = Date.now();
    drains.abort();
    first.shutdown();
    await working;
    const second = await aWorker(activitiesOf('second'));
    await second.runUntil(async () => {
      await eventually(() => expect(served).toEqual(['first', 'second']));
      // Far below the timeout that detects a dead worker.
      expect(Date.now() - beganAtMs).toBeLessThan(4_000);
      await handle.terminate('the test has ended');
    });
  });
});
