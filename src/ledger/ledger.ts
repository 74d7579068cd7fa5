import type {
  AttemptOutcome,
  CampaignId,
  ClockOffset,
  EditId,
  EditSnapshot,
  EditState,
  MessageContent,
  MessageId,
  MessageKind,
  MessageRequest,
  MessageSnapshot,
  MessageState,
  OpenedMessage,
} from '../contract/index.js';
import type { AccountedId, ListedItem, NotificationHistory, RecordedReading } from '../domain/index.js';
import type { AudienceLedger, CampaignLifeLedger } from './campaigns/campaign-ledger.js';
import type { DispatchLedger } from './dispatch/dispatch-ledger.js';
import type { InstanceLedger } from './instances/instance-ledger.js';
import type { MessageMilestones } from './milestones.js';
import type { UnknownOutcome } from './unknown-outcome.js';
import type { SignalLedger } from './signals/signal-ledger.js';
import type { ScheduleLedger } from './schedules/schedule-ledger.js';
import type { SuppressionLedger } from './suppressions/suppression-ledger.js';
import type { CallbackLedger, CallbackView } from './callbacks/callback-ledger.js';
import type {
  NotificationFacts,
  NotificationLedger,
  Oddity,
  ReplayLedger,
} from './notifications/notification-ledger.js';
import type { TemplateLedger } from './templates/template-ledger.js';
import type { WakeLedger } from './wakes/wake-ledger.js';

/**
 * The ledger: every message a row, every POST of it an attempt, every decision an entry of evidence. All times that
 * come in are milliseconds since the epoch by the caller's clock; the ledger asks no clock of its own.
 *
 * Every method throws AppError LEDGER_UNAVAILABLE when the store cannot be reached or was interrupted; each is written
 * so that calling it again with the same arguments is safe.
 */
