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
import type { ListFilter } from '../storage/pages.js';

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

export interface ScheduleFilter extends Omit<ListFilter, 'instance'> {
  readonly state?: ScheduleState;
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

export interface RunEnd extends Partial<RunReason> {
  readonly state: Exclude<ScheduleRunState, 'pending' | 'waiting'>;
}
