/**
 * What may come in at the edges, as zod schemas. Import this file by its own name (`contract/schemas.js`), never
 * through the module's index: workflow code must not drag zod into its sandbox.
 *
 * Two kinds of rules meet at an edge. Here: which fields exist, their types, recipients and times. Not here: the
 * gateway's limits (lengths, ranges, byte order marks), which live with each operation's contract in `src/gateway`.
 */
import { z } from 'zod';
import { CAMPAIGN_STATES, DEFAULT_AUTO_PAUSE, MISSED_STARTS, RETRY_SCOPES } from './campaign.js';
import { isCampaignId } from './campaign-ids.js';
import { SCHEDULE_OVERLAPS, SCHEDULE_STATES, isScheduleId } from './schedule.js';
import { parseDurationMs } from './duration.js';
import { MAX_PER_DAY } from './limits.js';
import {
  MESSAGE_STATES,
  MessageCategory,
  MessageKind,
  OnUnknown,
  Priority,
  STATUS_FONTS,
  TYPING_LIMITS_MS,
} from './message.js';
import {
  BREAKS_LINE,
  BREAKS_LINE_WORDS,
  MAX_CAMPAIGN_NAME_CHARACTERS,
  MAX_KEY_CHARACTERS,
  UNSENDABLE,
  UNSENDABLE_WORDS,
} from './sendable-text.js';
import { RECIPIENT_TIMEZONE, WEEKDAYS, isTimezone } from './sending-hours.js';
import { SuppressionScope, SuppressionSource } from './suppression.js';

/** The most a JSON body may weigh, in bytes: the gateway's own 100 kb. */
export const MAX_BODY_BYTES = 100 * 1024;

/** Any text that is stored and sent on exactly as given. */
export const exactText = z.string().refine((text) => !UNSENDABLE.test(text), UNSENDABLE_WORDS);

const CHAT_ID = /^(?:\d{5,32}@c\.us|\d{5,32}(?:-\d{1,32})?@g\.us|\d{5,32}@lid)$/;
const PHONE = /^\+?[1-9]\d{6,14}$/;
const PHONE_SEPARATORS = /[\s().-]/g;

/**
 * The gateway's chat id of what a caller wrote.
 * @param to a phone number in international form, with or without `+`, spaces, dashes, dots or brackets; or a chat id
 *   (`…@c.us`, `…@g.us`, `…@lid`), which is kept as it is
 * @returns undefined when it is neither
 */
export function chatIdOf(to: string): string | undefined {
  const trimmed = to.trim();
  if (CHAT_ID.test(trimmed)) return trimmed;
  const phone = trimmed.replaceAll(PHONE_SEPARATORS, '');
  return PHONE.test(phone) ? `${phone.replace('+', '')}@c.us` : undefined;
}

export const recipientSchema = z
  .string()
  .transform((to, context) => {
    const chatId = chatIdOf(to);
    if (chatId !== undefined) return chatId;
    context.addIssue({
      code: 'custom',
      message:
        'is neither a phone number in international form (7 to 15 digits, with or without +) nor a chat id ending in @c.us, @g.us or @lid',
    });
    return z.NEVER;
  })
  // Described as a string also where it is shown back, e.g. in a message's content.
  .pipe(z.string())
  .describe('Phone number in international form, or a chat id ending in @c.us, @g.us or @lid');

const httpUrl = z.url({ protocol: /^https?$/, error: 'is no URL that begins with http:// or https://' });

const textContentSchema = z
  .strictObject({
    kind: z.literal('text'),
    text: exactText.describe('At most 20,000 characters, no byte order mark'),
    quotedMessageId: exactText.exactOptional(),
    linkPreview: z.boolean().exactOptional(),
    typingTime: z.number().exactOptional().describe('Milliseconds, 1,000 to 20,000'),
  })
  .meta({ id: 'TextContent' });

