/**
 * The types of everything that a schema describes: its fields, limits and defaults stand at the schema alone. Types
 * only, so that workflows may use them.
 */
import type { z } from 'zod';
import type { CampaignId, EditId, MessageId } from '../ids.js';
import type { WaitableState } from '../message.js';
import type { ScheduleId } from '../schedule.js';
import type {
  campaignCommandConditionSchema,
  campaignInputSchema,
  campaignProgressSchema,
  campaignResultSchema,
  campaignUpdateInputSchema,
  cancelResultSchema,
  editInputSchema,
  editResultSchema,
  editSnapshotSchema,
  failureDetailsSchema,
  messageResultSchema,
  messageStatusSchema,
  newMessageSchema,
  snapshotSchema,
  templateSnapshotSchema,
  waitForInputSchema,
} from '../workflow-schemas.js';
import type {
  amendCampaignSchema,
  campaignDefinitionSchema,
  retryCampaignSchema,
  updateCampaignSchema,
} from './campaign.js';
import type {
  amendmentPlanSchema,
  amendmentSchema,
  campaignViewFields,
  paceFields,
  scheduleRunSchema,
} from './campaign-responses.js';
import type { Shape } from './fields.js';
import type {
  contentSchema,
  sendRequestSchema,
  setTemplateReviewSchema,
  submitTemplateSchema,
  templateKeySchema,
} from './message.js';
import type {
  apiKeySchema,
  auditEntrySchema,
  groupSnapshotSchema,
  recurringJobSchema,
  storySchema,
  suppressionImportSchema,
  suppressionSchema,
  templateFindingSchema,
} from './responses.js';
import type { scheduleDefinitionFields } from './schedule.js';
import type { campaignLimitsSchema, instanceLimitsSchema, localHoursSchema } from './sending-hours.js';

/** The same fields, some of them with a type that a schema does not know, e.g. an id's. */
type With<Fields, Known> = {
  readonly [Name in keyof Fields]: Name extends keyof Known ? Known[Name] : Fields[Name];
};

// ── message ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What to send, a kind and that kind's fields under the gateway's own names. */
export type MessageContent = Shape<typeof contentSchema>;
type ContentOf<Kind extends MessageContent['kind']> = Extract<MessageContent, { readonly kind: Kind }>;
export type FileContent = ContentOf<'file'>;
export type PollContent = ContentOf<'poll'>;
export type TemplateContent = ContentOf<'template'>;
export type ContactCard = ContentOf<'contact'>['contact'];

/** A message as its sender asks for it, with a chat id of the gateway: absent for a status. Times are ISO UTC. */
export type MessageRequest = Omit<Shape<typeof sendRequestSchema>, 'to'> & { readonly chatId?: string };

/**
 * Input of the workflow `message`, as any Temporal SDK gives it: a new message, or one that has a row, e.g. after its
 * run was lost, only under the workflow id `message:<id>`.
 */
export type MessageInput = NewMessageInput | { readonly id: MessageId };
export type NewMessageInput = Shape<typeof newMessageSchema>;

export type EditSnapshot = With<Shape<typeof editSnapshotSchema>, { id: EditId }>;

/**
 * What a workflow may know of its row: no phone number, no text. `version` grows with every change of the row or of one
 * of its edits, so of two snapshots the higher one is the truth. Times are by our own clock.
 */
export type MessageSnapshot = With<
  Shape<typeof snapshotSchema>,
  { id: MessageId; campaignId: CampaignId; edits: readonly EditSnapshot[] }
>;

/** What the workflow ends with: the row's last word while it ran. */
export type MessageResult = With<Shape<typeof messageResultSchema>, { id: MessageId }>;

/** Response of the query `status`. Empty until the row is written. */
export type MessageStatus = With<Shape<typeof messageStatusSchema>, { snapshot: MessageSnapshot }>;

/** Input and response of the update `waitFor`. */
export type WaitForRequest = With<Shape<typeof waitForInputSchema>, { state: WaitableState }>;
export type WaitForResult = MessageStatus & { readonly reached: boolean };

/** Input of the update `edit`: a new edit, or one that has a row, as the HTTP API gives it. */
export type EditRequest = Shape<typeof editInputSchema> | { readonly id: EditId };
export type EditResult = With<Shape<typeof editResultSchema>, { editId: EditId }>;
export type CancelResult = Shape<typeof cancelResultSchema>;

/** The one element of `details` of every failure with a code of ours. */
export type FailureDetails = With<Shape<typeof failureDetailsSchema>, { messageId: MessageId }>;

// ── campaign ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A campaign as its author asks for it, before any recipient was imported. Times are ISO UTC. */
export type CampaignDefinition = Shape<typeof campaignDefinitionSchema>;
/** A message's content in which any text may hold variables, `{{name}}` or `{{name|instead}}`. */
export type ContentTemplate = CampaignDefinition['content'];
export type CampaignLimits = Shape<typeof campaignLimitsSchema>;
/** A pause after each message, between both limits and at random, but the same for the same seed and line. */
export type Jitter = NonNullable<CampaignLimits['jitter']>;

type ShownProgress = With<Shape<typeof campaignProgressSchema>, { id: CampaignId }>;
/** Computed by campaign-pace.ts where a campaign is shown, for all who show it. */
export type CampaignPace = Shape<z.ZodObject<typeof paceFields>>;
/** What a workflow may know of its campaign: counts and its name, no numbers, no texts. */
export type CampaignProgress = Omit<ShownProgress, keyof CampaignPace>;
/** Everything the ledger knows of one campaign but its recipients. */
export type CampaignView = CampaignProgress &
  With<Shape<z.ZodObject<typeof campaignViewFields>>, { definition: CampaignDefinition; content: ContentTemplate }>;
