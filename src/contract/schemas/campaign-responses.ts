/** The API's responses about campaigns and schedules. Server and client types are derived from these schemas. */
import { z } from 'zod';
import { ACCOUNT_OUT, RECIPIENT_VERDICTS, type AccountOut } from '../campaign.js';
import { MESSAGE_STATES } from '../message.js';
import { SCHEDULE_RUN_KINDS, SCHEDULE_RUN_STATES } from '../schedule.js';
import { campaignDefinitionSchema, campaignStateSchema, highWaterSchema } from './campaign.js';
import { campaignVariantSchema } from './campaign-content.js';
import { count, countsOf, time } from './fields.js';
import { listFactsSchema, remediesSchema } from './list-file.js';
import { messageStateSchema } from './message.js';
import { campaignLimitsSchema, sendingWindowsSchema } from './sending-hours.js';

const stateCountsSchema = countsOf(MESSAGE_STATES).describe(
  'Recipients in each state. The counts add up to the audience',
);
const verdictCountsSchema = countsOf(RECIPIENT_VERDICTS).describe('Lines by verdict. The counts add up to `lines`');

export const audienceSchema = z
  .object({
    lines: count.describe('Non-empty lines of the source, without its header'),
    verdicts: verdictCountsSchema,
    rejected: count.describe('Lines that should be recipients and are not: neither accepted nor a duplicate'),
    remedies: remediesSchema,
    additions: count.describe('How many sources were added to the first one'),
    importedAt: time,
  })
  .meta({ id: 'Audience' });

export const waitingSchema = z.object({
  code: z.string().describe('Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md'),
  since: time,
  text: z.string().optional(),
  until: time.optional().describe('When it ends, if only time decides'),
  remedy: z.string().optional().describe('A command that ends it, or shows what to do'),
  asOf: time.optional().describe('When a worker estimated it, for what only a worker knows'),
});

/**
 * The part of a campaign that a workflow may contain, and the response of the query `progress`: counts and the name, no
 * phone numbers, no texts.
 */
export const progressFields = {
  id: z.string().describe('Id of the campaign'),
  version: count.describe('Increases with each change, so the response with the higher version is newer'),
  commandSequence: count.describe('Sequence number of the newest command that took effect. 0 before the first one'),
  name: z.string().optional().describe('Display name'),
  instance: z.string().describe('The instance that sends it, or the first one of `accounts`'),
  instances: z.array(z.string()).optional().describe('The names of its accounts, if they are several'),
  state: campaignStateSchema,
  priority: z.string().describe('Order of dispatch within the instance'),
  audience: count.describe('Number of recipients'),
  counts: stateCountsSchema,
  replied: count.describe(
    'Recipients who replied to the message: who wrote within `repliesFor` after it, anything but an opt-out',
  ),
  optedOut: count.describe('Recipients who wrote a STOP, or what may be one, within `repliesFor` after the message'),
  highWater: highWaterSchema,
  depth: count.optional().describe("Items in the gateway's queue from all sources, at the last reading"),
  queueReadAt: time.optional().describe('When the queue was last read'),
  releaseIntervalMs: z.number().optional().describe("Milliseconds between two releases of the gateway's queue"),
  waiting: waitingSchema.optional().describe('Why a running campaign sends nothing at the moment'),
  startAt: time.optional().describe('Nothing is posted before this time'),
  startMissedAt: time.optional().describe('When the campaign was found to start later than its grace time'),
  startedAt: time.optional().describe('When the campaign first ran'),
  endedAt: time.optional().describe('When the campaign reached an end state'),
  deadlineAt: time.optional().describe('No recipient is posted to after this time'),
  timezone: z
    .string()
    .describe("Timezone in which times are shown: of the campaign's windows, else of its instance, else UTC"),
  done: count.describe('Recipients that were posted to, or ended without a post'),
  donePercent: count.describe('Percentage of the audience that is done, rounded down'),
  perMinute: z
    .number()
    .optional()
    .describe("Messages that leave the gateway's queue per minute, with one decimal below 10"),
  etaAt: time
    .optional()
    .describe(
      "When the last message leaves the gateway's queue, by the same forecast as the plan, if nothing else is sent. Never in the past",
    ),
  asOf: time.optional().describe('When `etaAt` was computed'),
  willExpire: count
    .optional()
    .describe('Recipients who are not posted to before the deadline, by the same forecast. They end expired'),
  etaUnknown: z
    .string()
    .optional()
    .describe(
      'Why a campaign that was started has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, `DEADLINE_TOO_SOON`, `FORECAST_LATER` in the response to a command for a campaign with more than 10,000 recipients left, or the code that it waits for',
    ),
};

export const campaignProgressSchema = z.object(progressFields).meta({ id: 'CampaignProgress' });

const share = z.number().min(0).max(1);