const fileContentSchema = z
  .strictObject({
    kind: z.literal('file'),
    url: exactText.describe('http or https; given to the gateway as it is, unencoded'),
    fileName: exactText.describe('With its extension, which decides how it is shown'),
    caption: exactText.exactOptional().describe('At most 20,000 characters'),
    quotedMessageId: exactText.exactOptional(),
    typingTime: z.number().exactOptional().describe('Seconds, 1 to 20'),
    typingType: z.literal('recording').exactOptional(),
  })
  .meta({ id: 'FileContent' });

const statusContentSchema = z
  .strictObject({
    kind: z.literal('status'),
    text: exactText.describe('At most 500 characters'),
    backgroundColor: z.string().exactOptional().describe('Hex colour, not white'),
    font: z.enum(STATUS_FONTS).exactOptional(),
    participants: z.array(z.string()).exactOptional().describe('Contacts who may see it; empty: all'),
  })
  .meta({ id: 'StatusContent', description: 'Beta: access to statuses is granted on request' });

const pollContentSchema = z
  .strictObject({
    kind: z.literal('poll'),
    message: exactText.describe('The question, at most 255 characters'),
    options: z.array(z.strictObject({ optionName: exactText })).describe('2 to 12, no two alike'),
    multipleAnswers: z.boolean().exactOptional().describe('Whether more than one may be chosen. Default: false'),
    quotedMessageId: exactText.exactOptional(),
    typingTime: z.number().exactOptional().describe('Milliseconds, 1,000 to 20,000'),
  })
  .meta({ id: 'PollContent' });

const locationContentSchema = z
  .strictObject({
    kind: z.literal('location'),
    latitude: z.number().describe('Degrees, -90 to 90'),
    longitude: z.number().describe('Degrees, -180 to 180'),
    nameLocation: exactText.exactOptional(),
    address: exactText.exactOptional(),
    quotedMessageId: exactText.exactOptional(),
  })
  .meta({ id: 'LocationContent' });

const contactContentSchema = z
  .strictObject({
    kind: z.literal('contact'),
    contact: z.strictObject({
      phoneContact: z.number().describe('The digits of an international number, as a number: 15551234567'),
      firstName: exactText.exactOptional(),
      middleName: exactText.exactOptional(),
      lastName: exactText.exactOptional(),
      company: exactText.exactOptional(),
    }),
    quotedMessageId: exactText.exactOptional(),
  })
  .meta({ id: 'ContactContent' });

const forwardContentSchema = z
  .strictObject({
    kind: z.literal('forward'),
    chatIdFrom: recipientSchema.describe('The chat in which the message to forward is'),
    messages: z.array(exactText).describe("The gateway's id of the message to forward: exactly one"),
    typingTime: z.number().exactOptional().describe('Milliseconds, 1,000 to 20,000'),
  })
  .meta({ id: 'ForwardContent' });

export const templateContentSchema = z
  .strictObject({
    kind: z.literal('template'),
    elementName: exactText.min(1).exactOptional().describe('Name of a template that was submitted through everpost'),
    templateId: exactText.min(1).exactOptional().describe("The gateway's id, also of a template made elsewhere"),
    params: z.array(exactText).exactOptional().describe('Values for the variables of its body, in their order'),
  })
  .refine(({ elementName, templateId }) => (elementName === undefined) !== (templateId === undefined), {
    path: ['elementName'],
    error: 'names no template, or two: give either elementName or templateId',
  })
  .meta({ id: 'TemplateContent', description: 'Waits until the template is approved' });

export const contentSchema = z.discriminatedUnion('kind', [
  textContentSchema,
  fileContentSchema,
  statusContentSchema,
  pollContentSchema,
  locationContentSchema,
  contactContentSchema,
  forwardContentSchema,
  templateContentSchema,
]);

