/**
 * The types of all schemas. Fields, limits and defaults are documented at the schema. Types only, so that workflows can
 * import them.
 */
import type { z } from 'zod';
import type { CampaignId, EditId, MessageId } from '../values/ids.js';
import type { WaitableState } from '../message.js';
import type { ScheduleId } from '../schedule.js';
import type * as runs from '../workflow-schemas.js';
import type * as api from '../schemas.js';
import type { Shape } from './fields.js';

/** Replaces the types of some fields by types that a schema cannot express, e.g. an id. */
type With<Fields, Known> = {
  readonly [Name in keyof Fields]: Name extends keyof Known ? Known[Name] : Fields[Name];
};

// ── message ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The content to send: a kind and that kind's fields under the gateway's own names. */
export type MessageContent = Shape<typeof api.contentSchema>;
type ContentOf<Kind extends MessageContent['kind']> = Extract<MessageContent, { readonly kind: Kind }>;
export type FileContent = ContentOf<'file'>;
export type PollContent = ContentOf<'poll'>;
export type TemplateContent = ContentOf<'template'>;

/** A message request that was read: with a chat id of the gateway; a status has none. Times are ISO UTC. */
export type MessageRequest = Omit<Shape<typeof api.sendRequestSchema>, 'to' | 'defaultCountry'> & {
  readonly chatId?: string;
};

/**
 * Input of the workflow `message` from any Temporal SDK: a new message, or an existing row, e.g. after its run was
 * lost. An existing row requires the workflow id `message:<id>`; `expiresAt` is only shown.
 */
export type MessageInput = NewMessageInput | { readonly id: MessageId; readonly expiresAt?: string };
export type NewMessageInput = Shape<typeof runs.newMessageSchema>;

export type EditSnapshot = With<Shape<typeof runs.editSnapshotSchema>, { id: EditId }>;

/**
 * The part of a message's row that a workflow may contain: no phone number, no text. `version` increases with every
 * change of the row or of one of its edits, so the snapshot with the higher version is current. Times are by our own
 * clock.
 */
export type MessageSnapshot = With<
  Shape<typeof runs.snapshotSchema>,
  { id: MessageId; campaignId: CampaignId; edits: readonly EditSnapshot[] }
>;

/** The result of the workflow: the row's state when the run ended. */
export type MessageResult = With<Shape<typeof runs.messageResultSchema>, { id: MessageId }>;

/** Input and response of the update `waitFor`. */
export type WaitForRequest = With<Shape<typeof runs.waitForInputSchema>, { state: WaitableState }>;
export type WaitForResult = With<Shape<typeof runs.waitForResultSchema>, { id: MessageId }>;

/** Input of the update `edit`: a new edit, or the id of an existing row, which the HTTP API has written. */
export type EditRequest = Shape<typeof runs.editInputSchema> | { readonly id: EditId };
export type EditResult = With<Shape<typeof runs.editResultSchema>, { editId: EditId }>;
export type CancelResult = Shape<typeof runs.cancelResultSchema>;

/** The only element of `details` in every failure with an everpost error code. */
export type FailureDetails = With<Shape<typeof runs.failureDetailsSchema>, { messageId: MessageId }>;

// ── campaign ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A campaign as its author defines it, before any recipient is imported. Times are ISO UTC. */
export type CampaignDefinition = Shape<typeof api.campaignDefinitionSchema>;
/** A message's content whose texts may contain variables, `{{name}}` or `{{name|fallback}}`. */
export type ContentTemplate = NonNullable<CampaignDefinition['content']>;
/** A content that a share of the recipients gets. */
export type CampaignVariant = Shape<typeof api.campaignVariantSchema>;
export type VariantFigure = Shape<typeof api.variantFigureSchema>;
export type VariantResults = Shape<typeof api.variantResultsSchema>;
export type CampaignLimits = Shape<typeof api.campaignLimitsSchema>;
/** A random pause after each message, between both limits. The same seed and line give the same pause. */
export type Jitter = NonNullable<CampaignLimits['jitter']>;

/** The part of a campaign that a workflow may contain: counts and the name, no phone numbers, no texts. */
export type CampaignProgress = With<Shape<typeof runs.campaignProgressSchema>, { id: CampaignId }>;
/** All of the ledger's data of one campaign, except its recipients. */
export type CampaignView = CampaignProgress &
  With<Shape<z.ZodObject<typeof api.campaignViewFields>>, { definition: CampaignDefinition; content: ContentTemplate }>;
/** The remaining work of a campaign. */
export interface DispatchPlan extends Pick<
  CampaignProgress,
  'id' | 'instance' | 'priority' | 'highWater' | 'releaseIntervalMs' | 'etaAt' | 'etaUnknown' | 'deadlineAt'
> {
  /** Recipients whose message was not posted yet. */
  readonly pending: number;
  /** Time until the last recipient's message has left the gateway's queue, at this rate. */
  readonly remainingMs?: number;
}

/** Why nothing of a started campaign is being sent. */
export type CampaignWaiting = NonNullable<CampaignProgress['waiting']>;
/**
 * Recipients of the audience in each state; the sum is the size of the audience. Recipients that were not read yet are
 * `pending`.
 */
export type StateCounts = CampaignProgress['counts'];

