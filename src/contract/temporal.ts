import type {
  EditId,
  EditOutcome,
  MessageContent,
  MessageId,
  MessageRequest,
  MessageSnapshot,
  MessageState,
} from './message.js';
import type { TemplateKey } from './template.js';

/** The task queue of all everpost workers. */
export const TASK_QUEUE = 'everpost';

/** Search attributes, registered at start where that is permitted. None holds a phone number or a text. */
export const SEARCH_ATTRIBUTES = {
  EverpostInstance: 'Keyword',
  EverpostState: 'Keyword',
  EverpostKind: 'Keyword',
  EverpostCampaign: 'Keyword',
} as const;

/** Workflow types, as Temporal and its Web UI know them. */
export const WORKFLOW = { message: 'message', campaign: 'campaign', template: 'template' } as const;

export const MESSAGE_EDIT_UPDATE = 'edit';
export const MESSAGE_CANCEL_UPDATE = 'cancel';
export const MESSAGE_STATUS_QUERY = 'status';
export const MESSAGE_CHANGED_SIGNAL = 'messageChanged';

export const CAMPAIGN_PAUSE_UPDATE = 'pause';
export const CAMPAIGN_RESUME_UPDATE = 'resume';
export const CAMPAIGN_CANCEL_UPDATE = 'cancel';
export const CAMPAIGN_CHANGE_UPDATE = 'change';
export const CAMPAIGN_RETRY_UPDATE = 'retry';
export const CAMPAIGN_PROGRESS_QUERY = 'progress';
export const CAMPAIGN_PLAN_QUERY = 'plan';
/** Something of the campaign changed outside its own feeding: it looks again now. */
export const CAMPAIGN_CHANGED_SIGNAL = 'campaignChanged';

export const TEMPLATE_DECIDE_UPDATE = 'decide';
export const TEMPLATE_STATUS_QUERY = 'status';

const MESSAGE_WORKFLOW_PREFIX = 'message:';

export function messageWorkflowId(id: MessageId): string {
  return `${MESSAGE_WORKFLOW_PREFIX}${id}`;
}

/** The inverse of {@link messageWorkflowId}. */
export function messageIdOfWorkflow(workflowId: string): MessageId | undefined {
  return workflowId.startsWith(MESSAGE_WORKFLOW_PREFIX)
    ? (workflowId.slice(MESSAGE_WORKFLOW_PREFIX.length) as MessageId)
    : undefined;
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

/** Input of the workflow `message`. A second start with the same id finds the row and goes on from it. */
export interface MessageInput {
  readonly id: MessageId;
  /** ISO UTC; the default expiry counts from here. */
  readonly requestedAt: string;
  /** Hash of the request, by which a second request with the same key but another body is recognised. */
  readonly requestHash: string;
  readonly request: MessageRequest;
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

/** Answer of the query `status`. */
export interface MessageStatus {
  readonly snapshot?: MessageSnapshot;
  readonly requestHash: string;
  readonly instance: string;
  readonly kind: MessageContent['kind'];
}

export interface EditRequest {
  readonly editId: EditId;
  readonly text: string;
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
}

/** What the ledger now says, or, where it could not be told, what is still to be written to it. */
export type SendResult =
  | { readonly kind: 'recorded'; readonly snapshot: MessageSnapshot }
  | { readonly kind: 'unrecorded'; readonly token: string; readonly outcome: AttemptOutcome };

/** What became of one POST. `text` is the gateway's own words, free of secrets. */
export type AttemptOutcome =
  | { readonly kind: 'accepted'; readonly idMessage: string; readonly httpStatus: number }
  | { readonly kind: 'rejected'; readonly code: string; readonly text?: string; readonly httpStatus?: number }
  /** Surely not accepted, or the deadline passed before bytes left: the row is planned again. */
  | {
      readonly kind: 'not_accepted';
      readonly code: string;
      readonly text?: string;
      readonly httpStatus?: number;
      /** How long from now until the next attempt. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'unknown'; readonly code: string; readonly text?: string; readonly httpStatus?: number };

/**
 * Input of an activity that runs one gateway operation as it is: either a row in the ledger, which holds the request and
 * keeps the result, or the request itself, under the gateway's own field names, when a workflow calls it for itself.
 */
export type OperationInput =
  { readonly operationId: string } | { readonly instance: string; readonly request: unknown };

/** `answer` has its secret fields removed. One too large for a history stays in the ledger. */
export type OperationResult =
  | { readonly state: 'done'; readonly answer: unknown }
  | { readonly state: 'done'; readonly storedAs: string; readonly sizeBytes: number }
  | { readonly state: 'may_have_happened'; readonly code: string };