export const timeSchema = z.iso
  .datetime({ offset: true, error: 'is no RFC 3339 time, e.g. 2030-01-31T12:00:00Z' })
  .transform((time) => new Date(time).toISOString())
  .pipe(z.iso.datetime());

/** Shorter ones mean nothing here, and longer ones are mistakes. */
const LONGEST_DURATION_MS = 365 * 24 * 60 * 60 * 1000;

export const durationSchema = z.string().refine((text) => {
  try {
    return parseDurationMs(text) <= LONGEST_DURATION_MS;
  } catch {
    return false;
  }
}, 'is no duration of at most a year, e.g. 30m or 2h');

const typingSchema = z.string().refine((text) => {
  try {
    const typingMs = parseDurationMs(text);
    return typingMs >= TYPING_LIMITS_MS.min && typingMs <= TYPING_LIMITS_MS.max;
  } catch {
    return false;
  }
}, 'is no duration from 1s to 20s, e.g. 3s');

/** A message as a caller asks for it. Whether `to` has to be there depends on the kind: see {@link needsRecipient}. */
export const sendRequestSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    to: recipientSchema.exactOptional(),
    content: contentSchema,
    sendAt: timeSchema.exactOptional().describe('Not posted before this. Default: at once'),
    expiresAt: timeSchema
      .exactOptional()
      .describe('Never posted after this. Default: 24 hours after the request, or after sendAt'),
    typing: typingSchema
      .exactOptional()
      .describe('So long typing is shown in the chat before it is posted, 1s to 20s. Default: not'),
    priority: z.enum(Object.values(Priority)).exactOptional().describe('Default: normal'),
    category: z.enum(Object.values(MessageCategory)).exactOptional().describe('Default: transactional'),
    onUnknown: z
      .enum(Object.values(OnUnknown))
      .exactOptional()
      .describe('What to do when it is unknown whether the gateway took it. Default: manual'),
    reference: exactText.max(500).exactOptional().describe('Your own words for it, shown back'),
    statusCallback: httpUrl.exactOptional().describe('Told of every change of state'),
  })
  .meta({ id: 'SendRequest' });

/** What a caller writes; `to` may still be a phone number with blanks. */
export type SendRequest = z.input<typeof sendRequestSchema>;

/** A status goes to the account's contacts, everything else to one chat. */
export function needsRecipient(kind: z.output<typeof contentSchema>['kind']): boolean {
  return kind !== 'status';
}

export const editRequestSchema = z
  .strictObject({ text: exactText.describe('The whole new text, at most 20,000 characters') })
  .meta({ id: 'EditRequest' });

export const resolveRequestSchema = z
  .strictObject({
    outcome: z
      .enum(['accepted', 'not_accepted'])
      .describe('not_accepted makes it pending again: look at the phone first'),
  })
  .meta({ id: 'ResolveRequest' });

export const operationRequestSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    request: z.record(z.string(), z.unknown()).exactOptional().describe("The operation's own fields"),
  })
  .meta({ id: 'OperationRequest' });

export const idempotencyKeySchema = exactText
  .min(1)
  .max(MAX_KEY_CHARACTERS)
  .describe('Same key and same body: the same response. Another body: 422');

export const messageStateSchema = z.enum(MESSAGE_STATES);

// ── sending hours and limits ────────────────────────────────────────────────────────────────────────────────────────────

export const timezoneSchema = z
  .string()
  .refine(isTimezone, 'is no timezone, e.g. Europe/Lisbon')
  .describe('IANA name, e.g. Europe/Lisbon');

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const timeOfDaySchema = z.string().regex(TIME_OF_DAY, 'is no time of day from 00:00 to 23:59');
const dateSchema = z.iso.date({ error: 'is no date, e.g. 2026-12-25' });

const windowSchema = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS, { error: `is none of ${WEEKDAYS.join(', ')}` }))
      .min(1)
      .exactOptional()
      .describe('On which days it begins. Default: every day'),
    from: timeOfDaySchema,
    until: timeOfDaySchema.describe('Just before it. At or before `from`: on the next day'),
  })
  .meta({ id: 'DailyWindow' });