export const variantFigureSchema = z
  .object({
    count: count.describe('Recipients'),
    share: share.describe('Their share of the posted ones'),
    low: share.describe("Lower end of Wilson's interval for 95 %"),
    high: share.describe('Upper end of the interval'),
  })
  .meta({ id: 'VariantFigure' });

export const variantResultsSchema = z
  .object({
    recipients: count.describe('Recipients whose message has the variant, in any state'),
    posted: count.describe('Recipients whose message was posted and has an outcome; the shares are of these'),
    delivered: variantFigureSchema.describe('Delivered or read'),
    read: variantFigureSchema,
    replied: variantFigureSchema,
    optedOut: variantFigureSchema,
    failed: variantFigureSchema.describe('`failed`, `no_account` or `rejected`'),
  })
  .meta({ id: 'VariantResults' });

export const campaignAccountSchema = z
  .object({
    instance: z.string().describe('Name of the account'),
    counts: stateCountsSchema.describe(
      'Its recipients in each state. Recipients that have no account yet are pending in the counts of the campaign only',
    ),
    perMinute: z.number().optional().describe("Messages that leave its gateway's queue per minute"),
    waiting: waitingSchema.optional().describe('Why it sends nothing at the moment'),
    outSince: time.optional().describe('It gets no messages of the campaign since then'),
    outWhy: z
      .enum(Object.keys(ACCOUNT_OUT) as [AccountOut, ...AccountOut[]])
      .optional()
      .describe(
        'Why it gets none. `removed` from the list of the campaign; `not_configured` in the instances file; `cannot_send` for longer than `moveAfter`; `too_many_failures`: stopped by the automatic pause',
      ),
    outText: z.string().optional(),
  })
  .meta({ id: 'CampaignAccount' });

/** The ledger's data of one campaign, in addition to its progress. */
export const campaignViewFields = {
  definition: campaignDefinitionSchema,
  content: z
    .record(z.string(), z.unknown())
    .describe(
      'The content that is sent now: that of the definition, unless it was changed. With variants, that of the winner, else of the first one',
    ),
  variants: z
    .array(campaignVariantSchema.extend({ results: variantResultsSchema }))
    .optional()
    .describe('The variants with their current contents and results'),
  winner: z.string().optional().describe('The variant that every recipient gets who was not posted to yet'),
  holdOut: z.string().optional().describe('Share of the recipients who get nothing, and end `held_out`'),
  comparison: z
    .array(z.string())
    .optional()
    .describe('For each result a sentence: the shares of the variants, and whether the difference can be chance'),
  contentVersion: count.describe('Version of the content that is sent now'),
  sendingWindows: sendingWindowsSchema
    .optional()
    .describe('The current sending windows. Absent: the campaign sends whenever its instance does'),
  limits: campaignLimitsSchema.optional().describe('The current limits'),
  accounts: z.array(campaignAccountSchema).describe('Its accounts, in their order; those that were removed come last'),
  createdAt: time.describe('When the campaign was created'),
  cancelRequestedAt: time.optional().describe('When the campaign was cancelled'),
  recipientsRemovedAt: time
    .optional()
    .describe('When its recipients and messages were removed because of their age. The counts remain'),
  imported: audienceSchema.optional().describe('Absent until the first import has ended'),
  importing: z
    .object({ lines: count, begunAt: time })
    .optional()
    .describe('An import that is running, or was interrupted'),
  commands: z
    .array(
      z.object({
        kind: z.string(),
        what: z.string().optional().describe("Names of the changed fields, or everpost's own reason"),
        askedAt: time,
        begunAt: time.optional().describe('When the command took effect. Absent if it was refused'),
        requestedBy: z
          .string()
          .describe('Who requested the command: key:<name>, loopback, schedule:<id>, temporal or everpost'),
      }),
    )
    .optional()
    .describe('The latest 20 commands, oldest first. Absent in lists'),
};

export const campaignSchema = z.object({ ...progressFields, ...campaignViewFields }).meta({ id: 'Campaign' });

export const importedSchema = audienceSchema
  .extend({
    unchanged: z.boolean().describe('True if the campaign already had the same audience'),
    added: z
      .object({ lines: count, verdicts: verdictCountsSchema })
      .optional()
      .describe('Only of the source that was added; `lines` and `verdicts` beside it are those of the whole audience'),
    source: listFactsSchema.describe('How the file was read. Empty for a group'),
  })
  .meta({ id: 'Imported' });

export const checkedRecipientsSchema = audienceSchema
  .pick({ lines: true, verdicts: true, rejected: true, remedies: true })
  .extend({
    source: listFactsSchema,
    columns: z
      .array(
        z.object({
          name: z.string(),
          phone: z.boolean().describe('True for the column with the number'),
          samples: z.array(z.string()).describe('Its values in the first rows'),
        }),
      )
      .describe('The columns with a name, in the order of the file'),
    variables: z
      .array(
        z.object({
          name: z.string(),
          required: z.boolean().describe('True if it has no fallback'),
          without: count.optional().describe('Recipients without a value. Absent if the file cannot be imported'),
          firstLine: count.optional().describe('The first line without a value'),
        }),
      )
      .describe("The variables of the campaign's content"),
    problems: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Why an import would refuse the file. Empty if it would not'),
  })
  .meta({ id: 'CheckedRecipients' });

