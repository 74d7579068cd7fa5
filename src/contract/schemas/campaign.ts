import { z } from 'zod';
import { isCampaignId } from '../values/ids.js';
import { CAMPAIGN_STATES, DEFAULT_AUTO_PAUSE, MISSED_STARTS, RETRY_SCOPES, STICKY_SENDERS } from '../campaign.js';
import { MessageCategory, OnUnknown, Priority } from '../message.js';
import { MESSAGE_KINDS } from '../kinds.js';
import { BREAKS_LINE, BREAKS_LINE_WORDS, INPUT_LIMITS } from '../values/values.js';
import { SuppressionScope, SuppressionSource } from '../suppression.js';
import { pageFields } from './fields.js';
import { listOptionFields, listQueryFields } from './list-file.js';
import {
  countryField,
  durationSchema,
  exactText,
  instanceField,
  needsRecipient,
  poolSchema,
  recipientSchema,
  referenceField,
  timeSchema,
  typingSchema,
  withSender,
} from './message.js';
import { campaignLimitsSchema, sendingWindowsSchema, timezoneSchema } from './sending-hours.js';

/** A status goes to all contacts at once: it has no recipient. */
const CAMPAIGN_KINDS = MESSAGE_KINDS.filter(needsRecipient);

/** `readCampaign` in the starter checks the template's fields, after the variables have values. */
const contentTemplateSchema = z
  .looseObject({ kind: z.enum(CAMPAIGN_KINDS, { error: `is not one of ${CAMPAIGN_KINDS.join(', ')}` }) })
  .meta({
    id: 'ContentTemplate',
    description:
      "Content of a message. Each text may contain {{variable}} or {{variable|fallback}}: the variables are the columns of the recipients' file",
  });

export const highWaterSchema = z
  .int()
  .min(1)
  .max(INPUT_LIMITS.highWater)
  .describe("The campaign fills the gateway's queue up to this many items from all sources. Default: by priority");

const autoPauseSchema = z
  .union([
    z.literal('off'),
    z.strictObject({
      failureRate: z
        .number()
        .gt(0)
        .max(1)
        .exactOptional()
        .describe('The campaign is paused when more than this share of its newest outcomes failed. Default: 0.3'),
      sampleSize: z
        .int()
        .min(1)
        .max(1_000)
        .exactOptional()
        .describe('How many of the newest outcomes are evaluated. Default: 50'),
      minSamples: z
        .int()
        .min(1)
        .max(1_000)
        .exactOptional()
        .describe('Below this number of outcomes nothing is evaluated. Default: 20'),
    }),
  ])
  .refine(
    (autoPause) => {
      if (autoPause === 'off') return true;
      const { minSamples, sampleSize } = { ...DEFAULT_AUTO_PAUSE, ...autoPause };
      return minSamples <= sampleSize;
    },
    { path: ['minSamples'], error: 'must be at most sampleSize' },
  )
  .meta({
    id: 'AutoPause',
    description: 'Pauses the campaign when too many messages end as failed, no_account, or rejected by the gateway',
  });

export const campaignIdSchema = z
  .string()
  .refine(
    isCampaignId,
    'is not a campaign id: use at most 64 of a-z, 0-9, - and _, beginning with a letter or a digit',
  );

export const campaignNameSchema = exactText
  .min(1)
  .max(INPUT_LIMITS.campaignNameCharacters)
  .refine((name) => !BREAKS_LINE.test(name), BREAKS_LINE_WORDS)
  .describe("Display name in lists, reports and Temporal's Web UI. One line of at most 200 characters");

const missedStartSchema = z
  .enum(MISSED_STARTS)
  .describe(
    'What happens when the campaign starts later than its grace time. `run`: it starts. `skip`: it is cancelled. `hold`: it waits until an operator resumes it. Default: hold; skip for the message of a schedule',
  );
const graceTimeSchema = durationSchema.describe('How late a start may be before it counts as missed. Default: 1h');

const acceptRejectedSchema = z
  .boolean()
  .describe(
    'True starts the campaign although more than 5 % of the lines of its recipients were rejected. Default: false',
  );

export const resumeCampaignSchema = z
  .strictObject({
    instance: instanceField
      .exactOptional()
      .describe('Only this account, which the automatic pause has stopped. Default: the campaign and all its accounts'),
  })
  .meta({ id: 'ResumeCampaign' });