const MOST_OFFLINE = 10;
const OFFLINE_WORDS = 'is no list of hours of a day, e.g. 22:00-06:00,12:00-13:00';

/** Hours of every day, as one text. */
export const offlineSchema = z
  .string()
  .max(MOST_OFFLINE * 13)
  .transform((text) => text.split(',').map((hours) => hours.trim().split('-')))
  .refine((all) => all.every((hours) => hours.length === 2), OFFLINE_WORDS)
  .transform((all) => all.map(([from = '', until = '']) => ({ from: from.trim(), until: until.trim() })))
  .refine((all) => all.every((hours) => Object.values(hours).every((time) => TIME_OF_DAY.test(time))), OFFLINE_WORDS);

const hoursFields = {
  windows: z.array(windowSchema).min(1).max(50),
  holidays: z.array(dateSchema).max(400).exactOptional().describe('Whole dates on which nothing is open'),
};

/** Of an instance, as its `sendingWindows` and as its `quietHours`. */
export const localHoursSchema = z.strictObject({ timezone: timezoneSchema, ...hoursFields }).meta({ id: 'LocalHours' });

/** Of a campaign. */
export const sendingWindowsSchema = z
  .strictObject({
    timezone: z
      .union([z.literal(RECIPIENT_TIMEZONE), timezoneSchema], {
        error: `is neither a timezone, e.g. Europe/Lisbon, nor ${RECIPIENT_TIMEZONE}`,
      })
      .describe(`IANA name, e.g. Europe/Lisbon; or \`${RECIPIENT_TIMEZONE}\`: the clock of each recipient`),
    ...hoursFields,
  })
  .meta({ id: 'SendingWindows' });

const perDaySchema = z.int().min(1).max(MAX_PER_DAY);

export const instanceLimitsSchema = z
  .strictObject({
    timezone: timezoneSchema.describe('IANA name: when a day begins'),
    perDay: perDaySchema.exactOptional(),
    warmUp: z
      .strictObject({
        firstDay: dateSchema,
        perDay: perDaySchema.describe('On the first day'),
        growthPercent: z.int().min(0).max(1_000).describe('More than on the day before'),
      })
      .exactOptional(),
    frequencyCap: z
      .strictObject({ messages: z.int().min(1).max(1_000), days: z.int().min(1).max(365) })
      .exactOptional()
      .describe('At most so many marketing messages to one recipient, of all campaigns together'),
  })
  .meta({ id: 'InstanceLimits' });

/** Longer pauses are what sending windows are for. */
const jitterMsSchema = z.int().min(0).max(3_600_000);

export const campaignLimitsSchema = z
  .strictObject({
    perDay: perDaySchema.exactOptional(),
    jitter: z
      .strictObject({
        minMs: jitterMsSchema,
        maxMs: jitterMsSchema,
        seed: exactText.min(1).max(100).exactOptional().describe("Default: the campaign's id"),
      })
      .refine(({ minMs, maxMs }) => minMs <= maxMs, { path: ['maxMs'], error: 'must be at least minMs' })
      .exactOptional()
      .describe('A pause after each message, at random between both limits'),
  })
  .meta({ id: 'CampaignLimits' });

// ── campaigns ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A status goes to all contacts at once: it has no recipient. */
const CAMPAIGN_KINDS = Object.values(MessageKind).filter(needsRecipient);

/** The template's fields are checked once variables stand for something: see the starter's `readCampaign`. */
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
        .describe('How many of the newest are looked at. Default: 50'),
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

