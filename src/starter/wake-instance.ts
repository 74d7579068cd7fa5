import { setTimeout as delay } from 'node:timers/promises';
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  INSTANCE_WAKE_SIGNAL,
  TASK_QUEUE,
  WORKFLOW,
  instanceWorkflowId,
  type Clock,
  type InstanceInput,
} from '../contract/index.js';
import type { Ledger, WakeLedger } from '../ledger/index.js';
import type { Log } from './log.js';
import { type TemporalAccess, TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';
import { createOutageLog } from './outage-log.js';

/**
 * Makes the dispatcher of an instance read what is due, after the commit. Callers need not wait for it.
 * @returns a promise that is fulfilled when the instance was woken, or when that failed and was logged
 */
export type WakeInstance = (instance: string) => Promise<void>;

export interface WakerDependencies extends TemporalAccess {
  readonly ledger: {
    readonly wakes: Pick<WakeLedger, 'announce'>;
    readonly dispatch: Pick<Ledger['dispatch'], 'isServed'>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** The workflow `instance` as Temporal's client sees it. */
type InstanceWorkflow = (input: InstanceInput) => Promise<void>;

const REST_MS = 25;

const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');

/**
 * WAKER-1 Write, then read: the wake is announced to the workers first; then the ledger is read. Where a shift serves
 *    the instance nothing more is needed: a shift that ends reads due messages once more after it has recorded its end.
 * WAKER-2 Otherwise the workflow of the instance is signalled, and started where there is none.
 * WAKER-3 One wake of an instance at a time, at least 25 ms apart; all that are asked for meanwhile become one.
 * WAKER-4 A wake that fails is not repeated: the workers' sweeper wakes every instance with due messages.
 */
export function createWaker(dependencies: WakerDependencies): WakeInstance {
  const { ledger, client, clock, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = dependencies;
  const outage = createOutageLog(dependencies.log, 'Waking an instance');
  const underWay = new Map<string, Promise<void>>();
  const askedAgain = new Set<string>();
  const restsUntilMs = new Map<string, number>();

  async function startOrSignal(instance: string): Promise<void> {
    const start = () =>
      client.workflow.signalWithStart<InstanceWorkflow>(WORKFLOW.instance, {
        workflowId: instanceWorkflowId(instance),
        taskQueue,
        args: [{ instance }],
        signal: INSTANCE_WAKE_SIGNAL,
        signalArgs: [],
        typedSearchAttributes: [{ key: instanceAttribute, value: instance }],
        staticSummary: `dispatch of ${instance}`,
      });
    await callTemporal(client, `wake of instance ${instance}`, start, temporalTimeoutMs);
  }

  async function wake(instance: string): Promise<void> {
    try {
      do {
        const restMs = (restsUntilMs.get(instance) ?? 0) - performance.now();
        if (restMs > 0) await delay(restMs);
        askedAgain.delete(instance);
        if (!(await ledger.dispatch.isServed(instance, clock.nowMs()))) {
          await startOrSignal(instance);
          outage.worked();
        }
        restsUntilMs.set(instance, performance.now() + REST_MS);
      } while (askedAgain.has(instance));
    } catch (error) {
      outage.failed(error);
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
