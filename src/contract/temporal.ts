import type { Problem } from './errors.js';
import type { EditId, MessageId } from './ids.js';
import type { EditOutcome, MessageContent, MessageRequest, MessageSnapshot, MessageState } from './message.js';
import type { WaitableState } from './milestones.js';
import type { TemplateKey } from './template.js';

/** The task queue of all everpost workers. */
export const TASK_QUEUE = 'everpost';

/** Of the activity `dispatch` alone: each instance with work holds a slot of it for minutes. */
export function dispatchTaskQueue(taskQueue: string): string {
  return `${taskQueue}-dispatch`;
}

/** The types of search attributes that Temporal knows. */
export type SearchAttributeKind = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

/** Search attributes, registered at start where that is permitted. None holds a phone number or a text. */
export const SEARCH_ATTRIBUTES = {
  EverpostInstance: 'Keyword',
  EverpostState: 'Keyword',
  EverpostKind: 'Keyword',
  EverpostCampaign: 'Keyword',
} as const satisfies Readonly<Record<string, SearchAttributeKind>>;

/** Workflow types, as Temporal and its Web UI know them. */
export const WORKFLOW = {
  message: 'message',
  campaign: 'campaign',
  template: 'template',
  instance: 'instance',
  scheduleRun: 'scheduleRun',
} as const;

/**
 * Activity id of the one send of each workflow `message`, so that the process that records an outcome can complete it without
 * having seen it start.
 */
export const SEND_ACTIVITY_ID = 'send';
/** Of the shift in the workflow of an instance: other workers end its try by this id. */
export const SHIFT_ACTIVITY_ID = 'dispatch';

export const MESSAGE_EDIT_UPDATE = 'edit';
export const MESSAGE_CANCEL_UPDATE = 'cancel';
export const MESSAGE_WAIT_FOR_UPDATE = 'waitFor';
export const MESSAGE_STATUS_QUERY = 'status';
export const MESSAGE_CHANGED_SIGNAL = 'messageChanged';

export const CAMPAIGN_PAUSE_UPDATE = 'pause';
export const CAMPAIGN_RESUME_UPDATE = 'resume';
export const CAMPAIGN_CANCEL_UPDATE = 'cancel';
export const CAMPAIGN_UPDATE_UPDATE = 'update';
export const CAMPAIGN_RETRY_UPDATE = 'retry';
export const CAMPAIGN_PROGRESS_QUERY = 'progress';
export const CAMPAIGN_PLAN_QUERY = 'plan';
/** Something of the campaign changed: its workflow polls again now. */
export const CAMPAIGN_CHANGED_SIGNAL = 'campaignChanged';

/** Something may be due for an instance that no shift serves. */
export const INSTANCE_WAKE_SIGNAL = 'wake';

export const TEMPLATE_SET_REVIEW_UPDATE = 'setReview';
export const TEMPLATE_STATUS_QUERY = 'status';

const MESSAGE_WORKFLOW_PREFIX = 'message:';

export function messageWorkflowId(id: MessageId): string {
  return `${MESSAGE_WORKFLOW_PREFIX}${id}`;
}

/** True for a workflow id that only the workflow of one message may have. */
export function isReservedForMessage(workflowId: string): boolean {
  return workflowId.startsWith(MESSAGE_WORKFLOW_PREFIX);
}

/** Names of instances hold no colon. */
export function instanceWorkflowId(name: string): string {
  return `instance:${name}`;
}

/** `template:<instance>:<elementName>`; neither may hold a colon, so two templates never share one. */
export function templateWorkflowId({ instance, elementName }: TemplateKey): string {
  return `template:${instance}:${elementName}`;
}

/** The inverse of {@link templateWorkflowId}. */
export function templateKeyOf(workflowId: string): TemplateKey | undefined {
  const [, instance, elementName] = /^template:([^:]+):([^:]+)$/.exec(workflowId) ?? [];
  return instance === undefined || elementName === undefined ? undefined : { instance, elementName };
}

export function operationActivityId(method: string, keyHash: string): string {
  return `operation:${method}:${keyHash}`;
}

/**
 * Input of the workflow `message`, as any Temporal SDK gives it; docs/contract.md has its fields, their limits and
 * defaults.
 */
export type MessageInput = NewMessageInput | ExistingMessageInput;

/** What `POST /v1/messages` takes, and its idempotency key. */
export interface NewMessageInput extends Omit<MessageRequest, 'chatId'> {
  /** Phone number in international form, or a chat id. */
  readonly to?: string;
  /** The same instance and key are the same message, here and in the HTTP API. @default a message for each start */
  readonly key?: string;
}

/** Continues a message that has a row, e.g. after its run was lost. Only under the workflow id `message:<id>`. */
export interface ExistingMessageInput {
  readonly id: MessageId;
}

/** What the first activity of a run is given: the input, still unread, and what its ids and times are derived from. */
export interface MessageStart {
  readonly input: unknown;
  /** ISO UTC, when the workflow was started; the default expiry counts from here. */
  readonly requestedAt: string;
  /** Of the first run of the workflow: a reset, a retry and a cron run keep it. */
  readonly firstRunId: string;
}

