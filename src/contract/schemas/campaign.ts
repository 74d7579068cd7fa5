import { z } from 'zod';
import { isCampaignId } from '../values/ids.js';
import { CAMPAIGN_STATES, DEFAULT_AUTO_PAUSE, MISSED_STARTS, RETRY_SCOPES } from '../campaigns/campaign.js';
import { MessageCategory, MessageKind, OnUnknown, Priority } from '../message.js';
import { BREAKS_LINE, BREAKS_LINE_WORDS, MAX_CAMPAIGN_NAME_CHARACTERS } from '../values/values.js';
import { SuppressionScope, SuppressionSource } from '../suppression.js';
import { durationSchema, exactText, needsRecipient, recipientSchema, timeSchema, typingSchema } from './message.js';
import { campaignLimitsSchema, sendingWindowsSchema, timezoneSchema } from './sending-hours.js';

/** A status goes to all contacts at once: it has no recipient. */
const CAMPAIGN_KINDS = Object.values(MessageKind).filter(needsRecipient);

/** `readCampaign` in the starter checks the template's fields, after the variables have values. */
const contentTemplateSchema = z
  .looseObject({ kind: z.enum(CAMPAIGN_KINDS, { error: `is none of ${CAMPAIGN_KINDS.join(', ')}` }) })
  .meta({
    id: 'ContentTemplate',
    description:
      "A message's content in which every text may hold {{variables}}, or {{variables|with something instead}}: columns of the recipients' file",
  });

export const highWaterSchema = z
  .int()
  .min(1)
  .max(10_000)
  .describe(
    "The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority",
  );

const autoPauseSchema = z
  .union([
    z.literal('off'),
    z.strictObject({
      failureRate: z
        .number()
        .gt(0)
        .max(1)
        .exactOptional()
        .describe('Paused when more than this share of the newest outcomes did not arrive. Default: 0.3'),
      sampleSize: z
        .int()
        .min(1)
        .max(1_000)
        .exactOptional()
        .describe('How many of the newest outcomes are counted. Default: 50'),
      minSamples: z.int().min(1).max(1_000).exactOptional().describe('With fewer nothing is evaluated. Default: 20'),
    }),
  ])
  .refine((autoPause) => autoPause === 'off' || minSamplesOf(autoPause) <= sampleSizeOf(autoPause), {
    path: ['minSamples'],
    error: 'must be at most sampleSize',
  })
  .meta({
    id: 'AutoPause',
    description: 'Pauses a campaign whose messages do not arrive: failed, no_account, or refused by the gateway',
  });

function minSamplesOf({ minSamples = DEFAULT_AUTO_PAUSE.minSamples }: { readonly minSamples?: number }): number {
  return minSamples;
}

function sampleSizeOf({ sampleSize = DEFAULT_AUTO_PAUSE.sampleSize }: { readonly sampleSize?: number }): number {
  return sampleSize;
}

export const campaignIdSchema = z
  .string()
  .refine(isCampaignId, 'is no id of a campaign: at most 64 of a-z, 0-9, - and _, the first a letter or a digit');

export const campaignNameSchema = exactText
  .min(1)
  .max(MAX_CAMPAIGN_NAME_CHARACTERS)
  .refine((name) => !BREAKS_LINE.test(name), BREAKS_LINE_WORDS)
  .describe('Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line');

export const missedStartSchema = z
  .enum(MISSED_STARTS)
  .describe(
    'A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule',
  );
export const graceTimeSchema = durationSchema.describe('How late a start may be without being missed. Default: 1h');

export const definitionFields = {
  name: campaignNameSchema.exactOptional(),
  instance: z.string().min(1).describe('Name of the configured instance'),
  content: contentTemplateSchema,
  priority: z.enum(Object.values(Priority)).exactOptional().describe('Default: normal'),
  category: z.enum(Object.values(MessageCategory)).exactOptional().describe('Default: marketing'),
  onUnknown: z
    .enum(Object.values(OnUnknown))
    .exactOptional()
    .describe('What to do when it is unknown whether the gateway took a message. Default: manual'),
  highWater: highWaterSchema.exactOptional(),
  startAt: timeSchema.exactOptional().describe('Once started, nothing is posted before this. Default: at once'),
  missedStart: missedStartSchema.exactOptional(),
  graceTime: graceTimeSchema.exactOptional(),
  deadline: timeSchema
    .exactOptional()
    .describe('No recipient is posted to after this. Default: seven days after the start'),
  defaultCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, 'is no ISO 3166 country, e.g. DE')
    .exactOptional()
    .describe('Of numbers written without + or 00. Without it they are taken as international'),
  autoPause: autoPauseSchema.exactOptional(),
  sendingWindows: sendingWindowsSchema.exactOptional().describe('When it sends. Default: whenever its instance does'),
  limits: campaignLimitsSchema.exactOptional(),
  typing: typingSchema
    .exactOptional()
    .describe('How long typing is shown in the chat before each message, 1s to 20s. Default: not'),
  defaultTimezone: timezoneSchema
    .exactOptional()
    .describe('Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected'),
  reference: exactText.max(500).exactOptional().describe('Your own words for it, shown back'),
};

export const campaignDefinitionSchema = z.strictObject(definitionFields).meta({ id: 'CampaignDefinition' });

