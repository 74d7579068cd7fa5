import type {
  AttemptOutcome,
  CampaignId,
  EditId,
  EditSnapshot,
  MessageContent,
  MessageId,
  MessageKind,
  MessageRequest,
  MessageSnapshot,
  MessageState,
} from '../contract/index.js';
import type { ListedItem } from '../domain/index.js';
import type { MessageMilestones } from './milestones.js';
import type { UnknownOutcome } from './unknown-outcome.js';
import type { CallbackView } from './callbacks/callback-ledger.js';
import type { Oddity } from './notifications/notification-ledger.js';

// ── messages ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface OpenMessage {
  readonly id: MessageId;
  readonly requestHash: string;
  readonly request: MessageRequest;
  /** From the request's `expiresAt`, or 24 hours after it was made or is to be sent. */
  readonly expiresAtMs: number;
  /** Of Temporal, where the run lives that opens it. */
  readonly namespace?: string;
  /** The workflow that waits for it. @default `message:<id>` */
  readonly workflowId?: string;
  /** When it may be posted. @default now */
  readonly sendAtMs?: number;
  /** Whether a workflow waits for it. @default 'none' */
  readonly run?: RunState;
  /** Who asked for it. */
  readonly requestedBy?: string;
  readonly nowMs: number;
}

/**
 * Whether a message has a workflow: it has none, one is to be started, one was started and has not read its row, one is
 * told of changes.
 */
export type RunState = 'none' | 'wanted' | 'starting' | 'started';

/** A message whose workflow is to be started. */
export interface WantedRun {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
}

export interface ClaimedAttempt {
  readonly token: string;
  readonly instance: string;
  readonly chatId?: string;
  /** As the row has it at the moment of the claim: what will be posted, and what reconciling compares with. */
  readonly content: MessageContent;
  /** Of a template that the content names: the gateway's id. */
  readonly templateId?: string;
  /** The claim's deadline or the message's expiry, whichever comes first. */
  readonly postingDeadlineMs: number;
}

export interface Evidence {
  /** ISO UTC. */
  readonly at: string;
  /** Who says so: `request`, `claim`, `response`, `receipt`, `edit`, `sweeper`, `operator`, `workflow` … */
  readonly witness: string;
  /** A stable word for what is said, e.g. `accepted`, `sent`, `lost_response`. */
  readonly what: string;
  /** Facts of this entry; no secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AttemptView {
  readonly token: string;
  readonly claimedAt: string;
  readonly postingDeadlineAt: string;
  readonly outcome?: AttemptOutcome['kind'];
  readonly outcomeAt?: string;
  readonly idMessage?: string;
  readonly code?: string;
  readonly text?: string;
  readonly httpStatus?: number;
  /** Where it was surely not accepted: when the next one is due. */
  readonly retryAt?: string;
}

/** What a pending message waits for. */
export interface Waiting {
  /**
   * What stood in the way of its last attempt, e.g. `GATEWAY_UNAUTHORIZED`; `docs/errors.md` says what to do about it.
   */
  readonly code: string;
  /** The gateway's own words, or what stands before it. */
  readonly text?: string;
  /** ISO UTC: since when nothing else has stood in the way. */
  readonly since: string;
  readonly nextTryAt?: string;
  /** The equal message to the same chat whose outcome is not known yet. */
  readonly identical?: MessageId;
}

export interface EditView extends EditSnapshot {
  readonly text: string;
  readonly requestedAt: string;
  readonly postedAt?: string;
  readonly endedAt?: string;
  /** The id given to the gateway and the one it answered with. */
  readonly idMessageGiven?: string;
  readonly idMessageReturned?: string;
  readonly reason?: string;
}