export const startCampaignSchema = z
  .strictObject({ acceptRejected: acceptRejectedSchema.exactOptional() })
  .meta({ id: 'StartCampaign' });

export const definitionFields = {
  name: campaignNameSchema.exactOptional(),
  instance: instanceField.exactOptional().describe('Name of the configured instance. Replaced by `instances`'),
  instances: poolSchema.exactOptional(),
  stickySender: z
    .enum(STICKY_SENDERS)
    .exactOptional()
    .describe(
      '`preferred`: a recipient gets the account of `instances` that talked with him last, and another one if it cannot send for longer than `moveAfter`. `required`: messages never move from an account that cannot send. Default: preferred',
    ),
  stickyFor: durationSchema
    .exactOptional()
    .describe('How long after the last message an account stays the sender of a recipient. Default: 180d'),
  moveAfter: durationSchema
    .exactOptional()
    .describe('How long an account cannot send before its pending messages move to another one. Default: 10m'),
  content: contentTemplateSchema,
  priority: z.enum(Object.values(Priority)).exactOptional().describe('Default: normal'),
  category: z.enum(Object.values(MessageCategory)).exactOptional().describe('Default: marketing'),
  onUnknown: z
    .enum(Object.values(OnUnknown))
    .exactOptional()
    .describe('What happens when it cannot be determined whether the gateway accepted a message. Default: manual'),
  highWater: highWaterSchema.exactOptional(),
  startAt: timeSchema.exactOptional().describe('A started campaign posts nothing before this time. Default: at once'),
  missedStart: missedStartSchema.exactOptional(),
  graceTime: graceTimeSchema.exactOptional(),
  deadline: timeSchema
    .exactOptional()
    .describe('No recipient is posted to after this time. Default: seven days after the start'),
  defaultCountry: countryField,
  acceptRejected: acceptRejectedSchema.exactOptional(),
  autoPause: autoPauseSchema.exactOptional(),
  sendingWindows: sendingWindowsSchema
    .exactOptional()
    .describe('When the campaign sends. Default: whenever its instance does'),
  limits: campaignLimitsSchema.exactOptional(),
  typing: typingSchema
    .exactOptional()
    .describe(
      'How long the gateway shows typing before it sends each text, poll, file or forward, 1s to 20s. Default: not shown',
    ),
  defaultTimezone: timezoneSchema
    .exactOptional()
    .describe(
      "Timezone of recipients without their own, if `sendingWindows` use the recipients' clocks. Default: they are rejected",
    ),
  reference: referenceField,
};

export const campaignDefinitionSchema = withSender(z.strictObject(definitionFields)).meta({ id: 'CampaignDefinition' });

export const newCampaignSchema = withSender(
  z.strictObject({
    id: campaignIdSchema
      .exactOptional()
      .describe('A permanent name that you choose. Default: derived from the Idempotency-Key'),
    ...definitionFields,
  }),
).meta({ id: 'NewCampaign' });

const GROUP_ID = /^\d{5,32}(?:-\d{1,32})?@g\.us$/;

export const groupIdSchema = z.string().regex(GROUP_ID, "is not a group's chat id, e.g. 120363043968066561@g.us");

/** A campaign's file: its definition, and the source of its recipients. */
export const campaignFileSchema = withSender(
  z.strictObject({
    id: campaignIdSchema.exactOptional(),
    ...definitionFields,
    recipients: z
      .strictObject({
        file: z.string().min(1).exactOptional(),
        group: groupIdSchema.exactOptional(),
        ...listOptionFields,
      })
      .refine(
        ({ file, group }) => file === undefined || group === undefined,
        'contains both a file and a group: give one',
      )
      .exactOptional(),
  }),
);

export const groupRecipientsSchema = z
  .strictObject({ group: groupIdSchema.describe("The group's chat id. Its participants become the audience") })
  .meta({ id: 'GroupRecipients' });

export const testSendSchema = z
  .strictObject({
    to: recipientSchema.describe('The number that gets the message, in general your own'),
    defaultCountry: countryField,
    line: z.int().min(1).describe("Line of the recipients' file whose message is sent"),
  })
  .meta({ id: 'TestSend' });

export const campaignStateSchema = z.enum(CAMPAIGN_STATES);

