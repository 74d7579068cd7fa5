import type {
  AttemptOutcome,
  CampaignId,
  EditSnapshot,
  MessageContent,
  MessageId,
  MessageRequest,
  MessageSnapshot,
  MessageState,
} from '../../contract/index.js';
import type { RunState } from '../column-types.js';
import type { CallbackView } from '../events/event-ledger.js';
import type { ListFilter } from '../storage/pages.js';

/** When a message got how far. Times are ISO UTC. */
export interface MessageMilestones {
  /** By our own clock, as are the next three: when we learned of it. They never run backwards. */
  readonly acceptedAt?: string;
  readonly sentAt?: string;
  readonly deliveredAt?: string;
  readonly readAt?: string;
  /** What the gateway says, by its own clock and in whole seconds. */
  readonly gatewaySentAt?: string;
  readonly gatewayDeliveredAt?: string;
  readonly gatewayReadAt?: string;
}

/** How long everpost tries to determine the outcome of a request whose response was lost, and what follows. */
export interface UnknownOutcome {
  /** ISO UTC: when the request began to leave. */
  readonly since: string;
  /** Until when the gateway's queue, its journal and its notifications are watched. */
  readonly witnessesUntil: string;
  /** Until when at the latest, where one of them cannot be asked or shows a message that may be this one. */
  readonly atLatest: string;
  /**
   * What follows if nothing shows it by then: `unresolved` until an operator resolves it; `presume_or_unresolved` is
   * sent again when it is presumed never to have been accepted, and unresolved otherwise.
   */
  readonly then: 'unresolved' | 'presume_or_unresolved';
}

export interface OpenMessage {
  readonly id: MessageId;
  readonly requestHash: string;
  readonly request: MessageRequest;
  /** From the request's `expiresAt`, or 24 hours after it was made or is to be sent. */
  readonly expiresAtMs: number;
  /** Temporal's namespace of the run that opens it. */
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

export interface ClaimedAttempt {
  readonly token: string;
  readonly instance: string;
  readonly chatId?: string;
  /** As the row has it at the moment of the claim: what will be posted, and what reconciling compares with. */
  readonly content: MessageContent;
  /** The gateway's id of the template that the content names. */
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
   * What prevented its last attempt, e.g. `GATEWAY_UNAUTHORIZED`; `docs/errors.md` says what to do about it.
   */
  readonly code: string;
  /** The gateway's own words, or what stands before it. */
  readonly text?: string;
  /** ISO UTC: since when it has been the same code. */
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
  /** While accepted without a receipt: until when the gateway keeps it and may still send it. */
  readonly mayLeaveUntil?: string;
  /** Only of a recipient of a campaign: the campaign, and the recipient's line. */
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

export interface MessageFilter extends ListFilter {
  readonly state?: MessageState;
  readonly chatId?: string;
  readonly reference?: string;
  /** The gateway's id of the message. */
  readonly idMessage?: string;
}

/** A list row: the view without its collections. */
export type MessageListItem = Omit<
  MessageView,
  'waiting' | 'unknown' | 'evidence' | 'attempts' | 'edits' | 'callbacks'
>;

export interface BegunRow {
  readonly snapshot: MessageSnapshot;
  /** True for the one request that wrote the row. */
  readonly isNew: boolean;
}