/** What the first activity of a run found out about its message. */
export interface OpenedMessage {
  readonly snapshot: MessageSnapshot;
  readonly instance: string;
  readonly kind: MessageContent['kind'];
  /** The workflow that sends it, where that is not the one that asked. */
  readonly sentBy?: string;
}

/** The activity that compares a request with the one that a row was made from. A caller of Temporal may ask for it. */
export const COMPARE_ACTIVITY = 'compareRequest';

export interface CompareInput {
  readonly id: MessageId;
  readonly requestHash: string;
}

/** The one element of `details` of every failure with a code of ours. */
export interface FailureDetails {
  readonly next: string;
  /** Everything that is wrong with the input, each with its path. */
  readonly problems?: readonly Problem[];
  readonly messageId?: MessageId;
  /** The workflow that sends the message. */
  readonly workflowId?: string;
}

/** How the last run of a message stands. `ended` is every other end, `none` that Temporal knows of no run. */
export type LastRun = 'running' | 'terminated' | 'cancelled' | 'ended' | 'none';

/** What the workflow ends with: the row's last word while it ran. */
export interface MessageResult {
  readonly id: MessageId;
  readonly state: MessageState;
  readonly idMessage?: string;
  readonly reason?: string;
}

/** Response of the query `status`. Empty until the row is written. */
export interface MessageStatus {
  readonly snapshot?: MessageSnapshot;
  readonly instance?: string;
  readonly kind?: MessageContent['kind'];
}

/** Input of the update `waitFor`. */
export interface WaitForRequest {
  readonly state: WaitableState;
  /** @default until the run ends */
  readonly timeoutMs?: number;
}

/** Response of the update `waitFor`. */
export interface WaitForResult extends MessageStatus {
  /** False when the time was over, or the message ended another way. */
  readonly reached: boolean;
}

/** Input of the update `edit`: a new edit, or one that has a row, as the HTTP API gives it. */
export type EditRequest = NewEditRequest | { readonly id: EditId };

/** Its id is made from `key`, or, without one, from the update's id. */
export interface NewEditRequest {
  /** The whole new text. */
  readonly text: string;
  /** The same key and text are the same edit. @default the update's id */
  readonly key?: string;
}

export interface EditResult {
  readonly editId: EditId;
  readonly outcome: EditOutcome;
  readonly via?: 'before_send' | 'gateway';
  readonly idMessage?: string;
}

export interface CancelResult {
  /** True when it will surely never be posted. */
  readonly cancelled: boolean;
  readonly state: MessageState;
}

/** Signal `messageChanged`: what the ledger now says. Order and repetition do not matter, `version` decides. */
export type MessageChanged = MessageSnapshot;

/** Input of a send activity. The text is read from the row in the claim, never from here. */
export interface SendInput {
  readonly messageId: MessageId;
  readonly instance: string;
}

/** Input of the workflow `instance` and of its activity `dispatch`. */
export interface InstanceInput {
  readonly instance: string;
}

/** Result of the activity `dispatch`: how a shift ended. */
export interface ShiftReport {
  /** `superseded`: another shift of the instance has taken its place. */
  readonly ended: string;
  /** When the instance has its next message, milliseconds since the epoch; absent: none is due. */
  readonly nextDueAtMs?: number;
  /** Why nothing of the instance is posted: a code, and its reasons. */
  readonly waitingFor?: string;
  /** Outcomes that the ledger could not take: they are still to be written to it. */
  readonly unrecorded: readonly UnrecordedOutcome[];
}

export interface UnrecordedOutcome {
  /** Of the attempt. */
  readonly token: string;
  readonly outcome: AttemptOutcome;
  /** When it was known, milliseconds since the epoch. */
  readonly atMs: number;
}

/** What became of one POST. `text` is the gateway's own words, free of secrets. */
export type AttemptOutcome =
  | { readonly kind: 'accepted'; readonly idMessage: string; readonly httpStatus: number }
  | { readonly kind: 'rejected'; readonly code: string; readonly text?: string; readonly httpStatus?: number }
  /** Surely not accepted, or the deadline passed before bytes left: the row is pending again. */
  | {
      readonly kind: 'not_accepted';
      readonly code: string;
      readonly text?: string;
      readonly httpStatus?: number;
      /** How long from now until the next attempt. */
      readonly retryAfterMs?: number;
    }
  | {
      readonly kind: 'unknown';
      readonly code: string;
      readonly text?: string;
      readonly httpStatus?: number;
      /** The end of the request's connection was seen by the time this is recorded: it is settled earlier. */
      readonly connectionEnded?: true;
    };

/**
 * Input of an activity that runs one gateway operation as it is: either a row in the ledger, which holds the request
 * and keeps the result, or the request itself, under the gateway's own field names, when a workflow calls it for
 * itself.
 */
export type OperationInput =
  { readonly operationId: string } | { readonly instance: string; readonly request: unknown };

/**
 * `response`, with its secret fields removed, where a workflow gave the request itself. That of a row stays in the
 * ledger, and so does one too large for a history.
 */
export type OperationResult =
  | { readonly state: 'done'; readonly response: unknown }
  | { readonly state: 'done'; readonly storedAs: string; readonly sizeBytes: number }
  | { readonly state: 'may_have_happened'; readonly code: string };
