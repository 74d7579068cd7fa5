/**
 * The inputs and responses of the public workflows, as zod schemas. `schemas/` is generated from them, and tests parse
 * real responses with them. Import this file by its own name, never from workflow code.
 */
import { z } from 'zod';
import { CAMPAIGN_STATES } from './campaign.js';
import { EditState, MESSAGE_STATES, Priority, WAITABLE_STATES } from './message.js';
import {
  campaignIdSchema,
  setTemplateReviewSchema,
  exactText,
  idempotencyKeySchema,
  retryCampaignSchema,
  sendRequestSchema,
  submitTemplateSchema,
  templateKeySchema,
  campaignNameSchema,
  highWaterSchema,
  progressFields,
  time,
} from './schemas.js';
import { SHORT_ID_PATTERN } from './values/ids.js';
import { INPUT_LIMITS } from './values/values.js';
import { TEMPLATE_STATES } from './template.js';

const messageState = z.enum(MESSAGE_STATES);
const editOutcome = z.enum(['edited', 'too_late', 'refused', 'unconfirmed', 'superseded', 'not_possible']);
const via = z
  .enum(['before_send', 'gateway'])
  .describe('before_send: the text was replaced before the message was posted');
const gatewayId = z.string().describe("The gateway's id");

// ── message ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const newMessageSchema = sendRequestSchema
  .extend({
    key: idempotencyKeySchema
      .exactOptional()
      .describe('The same instance and key give the same message. Default: a new message for each start'),
  })
  .meta({ id: 'NewMessage' });

const existingMessageSchema = z.strictObject({ id: z.string().regex(new RegExp(`^msg_${SHORT_ID_PATTERN}$`)) }).meta({
  id: 'ExistingMessage',
  description: 'Continues a message that has a row, under the workflow id message:<id>',
});

export const messageInputSchema = z.union([newMessageSchema, existingMessageSchema]);

export const messageResultSchema = z.strictObject({
  id: z.string(),
  state: messageState,
  idMessage: gatewayId.exactOptional(),
  reason: z.string().exactOptional().describe('Stable word for why the message ended in this state'),
});

export const editSnapshotSchema = z.strictObject({
  id: z.string(),
  state: z.enum(Object.values(EditState)),
  via: via.exactOptional(),
});

export const snapshotSchema = z
  .strictObject({
    id: z.string(),
    version: z.int().describe('Increases with each change, so the snapshot with the higher version is newer'),
    state: messageState,
    idMessage: gatewayId.exactOptional(),
    expiresAt: time.describe('The message is not posted after this time'),
    acceptedAt: time.exactOptional(),
    sentAt: time.exactOptional().describe('When the first receipt that implies `sent` arrived'),
    editableUntil: time.exactOptional().describe('Known once the message is sent'),
    reason: z.string().exactOptional().describe('Stable word for why the message ended in this state'),
    campaignId: z.string().exactOptional(),
    workflowId: z.string().exactOptional().describe('The workflow that shows the message, unless it is message:<id>'),
    edits: z.array(editSnapshotSchema),
  })
  .meta({ id: 'MessageSnapshot' });

export const waitForInputSchema = z.strictObject({
  state: z.enum(WAITABLE_STATES).describe('`end`: delivered, or any end state'),
  timeoutMs: z
    .int()
    .min(0)
    .max(INPUT_LIMITS.waitMs)
    .exactOptional()
    .describe('Milliseconds. Default: until the run ends'),
});

export const waitForResultSchema = messageResultSchema.extend({
  reached: z.boolean().describe('False if the time was over, or the message ended in another way'),
});

export const editInputSchema = z.strictObject({
  text: exactText.min(1).max(INPUT_LIMITS.textCharacters).describe('The complete new text'),
  key: idempotencyKeySchema
    .exactOptional()
    .describe("The same key and text give the same edit. Default: the update's id"),
});

export const editResultSchema = z.strictObject({
  editId: z.string(),
  outcome: editOutcome,
  via: via.exactOptional(),
  idMessage: gatewayId.exactOptional(),
});

export const cancelResultSchema = z.strictObject({
  cancelled: z.boolean().describe('True if the message will never be posted'),
  state: messageState,
});

/** `details[0]` of every failure with an everpost error code. */
export const failureDetailsSchema = z.strictObject({
  next: z.enum(['stop', 'wait', 'ask', 'human', 'bug']).describe('What the caller does next, see docs/errors.md'),
  problems: z
    .array(
      z.strictObject({
        path: z.string().describe('Path of the field. Empty: the input as a whole'),
        message: z.string(),
      }),
    )
    .exactOptional(),
  messageId: z.string().exactOptional(),
  workflowId: z.string().exactOptional().describe('The workflow that sends the message'),
  httpStatus: z.int().exactOptional(),
});

