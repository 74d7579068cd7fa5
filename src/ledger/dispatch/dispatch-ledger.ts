/**
 * What the dispatcher of an instance asks of the ledger: which messages are due, the right to post them, and the recording of their outcomes.
 *
 * DISPATCH-1 One dispatcher an instance. A shift has an epoch, taken only if it is larger than the one before. A claim under a
 *    smaller one takes nothing; an outcome counts whatever the epoch, by its token.
 * DISPATCH-2 Intent first: what a tick returns as claimed is durable, with its text, its deadline and its evidence.
 * DISPATCH-3 Only what is about to be posted is claimed. A new shift marks the open attempts of the one before unknown at once.
 * DISPATCH-4 Selection reads streams, then the first due messages of ready ones. Whether a stream is ready is read from what it
 *    depends on: its campaign runs, its template is approved, its instance is not paused, the account is not away. A message that
 *    cannot be posted now is in no ready stream, or is parked behind what blocks it; it is never scanned over.
 * DISPATCH-5 Conditions of a claim, all in its statement: epoch, message pending, not expired and not about to expire in the gateway's queue, campaign running and its content
 *    version unchanged, instance not paused (and not away, for a message that lives less than a day), recipient not suppressed,
 *    template approved, no identical message sending, unknown or unresolved; the stream open, no cap reached, the recipient not over
 *    the frequency cap (LIMIT-1 to LIMIT-9).
 * DISPATCH-6 Messages of one stream to one chat are claimed in the order of their due times, then of their intake, one at a time;
 *    the single messages of a class are one stream in this.
 * DISPATCH-7 A class is served before those below it; within a class streams take turns, the one served longest ago first; every
 *    eighth post goes to the stream of a lower class that was served longest ago, within the room of the highest class.
 */
import type {
  AppError,
  AttemptOutcome,
  CampaignId,
  InstanceSettings,
  MessageId,
  Priority,
  SendOperation,
} from '../../contract/index.js';
import type { ClaimedAttempt } from '../messages/message-row.js';

/** Ordered by the time when the activity was scheduled, then by its attempt. */
export interface Epoch {
  readonly scheduledMs: number;
  readonly attempt: number;
}

/** More tries than an activity has in the years of a schedule. */
const ATTEMPTS = 1_000_000n;

/** One number that orders epochs: the schedule first, then the attempt. */
export function epochNumber({ scheduledMs, attempt }: Epoch): string {
  return String(BigInt(scheduledMs) * ATTEMPTS + BigInt(attempt));
}

/** One try of the activity `dispatch` of an instance. */
export interface Shift {
  readonly instance: string;
  readonly epoch: Epoch;
  readonly worker: string;
}

export type ShiftBegun =
  /** All messages of the instance whose outcome is unknown, those that this takeover left in doubt included. */
  | { readonly granted: true; readonly unknown: readonly MessageId[] }
  /** A shift with a larger epoch has begun. */
  | { readonly granted: false };

/** How many messages an instance may claim in a tick. */
export interface Want {
  readonly shift: Shift;
  /** Free slots of the window. */
  readonly free: number;
  /** How many of them for each class. @default all */
  readonly slots?: Readonly<Record<Priority, number>>;
  /** Room of the gateway's queue for each class, by its water mark; a class without room is not selected. */
  readonly room: Readonly<Record<Priority, number>>;
  /** Chats with a POST under way (DISPATCH-6). */
  readonly busyChats: readonly string[];
  /** When a message posted now leaves the gateway's queue, from now: one that expires before is left out. @default 0 */
  readonly leavesInMs?: number;
  /** True when this tick's first post is a lower class's (DISPATCH-7). */
  readonly lowerFirst: boolean;
  /** Operations that the gateway answered with 429: their messages are not selected. @default none */
  readonly delayed?: readonly SendOperation[];
  /** Before how many messages typing may be shown now; messages beyond are not selected. @default they are claimed without it */
  readonly typings?: number;
  /** For operators; kept at most every five seconds. */
  readonly stats?: ShiftStats;
}

/** Every slot that is not kept for urgent messages is used: no due time changes what may be claimed next, only an outcome does. */
export function fillsWindow({ free, slots }: Pick<Want, 'free' | 'slots'>, claimed: number): boolean {
  return claimed >= free || (slots !== undefined && claimed === free - 1 && claimed === slots.normal && claimed > 1);
}

/** A message before which typing is shown now (TYPING-1). */
export interface DueTyping {
  readonly messageId: MessageId;
  readonly instance: string;
  readonly chatId: string;
  readonly typingMs: number;
  /** Then the message is due. */
  readonly untilMs: number;
}

export interface TypingFailure {
  readonly code: string;
  readonly text?: string;
  readonly httpStatus?: number;
}

/** What a shift knows of the gateway's queue, and of its own posts. */
export interface ShiftStats {
  readonly depth?: number;
  /** When the depth was read last. */
  readonly readAtMs?: number;
  readonly releaseIntervalMs?: number;
  readonly inFlight: number;
  /** How many posts it has in flight at most. */
  readonly window: number;
}

/** The dispatcher of an instance, as operators see it. Times are ISO UTC. */
export interface LastShift {
  /** Larger for every later shift. */
  readonly epoch: string;
  readonly isServing: boolean;
}

export interface DispatcherView {
  /** Figures of the shift that serves the instance, or served it last. */
  readonly worker?: string;
  /** Absent while no shift serves it. */
  readonly servedSince?: string;
  readonly seenAt?: string;
  readonly depth?: number;
  readonly depthReadAt?: string;
  readonly releaseIntervalMs?: number;
  readonly inFlight?: number;
  readonly window?: number;
}

export interface ConfiguredInstance {
  readonly instance: string;
  readonly settings: InstanceSettings;
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
  /** Only of a recipient of a campaign. */
  readonly campaignId?: CampaignId;
  /** This attempt's number in a row without acceptance, from 1. */
  readonly tries: number;
}

export interface TickResult {
  readonly claimed: readonly DueAttempt[];
  readonly typing: readonly DueTyping[];
  /** Instances whose shift is not theirs any more. */
  readonly lost: readonly string[];
  /**
   * For instances that got less than fills their window (`fillsWindow`): when the next message is due; absent: none is. A time that has passed: the
   * gateway's queue has no room for it, or another transaction was changing it.
   */
  readonly nextDueMs: ReadonlyMap<string, number>;
  /** For the same instances: the most by which the water mark of a due campaign is above that of its class. */
  readonly extraRoom: ReadonlyMap<string, number>;
  /** Instances with a message that was set aside, so that the one behind it is due. */
  readonly again: readonly string[];
  /** By token: outcomes that could not be written, also not in a transaction of their own. To be written again, or by another way. */
  readonly unwritten: ReadonlyMap<string, AppError>;
  /** Instances for which nothing could be claimed, also in a transaction of their own. They are due again. */
  readonly failed: ReadonlyMap<string, AppError>;
}