export const updateCampaignSchema = z
  .strictObject({
    highWater: highWaterSchema.exactOptional(),
    content: contentTemplateSchema
      .exactOptional()
      .describe(
        'The new content, of the same kind, for every recipient who was not posted to yet. Recipients whose own message was edited keep their text',
      ),
    deadline: timeSchema.exactOptional().describe('No recipient is posted to after this time'),
    name: campaignNameSchema.exactOptional(),
    startAt: timeSchema
      .exactOptional()
      .describe('Nothing is posted before this time. Only for a campaign that has not begun'),
    sendingWindows: sendingWindowsSchema
      .nullable()
      .exactOptional()
      .describe('When the campaign sends. null: whenever its instance does'),
    limits: campaignLimitsSchema.nullable().exactOptional().describe("The campaign's limits. null: none"),
    instances: poolSchema
      .exactOptional()
      .describe(
        'The whole new list of accounts. Messages of a removed account that were not posted move to the others at once',
      ),
  })
  .refine(
    (change) => Object.keys(change).length > 0,
    'contains nothing to change: give highWater, content, deadline, name, startAt, sendingWindows, limits or instances',
  )
  .meta({ id: 'UpdateCampaign' });

export const amendCampaignSchema = z
  .strictObject({
    text: exactText
      .min(1)
      .max(INPUT_LIMITS.textCharacters)
      .describe('The complete new text, with {{variables}}, also for recipients who were sent an older text'),
    stop: z
      .boolean()
      .exactOptional()
      .describe('True also cancels the recipients who were not posted to. Default: false'),
  })
  .meta({ id: 'AmendCampaign' });

export const retryCampaignSchema = z
  .strictObject({
    scopes: z
      .array(z.enum(RETRY_SCOPES))
      .min(1)
      .describe('The states to retry. `unknown`: the outcomes of unknown and unresolved messages are reconciled again'),
    reasons: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe('Only recipients who ended for one of these reasons'),
    maySendTwice: z
      .boolean()
      .exactOptional()
      .describe(
        'True posts unknown and unresolved messages again, although the recipients may have them. Default: false',
      ),
    deadline: timeSchema.exactOptional().describe("The new deadline. Required if the campaign's deadline has passed"),
  })
  .refine(({ scopes, maySendTwice }) => maySendTwice !== true || scopes.includes('unknown'), {
    path: ['maySendTwice'],
    error: 'is only for the scope unknown, which is not in scopes',
  })
  .meta({ id: 'RetryCampaign' });

const suppressionFields = { to: recipientSchema, defaultCountry: countryField };

const forOneAccount = z.string().min(1).exactOptional();

export const addSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe('The instance that the entry is for. Default: all'),
    scope: z
      .enum(Object.values(SuppressionScope))
      .exactOptional()
      .describe(
        '`marketing`: the entry blocks marketing messages. `all`: it also blocks transactional messages. Default: marketing',
      ),
    note: referenceField,
  })
  .meta({ id: 'AddSuppression' });

export const removeSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe('Removes only the entries of this instance. Default: every entry'),
  })
  .meta({ id: 'RemoveSuppression' });

export const suppressionListQuerySchema = z.strictObject({
  to: suppressionFields.to.exactOptional().describe('Only entries of this phone number or chat id. Default: all'),
  defaultCountry: countryField,
  instance: forOneAccount.describe(
    'Only entries that apply to this instance: its own, and those for all. Default: every entry',
  ),
  source: z
    .enum(Object.values(SuppressionSource))
    .exactOptional()
    .describe('Only entries from this source. Default: all'),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional().describe('Only entries with this scope. Default: all'),
  removed: z
    .enum(['true', ''])
    .transform(() => true)
    .exactOptional()
    .describe('True includes removed entries. Default: false'),
  ...pageFields,
});

export const possibleOptOutListQuerySchema = z.strictObject({
  instance: forOneAccount.describe('Only messages to this instance. Default: all'),
  all: z
    .enum(['true', ''])
    .transform(() => true)
    .exactOptional()
    .describe('True includes decided ones. Default: false'),
  ...pageFields,
});

export const suppressionImportQuerySchema = z.strictObject({
  instance: forOneAccount.describe('The instance that the entries are for. Default: all'),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional().describe('Scope of the entries. Default: marketing'),
  defaultCountry: countryField,
  ...listQueryFields,
});
