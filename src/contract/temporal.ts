import type { CampaignId, EditId, MessageId } from './values/ids.js';
import type {
  CommandCondition,
  MessageContent,
  MessageRequest,
  MessageSnapshot,
  TemplateFinding,
  TemplateKey,
  TemplateSnapshot,
} from './schemas/shapes.js';
import type { TemplateDefinition } from './template.js';
import type { TraceContext } from './tracing.js';

/**
 * What only shows never delays what sends. After a restart, the runs of thousands of sent messages may be due at once.
 *
 * TASKS-1 The workflow `instance` and its shifts have a task queue of their own, with its own pollers and slots.
 * TASKS-2 On the other one, schedules, edits and cancellations come first, then what callers start (Temporal's default
 *    priority, 3), and last the runs that are started from rows, whose messages are sent without them.
 */
export const TASK_QUEUE = 'everpost';

/** TASKS-1. */
export function dispatchTaskQueue(taskQueue: string): string {
  return `${taskQueue}-dispatch`;
}

/** One version of the workers of a namespace, as Temporal names it. */
export interface DeploymentVersion {
  readonly namespace: string;
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The command of Temporal's CLI after which this version takes the work. */
export function makeCurrentCommand({ namespace, deploymentName, buildId }: DeploymentVersion): string {
  return `temporal worker deployment set-current-version --namespace ${namespace} --deployment-name ${deploymentName} --build-id ${buildId}`;
}

/** TASKS-2: Temporal's priority keys; the lowest comes first. */
export const PRIORITY_FIRST = { priorityKey: 1 } as const;
export const PRIORITY_LAST = { priorityKey: 5 } as const;

/** The types of search attributes in Temporal. */
export type SearchAttributeKind = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

/** Search attributes, registered at start if permitted. None contains a phone number or a text. */
export const SEARCH_ATTRIBUTES = {
  EverpostInstance: 'KeywordList',
  EverpostState: 'Keyword',
  EverpostKind: 'Keyword',
  EverpostCampaign: 'Keyword',
} as const satisfies Readonly<Record<string, SearchAttributeKind>>;

/** Values of a run. `EverpostInstance`: all accounts that a campaign sends from. */
export interface SearchAttributeValues extends Partial<
  Record<Exclude<keyof typeof SEARCH_ATTRIBUTES, 'EverpostInstance'>, string>
> {
  readonly EverpostInstance?: readonly string[];
}

/** Workflow types, as shown in Temporal and its Web UI. */
export const WORKFLOW = {
  message: 'message',
  campaign: 'campaign',
  template: 'template',
  instance: 'instance',
  scheduleRun: 'scheduleRun',
} as const;

/**
 * Fixed id of the send activity in each workflow `message`, so that the process that starts a run can record what its
 * activity will wait for.
 */
export const SEND_ACTIVITY_ID = 'send';
/** One try of an activity that waits for a row. The next try reads the row again, so a wait has no limit. */
export const WAITING_TRY_MS = 24 * 60 * 60 * 1000;
/** Temporal's server allows ten updates of a run at a time. Two are left for an edit and a cancellation. */
export const MOST_WAITS = 8;
/** Fixed id of the shift's activity in an instance's workflow: other workers end its try by this id. */
export const SHIFT_ACTIVITY_ID = 'dispatch';

export const MESSAGE_EDIT_UPDATE = 'edit';
export const MESSAGE_CANCEL_UPDATE = 'cancel';
export const MESSAGE_WAIT_FOR_UPDATE = 'waitFor';

export const CAMPAIGN_PAUSE_UPDATE = 'pause';
export const CAMPAIGN_RESUME_UPDATE = 'resume';
export const CAMPAIGN_CANCEL_UPDATE = 'cancel';
export const CAMPAIGN_UPDATE_UPDATE = 'update';
export const CAMPAIGN_RETRY_UPDATE = 'retry';

/** A run reads its row again: a message may be due for an instance without a shift, or an end has been taken back. */
export const WAKE_SIGNAL = 'wake';

export const TEMPLATE_SET_REVIEW_UPDATE = 'setReview';
export const TEMPLATE_STATUS_QUERY = 'status';

export const MESSAGE_WORKFLOW_PREFIX = 'message:';

export function messageWorkflowId(id: MessageId): string {
  return `${MESSAGE_WORKFLOW_PREFIX}${id}`;
}

/** True for a workflow id that is reserved for the workflow of one message. */
export function isReservedForMessage(workflowId: string): boolean {
  return workflowId.startsWith(MESSAGE_WORKFLOW_PREFIX);
}

/** Names of instances contain no colon. */
export function instanceWorkflowId(name: string): string {
  return `instance:${name}`;
}

/** `template:<instance>:<elementName>`. Neither part contains a colon, so the id is unique. */
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
 * Input of the first activity of a run: the run's input, not parsed yet, and the values that its ids and times are
 * derived from.
 */
export interface MessageStart {
  readonly input: unknown;
  /** ISO UTC; when the workflow was started. The default expiry counts from here. */
  readonly requestedAt: string;
  /** Id of the workflow's first run, which stays the same after a reset, a retry or a cron run. */
  readonly firstRunId: string;
  /** Of the caller, if it passed one with the start. */
  readonly trace?: TraceContext;
}

/** The header in which OpenTelemetry's interceptors of Temporal's SDKs pass a W3C context. */
export const TRACE_HEADER = '_tracer-data';

/** What a run shows of its message's row: no phone number, no text. Times are by our own clock. */
export interface ShownMessage extends Pick<
  MessageSnapshot,
  'id' | 'state' | 'idMessage' | 'reason' | 'expiresAt' | 'acceptedAt' | 'sentAt' | 'editableUntil'
> {
  /** Nothing more is expected: it ended unsent, or its wait for evidence is over. */
  readonly hasEnded: boolean;
}

/** Result of the first activity of a message's run. */
export interface OpenedMessage {
  readonly message: ShownMessage;
  readonly instance: string;
  readonly kind: MessageContent['kind'];
  /** The workflow that sends the message, if it is not the one that asked. */
  readonly sentBy?: string;
}

/** The activity that compares a request with the request that created a row. A Temporal client may call it. */
export const COMPARE_ACTIVITY = 'compareRequest';

export interface CompareInput {
  readonly id: MessageId;
  readonly requestHash: string;
}

/** The activity that reads a campaign's progress. A Temporal client may call it, also after the end of the run. */
export const READ_CAMPAIGN_ACTIVITY = 'readCampaign';

/** The state of the last run of a message. `ended`: every other end; `none`: Temporal has no run. */
export type LastRun = 'running' | 'terminated' | 'cancelled' | 'ended' | 'none';

export interface LastRunWithId {
  readonly status: LastRun;
  readonly runId?: string;
}

/** Input of a send activity. The claim reads the text from the row, never from here. */
export interface SendInput {
  readonly messageId: MessageId;
  readonly instance: string;
  /** The run has shown that the message is unresolved: the activity waits until it is not any more. */
  readonly after?: 'unresolved';
}

/** Input of the workflow `instance`. */
export interface InstanceInput {
  readonly instance: string;
  /** The mark of the last shift of the run before. */
  readonly mark?: string;
}

/** `EverpostState` of the workflow `instance`. `waiting`: it posts nothing; the details say why. */
export const InstanceRunState = { serving: 'serving', waiting: 'waiting' } as const;

/** Input of the activity `dispatch`. */
export interface ShiftInput extends InstanceInput {
  /** Orders the shifts of one run. */
  readonly shift: number;
}

/** The activity of a message's run that waits for an edit. */
export function editActivityId(id: EditId): string {
  return `edit:${id}`;
}

/** Result of the activity `dispatch`: how the shift ended. */
export interface ShiftReport {
  /** `superseded`: another shift of the instance has replaced it. */
  readonly ended: string;
  /** When the next message of the instance is due; absent: none is due. The run waits without comparing clocks. */
  readonly nextDue?: { readonly at: string; readonly inMs: number };
  /** Why no messages of the instance are posted: a code, and its reasons. */
  readonly waitingFor?: string;
  /** Since when messages of the instance are unresolved because the ledger was restored from an older copy, and how many. */
  readonly wentBack?: { readonly foundAt: string; readonly unresolved: number };
  /** What the shift did last: a ledger that does not know it was restored from an older copy. */
  readonly mark?: string;
  /** Outcomes that the ledger could not record: they still have to be written to it. */
  readonly unrecorded: readonly UnrecordedOutcome[];
}

export interface UnrecordedOutcome {
  /** The attempt's token, or that of the try of an edit. */
  readonly token: string;
  readonly edit?: {
    readonly id: EditId;
    /** How long to wait for the notification of an accepted edit. */
    readonly confirmWithinMs: number;
  };
  readonly outcome: AttemptOutcome;
  /** When the outcome was known, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The outcome of one POST. */
export type AttemptOutcome =
  | { readonly kind: 'accepted'; readonly idMessage: string; readonly httpStatus: number }
  | ({ readonly kind: 'rejected' } & FailedPost)
  /**
   * Surely not accepted, or the deadline passed before bytes left: the row is pending again. `retryAfterMs`: the pause
   * before the next attempt.
   */
  | ({ readonly kind: 'not_accepted'; readonly retryAfterMs?: number } & FailedPost)
  /**
   * `connectionEnded`: when the outcome is recorded, the end of the request's connection is known, so the attempt is
   * settled earlier.
   */
  | ({ readonly kind: 'unknown'; readonly connectionEnded?: true } & FailedPost);

interface FailedPost {
  readonly code: string;
  /** The gateway's text, without secrets. */
  readonly text?: string;
  readonly httpStatus?: number;
}

/**
 * Input of an activity that runs one gateway operation. Either the id of a row in the ledger, which has the request and
 * stores the result; or, from a workflow, the request itself under the gateway's own field names.
 */
export type OperationInput =
  { readonly operationId: string } | { readonly instance: string; readonly request: unknown };

/**
 * `response`, without its secret fields, if a workflow gave the request itself. The response of a row stays in the
 * ledger, and so does one that is too large for a history.
 */
export type OperationResult =
  | { readonly state: 'done'; readonly response: unknown }
  | { readonly state: 'done'; readonly storedAs: string; readonly sizeBytes: number }
  | { readonly state: 'may_have_happened'; readonly code: string };

/** The message that a workflow was started for: an existing row, or the data for a new row. */
export type AskedMessage =
  | { readonly kind: 'existing'; readonly id: MessageId }
  | {
      readonly kind: 'new';
      readonly id: MessageId;
      readonly request: MessageRequest;
      readonly requestHash: string;
      /**
       * The checks whose result can change over time: limits, instance, callback, expiry, template.
       * @throws AppError INPUT_INVALID
       */
      check(): Promise<void>;
    };

export type AskedTemplate =
  { readonly kind: 'existing'; readonly key: TemplateKey } | { readonly kind: 'new'; readonly input: TemplateInput };

/** Parses the inputs of workflow callers by the same rules as the HTTP API. */
export interface WorkflowInputs {
  /** @throws AppError INPUT_INVALID with every problem, when the input is not a valid message */
  message(start: MessageStart, workflowId: string): AskedMessage;
  /** @throws AppError INPUT_INVALID with every problem */
  template(input: unknown, requestedAt: string): AskedTemplate;
  /** The id of an edit, derived from its key, or else from the id of the update that requested it. */
  editId(message: MessageId, edit: { readonly key?: string; readonly updateId: string }): EditId;
}

/** Input of the activity that waits until a campaign changes. */
export interface SendCampaignInput {
  readonly campaignId: CampaignId;
  /** The version that the run shows. */
  readonly shown: number;
}

/** Input of the activities that change a campaign. Runs that began before commands had ids have no id. */
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

/** The data for a new template row. */
export interface TemplateInput extends TemplateKey {
  readonly definition: TemplateDefinition;
  /** Detects a changed file under a name that is in use. */
  readonly definitionHash: string;
  /** ISO UTC. */
  readonly requestedAt: string;
}