const definitionFields = {
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
    .describe('So long typing is shown in the chat before each message, 1s to 20s. Default: not'),
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

/** What a campaign's file may hold besides the definition. */
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
      .describe('States to take up again. `unknown`: ask again what became of unknown and unresolved ones'),
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

// ── schedules ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The schedule says when its campaigns start, and what becomes of one that starts late. */
const {
  startAt: _startAt,
  missedStart: _missed,
  graceTime: _grace,
  deadline: _deadline,
  ...sentFields
} = definitionFields;

const scheduledCampaignSchema = z.strictObject(sentFields).meta({
  id: 'ScheduledCampaign',
  description: 'What each run sends: a campaign without its times',
});

const scheduledMessageSchema = sendRequestSchema
  .omit({ sendAt: true, expiresAt: true })
  .extend({
    expiresIn: durationSchema.exactOptional().describe('Never posted later than this after its time. Default: 24h'),
  })
  .meta({ id: 'ScheduledMessage', description: 'What each run sends: one message without its times' });

const calendarField = (what: string) =>
  z
    .union([z.string().max(200), z.int()])
    .exactOptional()
    .describe(what);

const calendarSchema = z
  .strictObject({
    minute: calendarField('0 to 59. Default: 0'),
    hour: calendarField('0 to 23. Default: 0'),
    dayOfMonth: calendarField('1 to 31. Default: *'),
    month: calendarField('1 to 12, or JAN to DEC. Default: *'),
    dayOfWeek: calendarField('0 to 6, or SUN to SAT. Default: *'),
    year: calendarField('2000 to 2100. Default: *'),
  })
  .meta({ id: 'ScheduleCalendar', description: "Each field in cron's notation: 9, 9,17, MON-FRI, */15, *" });

const READABLE_FILE = /\.(?:csv|tsv|txt|ndjson|jsonl)$/i;
const MAX_PLACE_CHARACTERS = 2_000;
const MAX_QUERY_CHARACTERS = 20_000;
/** Other variables of a worker hold secrets that no caller of the API may use. */
const CONNECTION_VARIABLE = /^EVERPOST_SOURCE_[A-Z0-9_]{1,100}$/;

const placeSchema = exactText.min(1).max(MAX_PLACE_CHARACTERS);

const scheduleRecipientsSchema = z
  .union(
    [
      z.strictObject({
        file: placeSchema
          .regex(READABLE_FILE, 'does not end in .csv, .tsv, .txt, .ndjson or .jsonl')
          .describe("On the worker's machine, below EVERPOST_SOURCES_DIR"),
        delimiter: delimiterSchema.exactOptional(),
      }),
      z.strictObject({
        url: httpUrl.max(MAX_PLACE_CHARACTERS).describe('Got by the worker at each run; no redirect is followed'),
        delimiter: delimiterSchema.exactOptional(),
      }),
      z.strictObject({ group: groupIdSchema.describe('Its participants at each run') }),
      z.strictObject({
        connection: z
          .union([
            z.strictObject({
              env: z.string().regex(CONNECTION_VARIABLE, 'does not begin with EVERPOST_SOURCE_'),
            }),
            z.strictObject({ file: placeSchema.describe("On the worker's machine, below EVERPOST_SOURCES_DIR") }),
          ])
          .describe('Where the worker finds the connection string of a PostgreSQL'),
        query: exactText.min(1).max(MAX_QUERY_CHARACTERS).describe('One query; runs read only. Columns as in a file'),
      }),
    ],
    { error: 'names no file, url, group, or connection with its query' },
  )
  .meta({ id: 'ScheduleRecipients', description: 'Where the recipients of each run are read from, at that time' });

const MOST_TIMES = 20;

const scheduleFields = {
  campaign: scheduledCampaignSchema.exactOptional(),
  recipients: scheduleRecipientsSchema.exactOptional(),
  message: scheduledMessageSchema.exactOptional().describe('In place of campaign and recipients'),
  cron: z
    .array(z.string())
    .min(1)
    .max(MOST_TIMES)
    .exactOptional()
    .describe('Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON'),
  calendars: z.array(calendarSchema).min(1).max(MOST_TIMES).exactOptional(),
  timezone: z.string().min(1).max(100).exactOptional().describe('IANA name, e.g. Europe/Lisbon. Default: UTC'),
  jitter: durationSchema.exactOptional().describe('Each start is later by a part of this. Default: none'),
  startAt: timeSchema.exactOptional().describe('No run before this'),
  endAt: timeSchema.exactOptional().describe('No run after this'),
  overlap: z
    .enum(SCHEDULE_OVERLAPS)
    .exactOptional()
    .describe(
      'While the campaign of an earlier run has not ended, or its message was not posted: skip the run, buffer it until then, or allow both. Default: skip',
    ),
  missedStart: missedStartSchema.exactOptional(),
  graceTime: graceTimeSchema.exactOptional(),
};

const scheduleNoteSchema = exactText.min(1).max(500).describe('Why; shown until the next pause or resume');

export const newScheduleSchema = z
  .strictObject({
    id: z
      .string()
      .refine(isScheduleId, 'is no id of a schedule: at most 40 of a-z, 0-9, - and _, the first a letter or a digit')
      .exactOptional()
      .describe('Your own name for it. Default: made from the Idempotency-Key'),
    ...scheduleFields,
    paused: z.boolean().exactOptional().describe('Created paused. Default: false'),
    note: scheduleNoteSchema.exactOptional(),
  })
  .refine(({ cron, calendars }) => cron !== undefined || calendars !== undefined, {
    path: ['cron'],
    error: 'is missing: give cron or calendars',
  })
  .refine(({ campaign, message }) => (campaign === undefined) !== (message === undefined), {
    path: ['campaign'],
    error: 'is missing, or there is a message as well: give either campaign or message',
  })
  .refine(({ campaign, recipients }) => (campaign === undefined) === (recipients === undefined), {
    path: ['recipients'],
    error: 'belongs to a campaign: give both or neither',
  })
  .refine(({ message, missedStart }) => message === undefined || missedStart !== 'hold', {
    path: ['missedStart'],
    error: 'holds a campaign only: a message is run or skipped',
  })
  .meta({ id: 'NewSchedule' });

export const scheduleDefinitionFields = scheduleFields;

export const scheduleStateSchema = z.enum(SCHEDULE_STATES).exclude(['deleted']);

export const scheduleNoteRequestSchema = z
  .strictObject({ note: scheduleNoteSchema.exactOptional() })
  .meta({ id: 'ScheduleNote' });

export const backfillScheduleSchema = z
  .strictObject({
    from: timeSchema.describe('The first time'),
    to: timeSchema.describe('The last time, not in the future'),
  })
  .meta({ id: 'BackfillSchedule' });

// ── templates ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Its fields and limits are checked by `validateTemplate`, which names all problems at once. */
const templateDefinitionSchema = z.record(z.string(), z.unknown()).meta({
  id: 'TemplateDefinition',
  description: "createTemplate's fields under the gateway's own names: see operation.createTemplate",
});

export const templateKeySchema = z.strictObject({ instance: z.string().min(1), elementName: z.string().min(1) });

export const submitTemplateSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    template: templateDefinitionSchema,
  })
  .meta({ id: 'SubmitTemplate' });

export const validateTemplateSchema = z
  .strictObject({ template: templateDefinitionSchema })
  .meta({ id: 'ValidateTemplate' });

export const setTemplateReviewSchema = z
  .strictObject({
    status: z
      .string()
      .regex(/^[A-Z][A-Z_]{0,63}$/, 'is no word of a review, e.g. APPROVED')
      .describe('APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a newer word'),
    reason: exactText.max(500).exactOptional(),
    templateId: exactText.min(1).exactOptional().describe("The gateway's id, where it could not be read"),
  })
  .meta({ id: 'SetTemplateReview' });

// ── suppression ─────────────────────────────────────────────────────────────────────────────────────────────────────────

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
