import type { CampaignId, EditId, MessageId } from './ids.js';
import type {
  CampaignProgress,
  CommandCondition,
  MessageContent,
  MessageRequest,
  MessageSnapshot,
  TemplateFinding,
  TemplateKey,
  TemplateSnapshot,
} from './schemas/shapes.js';
import type { TemplateDefinition } from './template.js';

/** The task queue of all everpost workers. */
export const TASK_QUEUE = 'everpost';

/** Task queue of the activity `dispatch` alone: each instance with work holds a slot of it for minutes. */
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

/** Input of the first activity of a run: the run's input, unread, and the facts that its ids and times are derived from. */
export interface MessageStart {
  readonly input: unknown;
  /** ISO UTC, when the workflow was started; the default expiry counts from here. */
  readonly requestedAt: string;
  /** Id of the workflow's first run: a reset, a retry and a cron run keep it. */
  readonly firstRunId: string;
}

/** Result of the first activity of a message's run. */
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

/** How the last run of a message stands. `ended` is every other end, `none` that Temporal knows of no run. */
export type LastRun = 'running' | 'terminated' | 'cancelled' | 'ended' | 'none';

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
  /** The attempt's token. */
  readonly token: string;
  readonly outcome: AttemptOutcome;
  /** When it was known, milliseconds since the epoch. */
  readonly atMs: number;
}

/** The outcome of one POST. `text` is the gateway's own words, free of secrets. */
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

/** A message as its workflow was asked for it: one that has a row, or what its row is to be made of. */
export type AskedMessage =
  | { readonly kind: 'existing'; readonly id: MessageId }
  | {
      readonly kind: 'new';
      readonly id: MessageId;
      readonly request: MessageRequest;
      readonly requestHash: string;
      /**
       * The checks that may come out otherwise another day: limits, instance, callback, expiry, template.
       * @throws AppError INPUT_INVALID
       */
      check(): Promise<void>;
    };

export type AskedTemplate =
  { readonly kind: 'existing'; readonly key: TemplateKey } | { readonly kind: 'new'; readonly input: TemplateInput };

/** Reads what callers of the workflows give, as the HTTP API reads its bodies. */
export interface WorkflowInputs {
  /** @throws AppError INPUT_INVALID with every problem there is, when the input has not the shape of a message */
  message(start: MessageStart, workflowId: string): AskedMessage;
  /** @throws AppError INPUT_INVALID with every problem */
  template(input: unknown, requestedAt: string): AskedTemplate;
  /** The id of an edit: from its key, or else from the id of the update that asked for it. */
  editId(message: MessageId, edit: { readonly key?: string; readonly updateId: string }): EditId;
}

/** A campaign's progress, and the time until its next poll. */
export interface FollowedCampaign {
  readonly progress: CampaignProgress;
  readonly nextPollMs: number;
}

/** Input of the activities that change a campaign. Runs that began before commands had ids name none. */
export interface SteerInput {
  readonly campaignId: CampaignId;
  readonly command?: CommandCondition & { readonly id: string };
}

export interface TemplateValidation {
  readonly errors: readonly TemplateFinding[];
  readonly warnings: readonly TemplateFinding[];
}

/** Result of the first activity of a template's run. */
export interface OpenedTemplate {
  readonly snapshot: TemplateSnapshot;
  readonly category: TemplateDefinition['category'];
  readonly languageCode: TemplateDefinition['languageCode'];
}

/** A template as its row is made. */
export interface TemplateInput extends TemplateKey {
  readonly definition: TemplateDefinition;
  /** By which a changed file under a used name is recognised. */
  readonly definitionHash: string;
  /** ISO UTC. */
  readonly requestedAt: string;
}