// ── campaign ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const campaignInputSchema = z.strictObject({ campaignId: campaignIdSchema });

const counts = z.record(messageState, z.int()).meta({ id: 'Counts', description: 'Recipients in each state' });

export const campaignResultSchema = z.strictObject({
  campaignId: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  audience: z.int(),
  counts,
});

export const campaignProgressSchema = z
  .strictObject({ ...progressFields, priority: z.enum(Object.values(Priority)), counts })
  .meta({ id: 'CampaignProgress' });

export const campaignSteeringResultSchema = z.strictObject({
  progress: campaignProgressSchema,
  inGatewayQueue: z.int().describe('Messages that the gateway has accepted and still sends'),
});

export const campaignUpdateInputSchema = z
  .strictObject({
    highWater: highWaterSchema.exactOptional(),
    deadline: z.iso.datetime({ offset: true }).exactOptional().describe('No recipient is posted to after this time'),
    name: campaignNameSchema.exactOptional(),
    startAt: z.iso.datetime({ offset: true }).exactOptional().describe('Only for a campaign that has not begun'),
  })
  .refine((change) => Object.keys(change).length > 0)
  .meta({ description: 'At least one field' });

export const campaignCommandConditionSchema = z.strictObject({
  after: z.int().min(0).exactOptional().describe('`commandSequence` of the progress that the sender knows'),
});

export const campaignRetryResultSchema = z.strictObject({ recipients: z.int(), progress: campaignProgressSchema });

// ── template ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const templateInputSchema = z.union([submitTemplateSchema, templateKeySchema]);

export const templateSnapshotSchema = z
  .strictObject({
    instance: z.string(),
    elementName: z.string(),
    version: z.int(),
    state: z.enum(TEMPLATE_STATES),
    status: z.string().exactOptional().describe('The status of the review, e.g. APPROVED'),
    statusSince: time.exactOptional(),
    reason: z.string().exactOptional(),
    templateId: gatewayId.exactOptional(),
    unwatchedSince: time.exactOptional(),
    createdAt: time,
  })
  .meta({ id: 'TemplateSnapshot' });

export const templateStatusSchema = z
  .strictObject({ snapshot: templateSnapshotSchema.exactOptional() })
  .meta({ description: 'An empty object until the row is written' });

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The content of each file in `schemas/`. */
export const WORKFLOW_SCHEMAS = {
  'message.input': { schema: messageInputSchema, title: 'Input of the workflow message' },
  'message.result': { schema: messageResultSchema, title: 'Result of the workflow message' },
  'message.waitFor.input': { schema: waitForInputSchema, title: 'Input of the update waitFor' },
  'message.waitFor.result': { schema: waitForResultSchema, title: 'Response of the update waitFor' },
  'message.edit.input': { schema: editInputSchema, title: 'Input of the update edit' },
  'message.edit.result': { schema: editResultSchema, title: 'Response of the update edit' },
  'message.cancel.result': { schema: cancelResultSchema, title: 'Response of the update cancel' },
  'campaign.input': { schema: campaignInputSchema, title: 'Input of the workflow campaign' },
  'campaign.result': { schema: campaignResultSchema, title: 'Result of the workflow campaign' },
  'campaign.progress.result': { schema: campaignProgressSchema, title: 'Progress of a campaign' },
  'campaign.steering.result': {
    schema: campaignSteeringResultSchema,
    title: 'Response of the updates pause, resume and cancel',
  },
  'campaign.update.input': { schema: campaignUpdateInputSchema, title: 'Input of the update update' },
  'campaign.retry.input': { schema: retryCampaignSchema, title: 'Input of the update retry' },
  'campaign.command.condition': {
    schema: campaignCommandConditionSchema,
    title: 'Last argument of the updates that change a campaign',
  },
  'campaign.retry.result': { schema: campaignRetryResultSchema, title: 'Response of the update retry' },
  'template.input': { schema: templateInputSchema, title: 'Input of the workflow template' },
  'template.result': { schema: templateSnapshotSchema, title: 'Result of the workflow template' },
  'template.status.result': { schema: templateStatusSchema, title: 'Response of the query status' },
  'template.setReview.input': { schema: setTemplateReviewSchema, title: 'Input of the update setReview' },
  'failure.details': { schema: failureDetailsSchema, title: 'First element of the details of a failure' },
} as const satisfies Record<string, { readonly schema: z.ZodType; readonly title: string }>;

/** JSON Schema draft 2020-12. */
export function jsonSchemaOf(name: keyof typeof WORKFLOW_SCHEMAS): Record<string, unknown> {
  const { schema, title } = WORKFLOW_SCHEMAS[name];
  const io = name.endsWith('.input') ? 'input' : 'output';
  return { title, ...z.toJSONSchema(schema, { io }) };
}