/** Everything the ledger knows of one message. For operators and the API, never for a workflow's history. */
export interface MessageView extends MessageMilestones {
  readonly id: MessageId;
  readonly instance: string;
  readonly chatId?: string;
  readonly content: MessageContent;
  readonly state: MessageState;
  readonly version: number;
  readonly priority: string;
  readonly category: string;
  readonly onUnknown: string;
  readonly reference?: string;
  readonly statusCallback?: string;
  /** Who asked for it: `key:<name>`, `loopback` or `temporal`. */
  readonly requestedBy?: string;
  readonly idMessage?: string;
  readonly reason?: string;
  /** The gateway's own words for the reason. */
  readonly reasonText?: string;
  readonly createdAt: string;
  /** Not posted before this. */
  readonly sendAt?: string;
  /** So long typing is shown before it. */
  readonly typing?: string;
  readonly expiresAt: string;
  readonly endedAt?: string;
  readonly editableUntil?: string;
  /** While accepted and not heard of: until when the gateway keeps it and may still send it. */
  readonly mayLeaveUntil?: string;
  /** Of a recipient of a campaign: the campaign, and the recipient's line. */
  readonly campaignId?: CampaignId;
  /** The workflow that sends it, unless that is `message:<id>`. */
  readonly workflowId?: string;
  readonly line?: number;
  readonly waiting?: Waiting;
  /** While its outcome is unknown. */
  readonly unknown?: UnknownOutcome;
  /** In the order of our own times. */
  readonly evidence: readonly Evidence[];
  readonly attempts: readonly AttemptView[];
  readonly edits: readonly EditView[];
  /** With a `statusCallback`: what it is told, and how far that is. */
  readonly callbacks?: readonly CallbackView[];
}

export interface MessageFilter {
  readonly instance?: string;
  /** Only of these. */
  readonly instances?: readonly string[];
  readonly state?: MessageState;
  readonly chatId?: string;
  readonly reference?: string;
  /** The gateway's id of the message. */
  readonly idMessage?: string;
  /** From a former page; opaque. */
  readonly cursor?: string;
  /** @default 50, at most 500 */
  readonly limit?: number;
}

/** A list row: the view without its collections. */
export type MessageListItem = Omit<
  MessageView,
  'waiting' | 'unknown' | 'evidence' | 'attempts' | 'edits' | 'callbacks'
>;

export interface UnfinishedMessages {
  readonly namespace: string;
  readonly nowMs: number;
  readonly afterId?: MessageId;
  readonly limit: number;
}

/** A message that needs a run, and what a new one is started with. */
export interface UnfinishedMessage {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
  /** The workflow that sends it, unless that is `message:<id>`. */
  readonly workflowId?: string;
}

export interface BegunRow {
  readonly snapshot: MessageSnapshot;
  /** True for the one request that wrote the row. */
  readonly isNew: boolean;
}

// ── edits ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface OpenEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly text: string;
  /** Who asked. @default `request`: it came through Temporal */
  readonly witness?: string;
  readonly nowMs: number;
}

export type ClaimEditResult =
  | {
      readonly kind: 'claimed';
      readonly instance: string;
      readonly chatId: string;
      readonly idMessage: string;
      readonly text: string;
      /** By our own clock: bytes must not leave after this. */
      readonly editableUntilMs: number;
    }
  /**
   * The window has closed while it is not known whether an earlier request arrived: its sign is all that can be waited
   * for.
   */
  | { readonly kind: 'unanswered'; readonly edit: EditSnapshot }
  | { readonly kind: 'settled'; readonly edit: EditSnapshot }
  /** The message is not `sent` yet, or an older edit of it is still under way. */
  | { readonly kind: 'wait' };

/** The gateway's response to an edit that it does not take. */
export interface EditRefusal {
  readonly code: string;
  readonly httpStatus?: number;
  readonly text?: string;
}

// ── receipts and notifications ──────────────────────────────────────────────────────────────────────────────────────────

/** One thing that a notification says, read from its raw body by `src/webhooks`. */
export type Receipt =
  | {
      readonly kind: 'status';
      readonly idMessage: string;
      readonly status: 'sent' | 'delivered' | 'read' | 'failed' | 'no_account';
      /** The gateway's time of the event, milliseconds. */
      readonly atMs: number;
      readonly description?: string;
      /** Set when the gateway was asked: otherwise it told by itself. */
      readonly source?: 'journal';
    }
  | {
      readonly kind: 'edited';
      /** The id of the message that was edited (`stanzaId`). */
      readonly originalIdMessage: string;
      /** The notification's own id. */
      readonly idMessage: string;
      readonly text: string;
      readonly atMs: number;
    }
  | {
      /** Something worth knowing of a message that does not move it. */
      readonly kind: 'remark';
      readonly what: 'deleted' | 'yellowCard';
      readonly idMessage: string;
      readonly atMs: number;
      readonly description?: string;
    };

export interface StoredNotification {
  readonly id: string;
  readonly instance: string;
  readonly body: unknown;
  readonly receivedAt: string;
  readonly oddity?: Oddity;
}