export interface Ledger {
  readonly messages: MessageLedger;
  readonly edits: EditLedger;
  readonly receipts: ReceiptLedger;
  readonly notifications: NotificationLedger;
  readonly replays: ReplayLedger;
  readonly callbacks: CallbackLedger;
  readonly signals: SignalLedger;
  readonly operations: OperationLedger;
  readonly gatewayClocks: GatewayClockLedger;
  readonly rateLimitBuckets: RateLimitBucketLedger;
  readonly instanceStates: InstanceStateLedger;
  readonly instances: InstanceLedger;
  readonly leases: LeaseLedger;
  readonly reconciling: ReconcileLedger;
  readonly audiences: AudienceLedger;
  readonly campaigns: CampaignLifeLedger;
  readonly schedules: ScheduleLedger;
  readonly templates: TemplateLedger;
  readonly ids: IdLedger;
  readonly suppressions: SuppressionLedger;
  readonly dispatch: DispatchLedger;
  readonly wakes: WakeLedger;
  readonly retention: RetentionLedger;
  /** One cheap round trip, for readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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
  readonly idMessage?: string;
  readonly reason?: string;
  /** The gateway's own words for the reason. */
  readonly reasonText?: string;
  readonly createdAt: string;
  /** Not posted before this. */
  readonly sendAt?: string;
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

export interface MessageLedger {
  /**
   * Writes the row unless it exists: `pending` and due, or `rejected` where the template that it names can never be sent. The
   * same request again is the same message; opened by its own workflow, that workflow waits for it from now on.
   * @throws AppError IDEMPOTENCY_MISMATCH when a row of this id was made from another request
   */
  begin(input: OpenMessage): Promise<BegunRow>;
  /** {@link MessageLedger.begin}, where it does not matter which of several requests wrote the row. */
  open(input: OpenMessage): Promise<MessageSnapshot>;
  /**
   * For a new run under the workflow id `message:<id>`, which waits for the message from now on.
   * @throws AppError MESSAGE_NOT_FOUND
   */
  takeOver(id: MessageId, namespace: string): Promise<OpenedMessage>;
  /** Messages that have not ended and whose workflow is to be started, in the order of their intake. */
  runsToStart(limit: number): Promise<WantedRun[]>;
  /** The workflows of these were started, or are there already. Each reads its row by itself. */
  runStarted(ids: readonly MessageId[]): Promise<void>;
  /** The message's workflow is signalled at delivery and reading too. */
  awaitReceipts(id: MessageId): Promise<void>;
  /** Accepted for longer than receipts are waited for, and nothing was heard: {@link expire} ends them. Oldest first. */
  unheard(limit: number, nowMs: number): Promise<MessageId[]>;
  /** Of the request that the row was made from; undefined when there is none. */
  requestHashOf(id: MessageId): Promise<string | undefined>;
  snapshot(id: MessageId): Promise<MessageSnapshot | undefined>;
  /** @param nowMs  for what it waits for. @default by this process's clock */
  view(id: MessageId, nowMs: number): Promise<MessageView | undefined>;
  list(filter: MessageFilter): Promise<{ items: MessageListItem[]; cursor?: string }>;
  /**
   * Writes an outcome to its attempt whatever its source, however late. The row moves only forward: `accepted` counts
   * also after the row was reconciled unknown or unresolved; `not_accepted` and `rejected` count only while this
   * attempt is the row's current one. Receipts parked for the id are applied in the same transaction. Writing the same
   * outcome twice is one.
   */
  recordOutcome(token: string, outcome: AttemptOutcome, nowMs: number): Promise<MessageSnapshot>;
  /**
   * Pending → cancelled. One whose request is out (sending, unknown, unresolved) is marked, and ends cancelled instead
   * of being pending again; others are returned as they are.
   */
  cancel(id: MessageId, witness: string, nowMs: number): Promise<MessageSnapshot>;
  /** Pending → rejected, for a reason that no repetition changes; others are returned as they are. */
  reject(
    id: MessageId,
    why: { readonly reason: string; readonly text?: string },
    nowMs: number,
  ): Promise<MessageSnapshot>;
  /**
   * Ends what time has ended: pending past `expiresAt` → expired; accepted and without a receipt for longer than the
   * gateway keeps it → expired where the instance was never authorized in that time, else it stays accepted and says so
   * (`left_queue_no_receipt`). Anything else is returned as it is.
   * @param journal what the gateway's journal said when it was asked for the message, for the evidence
   */
  expire(id: MessageId, nowMs: number, journal?: string): Promise<MessageSnapshot>;
  /**
   * Messages that something is still to be done about, and whose runs live in this namespace: not yet ended, and if
   * sending, then for so long that the attempt can be reconciled; also those with an edit that has not ended. In the
   * order of their ids.
   */
  unfinished(page: UnfinishedMessages): Promise<UnfinishedMessage[]>;
}

// ── edits ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface OpenEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly text: string;
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

export interface EditLedger {
  /**
   * Writes the edit unless it exists. While the message is `pending` its text is replaced at once (`edited`, `via:
   * before_send`); otherwise the edit waits, and older ones that still wait end as `superseded`.
   * @throws AppError MESSAGE_NOT_FOUND | EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE (the message ended unsent)
   */
  open(input: OpenEdit): Promise<{ edit: EditSnapshot; message: MessageSnapshot }>;
  view(editId: EditId): Promise<(EditView & { messageId: MessageId }) | undefined>;
  /**
   * The right to call editMessage: the newest edit of a message that was sent, inside the window. Past the window a
   * waiting one ends `too_late` here, and one whose earlier request may have arrived stays `sending`, to be confirmed;
   * when a newer edit exists it ends `superseded`. An edit already `sending` may be claimed again: the same text twice
   * is the same text.
   * @param token  names the try. The same token again is the same try: a commit whose response was lost is looked up
   */
  claim(editId: EditId, token: string, nowMs: number): Promise<ClaimEditResult>;
  /**
   * The request of this try surely did not arrive: `sending` → `pending`, so that a closing window ends it as
   * `too_late`. Changes nothing while another try's request may have arrived.
   */
  giveBack(editId: EditId, token: string, nowMs: number): Promise<void>;
  /**
   * The gateway refused the request of this try: `sending` → `refused`. While another try's request may have arrived
   * the edit stays `sending`, to be confirmed, and the refusal is evidence.
   */
  refuse(editId: EditId, token: string, refusal: EditRefusal, nowMs: number): Promise<EditSnapshot>;
  /** editMessage answered 200: from now until the edit is settled, a `failed` for either id is the edit's. */
  recordPosted(editId: EditId, idMessageReturned: string | undefined, nowMs: number): Promise<EditSnapshot>;
  /** Ends an edit, forward only: `unconfirmed` may still become `edited` or `refused`; other ends stay. */
  settle(
    editId: EditId,
    outcome: Exclude<EditState, 'pending' | 'sending' | 'posted'>,
    evidence: { readonly witness: string; readonly reason?: string; readonly detail?: Record<string, unknown> },
    nowMs: number,
  ): Promise<EditSnapshot>;
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

export interface ReceiptLedger {
  /**
   * Stores a raw notification before it is answered. The same body for the same instance is stored once, and counted.
   * Those that come while a commit is under way share the next one.
   */
  store(instance: string, body: unknown, nowMs: number, facts?: NotificationFacts): Promise<StoredId>;
  /** Those not yet applied, oldest first, but for those with these ids. */
  unapplied(limit: number, except?: readonly string[]): Promise<StoredNotification[]>;
  /**
   * What became of notifications, by their ids. One that could not be applied is set aside, and applied again by a
   * replay.
   */
  markApplied(outcomes: ReadonlyMap<string, Applied>): Promise<void>;
  /**
   * Applies one receipt, forward only: `failed` never overrides delivered or read; one whose id no row has yet is
   * parked and applied when the id is stored (both take the same lock). A `sent` fixes `editableUntil` from the gateway
   * clock's offset.
   * @returns what the message it is about now says, also when it was applied before, so that a process that fell before
   *   telling the workflow can tell it now; undefined when it was parked
   */
  apply(instance: string, receipt: Receipt, nowMs: number): Promise<MessageSnapshot | undefined>;
  /**
   * Applies or parks statuses of many messages, to the same end as {@link apply} one by one in their order. What it
   * applies or parks is marked applied, and the signals that follow are recorded, in the same commit. It leaves a
   * message alone of which anything but a status is told, and one whose edits a failure may be about.
   */
  applyTogether(receipts: readonly StoredReceipt[], nowMs: number): Promise<AppliedTogether>;
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

export interface OperationLedger {
  /** @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash */
  open(input: {
    readonly id: string;
    readonly method: string;
    readonly instance: string;
    readonly requestHash: string;
    /** Kept until the operation ended, so that no secret in it ever enters a history. */
    readonly request: unknown;
    readonly nowMs: number;
  }): Promise<OperationView>;
  /** What was asked for; undefined once the operation ended. */
  requestOf(id: string): Promise<unknown>;
  view(id: string): Promise<OperationView | undefined>;
  /**
   * For operations that may run once: compare-and-set from `pending` to `sending`; false when another attempt was here
   * before.
   */
  beginOnce(id: string, nowMs: number): Promise<boolean>;
  /** Takes {@link beginOnce} back when the request surely did not arrive. */
  giveBack(id: string): Promise<void>;
  finish(
    id: string,
    end:
      | { readonly state: 'done'; readonly result: unknown }
      | { readonly state: 'failed' | 'may_have_happened'; readonly code: string; readonly text?: string },
    nowMs: number,
  ): Promise<OperationView>;
}

export interface GatewayClockLedger {
  /**
   * Adds what one response says about the gateway's clock to what is known.
   * @returns what is known now
   */
  narrow(instance: string, sample: ClockOffset, nowMs: number): Promise<ClockOffset>;
  /** As far as it is known at this moment: it gets wider with its age. Undefined before the first response. */
  offset(instance: string, nowMs: number): Promise<ClockOffset | undefined>;
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

/**
 * What became of attempts whose response is missing. Each decision is compare-and-set: it changes a row only while the
 * attempt it was made about is the row's current one and still open; otherwise the row is returned as it is.
 */
export interface ReconcileLedger {
  /** Messages that are unresolved, in the order of their ids. */
  unresolved(limit: number, afterId?: MessageId): Promise<MessageId[]>;
  /** Undefined when nothing is open: the row is neither unknown nor unresolved. */
  question(messageId: MessageId): Promise<OpenQuestion | undefined>;
  /** All that are open for one chat of an instance, unknown ones first, oldest claim first. */
  openQuestions(instance: string, chatId: string | undefined): Promise<OpenQuestion[]>;
  /**
   * Keeps a listing of the instance's queue, and deletes those that no attempt with an open outcome needs. With none
   * open only the last one is kept, and the longest within a day; then it writes once a second at most.
   */
  recordReading(instance: string, listing: QueueListing): Promise<void>;
  /** All that are kept, in the order in which they were recorded, and how long the longest within a day is. */
  readings(
    instance: string,
    nowMs: number,
  ): Promise<{ readonly readings: readonly RecordedReading[]; readonly longestListing: number }>;
  /** Which of these ids have an owner, and what is known of their acceptance. */
  accounted(instance: string, idMessages: readonly string[]): Promise<Map<string, AccountedId>>;
  /** Ids that the gateway gave to messages claimed after one of these was accepted: they stand behind it. */
  acceptedSince(instance: string, listed: ReadonlyMap<string, AccountedId>): Promise<Map<string, AccountedId>>;
  /**
   * Keeps a notification of a message that no row accounts for, once; of one that a row accounts for, when it came and
   * when it says that the message left.
   */
  keepObservation(
    instance: string,
    idMessage: string,
    notification: unknown,
    nowMs: number,
    when?: { readonly receivedAtMs: number; readonly leftAtMs?: number },
  ): Promise<void>;
  /** Notifications kept since the claim whose ids still have no owner, oldest first. */
  observations(question: OpenQuestion): Promise<unknown[]>;
  /** Ids for which receipts came since the claim and which still have no owner. */
  parkedIds(question: OpenQuestion): Promise<string[]>;
  /**
   * What is known to have happened to the instance since the claim. `restarted`: it may have restarted after the claim,
   * by what it was seen to be, or by an operation of ours that restarts it. Such a restart has no moment but an
   * interval: from its request until five minutes after its response; one whose outcome is not known counts too.
   */
  instanceSince(question: OpenQuestion): Promise<{ readonly restarted: boolean; readonly leftAuthorized: boolean }>;
  /**
   * What the notifications of own messages of an instance say, within a day.
   * @param about.decidableFromMs  a successor was claimed since
   * @param about.left  a complete reading: what was accepted before it began, and is not in it, has left the queue
   */
  notified(
    question: OpenQuestion,
    about: { readonly decidableFromMs: number; readonly nowMs: number; readonly left?: QueueListing },
  ): Promise<Omit<NotificationHistory, 'isOn' | 'wasAlwaysAuthorized'>>;
  /**
   * The id is the attempt's: the row is accepted, with the receipts that were parked for it. An unresolved row does not
   * take an id while an equal message is sending or unknown, whose it may be; nor is an id taken that has an owner.
   */
  adopt(question: OpenQuestion, idMessage: string, evidence: DecisionEvidence, nowMs: number): Promise<MessageSnapshot>;
  /**
   * The attempt never entered the queue, or is presumed not to have: unknown → pending, or cancelled where that was
   * asked for.
   */
  makePending(
    question: OpenQuestion,
    what: 'absent' | 'presumed_absent',
    evidence: DecisionEvidence,
    nowMs: number,
  ): Promise<MessageSnapshot>;
  /**
   * Nothing decides: unknown → unresolved, until late evidence or an operator settles it.
   * @param more  for the evidence
   */
  markUnresolved(question: OpenQuestion, why: string, nowMs: number, more?: UnresolvedDetail): Promise<MessageSnapshot>;
  /**
   * An operator's decision on a row that is unknown or unresolved: `accepted` ends the question, `not_accepted` makes
   * it pending again. Given twice it is one; a row that is settled otherwise refuses it.
   * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (`not_accepted` before it can
   *   be reconciled)
   */
  resolve(messageId: MessageId, outcome: 'accepted' | 'not_accepted', nowMs: number): Promise<MessageSnapshot>;
}

// ── retention ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface RetentionLedger {
  /**
   * Deletes what is no longer needed, in bounded parts. Observations and parked receipts that could belong to an
   * unresolved message are kept for it, but not those from before `keptSinceMs`.
   * @param what.keptSinceMs  records of finished work from before it are deleted
   * @returns how many rows of each table were deleted
   */
  removeOld(what: { readonly nowMs: number; readonly keptSinceMs: number }): Promise<Readonly<Record<string, number>>>;
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

export interface IdLedger {
  /** The first ids that begin with it, byte by byte in their order. */
  beginningWith(source: IdSource, beginning: string, limit: number): Promise<string[]>;
}

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

/**
 * Turns of requests to the gateway, one rate limit bucket for each instance and operation, by the database's clock. Not
 * durable.
 */
export interface RateLimitBucketLedger {
  reserve(input: ReserveTurns): Promise<GrantedTurns>;
  /** No turn is granted for so long; a longer block stays. */
  block(instance: string, operation: string, forMs: number): Promise<void>;
  /** 0: not blocked. */
  blockedForMs(instance: string, operation: string): Promise<number>;
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

/** What instances were seen to be: told by their notifications, or asked for. */
export interface InstanceStateLedger {
  /**
   * Writes a sight down, also one that is told late; a state that pauses an instance does so in the same transaction.
   * @returns true when the account was not known to be in this state
   */
  record(seen: SeenInstanceState): Promise<boolean>;
  /** Undefined when nothing is known yet. */
  current(instance: string): Promise<InstanceStateView | undefined>;
}

/** What only one of several workers should do at a time. */
export interface LeaseLedger {
  /** @returns false while another holder has it; who has it may take it again, for longer */
  acquire(name: string, holder: string, forMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}
