import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  WAKE_SIGNAL,
  InstanceRunState,
  TASK_QUEUE,
  WORKFLOW,
  dispatchTaskQueue,
  instanceWorkflowId,
  type Clock,
  type InstanceDirectory,
  type InstanceInput,
  SHIFT_ACTIVITY_ID,
  type Log,
} from '../../contract/index.js';
import type { Ledger, WakeLedger } from '../../ledger/index.js';
import { endTry } from './activity-runs.js';
import { type TemporalAccess, callTemporal, searchAttributes } from './temporal-call.js';

/**
 * Makes the dispatcher of an instance read due messages, after the commit. Callers need not wait for it.
 * @returns a promise that resolves after the wake, or after a failure was logged
 */
export type WakeInstance = (instance: string) => Promise<void>;

export interface WakerDependencies extends TemporalAccess {
  readonly ledger: {
    readonly wakes: Pick<WakeLedger, 'announce'>;
    readonly dispatch: Pick<Ledger['dispatch'], 'lastShift'>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

const REST_MS = 25;
const SHIFT_WITHIN_MS = 60_000;
/** A worker that has taken the activity needs far less time to begin its shift. */
const TRY_LOST_AFTER_MS = 8_000;

/**
 * WAKER-1 Write, then read: the wake is announced to the workers first, then the ledger is read. If a shift serves the
 *    instance, nothing more is needed: a shift that ends reads due messages once more after it has recorded its end.
 * WAKER-2 Otherwise the workflow of the instance is signalled, and started if there is none.
 * WAKER-3 An instance has one wake at a time, at least 25 ms apart. Wakes that are requested meanwhile become one.
 * WAKER-4 A signal waits in Temporal until a shift begins. No other signal is sent until then, for at most a minute:
 *    while many instances wait for their shifts, signals would use the workers' time.
 * WAKER-5 If no shift has begun eight seconds after the signal, a worker may have died between taking the activity and
 *    beginning the shift, which no ledger row shows. The try is ended once, so that another worker takes it.
 * WAKER-6 A failed wake is not retried: the workers' sweeper wakes every instance with due messages.
 */
export function createWaker(dependencies: WakerDependencies): WakeInstance {
  const { ledger, client, clock, log, taskQueue = TASK_QUEUE } = dependencies;
  /** Only the first of them is logged. */
  let failures = 0;
  const underWay = new Map<string, Promise<void>>();
  const askedAgain = new Set<string>();
  const restsUntilMs = new Map<string, number>();
  /** The last signal of each instance. `before`: the epoch of the instance's last shift before it. */
  const signalled = new Map<string, { before: string | undefined; atMs: number; isTryEnded: boolean }>();

  async function startOrSignal(instance: string): Promise<void> {
    const start = () =>
      client.workflow.signalWithStart<(input: InstanceInput) => Promise<void>>(WORKFLOW.instance, {
        workflowId: instanceWorkflowId(instance),
        taskQueue: dispatchTaskQueue(taskQueue),
        args: [{ instance }],
        signal: WAKE_SIGNAL,
        signalArgs: [],
        typedSearchAttributes: searchAttributes({
          EverpostInstance: [instance],
          EverpostState: InstanceRunState.serving,
        }),
        staticSummary: `Post the messages of ${instance}`,
      });
    await callTemporal(dependencies, `wake of instance ${instance}`, start);
  }

  /** @returns whether the previous signal still waits for a shift */
  async function waitsForShift(instance: string, lastEpoch: string | undefined): Promise<boolean> {
    const signal = signalled.get(instance);
    const agoMs = clock.nowMs() - (signal?.atMs ?? -Infinity);
    if (signal === undefined || signal.before !== lastEpoch || agoMs >= SHIFT_WITHIN_MS) return false;
    if (agoMs >= TRY_LOST_AFTER_MS && !signal.isTryEnded) {
      signalled.set(instance, { ...signal, isTryEnded: true });
      await endShiftTry(dependencies, { instance });
    }
    return true;
  }

  async function wake(instance: string): Promise<void> {
    try {
      do {
        const restMs = (restsUntilMs.get(instance) ?? 0) - performance.now();
        if (restMs > 0) await delay(restMs);
        askedAgain.delete(instance);
        const shift = await ledger.dispatch.lastShift(instance, clock.nowMs());
        if (shift?.isServing !== true && !(await waitsForShift(instance, shift?.epoch))) {
          await startOrSignal(instance);
          signalled.set(instance, { before: shift?.epoch, atMs: clock.nowMs(), isTryEnded: false });
          if (failures > 0) log({ level: 'info', message: 'Waking an instance works again', failures });
          failures = 0;
        }
        restsUntilMs.set(instance, performance.now() + REST_MS);
      } while (askedAgain.has(instance));
    } catch (error) {
      failures += 1;
      const message = 'Waking an instance failed; retried automatically';
      if (failures === 1) log({ level: 'warn', message, error });
    }
    underWay.delete(instance);
  }

  return (instance) => {
    ledger.wakes.announce(instance);
    askedAgain.add(instance);
    const waking = underWay.get(instance) ?? wake(instance);
    underWay.set(instance, waking);
    return waking;
  };
}

/**
 * Creates the handler for an instance that is authorized: it ends pauses that resume automatically, and wakes the
 * instance.
 * @param wake  wakes the dispatcher of an instance and its campaigns, which then show why they wait
 * @returns a function that waits only for the ledger, and throws AppError LEDGER_UNAVAILABLE: call it again. `isNew`:
 *   false if the instance was known to be authorized; then it is woken only if a pause ended
 */
export function onAuthorizedWith({
  ledger,
  instances,
  clock,
  wake,
}: {
  readonly ledger: Pick<Ledger, 'instances'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly wake: WakeInstance;
}) {
  async function autoResume(instance: string): Promise<boolean> {
    // The instance may have been removed from the configuration.
    if (!instances.names().includes(instance)) return false;
    const { autoResume: only = [] } = instances.get(instance);
    if (only.length === 0) return false;
    try {
      return (await ledger.instances.resume(instance, 'authorized', clock.nowMs(), { only })).length > 0;
    } catch (error) {
      // The notification is late: the account has been in another state since.
      if (error instanceof AppError && error.code === 'INSTANCE_NOT_AUTHORIZED') return false;
      throw error;
    }
  }

  return async (instance: string, isNew = true): Promise<void> => {
    const isResumed = await autoResume(instance);
    if (isNew || isResumed) void wake(instance);
  };
}

/**
 * Fails the try of a shift whose worker died, so that Temporal starts the next try on another worker. No effect if the
 * try has already ended.
 * @param taskToken  in base64. Absent: the try that is running now
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function endShiftTry(
  access: TemporalAccess,
  { instance, taskToken }: { readonly instance: string; readonly taskToken?: string },
): Promise<void> {
  const ofInstance = { workflowId: instanceWorkflowId(instance), activityId: SHIFT_ACTIVITY_ID };
  await endTry(access, taskToken === undefined ? ofInstance : Buffer.from(taskToken, 'base64'), {
    type: 'WORKER_LOST',
    message: `The worker that served ${instance} died; another one serves it.`,
  });
}