/** What became of a notification. */
export interface Applied {
  /** A stable word. */
  readonly outcome: string;
  /** Why it could not be applied, for an operator; no contents. */
  readonly problem?: string;
}

/** A receipt out of a stored notification. */
export interface StoredReceipt {
  /** The notification's. */
  readonly id: string;
  readonly instance: string;
  readonly receipt: Receipt;
}

/** A notification's id. */
export interface StoredId {
  readonly id: string;
  /** The same had come before. */
  readonly duplicate: boolean;
}

/** What became of receipts that were applied together. */
export interface AppliedTogether {
  /**
   * By the ids of the notifications. `busy`: another process is changing the message at this moment, ask again. Those
   * that are missing are to be applied one by one.
   */
  readonly outcomes: ReadonlyMap<string, 'applied' | 'parked' | 'busy'>;
  readonly changed: readonly MessageId[];
}

// ── operations and clocks ───────────────────────────────────────────────────────────────────────────────────────────────

export const OperationState = {
  pending: 'pending',
  sending: 'sending',
  done: 'done',
  failed: 'failed',
  may_have_happened: 'may_have_happened',
} as const;
export type OperationState = (typeof OperationState)[keyof typeof OperationState];

export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly instance: string;
  readonly state: OperationState;
  /** The gateway's response, secret fields removed. */
  readonly result?: unknown;
  readonly code?: string;
  readonly text?: string;
  readonly createdAt: string;
  readonly endedAt?: string;
}

// ── reconciling ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The current attempt of a row that is unknown or unresolved: what is to be found out. */
export interface OpenQuestion {
  readonly messageId: MessageId;
  readonly state: 'unknown' | 'unresolved';
  readonly instance: string;
  readonly chatId?: string;
  /** Names the attempt. */
  readonly token: string;
  /** What was posted: the attempt's, not the row's. */
  readonly content: MessageContent;
  readonly claimSequence: number;
  readonly claimedAtMs: number;
  readonly reconcileAfterMs: number;
  /** By when the end of the request's connection had been seen; absent where it was not. */
  readonly lossSeenMs?: number;
  /** `onUnknown: auto`. */
  readonly mayPresume: boolean;
}

/** What the ledger keeps of one listing of a queue. */
export interface QueueListing {
  readonly begunAtMs: number;
  readonly endedAtMs: number;
  readonly items: readonly ListedItem[];
}

/** A witness that could not be asked, and why: the error's code and what the gateway said. */
export interface UnavailableWitness {
  /** The gateway operation. */
  readonly witness: string;
  readonly code: string;
  readonly httpStatus?: number;
  readonly text?: string;
}

/** What else the evidence of an unresolved message says. */
export interface UnresolvedDetail {
  /** The witnesses that could not be asked. */
  readonly unavailable?: readonly UnavailableWitness[];
  /** Why it was not presumed never to have been accepted, where the message asks for that. */
  readonly notPresumed?: string;
}

/** A decision's evidence: who says so, and the facts. */
export interface DecisionEvidence {
  readonly witness: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

// ── ids ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What an id is looked for among. */
export type IdSource =
  | { readonly kind: 'message' }
  /** Without those that were only made for a plan. */
  | { readonly kind: 'campaign' }
  | { readonly kind: 'operation'; readonly method: string }
  /** By element name. */
  | { readonly kind: 'template'; readonly instance: string };

/** What belongs to one instance and has an id. */
export type OwnedKind = 'message' | 'edit' | 'campaign' | 'schedule' | 'operation' | 'job' | 'replay';

// ── what workers share ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface ReserveTurns {
  readonly instance: string;
  readonly operation: string;
  /** How many at most. */
  readonly turns: number;
  /** Between two turns; more than 0. */
  readonly spacingMs: number;
  /** None is granted that is further away; one that is free now is granted all the same. */
  readonly maxWaitMs: number;
}

export interface GrantedTurns {
  readonly turns: number;
  /** From now to the first of them; with none granted, to the one that would be next. */
  readonly firstInMs: number;
  readonly blockedForMs: number;
}

export interface SeenInstanceState {
  readonly instance: string;
  /** The gateway's word, e.g. `authorized`. */
  readonly state: string;
  /** By our clock. */
  readonly atMs: number;
  /** Who says so. @default 'getStateInstance' */
  readonly witness?: string;
}

export interface InstanceStateView {
  readonly state: string;
  /** ISO UTC: since when it is known to be in this state, and when it was seen in it last. */
  readonly since: string;
  readonly seenAt: string;
}