/** Input of the workflow `campaign`. Only everpost sets `progress`: the progress when the run began. */
export type CampaignInput = With<Shape<typeof runs.campaignInputSchema>, { campaignId: CampaignId }> & {
  readonly progress?: CampaignProgress;
};
export type CampaignResult = With<Shape<typeof runs.campaignResultSchema>, { campaignId: CampaignId }>;
/** Response of the updates `pause`, `resume` and `cancel`, returned once the change has taken effect. */
export interface CampaignResponse {
  readonly progress: CampaignProgress;
  readonly inGatewayQueue: number;
}
export type RetryRequest = Shape<typeof api.retryCampaignSchema>;
export type CampaignAccount = Shape<typeof api.campaignAccountSchema>;
export type ResumeRequest = Shape<typeof api.resumeCampaignSchema>;
export type StartRequest = Shape<typeof api.startCampaignSchema>;
/** Response of the update `retry`: how many recipients are retried. */
export interface RetriedRecipients {
  readonly recipients: number;
  readonly progress: CampaignProgress;
}
/** Input of the update `update`. A new text is sent by the HTTP API: texts never enter Temporal. */
export type UpdatePace = Shape<typeof runs.campaignUpdateInputSchema>;
/** The command is refused if another command has taken effect that the sender did not know of. */
export type CommandCondition = Shape<typeof runs.campaignCommandConditionSchema>;
/** `content`: for every recipient whose message was not posted yet, except those whose own message was edited. */
export type UpdateCampaign = Shape<typeof api.updateCampaignSchema>;

/** A complete new text with variables. It also replaces the text of recipients who have an older one. */
export type AmendRequest = Shape<typeof api.amendCampaignSchema>;
export type AmendmentPlan = Shape<typeof api.amendmentPlanSchema>;
/** An amendment of a campaign. A campaign has at most one for each version of its text. */
export type Amendment = Shape<typeof api.amendmentSchema>;
export type AmendmentCounts = Amendment['counts'];

// ── schedule, sending hours ─────────────────────────────────────────────────────────────────────────────────────────────

/** Each run sends either a campaign to the recipients read at that time, or one message. */
export type ScheduleDefinition = Shape<z.ZodObject<typeof api.scheduleDefinitionFields>>;
export type ScheduledCampaign = NonNullable<ScheduleDefinition['campaign']>;
export type ScheduledMessage = NonNullable<ScheduleDefinition['message']>;
export type ScheduleRecipients = NonNullable<ScheduleDefinition['recipients']>;
/** Read on the worker's machine when it is used; never shown. */
export type ConnectionReference = Extract<ScheduleRecipients, { readonly query: string }>['connection'];

/** One occurrence of a schedule, or one run requested by an operator. */
export type ScheduleRun = With<
  Shape<typeof api.scheduleRunSchema>,
  { campaignId: CampaignId; messageId: MessageId }
> & {
  readonly scheduleId: ScheduleId;
};

/** Hours of an instance: open times in its `sendingWindows`, closed times in its `quietHours`. */
export type LocalHours = Shape<typeof api.localHoursSchema>;
/** From `from` until just before `until`. If `until` is not later than `from`, the window ends on the next day. */
export type DailyWindow = LocalHours['windows'][number];
export type InstanceLimits = Shape<typeof api.instanceLimitsSchema>;
/** The most marketing messages of all campaigns to one recipient, within this many times 24 hours. */
export type FrequencyCap = NonNullable<InstanceLimits['frequencyCap']>;

// ── template ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export type TemplateFinding = Shape<typeof api.templateFindingSchema>;
/** Identifies a template: its name is unique in the account. */
export type TemplateKey = Shape<typeof api.templateKeySchema>;
/** The part of a template's row that a workflow may contain. The snapshot with the higher version is current. */
export type TemplateSnapshot = Shape<typeof runs.templateSnapshotSchema>;
/** Input of the workflow `template`: the body of `POST /v1/templates`, or the name of a template submitted before. */
export type TemplateStart = Shape<typeof api.submitTemplateSchema> | TemplateKey;
/** An operator's decision on the review, for a review that cannot be read or not soon enough. */
export type TemplateReview = Shape<typeof api.setTemplateReviewSchema>;
/** Response of the query `status`. Empty until the row is written. */
export interface TemplateStatusResponse {
  readonly snapshot?: TemplateSnapshot;
}

// ── keys, suppressions, the data of an account ──────────────────────────────────────────────────────────────────────────

export type ApiKey = Shape<typeof api.apiKeySchema>;
export type AuditEntry = Shape<typeof api.auditEntrySchema>;
export type Suppression = Shape<typeof api.suppressionSchema>;
export type PossibleOptOut = Shape<typeof api.possibleOptOutSchema>;
export type SuppressionImport = Shape<typeof api.suppressionImportSchema>;
export type RecurringJob = Shape<typeof api.recurringJobSchema>;
export type StoredStory = Shape<typeof api.storySchema>;
export type GroupSnapshot = Shape<typeof api.groupSnapshotSchema>;
/** The stored part of a group's data. */
export type GroupData = Pick<GroupSnapshot, 'fields' | 'participants'>;
export type GroupChanges = NonNullable<GroupSnapshot['changes']>;
