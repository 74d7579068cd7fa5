import type {
  Clock,
  InstanceDirectory,
  ReachedFaultPoint,
  ScheduleRunInput,
  ScheduleRunResult,
  Tracing,
  WorkflowInputs,
} from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Patience, SendTimes } from '../domain/index.js';

/** Waiting times of a process, in milliseconds. */
export interface Times extends SendTimes, SharedTimes {}

/** Waiting times that every instance shares, in milliseconds. */
interface SharedTimes {
  /** How long to wait for the sign that an edit took effect. @default 20000 */
  readonly editConfirmTimeoutMs: number;
  /** The delays between polls of a template's review. The last one repeats. @default 15 s, 1 min, 5 min, 1 h */
  readonly templatePollIntervalsMs?: readonly number[];
  /** How long the witnesses of a lost response are polled. @default 90 s, and 10 min if a presumption may decide */
  readonly patience?: Patience;
  /** The delay until the gateway retries an undelivered notification. @default 60000 */
  readonly notificationRetryMs?: number;
}

export interface ActivityDependencies {
  /** Creates the campaign of one occurrence of a schedule. It ends soon after an abort, and may be called again. */
  readonly runSchedule: (input: Required<ScheduleRunInput>, signal: AbortSignal) => Promise<ScheduleRunResult>;
  readonly inputs: WorkflowInputs;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly times: SharedTimes;
  /** Of one instance. */
  readonly timesOf: (instance: string) => SendTimes;
  /** The worker's identity, for the evidence of a claim. */
  readonly worker: string;
  /** Identifies this start of the worker. */
  readonly processId: string;
  /** Signals that a message of the instance may be due. Returns at once and never throws. */
  wake(instance: string): void;
  /** Aborted when the worker stops accepting tasks, so that long work ends soon. */
  readonly stopping?: AbortSignal;
  readonly reached?: ReachedFaultPoint | undefined;
  /** Absent: no traces. */
  readonly tracing?: Tracing | undefined;
  log(entry: {
    readonly level: 'info' | 'warn' | 'error';
    readonly message: string;
    readonly [fact: string]: unknown;
  }): void;
}
