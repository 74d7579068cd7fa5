/**
 * What the dispatcher of an instance asks of the ledger: which messages are due, the right to post them, and what became of them.
 *
 * DISPATCH-1 One dispatcher an instance. A shift has an epoch, taken only if it is larger than the one before. A claim under a
 *    smaller one takes nothing; an outcome counts whatever the epoch, by its token.
 * DISPATCH-2 Intent first: what a tick returns as claimed is durable, with its text, its deadline and its evidence.
 * DISPATCH-3 Only what is about to be posted is claimed. A new shift marks the open attempts of the one before unknown at once.
 * DISPATCH-4 Selection reads streams, then the first due messages of ready ones. A message that cannot be posted now is in no
 *    ready stream or has a later due time; it is never scanned over.
 * DISPATCH-5 Conditions of a claim, all in its statement: epoch, message pending and not expired, campaign running and its content
 *    version unchanged, instance not paused (and not away, for a message that lives less than a day), recipient not suppressed,
 *    template approved, no identical message sending, unknown or unresolved.
 * DISPATCH-6 Messages to one chat are claimed in their order, one at a time.
 * DISPATCH-7 A class is served before those below it; within a class the stream served longest ago; every eighth post goes to a
 *    lower class that has something due.
 */
import type { AttemptOutcome, MessageId, MessageSnapshot, Priority } from '../../contract/index.js';
import type { ClaimedAttempt } from '../ledger.js';

/** Of two the one scheduled later is larger; of one schedule the later attempt of its activity. */
export interface Epoch {
  readonly scheduledMs: number;
  readonly attempt: number;
}

/** One try of the activity `dispatch` of an instance. */
export interface Shift {
  readonly instance: string;
  readonly epoch: Epoch;
  readonly worker: string;
}

export type ShiftBegun =
  | { readonly granted: true; readonly unknown: readonly MessageId[] }
  /** A shift with a larger epoch has begun. */
  | { readonly granted: false };

/** How many messages an instance may claim in a tick. */
export interface Want {
  readonly shift: Shift;
  /** Free slots of the window. */
  readonly free: number;
  /** Room of the gateway's queue for each class, by its water mark; a class without room is not selected. */
  readonly room: Readonly<Record<Priority, number>>;
  /** Chats with a POST under way (DISPATCH-6). */
  readonly busyChats: readonly string[];
  /** True when this tick's first post is a lower class's (DISPATCH-7). */
  readonly lowerFirst: boolean;
}

export interface Outcome {
  readonly token: string;
  readonly outcome: AttemptOutcome;
  readonly atMs: number;
}

export interface Tick {
  /** At most one an instance. */
  readonly wants: readonly Want[];
  readonly outcomes: readonly Outcome[];
  readonly postingDeadlineMs: number;
  readonly reconcileAfterMs: number;
  readonly nowMs: number;
}

export interface DueAttempt extends ClaimedAttempt {
  readonly messageId: MessageId;
  readonly priority: Priority;
  /** This attempt's number in a row without acceptance, from 1. */
  readonly tries: number;
}

export interface TickResult {
  readonly claimed: readonly DueAttempt[];
  /** By token: what the rows now say, for those that a workflow or an edit waits for. */
  readonly changed: ReadonlyMap<string, MessageSnapshot>;
  /** Instances whose shift is not theirs any more. */
  readonly lost: readonly string[];
  /** Of instances that got less than they wanted: when the next message is due; absent: none is. */
  readonly nextDueMs: ReadonlyMap<string, number>;
}

export interface DispatchLedger {
  beginShift(shift: Shift, nowMs: number): Promise<ShiftBegun>;
  /**
   * One transaction: outcomes first, without a condition, then claims. An outcome that breaks it is written by itself; claims that
   * break it are tried instance by instance.
   * @throws AppError LEDGER_UNAVAILABLE when nothing is known of the commit: {@link DispatchLedger.claimed} tells
   */
  tick(input: Tick): Promise<TickResult>;
  /** After a tick whose answer was lost: the open attempts of the shift. */
  claimed(shift: Shift): Promise<DueAttempt[]>;
  /**
   * Writes that the shift has ended, then reads what is due.
   * @returns when the instance has its next message; absent: none
   */
  endShift(shift: Shift, nowMs: number): Promise<{ readonly nextDueMs?: number }>;
  /** Instances with a due message that no shift serves. */
  dueInstances(limit: number, nowMs: number): Promise<string[]>;
}
