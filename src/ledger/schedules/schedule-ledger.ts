/**
 * Schedules and their runs.
 *
 * SCHEDULE-1 The schedule's row is authoritative for what it sends and whether it is paused or deleted. Temporal's
 *    schedule follows the row, by its version.
 * SCHEDULE-2 Schedule and time identify an occurrence. Its row is written before anything else is done for it; a second
 *    start of an occurrence that has ended does nothing.
 * SCHEDULE-3 Each try decides under the schedule's lock whether the run proceeds, waits or is skipped.
 * SCHEDULE-4 The id of a run's campaign or message depends only on schedule and time. If Temporal has a workflow with
 *    this id and the ledger has no row, the ledger was restored from a backup: nothing is sent again. Therefore each
 *    such message has a workflow.
 * SCHEDULE-5 Every occurrence has a row; a skipped one has the reason.
 */
import type {
  ScheduleDefinition,
  ScheduleId,
  ScheduleRun,
  ScheduleRunState,
  ScheduleState,
} from '../../contract/index.js';
import type { ListFilter } from '../storage/pages.js';

export interface ScheduleFilter extends Omit<ListFilter, 'instance'> {
  readonly state?: ScheduleState;
}

export interface NewSchedule {
  readonly id: ScheduleId;
  /** Id of the request. It creates the schedule only once, also after a deletion. */
  readonly commandId: string;
  readonly requestHash: string;
  readonly definition: ScheduleDefinition;
  readonly isPaused: boolean;
  readonly note: string | undefined;
  readonly namespace: string;
  readonly nowMs: number;
}

/** A command on a schedule; a repeated id has no further effect. */
export interface ScheduleCommand {
  readonly commandId: string;
  readonly note?: string | undefined;
  readonly requestedBy?: string | undefined;
  readonly nowMs: number;
}

/** How a try of a run proceeds. */
export type RunDecision =
  | { readonly kind: 'go'; readonly run: ScheduleRun; readonly definition: ScheduleDefinition }
  /** The run waits for the end of the campaign, or the post of the message, that its text names. */
  | { readonly kind: 'wait'; readonly run: ScheduleRun }
  | { readonly kind: 'ended'; readonly run: ScheduleRun };

export interface RunReason {
  readonly reason: string;
  readonly text?: string;
}

export interface RunEnd extends Partial<RunReason> {
  readonly state: Exclude<ScheduleRunState, 'pending' | 'waiting'>;
}
