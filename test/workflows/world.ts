/**
 * A complete everpost for one test, everything real. One clock controls all but Temporal; on the time-skipping server
 * the stepper controls both.
 */
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { createActivities } from '../../src/activities/index.js';
import {
  WAKE_SIGNAL,
  SEARCH_ATTRIBUTES,
  WORKFLOW,
  dispatchTaskQueue,
  instanceWorkflowId,
  messageWorkflowId,
  postingTimes,
  type MessageContent,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
  present,
  type TemplateDefinition,
  templateWorkflowId,
} from '../../src/contract/index.js';
import { createChangeBell } from '../../src/api/index.js';
import type { TemplateView } from '../../src/ledger/index.js';
import { requestHash } from '../../src/starter/ids.js';
import { createOutboxSender, createWorkflowInputs, messageId } from '../../src/starter/index.js';
import { startOptions } from '../../src/starter/messages/message-runs.js';
import {
  beginCampaigns,
  endEdits,
  expireMessages,
  openDispatcher,
  rejectByTemplate,
  endCampaigns,
  sendOutbox,
  startBackgroundJob,
  wakeInstances,
} from '../../src/worker/index.js';
import { AdvancedTimers } from '../support/advanced-timers.js';
import { aLedger } from '../support/ledger/ledger.js';
import { aStack, OPEN_GATE, type StackOptions } from '../support/stack.js';
import type { TemporalForTests, TimeSkippingTemporal } from '../support/temporal/temporal.js';
import { Turnstile } from '../support/turnstile.js';
import { closeAfterTest } from '../support/close-after-test.js';
import { eventually } from '../support/eventually.js';
import { LedClock, onServerTime } from './led-clock.js';

export const ALICE = '15550000001@c.us';

/** The search attributes of runs that a test starts. */
export const OF_TEST = Object.fromEntries(Object.keys(SEARCH_ATTRIBUTES).map((name) => [name, ['test']]));

export interface Place {
  readonly temporal: TemporalForTests;
  readonly taskQueue: string;
}

export interface WorldOptions extends Place, Pick<StackOptions, 'instance' | 'instances'> {
  /** On the time-skipping server: activities use that server's time. */
  readonly timeSkipping?: TimeSkippingTemporal;
  readonly maxCachedWorkflows?: number;
  /** Waits between two polls of a template's review. @default the product's */
  readonly templatePollIntervalsMs?: readonly number[];
}

/** More than a slow machine needs: a test in which one of them must pass gives its own. */
const TIMES = {
  postingDeadlineMs: 60_000,
  gatewayTimeoutMs: 60_000,
  settleTimeMs: 1_000,
  editConfirmTimeoutMs: 60_000,
};

/** Some come sooner than in the product. Each round costs the embedded ledger as much as a message. */
const JOB_EVERY_MS = 500;

/** A shift ends after this time without work (SHIFT-1). */
const IDLE_MS = 10_000;

let messages = 0;

export type World = Awaited<ReturnType<typeof aWorld>>;
export type MessageRun = Awaited<ReturnType<World['start']>>;
export type TemplateRun = Awaited<ReturnType<World['startTemplate']>>;

