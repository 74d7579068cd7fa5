/** The workflow `instance`, with a dispatcher that the test plays. */
import type { WorkflowHandle } from '@temporalio/client';
import { activityInfo } from '@temporalio/activity';
import {
  WAKE_SIGNAL,
  InstanceRunState,
  WORKFLOW,
  dispatchTaskQueue,
  type ShiftReport,
  type UnrecordedOutcome,
} from '../../src/contract/index.js';
import { searchAttributes } from '../../src/starter/temporal/temporal-call.js';
import { test as base } from '../support/temporal/temporal.js';
import { terminate, type Place } from './world.js';

export const IDLE: ShiftReport = { ended: 'idle', unrecorded: [] };

/** A shift that ends while the next message is due in some time. */
export function dueIn(inMs: number): ShiftReport {
  return { ...IDLE, nextDue: { at: new Date(Date.now() + inMs).toISOString(), inMs } };
}

/** The shifts as the workflow's activity sees them. */
export class FakeDispatcher {
  readonly shifts: number[] = [];
  readonly recorded: UnrecordedOutcome[] = [];
  /** How the shifts end, one after the other; later ones are idle. */
  ends: (() => ShiftReport | Promise<ShiftReport>)[] = [];

  readonly activities = {
    dispatch: async (): Promise<ShiftReport> => {
      this.shifts.push(activityInfo().attempt);
      return this.ends.shift()?.() ?? IDLE;
    },
    recordOutcomes: async ({ outcomes }: { readonly outcomes: readonly UnrecordedOutcome[] }): Promise<void> => {
      this.recorded.push(...outcomes);
    },
  };
}

export async function withWorker(
  { temporal, taskQueue }: Place,
  { activities }: FakeDispatcher,
  test: () => Promise<void>,
): Promise<void> {
  const queue = dispatchTaskQueue(taskQueue);
  const worker = await temporal.createWorker({ taskQueue: queue, activities, maxCachedWorkflows: 0 });
  await worker.runUntil(test);
}

/** Wakes the instance, as every writer of a row does. */
export function wake({ temporal, taskQueue }: Place, ...junk: unknown[]): Promise<WorkflowHandle> {
  return temporal.client.workflow.signalWithStart(WORKFLOW.instance, {
    workflowId: `instance:main:${taskQueue}`,
    taskQueue: dispatchTaskQueue(taskQueue),
    args: [{ instance: 'main' }],
    signal: WAKE_SIGNAL,
    signalArgs: junk,
    typedSearchAttributes: searchAttributes({ EverpostInstance: ['main'], EverpostState: InstanceRunState.serving }),
  });
}

interface PlayedInstance {
  readonly dispatcher: FakeDispatcher;
  readonly handle: WorkflowHandle;
  wakeAgain(): Promise<WorkflowHandle>;
}

/** `play` runs a test of an instance that was woken once, whose first shifts end as given. */
export const test = base.extend(
  'play',
  ({ temporal, taskQueue }) =>
    async (ends: FakeDispatcher['ends'], run: (played: PlayedInstance) => Promise<void>) => {
      const place = { temporal, taskQueue };
      const dispatcher = new FakeDispatcher();
      dispatcher.ends = [...ends];
      await withWorker(place, dispatcher, async () => {
        const handle = await wake(place);
        await run({ dispatcher, handle, wakeAgain: () => wake(place) });
        await terminate(handle);
      });
    },
);
