/** What the API answers about campaigns, as schemas for its OpenAPI document. */
import { z } from 'zod';
import { MESSAGE_STATES, RECIPIENT_VERDICTS } from '../../contract/index.js';
import {
  campaignDefinitionSchema,
  campaignLimitsSchema,
  campaignStateSchema,
  highWaterSchema,
  messageStateSchema,
  sendingWindowsSchema,
} from '../../contract/schemas.js';
import { milestoneFields } from './routes/messages.js';

const time = z.iso.datetime();
const count = z.number().int();

const stateCountsSchema = z
  .object(Object.fromEntries(MESSAGE_STATES.map((state) => [state, count])))
  .describe('Recipients in each state; they add up to the audience');

const verdictCountsSchema = z
  .object(Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, count])))
  .describe('Lines by verdict; they add up to the lines');

const audienceSchema = z
  .object({
    lines: count.describe('Lines of the source with anything on them, its head not counted'),
    verdicts: verdictCountsSchema,
    importedAt: time,
  })
  .meta({ id: 'Audience' });

export const waitingSchema = z.object({
  code: z.string().describe('What stands in the way; docs/errors.md and the guide say what to do about it'),
  since: time,
  text: z.string().optional(),
  until: time.optional().describe('When it goes on by itself, where time alone decides'),
});

const progressFields = {
  id: z.string(),
  version: count.describe('Of two responses the higher one is the truth'),
  commandSequence: count.describe('Of the newest command that took effect; 0 before the first'),
  name: z.string().optional(),
  instance: z.string(),
  state: campaignStateSchema,
  priority: z.string(),
  audience: count,
  counts: stateCountsSchema,
  highWater: highWaterSchema,
  depth: count.optional().describe("Items in the gateway's queue, whatever their source, as read last"),
  queueReadAt: time.optional().describe('When the queue was read last'),
  releaseIntervalMs: z.number().optional().describe("Between two releases of the gateway's queue"),
  waiting: waitingSchema.optional().describe('Why nothing of a running campaign is sent at the moment'),
  startAt: time.optional().describe('Nothing is posted before this'),
  startMissedAt: time.optional().describe('When it was found that its start was later than its grace time'),
  startedAt: time.optional(),
  endedAt: time.optional(),
  deadlineAt: time.optional(),
  done: count.describe('Recipients posted to, or ended without'),
  donePercent: count.describe('Of the audience, rounded down'),
  perMinute: z.number().optional().describe("How many leave the gateway's queue a minute; one decimal below 10"),
  etaAt: time.optional().describe("When, as things go, the last one leaves the gateway's queue; never in the past"),
  asOf: time.optional().describe('When `etaAt` was computed'),
  etaUnknown: z
    .string()
    .optional()
    .describe(
      'Why a running or paused campaign has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, or the code of what it waits for',
    ),
};

export const campaignProgressSchema = z.object(progressFields).meta({ id: 'CampaignProgress' });

export const campaignSchema = z
  .object({
    ...progressFields,
    definition: campaignDefinitionSchema,
    content: z.record(z.string(), z.unknown()).describe("What is sent now: the definition's, unless it was changed"),
    contentVersion: count,
    sendingWindows: sendingWindowsSchema.optional().describe('As they are now; absent: whenever its instance sends'),
    limits: campaignLimitsSchema.optional().describe('As they are now'),
    createdAt: time,
    cancelRequestedAt: time.optional(),
    imported: audienceSchema.optional().describe('Absent before the first import ended'),
    importing: z
      .object({ lines: count, begunAt: time })
      .optional()
      .describe('An import that is under way, or was cut off'),
  })
  .meta({ id: 'Campaign' });

export const campaignListSchema = z
  .object({ items: z.array(campaignSchema), cursor: z.string().optional() })
  .meta({ id: 'CampaignList' });

export const importedSchema = audienceSchema
  .extend({ unchanged: z.boolean().describe('True: the campaign had this very audience already') })
  .meta({ id: 'Imported' });

const problems = z.array(z.object({ path: z.string(), message: z.string() }));

export const campaignPlanSchema = z
  .object({
    id: z.string(),
    instance: z.string(),
    state: campaignStateSchema,
    audience: count,
    imported: audienceSchema.optional(),
    missing: z
      .array(z.object({ variable: z.string(), recipients: count, firstLine: count }))
      .describe('Variables without a fallback that a recipient has no value for: the campaign does not start'),
    refused: z
      .object({ recipients: count, firstLine: count.optional(), problems })
      .describe('Recipients whose message the gateway would refuse; they end rejected'),
    suppressed: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe('Recipients on the suppression list; they end suppressed, unless they are taken off it before'),
    samples: z.array(
      z.object({ line: count, chatId: z.string(), content: z.record(z.string(), z.unknown()), problems }),
    ),
    forecast: z.object({
      recipients: count,
      depth: count.optional(),
      depthFrom: z.enum(['read', 'estimated']).optional(),
      depthReadAt: time.optional(),
      releaseIntervalMs: z.number(),
      intervalFrom: z.enum(['learned', 'settings', 'assumed']),
      durationSeconds: count,
    }),
    warnings: z.array(z.object({ code: z.string(), text: z.string() })),
    canStart: z.boolean(),
  })
  .meta({ id: 'CampaignPlan' });

export const campaignResponseSchema = z
  .object({
    progress: campaignProgressSchema,
    inGatewayQueue: count.describe(
      'Messages that the gateway has accepted and, as far as is known, not sent: they still go out',
    ),
  })
  .meta({ id: 'CampaignResponse' });

export const retriedSchema = z
  .object({ recipients: count.describe('How many were taken up'), progress: campaignProgressSchema })
  .meta({ id: 'RetriedRecipients' });

export const reportRowSchema = z
  .object({
    line: count.describe('Of the source'),
    messageId: z.string().describe('A message like any other: status, edit, cancel and resolve work on it'),
    chatId: z.string(),
    state: messageStateSchema,
    reason: z.string().optional().describe('Stable word for why it ended as it did'),
    reasonText: z.string().optional().describe("The gateway's own words"),
    idMessage: z.string().optional().describe("The gateway's id"),
    attempts: count,
    acceptedAt: milestoneFields.acceptedAt,
    sentAt: milestoneFields.sentAt,
    deliveredAt: milestoneFields.deliveredAt,
    readAt: milestoneFields.readAt,
    endedAt: time.optional(),
    evidence: z.string().optional().describe('The witness of the newest evidence, and what it says'),
    gatewaySentAt: milestoneFields.gatewaySentAt,
    gatewayDeliveredAt: milestoneFields.gatewayDeliveredAt,
    gatewayReadAt: milestoneFields.gatewayReadAt,
  })
  .meta({ id: 'ReportRow' });

export const reportPageSchema = z
  .object({ items: z.array(reportRowSchema), cursor: z.string().optional() })
  .meta({ id: 'ReportPage' });