export const campaignResponseSchema = z
  .object({
    progress: campaignProgressSchema,
    inGatewayQueue: count.describe(
      'Messages that the gateway has accepted and, as far as known, not sent yet. The gateway still sends them',
    ),
  })
  .meta({ id: 'CampaignResponse' });

export const retriedSchema = z
  .object({ recipients: count.describe('How many recipients are retried'), progress: campaignProgressSchema })
  .meta({ id: 'RetriedRecipients' });

export const amendmentPlanSchema = z
  .object({
    audience: count,
    editable: count.describe('Recipients who were sent an older text less than 15 minutes ago'),
    reachable: count.describe('How many of them can be edited in time'),
    underWay: count.describe(
      'Recipients whose message was posted and is not sent yet. It is edited as soon as it is sent',
    ),
    tooLate: count.describe('Recipients who were sent an older text more than 15 minutes ago'),
    unsent: count.describe('Recipients whose message was not posted. They get the new text, or are cancelled'),
    newText: count.describe('Recipients who have this text already'),
    ownText: count.describe('Recipients whose own message was edited. It does not change'),
    notSent: count.describe('Recipients who ended without a sent message'),
    unresolved: count.describe('Recipients whose outcome could not be determined'),
    seconds: count.describe('How long the reachable edits take, in seconds'),
  })
  .meta({ id: 'AmendmentPlan', description: 'All counts except `reachable` and `seconds` add up to the audience' });

export const amendmentSchema = z
  .object({
    contentVersion: count.describe("Version of the campaign's text. `shownVersion` of the report refers to it"),
    text: z.string(),
    textBefore: z.string(),
    stop: z.boolean(),
    state: z
      .enum(['running', 'ended', 'replaced'])
      .describe('State of the amendment. `replaced`: a newer amendment took its place'),
    begunAt: time,
    endedAt: time.optional(),
    before: amendmentPlanSchema.describe('What the amendment could do for each recipient when it began'),
    counts: z
      .object({
        edited: count.describe('Recipients who saw an older text that now shows as the new one'),
        pending: count.describe('Recipients whose edit is not posted or not confirmed yet'),
        unconfirmed: count.describe('Recipients whose edit was posted without a sign of success or rejection'),
        refused: count.describe('Recipients whose edit the gateway rejected'),
        tooLate: count.describe('Recipients whose edit came more than 15 minutes after the message was sent'),
        notPossible: count.describe('Recipients whose message was accepted with an older text and never seen sent'),
        superseded: count.describe('Recipients whose edit was replaced by a newer one'),
        newText: count.describe('Recipients who were sent only the new text'),
        unsent: count.describe('Recipients whose message was not posted yet'),
        ownText: count.describe('Recipients whose own message was edited'),
        notSent: count.describe('Recipients who ended without a sent message'),
        unresolved: count.describe('Recipients whose outcome could not be determined'),
      })
      .describe('What the recipients saw. The counts add up to the audience'),
    expected: z
      .object({
        edited: count.describe('How many recipients will have been edited'),
        missed: count.describe('How many of `counts.pending` will be too late: all turns before their limit are taken'),
        promised: count.describe('How many edits were expected when the amendment began'),
      })
      .optional()
      .describe('How the edits will end, computed again at each request. Only while edits are made'),
  })
  .meta({ id: 'Amendment' });

export const scheduleRunSchema = z
  .object({
    at: time.describe('The time of the occurrence'),
    kind: z.enum(SCHEDULE_RUN_KINDS).describe('Why the run exists: the schedule, a trigger or a backfill'),
    state: z
      .enum(SCHEDULE_RUN_STATES)
      .describe(
        'State of the run. `pending`: its recipients are being read. `started`: its campaign or message is written; it is open until that has ended or was posted. `missed`: it could not begin in time',
      ),
    campaignId: z.string().optional().describe("Id of the run's campaign, derived from schedule and time"),
    campaignState: campaignStateSchema.optional().describe('Absent until the campaign is written'),
    messageId: z
      .string()
      .optional()
      .describe("Id of the run's message, derived from schedule and time. Absent if the schedule sends a campaign"),
    messageState: messageStateSchema.optional().describe('Absent until the message is written'),
    reason: z.string().optional().describe('Why the run was skipped, missed or failed, or why its last try failed'),
    text: z.string().optional().describe('Explains the reason'),
    tries: count.describe('How often the run failed'),
    createdAt: time.describe('When the run was recorded'),
    endedAt: time.optional().describe('When the run ended'),
  })
  .meta({ id: 'ScheduleRun' });