export async function aWorld(options: WorldOptions) {
  const { temporal, taskQueue, timeSkipping } = options;
  const client = timeSkipping?.plainClient ?? temporal.client;
  const clock = new LedClock();
  if (timeSkipping !== undefined) clock.set(await timeSkipping.env.currentTimeMs());
  const ledger = await aLedger();

  const logged: unknown[] = [];
  const log = (entry: unknown): void => void logged.push(entry);

  const bell = createChangeBell();
  /** Decides how many requests of an operation leave. @default all */
  const turnstile = new Turnstile(timeSkipping === undefined ? undefined : OPEN_GATE);
  const stack = await aStack({
    ledger,
    clock,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    instance: options.instance ?? {},
    gate: turnstile,
    instances: options.instances,
    onChanged: bell.ring,
    onAuthorized: async (instance) => wake(instance),
    onEditsDue: (instance) => wake(instance),
    log,
  });
  const { gateway, instances } = stack;
  const checkOperation = gateway.check.bind(gateway);
  const times = { ...TIMES, ...present({ templatePollIntervalsMs: options.templatePollIntervalsMs }) };
  const sendTimes = { times, timesOf: () => times };
  const closing = new AbortController();
  const timers = new AdvancedTimers();
  const dispatcher = openDispatcher({
    ledger,
    gateway,
    clock,
    timers,
    ...sendTimes,
    instances,
    recorded: (ids) => ids.forEach((id) => bell.ring(id)),
    log,
  });
  const stopping = new AbortController();
  const activities = createActivities(
    {
      inputs: createWorkflowInputs({ ledger, instances, checkOperation }),
      ledger,
      gateway,
      instances,
      clock,
      wake,
      runSchedule: () => Promise.reject(new Error('no schedule runs here')),
      worker: 'worker-under-test',
      processId: 'process-under-test',
      stopping: stopping.signal,
      ...sendTimes,
      log,
    },
    dispatcher,
  );

  /** Wakes an instance, as every writer of a due message does. Parallel tests would share workflow ids of the product. */
  function wake(instance: string): void {
    ledger.wakes.announce(instance);
    if (dispatcher.view(instance) !== undefined || closing.signal.aborted) return;
    const woken = client.workflow.signalWithStart(WORKFLOW.instance, {
      workflowId: `${instanceWorkflowId(instance)}:${taskQueue}`,
      taskQueue: dispatchTaskQueue(taskQueue),
      args: [{ instance }],
      signal: WAKE_SIGNAL,
    });
    const kept = woken.then(
      (handle) => void started.push(handle),
      (error: unknown) => log({ message: 'not woken', error }),
    );
    wakes.add(kept);
    void kept.finally(() => wakes.delete(kept));
  }
  const wakes = new Set<Promise<void>>();
  const listening = ledger.wakes.listen((instance) => {
    dispatcher.wake(instance);
  });
  const given = { ledger, clock, log };
  const { namespace } = client.options;
  const send = createOutboxSender({ client, taskQueue }, (id) => ledger.campaigns.progress(id, clock.nowMs()));
  const jobs = [
    expireMessages(given),
    endEdits(given),
    rejectByTemplate(given),
    wakeInstances(given, wake),
    beginCampaigns({ ...given, namespace }, wake),
    endCampaigns({ ...given, namespace }),
    sendOutbox({ ...given, send, wakes: bell.listen }),
  ].map((job) =>
    startBackgroundJob({ ...job, everyMs: JOB_EVERY_MS }, { leases: ledger.leases, holder: 'worker-under-test', log }),
  );

  const started: WorkflowHandle[] = [];
  /** Starts the workflow of a message to Alice and returns its handle. */
  async function start(content: MessageContent, request: Partial<MessageRequest> = {}) {
    const { chatId = ALICE, ...asked } = request;
    const to = content.kind === 'status' ? {} : { to: chatId };
    const key = `${taskQueue} ${++messages}`;
    const input = { instance: 'main', ...to, content, ...asked, key };
    const id = messageId(input.instance, key);
    const handle = await client.workflow.start(WORKFLOW.message, {
      workflowId: messageWorkflowId(id),
      taskQueue,
      args: [input],
      searchAttributes: OF_TEST,
    });
    return runOf(id, handle);
  }

  /** Writes a text to Alice as the HTTP API does, and starts its workflow as the worker does. */
  async function startOfRow(text: string) {
    const id = messageId('main', `${taskQueue} ${++messages}`);
    const request = { instance: 'main', chatId: ALICE, content: { kind: 'text', text } } as const;
    const nowMs = clock.nowMs();
    const posting = postingTimes({}, nowMs);
    const row = { id, requestHash: requestHash(request), request, ...posting };
    await ledger.intake.open({ ...row, run: 'wanted', nowMs });
    const of = { id, instance: 'main', kind: 'text', expiresAt: new Date(posting.expiresAtMs).toISOString() } as const;
    return runOf(id, await client.workflow.start(WORKFLOW.message, startOptions(of, taskQueue)));
  }

  function runOf(id: MessageId, handle: WorkflowHandle) {
    started.push(handle);
    const snapshot = () => ledger.messages.snapshot(id);
    /** Resolves once the row is in one of these states. */
    const reaches = (...states: MessageSnapshot['state'][]) =>
      eventually(async () => {
        const row = await snapshot();
        if (row === undefined || !states.includes(row.state)) throw new Error(`${id} is ${row?.state ?? 'not there'}`);
        return row;
      });
    return { id, handle, snapshot, reaches };
  }

  async function startTemplate(definition: TemplateDefinition) {
    const key = { instance: 'main', elementName: definition.elementName };
    const handle = await client.workflow.start(WORKFLOW.template, {
      workflowId: `${templateWorkflowId(key)}:${taskQueue}`,
      taskQueue,
      args: [{ instance: 'main', template: definition }],
      searchAttributes: OF_TEST,
    });
    started.push(handle);
    const view = async (): Promise<TemplateView> => {
      const found = await ledger.templates.view(key);
      if (found === undefined) throw new Error(`${key.elementName} is not there`);
      return found;
    };
    /** Resolves once the review, or before it the submission, has one of these states. */
    const reaches = (...words: string[]) =>
      eventually(async () => {
        const row = await view();
        const word = row.status ?? row.state;
        if (!words.includes(word)) throw new Error(`${key.elementName} is ${word}`);
        return row;
      });
    return { key, handle, view, reaches };
  }

  let workers: readonly Worker[] = [];
  let working: Promise<void> | undefined;
  const close = closeAfterTest(async () => {
    closing.abort(new Error('The test has ended.'));
    // Before the worker, whose activities wait for as long as their runs let them.
    listening.close();
    await Promise.all(jobs.map((job) => job.stop()));
    await Promise.all(wakes);
    const ends = await Promise.allSettled(started.map(terminate));
    stopping.abort();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await working?.catch(() => undefined);
    await stack.close();
    await ledger.close();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });

  return {
    ...stack,
    clock,
    ledger,
    turnstile,
    start,
    startOfRow,
    startTemplate,
    wake,
    /** Lets a shift without work end now, not after ten seconds. */
    endIdleShift() {
      if (dispatcher.view(stack.name)?.inFlight === 0) timers.advance(IDLE_MS);
    },
    /** Aborted when the world is being closed. */
    closing: closing.signal,
    /** Ends this run with the world. */
    owns: (handle: WorkflowHandle) => void started.push(handle),
    /** Runs each test with a new worker, and closes everything, also after a timeout. */
    async run(...tests: readonly (() => Promise<void>)[]): Promise<void> {
      try {
        for (const test of tests) {
          const shared = {
            activities: timeSkipping === undefined ? activities : onServerTime(activities, timeSkipping, clock),
            // At the end of a test only a shift is under way, which ends when it is cancelled.
            shutdownGraceTime: '100 milliseconds',
          } as const;
          const { maxCachedWorkflows = 100 } = options;
          const [worker, dispatching] = await Promise.all([
            temporal.createWorker({ ...shared, taskQueue, maxCachedWorkflows }),
            temporal.createWorker({ ...shared, taskQueue: dispatchTaskQueue(taskQueue), maxCachedWorkflows }),
          ]);
          workers = [worker, dispatching];
          working = worker.runUntil(() => dispatching.runUntil(test));
          await working;
        }
      } finally {
        await close();
      }
    },
  };
}

/** No effect on a run that has ended. */
export async function terminate(handle: WorkflowHandle): Promise<void> {
  try {
    await handle.terminate('the test has ended');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