export type PacedProgress<Progress extends CampaignProgress = CampaignProgress> = Progress & CampaignPace;
/** Why nothing of a campaign that was started is sent at the moment. */
export type CampaignWaiting = NonNullable<CampaignProgress['waiting']>;
/** Recipients of the audience in each state; they add up to it. Those that were not read yet are `pending`. */
export type StateCounts = CampaignProgress['counts'];

/** Input of the workflow `campaign`. `progress` is how it stood when the run began; everpost itself gives it. */
export type CampaignInput = With<Shape<typeof campaignInputSchema>, { campaignId: CampaignId }> & {
  readonly progress?: CampaignProgress;
};
export type CampaignResult = With<Shape<typeof campaignResultSchema>, { campaignId: CampaignId }>;
/** Response of the updates `pause`, `resume` and `cancel`, given when it is true. */
export interface CampaignResponse {
  readonly progress: PacedProgress;
  readonly inGatewayQueue: number;
}
export type RetryRequest = Shape<typeof retryCampaignSchema>;
/** Response of the update `retry`: how many were taken up. */
export interface RetriedRecipients {
  readonly recipients: number;
  readonly progress: PacedProgress;
}
/** Input of the update `update`. A new text goes by the HTTP API: texts never enter Temporal. */
export type UpdatePace = Shape<typeof campaignUpdateInputSchema>;
/** The command is refused once one that the sender did not know of has taken effect. */
export type CommandCondition = Shape<typeof campaignCommandConditionSchema>;
/** `content`: for every recipient who was not posted to yet, but those whose own message was edited. */
export type UpdateCampaign = Shape<typeof updateCampaignSchema>;

/** A whole new text with variables, also for those who have an older one. */
export type AmendRequest = Shape<typeof amendCampaignSchema>;
export type AmendmentPlan = Shape<typeof amendmentPlanSchema>;
/** An amendment of a campaign. A campaign has one at most for each version of its text. */
export type Amendment = Shape<typeof amendmentSchema>;
export type AmendmentCounts = Amendment['counts'];

// ── schedule, sending hours ─────────────────────────────────────────────────────────────────────────────────────────────

/** Each run sends either a campaign to the recipients of its moment, or one message. */
export type ScheduleDefinition = Shape<z.ZodObject<typeof scheduleDefinitionFields>>;
export type ScheduleCalendar = NonNullable<ScheduleDefinition['calendars']>[number];
export type ScheduledCampaign = NonNullable<ScheduleDefinition['campaign']>;
export type ScheduledMessage = NonNullable<ScheduleDefinition['message']>;
export type ScheduleRecipients = NonNullable<ScheduleDefinition['recipients']>;
/** Read on the worker's machine at the moment of use; never shown. */
export type ConnectionReference = Extract<ScheduleRecipients, { readonly query: string }>['connection'];

/** One occurrence of a schedule, or one that an operator asked for. */
export type ScheduleRun = With<Shape<typeof scheduleRunSchema>, { campaignId: CampaignId; messageId: MessageId }> & {
  readonly scheduleId: ScheduleId;
};

/** Of an instance: open times as its `sendingWindows`, closed times as its `quietHours`. */
export type LocalHours = Shape<typeof localHoursSchema>;
/** From `from` until just before `until`; with `until` at or before `from` it ends on the next day. */
export type DailyWindow = LocalHours['windows'][number];
export type InstanceLimits = Shape<typeof instanceLimitsSchema>;
/** A new account sends a few messages on its first day, and more every day. */
export type WarmUp = NonNullable<InstanceLimits['warmUp']>;
/** At most so many marketing messages to one recipient, of all campaigns together, in so many times 24 hours. */
export type FrequencyCap = NonNullable<InstanceLimits['frequencyCap']>;

// ── template ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export type TemplateFinding = Shape<typeof templateFindingSchema>;
/** Which template: its name is unique in the account. */
export type TemplateKey = Shape<typeof templateKeySchema>;
/** What a workflow may know of a template's row. Of two snapshots the one with the higher version is the truth. */
export type TemplateSnapshot = Shape<typeof templateSnapshotSchema>;
/** Input of the workflow `template`: what `POST /v1/templates` takes, or the name of one that was submitted before. */
export type TemplateStart = Shape<typeof submitTemplateSchema> | TemplateKey;
/** An operator's decision on the review, pushed where it cannot be read or not soon enough. */
export type TemplateReview = Shape<typeof setTemplateReviewSchema>;
/** Response of the query `status`. Empty until the row is written. */
export interface TemplateStatusResponse {
  readonly snapshot?: TemplateSnapshot;
}

// ── keys, suppressions, the data of an account ──────────────────────────────────────────────────────────────────────────

export type ApiKey = Shape<typeof apiKeySchema>;
export type AuditEntry = Shape<typeof auditEntrySchema>;
export type Suppression = Shape<typeof suppressionSchema>;
export type SuppressionImport = Shape<typeof suppressionImportSchema>;
export type RecurringJob = Shape<typeof recurringJobSchema>;
export type StoredStory = Shape<typeof storySchema>;
export type GroupSnapshot = Shape<typeof groupSnapshotSchema>;
/** What is kept of a group's data. */
export type GroupData = Pick<GroupSnapshot, 'fields' | 'participants'>;
export type GroupChanges = NonNullable<GroupSnapshot['changes']>;
