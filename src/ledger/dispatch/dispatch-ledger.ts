/**
 * The ledger's interface for the dispatcher of an instance: finds due messages, claims them for posting, and records
 * their outcomes.
 *
 * DISPATCH-1 One dispatcher per instance. A shift begins under a new epoch, a number of the ledger, unless it is an
 *    earlier try of the same run, or a try of a former run. No clock is compared. A claim of a shift that another one
 *    has replaced takes nothing. An outcome is identified by its token and counts under any epoch.
 * DISPATCH-2 Intent first: a claim that a tick returns is already durable, with its text, deadline and evidence.
 * DISPATCH-3 A message is claimed only when it is about to be posted. A new shift at once marks the open attempts of
 * the previous shift unknown.
 * DISPATCH-4 Selection reads streams, then the first due messages of ready ones. A stream is ready if its campaign
 *    runs, its template is approved, its instance is not paused and the account is not away. A message that cannot be
 *    posted now is in no ready stream, or is parked behind the row that blocks it, so selection never scans over it.
 * DISPATCH-5 The transaction of a claim checks all conditions: epoch, message pending, not expired and not going to
 *    expire in the gateway's queue, campaign running and its content version unchanged, instance not paused (and not
 *    away, for a message that lives less than a day), recipient not suppressed, template approved, no identical message
 *    sending, unknown or unresolved; the stream open, no cap reached, the recipient not over the frequency cap (LIMIT-1
 *    to LIMIT-9).
 * DISPATCH-6 Messages of one stream to one recipient are claimed one at a time, in the order of their due times and then of
 *    their intake. All single messages of a class count as one stream here.
 * DISPATCH-7 A class is served before lower classes. Within a class streams take turns: the one that was served longest
 *    ago is next. Every eighth post goes to the stream of a lower class that was served longest ago, within the room of
 *    the highest class.
 */
import type {
  AppError,
  CampaignId,
  EditId,
  MessageId,
  Priority,
  SendOperation,
  TraceContext,
  UnrecordedOutcome,
} from '../../contract/index.js';
import type { ClaimedAttempt } from '../messages/message-row.js';

/** Within a run, tries are ordered by the number of the shift, then of its attempt. */
export interface ShiftTry {
  /** The id of the run in Temporal. */
  readonly run: string;
  readonly shift: number;
  readonly attempt: number;
}

/** One try of the activity `dispatch` of an instance. */
export interface Shift {
  readonly instance: string;
  readonly try: ShiftTry;
  readonly worker: string;
  /**
   * What Temporal knows of the instance (RETURN-1): a place in the ledger's sequence; if the end of the shift is not
   * known, followed by a slash and the last attempt that it had claimed.
   */
  readonly mark?: string;
  /** Absent: only Temporal detects the death of its worker. */
  readonly served?: ServedTry;
}

/** Identifies the activity of a shift, so that other workers can end its try when its process dies (PRESENCE-2). */
export interface ServedTry {
  /** Differs for each start of a worker: a container may restart with the same worker identity. */
  readonly process: string;
  /** Temporal's name of this try of the activity, in base64. */
  readonly taskToken: string;
}

/** A shift that has not ended, but whose process has died. */
export interface LostShift {
  readonly instance: string;
  readonly taskToken: string;
}

/** What the ledger knows at the end of a shift; absent: nothing of the kind. */
export interface EndedShift {
  /** When the next shift must begin. */
  readonly nextDueMs?: number;
  /** Why the instance's messages wait: a code, and its reasons. */
  readonly waitingFor?: string;
  /** As of {@link Shift}. */
  readonly mark?: string;
  /** Messages are unresolved because the ledger went back. */
  readonly wentBack?: WentBack;
}

export interface WentBack {
  readonly foundAt: string;
  readonly foundBy: 'command' | 'database' | 'dispatcher';
  /** What happened later may be unknown to the ledger. */
  readonly knownUntil?: string;
  readonly unresolved: number;
}

/** How many messages an instance may claim in a tick. */
export interface Want {
  readonly shift: Shift;
  /** No byte of a claimed message leaves after it. */
  readonly postingDeadlineMs: number;
  /** From then on an unknown outcome of a claimed message is reconciled. */
  readonly reconcileAfterMs: number;
  /** Free slots of the window. */
  readonly free: number;
  /** How many of the slots each class may use. @default all */
  readonly slots?: Readonly<Record<Priority, number>>;
  /** Room of the gateway's queue for each class, by its high water mark; a class without room is not selected. */
  readonly room: Readonly<Record<Priority, number>>;
  /** Keys of the recipients with a POST under way (DISPATCH-6). */
  readonly busyRecipients: readonly string[];
  /**
   * Time until a message posted now leaves the gateway's queue. A message that expires before then is excluded.
   * @default 0
   */
  readonly leavesInMs?: number;
  /** True if this tick's first post belongs to a lower class (DISPATCH-7). */
  readonly lowerFirst: boolean;
  /** Operations that the gateway answered with 429; their messages are not selected. @default none */
  readonly delayed?: readonly SendOperation[];
  /** The last attempt that the shift has claimed (RETURN-1). */
  readonly last?: string;
  /** For operators; stored at most every five seconds, apart from its delays. */
  readonly stats?: ShiftStats;
}

