/** What the API returns for campaigns and schedules. Server and client types follow from these schemas. */
import { z } from 'zod';
import { RECIPIENT_VERDICTS } from '../campaigns/campaign.js';
import { MESSAGE_STATES } from '../message.js';
import { SCHEDULE_RUN_KINDS, SCHEDULE_RUN_STATES } from '../campaigns/schedule.js';
import { campaignDefinitionSchema, campaignStateSchema, highWaterSchema } from './campaign.js';
import { count, countsOf, time } from './fields.js';
import { messageStateSchema } from './message.js';
import { campaignLimitsSchema, sendingWindowsSchema } from './sending-hours.js';

const stateCountsSchema = countsOf(MESSAGE_STATES).describe('Recipients in each state; they add up to the audience');
const verdictCountsSchema = countsOf(RECIPIENT_VERDICTS).describe('Lines by verdict; they add up to the lines');

export const audienceSchema = z
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

/**
 * What a workflow may contain of its campaign, and the response of the query `progress`: counts and its name, no
 * numbers, no texts.
 */
export const progressFields = {
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
};

/** Computed by campaign-pace.ts where a campaign is shown. */
export const paceFields = {
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

export const campaignProgressSchema = z.object({ ...progressFields, ...paceFields }).meta({ id: 'CampaignProgress' });

/** The ledger's data of one campaign, in addition to its progress. */
export const campaignViewFields = {
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
};

export const campaignSchema = z.object({ ...progressFields, ...paceFields, ...campaignViewFields }).meta({ id: 'Campaign' });

export const importedSchema = audienceSchema
  .extend({ unchanged: z.boolean().describe('True: the campaign had this very audience already') })
  .meta({ id: 'Imported' });

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

export const scheduleRunSchema = z
  .object({
    at: time.describe('Which occurrence it is'),
    kind: z.enum(SCHEDULE_RUN_KINDS),
    state: z
      .enum(SCHEDULE_RUN_STATES)
      .describe('pending: its recipients are being read; waiting: for the end of what an earlier run sends'),
    campaignId: z.string().optional().describe('Its campaign, made from schedule and time'),
    campaignState: campaignStateSchema.optional().describe('Absent before the campaign is written'),
    messageId: z.string().optional().describe('Its message, made from schedule and time, where it sends no campaign'),
    messageState: messageStateSchema.optional().describe('Absent before the message is written'),
    startAt: time.describe('When its campaign or message starts: the time with its jitter'),
    startMissedAt: time.optional().describe('When its start was found to be later than the grace time'),
    reason: z.string().optional().describe('Why it was skipped or failed, or what its last try failed of'),
    text: z.string().optional(),
    tries: count.describe('How often it failed'),
    createdAt: time,
    endedAt: time.optional(),
  })
  .meta({ id: 'ScheduleRun' });
