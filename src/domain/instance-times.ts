import { AppError, present, type InstanceDirectory } from '../contract/index.js';

/** The times of the send rules, in milliseconds. */
export interface SendTimes {
  /** Bytes of a send must leave within this time of its claim. @default 5000 */
  readonly postingDeadlineMs: number;
  /** The longest an HTTP request may take. @default 15000 */
  readonly gatewayTimeoutMs: number;
  /** After this time a request with a lost connection is accepted or never will be. @default 15000 */
  readonly settleTimeMs: number;
}

/**
 * The one way to the send times of an instance: its own from the instances file, else those of the process. An instance
 * that is no longer in the file has those of the process, so that its last requests still end.
 */
export function timesOfInstances(instances: InstanceDirectory, times: SendTimes): (instance: string) => SendTimes {
  return (instance) => {
    try {
      return { ...times, ...present({ settleTimeMs: instances.get(instance).settleTimeMs }) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'INSTANCE_NOT_FOUND') return times;
      throw error;
    }
  };
}

/** Until when a request that is claimed now may leave, and from when on an unknown outcome of it is reconciled. */
export function deadlinesOf({ postingDeadlineMs, gatewayTimeoutMs, settleTimeMs }: SendTimes, nowMs: number) {
  const deadlineMs = nowMs + postingDeadlineMs;
  return { postingDeadlineMs: deadlineMs, reconcileAfterMs: deadlineMs + gatewayTimeoutMs + settleTimeMs };
}