/** All slots except the urgent one are used: a due time cannot change what is claimed next, only an outcome can. */
export function fillsWindow({ free, slots }: Pick<Want, 'free' | 'slots'>, claimed: number): boolean {
  return claimed >= free || (slots !== undefined && claimed === free - 1 && claimed === slots.normal && claimed > 1);
}

/** A shift's data about the gateway's queue and its own posts. */
export interface ShiftStats {
  /** The number of items now: the reading, our items since, and what left at the release interval. */
  readonly estimatedDepth?: number;
  readonly releaseIntervalMs?: number;
  readonly inFlight: number;
  /** The most posts in flight. */
  readonly window: number;
  /** By operation: until when a 429 delays it. Stored as soon as it changes. */
  readonly delays?: OperationDelays;
}

export type OperationDelays = Readonly<Partial<Record<SendOperation, number>>>;

/** Of an attempt, or of the try of an edit. */
export type Outcome = UnrecordedOutcome;

/** How many edits an instance may claim in a tick. */
export interface EditWant {
  readonly shift: Shift;
  /** As of {@link Want}. */
  readonly last?: string;
  /** No byte of a claimed edit leaves after it. */
  readonly postingDeadlineMs: number;
  /** From then on an edit whose response was lost can no longer arrive. */
  readonly settlesAtMs: number;
  readonly posts: number;
  /** Reads of the journal. */
  readonly reads: number;
  /** Between two edits, for the order of those that not all fit into their windows. */
  readonly spacingMs: number;
}

/** An edit that the dispatcher posts, or looks up in the journal. */
export interface DueEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly instance: string;
  readonly chatId: string;
  readonly idMessage: string;
  /** Absent: the journal is read. */
  readonly post?: {
    readonly token: string;
    readonly text: string;
    /** The text of a sensitive message, sealed: `dispatch.revealEdit` opens it. */
    readonly hidden?: string;
    readonly deadlineMs: number;
    /** Only if the message's trace is sampled. */
    readonly trace?: TraceContext;
  };
}

/** When the next edits are due. Undefined: none is, or an operator has paused the instance. */
export interface NextEdits {
  readonly postAtMs?: number;
  readonly readAtMs?: number;
}

export interface Tick {
  /** At most one per instance. */
  readonly wants: readonly Want[];
  /** At most one per instance. @default none */
  readonly editWants?: readonly EditWant[];
  readonly outcomes: readonly Outcome[];
  readonly nowMs: number;
}

export interface DueAttempt extends ClaimedAttempt {
  readonly messageId: MessageId;
  /** Absent for a status. */
  readonly recipientKey?: string;
  readonly priority: Priority;
  /** Only for a recipient of a campaign. */
  readonly campaignId?: CampaignId;
  /** This attempt's number among those of the message, from 1. */
  readonly tries: number;
  /** Only if the message's trace is sampled. */
  readonly trace?: TraceContext;
}

export interface TickResult {
  /** In the order of their claims. */
  readonly claimed: readonly DueAttempt[];
  readonly edits: readonly DueEdit[];
  readonly byInstance: ReadonlyMap<string, InstanceTick>;
  /**
   * By token: outcomes that could not be recorded, not even in a transaction of their own. They have to be offered
   * again.
   */
  readonly unrecorded: ReadonlyMap<string, AppError>;
}

/** What a tick found in one instance. */
export interface InstanceTick {
  /** True if the shift has been superseded. */
  readonly isLost?: boolean;
  /** Present if a message is due and the claims did not fill the window (`fillsWindow`). */
  readonly next?: NextDue | undefined;
  /** True if a message was parked or ended without a claim, so that the next message behind it may be due. */
  readonly hasHidden?: boolean;
  readonly nextEdits?: NextEdits;
  /** A new mark of the instance (RETURN-1). */
  readonly mark?: string | undefined;
  /** Why no claim succeeded, not even in a transaction of its own. The instance is due again. */
  readonly error?: AppError;
}

export interface NextDue {
  /**
   * When the first message of a ready stream is due. Parked messages are not due. A time in the past means that the
   * gateway's queue has no room for the message, or that another transaction was changing it.
   */
  readonly atMs: number;
  /** The most by which the high water mark of a stream of the instance exceeds that of its class. */
  readonly extraRoom: number;
}
