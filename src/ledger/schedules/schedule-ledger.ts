/**
 * Schedules and their runs.
 *
 * SCHEDULE-1 A schedule's row decides: what it sends, whether it is paused or deleted. Temporal's schedule follows it,
 *    by its version.
 * SCHEDULE-2 An occurrence is known by its schedule and its time. Its row is written before anything is done for it,
 *    and one that has ended does nothing more: a second start finds that.
 * SCHEDULE-3 Whether a run goes on, waits or is skipped is decided under the schedule's lock, again at every try.
 * SCHEDULE-4 The campaign or message of a run has an id made from schedule and time alone. Where Temporal knows a run of it that
 *    the ledger does not, the ledger was restored from a backup: it is not begun again. So each such message has a workflow.
 * SCHEDULE-5 Every occurrence leaves a row, also one that was skipped, with the reason.
 */
import type {
  ScheduleDefinition,
  ScheduleId,
  ScheduleRun,
  ScheduleRunState,
  ScheduleState,
} from '../../contract/index.js';

export interface ScheduleView {
  readonly id: ScheduleId;
  readonly definition: ScheduleDefinition;
  readonly state: ScheduleState;
  /** What an operator said when it was paused or resumed. */
  readonly note?: string;
  readonly version: number;
  /** False while Temporal's schedule is still to be made, changed or deleted. */
  readonly isSynced: boolean;
  /** Why Temporal's schedule could not be made. */
  readonly problem?: string;
  readonly createdAt: string;
}

export interface NewSchedule {
  readonly id: ScheduleId;
  /** Of the request: it creates the schedule once, also after a deletion. */
  readonly commandId: string;
  readonly requestHash: string;
  readonly definition: ScheduleDefinition;
  readonly isPaused: boolean;
  readonly note: string | undefined;
  readonly namespace: string;
  readonly nowMs: number;
}

/** A command on a schedule: the same id has its effect once. */
export interface ScheduleCommand {
  readonly commandId: string;
  readonly note?: string | undefined;
  readonly requestedBy?: string | undefined;
  readonly nowMs: number;
}

/** What a try of a run is to do. */
export type RunDecision =
  | { readonly kind: 'go'; readonly run: ScheduleRun; readonly definition: ScheduleDefinition }
  /** For the end of the campaign, or the post of the message, that the run's text names. */
  | { readonly kind: 'wait'; readonly run: ScheduleRun }
  | { readonly kind: 'ended'; readonly run: ScheduleRun };

export interface RunReason {
  readonly reason: string;
  readonly text?: string;
}

/** Methods throw AppError SCHEDULE_NOT_FOUND where they name a schedule, unless they say otherwise. */
export interface ScheduleLedger {
  /**
   * Writes the schedule unless it exists. One that was deleted may be created again; its occurrences stay known.
   * @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash; SCHEDULE_DELETED when this command created it and
   *   it was deleted since
   */
  create(input: NewSchedule): Promise<{ readonly schedule: ScheduleView; readonly isNew: boolean }>;
  /** Undefined for one that does not exist or was deleted. */
  view(id: ScheduleId): Promise<ScheduleView | undefined>;
  /** Newest first, without those that were deleted. */
  list(filter: {
    readonly state?: ScheduleState;
    /** Only of these instances. */
    readonly instances?: readonly string[];
    readonly cursor?: string;
    readonly limit?: number;
  }): Promise<{ readonly items: ScheduleView[]; readonly cursor?: string }>;
  pause(id: ScheduleId, command: ScheduleCommand): Promise<ScheduleView>;
  resume(id: ScheduleId, command: ScheduleCommand): Promise<ScheduleView>;
  remove(id: ScheduleId, nowMs: number): Promise<void>;
  /** The runs of a schedule, the latest first. */
  runs(id: ScheduleId, limit: number): Promise<ScheduleRun[]>;
  /** One that an operator asks for: at this second, or the next one that has none. The same key is the same run. */
  trigger(id: ScheduleId, key: string, nowMs: number): Promise<ScheduleRun>;
  /** Rows for these times, ISO UTC, where there are none. @returns those of them that are new */
  addRuns(
    id: ScheduleId,
    kind: 'schedule' | 'backfill',
    times: readonly string[],
    nowMs: number,
  ): Promise<ScheduleRun[]>;
  /**
   * SCHEDULE-2, SCHEDULE-3. Called at the beginning of every try.
   * @param at ISO UTC
   */
  beginRun(id: ScheduleId, at: string, nowMs: number): Promise<RunDecision>;
  /** A try failed and is repeated. */
  failedTry(id: ScheduleId, at: string, why: RunReason): Promise<void>;
  /** A run that has ended before stays as it is. */
  endRun(
    id: ScheduleId,
    at: string,
    end: Partial<RunReason> & { readonly state: Exclude<ScheduleRunState, 'pending' | 'waiting'> },
    nowMs: number,
  ): Promise<ScheduleRun>;
  /** Runs without an end, of schedules of this namespace. */
  openRuns(namespace: string): Promise<ScheduleRun[]>;
  /** All of this namespace; those that were deleted only while Temporal's schedule is to be deleted. */
  ofNamespace(namespace: string): Promise<ScheduleView[]>;
  /** Temporal's schedule is like this version, or cannot be made for this problem. */
  synced(id: ScheduleId, version: number, problem?: string): Promise<void>;
  /** Occurrences after this one, milliseconds since the epoch, have no row yet. */
  coveredUntilMs(id: ScheduleId): Promise<number>;
}