export const newCampaignSchema = z
  .strictObject({
    id: campaignIdSchema.exactOptional().describe('Your own name for it. Default: made from the Idempotency-Key'),
    ...definitionFields,
  })
  .meta({ id: 'NewCampaign' });

const GROUP_ID = /^\d{5,32}(?:-\d{1,32})?@g\.us$/;

export const groupIdSchema = z.string().regex(GROUP_ID, 'is no id of a group, e.g. 120363043968066561@g.us');
export const delimiterSchema = z
  .enum([',', ';', 'tab', '|'])
  .describe('Between the columns of a CSV file. Default: the one that its head is written with');

/** A campaign's file: its definition, and the source of its recipients. */
export const campaignFileSchema = z.strictObject({
  id: campaignIdSchema.exactOptional(),
  ...definitionFields,
  recipients: z
    .strictObject({
      file: z.string().min(1).exactOptional(),
      group: groupIdSchema.exactOptional(),
      delimiter: delimiterSchema.exactOptional(),
    })
    .refine(({ file, group }) => file === undefined || group === undefined, 'names both a file and a group: give one')
    .exactOptional(),
});

export const groupRecipientsSchema = z
  .strictObject({ group: groupIdSchema.describe('Its participants become the audience') })
  .meta({ id: 'GroupRecipients' });

export const testSendSchema = z
  .strictObject({
    to: recipientSchema.describe("One's own number"),
    line: z.int().min(1).describe("Of the recipients' file: whose message it is"),
  })
  .meta({ id: 'TestSend' });

export const campaignStateSchema = z.enum(CAMPAIGN_STATES);

export const updateCampaignSchema = z
  .strictObject({
    highWater: highWaterSchema.exactOptional(),
    content: contentTemplateSchema
      .exactOptional()
      .describe(
        'For every recipient who was not posted to yet, but those whose own message was edited. Of the same kind',
      ),
    deadline: timeSchema.exactOptional().describe('No recipient is posted to after this'),
    name: campaignNameSchema.exactOptional(),
    startAt: timeSchema.exactOptional().describe('Of a campaign that has not begun: nothing is posted before this'),
    sendingWindows: sendingWindowsSchema.nullable().exactOptional().describe('null: whenever its instance sends'),
    limits: campaignLimitsSchema.nullable().exactOptional().describe('null: none'),
  })
  .refine(
    (change) => Object.keys(change).length > 0,
    'names nothing to change: give highWater, content, deadline, name, startAt, sendingWindows or limits',
  )
  .meta({ id: 'UpdateCampaign' });

export const amendCampaignSchema = z
  .strictObject({
    text: exactText
      .min(1)
      .max(20_000)
      .describe('The whole new text, with {{variables}}, also for recipients who were sent an older one'),
    stop: z.boolean().exactOptional().describe('Also cancels the recipients who were not posted to. Default: false'),
  })
  .meta({ id: 'AmendCampaign' });

export const retryCampaignSchema = z
  .strictObject({
    scopes: z
      .array(z.enum(RETRY_SCOPES))
      .min(1)
      .describe('States to take up again. `unknown`: determine the outcome of unknown and unresolved ones again'),
    reasons: z.array(z.string().min(1)).min(1).exactOptional().describe('Only those that ended for one of these'),
    maySendTwice: z
      .boolean()
      .exactOptional()
      .describe('Post to unknown and unresolved ones again, though they may have the message. Default: false'),
    deadline: timeSchema.exactOptional().describe("In place of the campaign's; needed when that has passed"),
  })
  .refine(({ scopes, maySendTwice }) => maySendTwice !== true || scopes.includes('unknown'), {
    path: ['maySendTwice'],
    error: 'is about the scope unknown, which is not asked for',
  })
  .meta({ id: 'RetryCampaign' });

const suppressionFields = {
  to: z
    .string()
    .min(1)
    .describe('Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid'),
  defaultCountry: definitionFields.defaultCountry,
};

const forOneAccount = z.string().min(1).exactOptional();

export const addSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe('For this account only. Default: for all'),
    scope: z
      .enum(Object.values(SuppressionScope))
      .exactOptional()
      .describe('all: transactional messages too. Default: marketing'),
    note: exactText.max(500).exactOptional().describe('Your own words for it, shown back'),
  })
  .meta({ id: 'AddSuppression' });

export const removeSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe("Only this account's own entries. Default: every entry"),
  })
  .meta({ id: 'RemoveSuppression' });

export const suppressionListQuerySchema = z.strictObject({
  to: suppressionFields.to.exactOptional(),
  defaultCountry: suppressionFields.defaultCountry,
  instance: forOneAccount.describe('What holds for this account: its own entries, and those for all'),
  source: z.enum(Object.values(SuppressionSource)).exactOptional(),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional(),
  removed: z
    .enum(['true', ''])
    .transform(() => true)
    .exactOptional()
    .describe('Also those that hold no longer'),
  cursor: z.string().exactOptional().describe('From the former page'),
  limit: z.coerce.number().int().min(1).max(500).exactOptional().describe('Default: 50'),
});

export const suppressionImportQuerySchema = z.strictObject({
  instance: forOneAccount.describe('For this account only. Default: for all'),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional().describe('Default: marketing'),
  defaultCountry: suppressionFields.defaultCountry,
  delimiter: delimiterSchema.exactOptional().describe('Between the columns of CSV'),
});
