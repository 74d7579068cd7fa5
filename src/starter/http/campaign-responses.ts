/** What the API answers about campaigns, as schemas for its OpenAPI document. */
import { z } from 'zod';
import { EditState, MESSAGE_STATES, RECIPIENT_VERDICTS } from '../../contract/index.js';
import {
  campaignDefinitionSchema,
  campaignLimitsSchema,
  campaignStateSchema,
  highWaterSchema,
  messageStateSchema,
  sendingWindowsSchema,
} from '../../contract/schemas.js';
import { PLAN_PERIODS, PLANNED_REASONS } from '../../domain/index.js';
import { count, countsOf, milestoneFields, time, type Shape } from './fields.js';

const stateCountsSchema = countsOf(MESSAGE_STATES).describe('Recipients in each state; they add up to the audience');
const verdictCountsSchema = countsOf(RECIPIENT_VERDICTS).describe('Lines by verdict; they add up to the lines');

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
    recipientsRemovedAt: time
      .optional()
      .describe('Since when its recipients and messages are removed, for their age; the counts remain'),
    imported: audienceSchema.optional().describe('Absent before the first import ended'),
    importing: z
      .object({ lines: count, begunAt: time })
      .optional()
      .describe('An import that is under way, or was cut off'),
    commands: z
      .array(
        z.object({
          kind: z.string(),
          askedAt: time,
          begunAt: time.optional().describe('When it took effect; absent for one that was refused'),
          requestedBy: z.string().describe('key:<name>, loopback or temporal'),
        }),
      )
      .optional()
      .describe('The latest 20, oldest first; of one campaign, not in lists'),
  })
  .meta({ id: 'Campaign' });

export const campaignListSchema = z
  .object({ items: z.array(campaignSchema), cursor: z.string().optional() })
  .meta({ id: 'CampaignList' });

export const importedSchema = audienceSchema
  .extend({ unchanged: z.boolean().describe('True: the campaign had this very audience already') })
  .meta({ id: 'Imported' });

const problems = z.array(z.object({ path: z.string(), message: z.string() }));

export const planPeriodSchema = z.enum(PLAN_PERIODS);

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
    overFrequencyCap: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe("Recipients who have had as many marketing messages as the instance's frequencyCap allows; as of now"),
    samples: z.array(
      z.object({ line: count, chatId: z.string(), content: z.record(z.string(), z.unknown()), problems }),
    ),
    forecast: z.object({
      recipients: count,
      depth: count.optional(),
      // estimated: from the last reading and what came and went since
      depthFrom: z.enum(['read', 'estimated']).optional(),
      depthReadAt: time.optional(),
      releaseIntervalMs: z.number(),
      // learned: from the queue while others were sent to; settings: what the account is set to
      intervalFrom: z.enum(['learned', 'settings', 'assumed']),
      startsAt: time,
      finishesAt: time
        .optional()
        .describe("When the last one leaves the gateway's queue, if nothing else is sent. Absent when none is posted"),
      durationSeconds: count.describe('From the start to that'),
      notPosted: count.describe('Recipients who are not posted to before the deadline; they end expired'),
      timezone: z.string().describe('By whose clock the rows are'),
      by: planPeriodSchema,
      rows: z
        .array(z.object({ from: time, until: time, posted: count, left: count.describe('Released by the queue') }))
        .describe('Hours or days in which something is posted or leaves'),
      waits: z
        .array(z.object({ from: time, until: time, reason: z.enum(PLANNED_REASONS) }))
        .describe('When nothing is posted, and why'),
    }),
    warnings: z.array(z.object({ code: z.string(), text: z.string() })),
    canStart: z.boolean(),
  })
  .meta({ id: 'CampaignPlan' });

export type CampaignPlan = Shape<typeof campaignPlanSchema>;
export type PlanSample = CampaignPlan['samples'][number];
export type Forecast = CampaignPlan['forecast'];

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

export const amendmentPlanSchema = z
  .object({
    audience: count,
    editable: count.describe('Sent with an older text less than 15 minutes ago'),
    reachable: count.describe('Of these, as many as can be edited in time'),
    underWay: count.describe('Posted and not sent yet: edited as soon as they are sent'),
    tooLate: count.describe('Sent with an older text more than 15 minutes ago'),
    unsent: count.describe('Not posted: they get the new text, or are cancelled'),
    newText: count.describe('They have this text already'),
    ownText: count.describe('Their own message was edited by itself; it stays as it is'),
    notSent: count.describe('Ended without being sent'),
    unresolved: count.describe('It could not be determined whether they were sent anything'),
    seconds: count.describe('How long the reachable edits take'),
  })
  .meta({ id: 'AmendmentPlan', description: 'All but `reachable` and `seconds` add up to the audience' });

export const amendmentSchema = z
  .object({
    contentVersion: count.describe("Of the campaign's text: `shownVersion` of the report names it"),
    text: z.string(),
    textBefore: z.string(),
    stop: z.boolean(),
    state: z.enum(['running', 'ended', 'replaced']).describe('replaced: a newer amendment took its place'),
    begunAt: time,
    endedAt: time.optional(),
    before: amendmentPlanSchema.describe('What it could do for each recipient when it began'),
    counts: z
      .object({
        edited: count.describe('Saw an older text, which now shows as the new one'),
        pending: count.describe('An edit is still to be made or to be confirmed'),
        unconfirmed: count.describe('The edit was posted, and no sign of success or refusal came'),
        refused: count.describe('The gateway refused the edit'),
        tooLate: count.describe('The 15 minutes were over'),
        notPossible: count.describe('Accepted with an older text, and never seen sent'),
        superseded: count.describe('A newer edit took its place'),
        newText: count.describe('Only the new text was posted'),
        unsent: count.describe('Not posted yet'),
        ownText: count.describe('Their own message was edited by itself'),
        notSent: count.describe('Ended without being sent'),
        unresolved: count.describe('It could not be determined whether they were sent anything'),
      })
      .describe('What the recipients saw; they add up to the audience'),
  })
  .meta({ id: 'Amendment' });

export const amendmentListSchema = z.object({ items: z.array(amendmentSchema) }).meta({ id: 'AmendmentList' });

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
    sentVersion: z
      .string()
      .optional()
      .describe("Version of the campaign's text that was posted; own: a text of its own"),
    shownVersion: z.string().optional().describe('Version of the text that the phone is known to show'),
    editOutcome: z.enum(Object.values(EditState)).optional().describe('How the newest edit stands'),
    editedAt: time.optional(),
  })
  .meta({ id: 'ReportRow' });

export const reportPageSchema = z
  .object({ items: z.array(reportRowSchema), cursor: z.string().optional() })
  .meta({ id: 'ReportPage' });
