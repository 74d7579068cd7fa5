import type {
  Clock,
  InstanceDirectory,
  ReachedFaultPoint,
  ScheduleRunInput,
  ScheduleRunResult,
  WorkflowInputs,
} from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Patience } from '../domain/index.js';

/** Waiting times, in milliseconds. */
export interface Times {
  /** Bytes of a send must leave within this time of its claim. @default 5000 */
  readonly postingDeadlineMs: number;
  /** The time limit of an HTTP request. @default 15000 */
  readonly gatewayTimeoutMs: number;
  /** How long the gateway may still accept a request whose connection is lost. @default 15000 */
  readonly settleTimeMs: number;
  /** How long to wait for the sign that an edit took effect. @default 20000 */
  readonly editConfirmTimeoutMs: number;
  /** The delays between polls of a template's review. The last one repeats. @default 15 s, 1 min, 5 min, 1 h */
  readonly templatePollIntervalsMs?: readonly number[];
  /** How long the witnesses of a lost response are polled. @default 90 s, and 10 min if a presumption may decide */
  readonly patience?: Patience;
  /** The delay until the gateway retries an undelivered notification. @default 60000 */
  readonly notificationRetryMs?: number;
}

/** Creates the campaign of one occurrence of a schedule. It ends soon after an abort, and may be called again. */
export type RunSchedule = (input: Required<ScheduleRunInput>, signal: AbortSignal) => Promise<ScheduleRunResult>;

export interface ActivityDependencies {
  readonly runSchedule: RunSchedule;
  readonly inputs: WorkflowInputs;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly times: Times;
  /** The worker's identity, for the evidence of a claim. */
  readonly worker: string;
  /** Identifies this start of the worker. */
  readonly processId: string;
  /** Signals that a message of the instance may be due. Returns at once and never throws. */
  wake(instance: string): void;
  /** Aborted when the worker stops accepting tasks, so that long work ends soon. */
  readonly stopping?: AbortSignal;
  readonly reached?: ReachedFaultPoint | undefined;
  log(entry: {
    readonly level: 'info' | 'warn' | 'error';
    readonly message: string;
    readonly [fact: string]: unknown;
  }): void;
}
