import { z } from 'zod';
import {
  INPUT_LIMITS,
  LONGEST_GATEWAY_ID,
  REVIEW_STATUS,
  SUPPORTED_TIMES_WORDS,
  isSupportedTime,
  parseDurationMs,
} from '../values/values.js';
import { MOST_ACCOUNTS } from '../campaign.js';
import { factsOf } from '../kinds.js';
import { MESSAGE_STATES, MessageCategory, OnUnknown, Priority, STATUS_FONTS, TYPING_LIMITS_MS } from '../message.js';

/** The largest JSON body in bytes: the gateway's own 100 kb. */
export const MAX_BODY_BYTES = 100 * 1024;

/** Text that is stored and sent exactly as given. Every reader of inputs refuses what cannot be: `unsendableTexts`. */
export const exactText = z.string();

/** The worker and the API read the text: one reader for all requests, which may load the rules of phone numbers. */
export const recipientSchema = z
  .string()
  .max(INPUT_LIMITS.recipientCharacters, 'is longer than any phone number or chat id')
  .describe('Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid');

export const countryField = z
  .string()
  .regex(/^[A-Z]{2}$/, 'is not an ISO 3166 country, e.g. DE')
  .exactOptional()
  .describe('Country of phone numbers without + or 00. Default: they are read as international numbers');

export const httpUrl = z.url({ protocol: /^https?$/, error: 'is not a URL that begins with http:// or https://' });

/** A field of every request about one instance. */
export const instanceField = z.string().min(1).describe('Name of the configured instance');
/** The accounts of a pool. */
export const poolSchema = z
  .array(instanceField)
  .min(1)
  .max(MOST_ACCOUNTS)
  .superRefine((names, context) => {
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) === at) continue;
      context.addIssue({ code: 'custom', path: [at], message: `is ${name} again: name each account once` });
    }
  })
  .describe('Names of the configured instances that share the recipients');

const ONE_SENDER = {
  path: ['instance'],
  error: 'is missing, or is given together with instances: give either instance or instances',
};

/** A schema that names one account or a pool. */
export function withSender<
  Schema extends z.ZodObject<{
    instance: z.ZodExactOptional<typeof instanceField>;
    instances: z.ZodExactOptional<typeof poolSchema>;
  }>,
>(schema: Schema): Schema {
  return schema.refine(({ instance, instances }) => (instance === undefined) !== (instances === undefined), ONE_SENDER);
}

export const referenceField = exactText.max(500).exactOptional().describe('A text of yours that responses repeat');

const typingTimeSchema = z.number().exactOptional().describe('Milliseconds, 1,000 to 20,000');
const quotedMessageIdSchema = exactText.exactOptional().describe("The gateway's id of the message to quote");

const textContentSchema = z
  .strictObject({
    kind: z.literal('text'),
    text: exactText.describe('At most 20,000 characters, without a byte order mark'),
    quotedMessageId: quotedMessageIdSchema,
    linkPreview: z.boolean().exactOptional().describe('False sends the text without a link preview. Default: true'),
    typingTime: typingTimeSchema,
  })
  .meta({ id: 'TextContent' });

const fileContentSchema = z
  .strictObject({
    kind: z.literal('file'),
    url: exactText.exactOptional().describe('http or https URL that is given to the gateway unchanged'),
    fileId: exactText.exactOptional().describe('Id of a file that was stored by POST /v1/files. Replaces `url`'),
    fileName: exactText.describe('Name of the file. Its extension decides how the file is shown'),
    caption: exactText.exactOptional().describe('At most 20,000 characters'),
    quotedMessageId: quotedMessageIdSchema,
    typingTime: z.number().exactOptional().describe('Seconds, 1 to 20'),
    typingType: z.literal('recording').exactOptional().describe('Shows a recording in place of typing'),
  })
  .refine(({ url, fileId }) => (url === undefined) !== (fileId === undefined), {
    path: ['url'],
    message: 'or fileId is required, and only one of them',
  })
  .meta({ id: 'FileContent' });

const statusContentSchema = z
  .strictObject({
    kind: z.literal('status'),
    text: exactText.describe('At most 500 characters'),
    backgroundColor: z.string().exactOptional().describe('Hex colour other than white'),
    font: z.enum(STATUS_FONTS).exactOptional().describe('Font of the text'),
    participants: z
      .array(recipientSchema)
      .exactOptional()
      .describe('Phone numbers or chat ids of the contacts who may see the status. Empty: all'),
  })
  .meta({ id: 'StatusContent', description: 'Beta: the gateway grants access to statuses on request' });

const pollContentSchema = z
  .strictObject({
    kind: z.literal('poll'),
    message: exactText.describe('The question, at most 255 characters'),
    options: z
      .array(z.strictObject({ optionName: exactText.trim().describe('Without the blanks around it') }))
      .describe('2 to 12 different options'),
    multipleAnswers: z.boolean().exactOptional().describe('True if more than one option may be chosen. Default: false'),
    quotedMessageId: quotedMessageIdSchema,
    typingTime: typingTimeSchema,
  })
  .meta({ id: 'PollContent' });

const locationContentSchema = z
  .strictObject({
    kind: z.literal('location'),
    latitude: z.number().describe('Degrees, -90 to 90'),
    longitude: z.number().describe('Degrees, -180 to 180'),
    nameLocation: exactText.exactOptional().describe('Name of the place'),
    address: exactText.exactOptional().describe('Address of the place'),
    quotedMessageId: quotedMessageIdSchema,
  })
  .meta({ id: 'LocationContent' });

const contactContentSchema = z
  .strictObject({
    kind: z.literal('contact'),
    contact: z.strictObject({
      phoneContact: z.number().describe('The digits of an international phone number, as a number: 15551234567'),
      firstName: exactText.exactOptional(),
      middleName: exactText.exactOptional(),
      lastName: exactText.exactOptional(),
      company: exactText.exactOptional(),
    }),
    quotedMessageId: quotedMessageIdSchema,
  })
  .meta({ id: 'ContactContent' });

const forwardContentSchema = z
  .strictObject({
    kind: z.literal('forward'),
    chatIdFrom: recipientSchema.describe('Phone number or chat id of the chat that has the message to forward'),
    messages: z.array(exactText).describe("The gateway's id of the message to forward. Exactly one"),
    typingTime: typingTimeSchema,
  })
  .meta({ id: 'ForwardContent' });

export const templateContentSchema = z
  .strictObject({
    kind: z.literal('template'),
    elementName: exactText.min(1).exactOptional().describe('Name of a template that was submitted through everpost'),
    templateId: exactText
      .min(1)
      .exactOptional()
      .describe("The gateway's id of a template, which may have been created elsewhere"),
    params: z
      .array(exactText)
      .exactOptional()
      .describe("Values for the variables of the template's body, in their order"),
  })
  .refine(({ elementName, templateId }) => (elementName === undefined) !== (templateId === undefined), {
    path: ['elementName'],
    error: 'contains no template, or two: give either elementName or templateId',
  })
  .meta({ id: 'TemplateContent', description: 'The message waits until the template is approved' });

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

/** A time that a caller names: the only schema for one. */
export const timeSchema = z.iso
  .datetime({ offset: true, error: 'is not an RFC 3339 time, e.g. 2030-01-31T12:00:00Z', abort: true })
  .refine((time) => isSupportedTime(Date.parse(time)), SUPPORTED_TIMES_WORDS)
  .transform((time) => new Date(time).toISOString())
  .pipe(z.iso.datetime())
  .describe('RFC 3339 with any offset, in the years 1 to 9998');

/** A shorter lifetime is useless, and a longer one is a mistake. */
const LONGEST_DURATION_MS = 365 * 24 * 60 * 60 * 1000;

export const durationSchema = z
  .string()
  .refine(isDurationWithin(0, LONGEST_DURATION_MS), 'is not a duration of at most a year, e.g. 30m or 2h');

/** At least Temporal's own minimum. */
export const catchupWindowSchema = z
  .string()
  .refine(isDurationWithin(10_000, LONGEST_DURATION_MS), 'is not a duration from 10s to a year, e.g. 1h');

export const typingSchema = z
  .string()
  .refine(isDurationWithin(TYPING_LIMITS_MS.min, TYPING_LIMITS_MS.max), 'is not a duration from 1s to 20s, e.g. 3s');

function isDurationWithin(leastMs: number, mostMs: number) {
  return (text: string): boolean => {
    try {
      const durationMs = parseDurationMs(text);
      return durationMs >= leastMs && durationMs <= mostMs;
    } catch {
      return false;
    }
  };
}

/** A message request. The kind decides whether `to` is required: see {@link needsRecipient}. */
export const sendRequestSchema = z.strictObject({
  instance: instanceField,
  to: recipientSchema.exactOptional(),
  defaultCountry: countryField,
  content: contentSchema,
  sensitive: z
    .boolean()
    .exactOptional()
    .describe(
      'True for a one-time code: its texts are shown nowhere, are encrypted where keys are set, and are removed once nothing can need them. Not for a location, a contact or a forward. Default: false',
    ),
  sendAt: timeSchema.exactOptional().describe('The message is not posted before this time. Default: at once'),
  expiresAt: timeSchema
    .exactOptional()
    .describe('The message is not posted after this time. Default: 24 hours after the request, or after sendAt'),
  typing: typingSchema
    .exactOptional()
    .describe(
      'How long the gateway shows typing before it sends a text, poll, file or forward, 1s to 20s: its `typingTime`. Default: not shown',
    ),
  priority: z.enum(Object.values(Priority)).exactOptional().describe('Default: normal'),
  category: z.enum(Object.values(MessageCategory)).exactOptional().describe('Default: transactional'),
  onUnknown: z
    .enum(Object.values(OnUnknown))
    .exactOptional()
    .describe('What happens when it cannot be determined whether the gateway accepted the message. Default: manual'),
  reference: referenceField,
  statusCallback: httpUrl.exactOptional().describe("URL to which everpost posts every change of the message's state"),
});

/** The body of `POST /v1/messages`: through one account, or through one of several that is chosen when it begins. */
const senderFields = {
  instance: instanceField.exactOptional().describe('Name of the configured instance. Replaced by `instances`'),
  instances: poolSchema
    .exactOptional()
    .describe(
      'Names of instances. The message is sent by the one that talked with the recipient last, or that can send it soonest',
    ),
};
export const senderSchema = withSender(z.strictObject(senderFields));
export const newMessageBodySchema = withSender(sendRequestSchema.extend(senderFields)).meta({ id: 'SendRequest' });

/** The request as a caller writes it. */
export type SendRequest = z.input<typeof sendRequestSchema>;

/** A status goes to all contacts of the account; every other kind goes to one chat. */
export function needsRecipient(kind: z.output<typeof contentSchema>['kind']): boolean {
  return factsOf(kind).toAll !== true;
}

export const editRequestSchema = z
  .strictObject({ text: exactText.describe('The complete new text, at most 20,000 characters') })
  .meta({ id: 'EditRequest' });

export const resolveRequestSchema = z
  .strictObject({
    outcome: z
      .enum(['accepted', 'not_accepted', 'by_evidence'])
      .describe(
        'The outcome of the message. `not_accepted` makes it pending again: check the phone first. `by_evidence`: as the gateway and the stored notifications show it',
      ),
    idMessage: exactText
      .min(1)
      .max(LONGEST_GATEWAY_ID)
      .exactOptional()
      .describe("The gateway's id of the message, with `accepted`. Its receipts then count for the message"),
  })
  .refine(({ outcome, idMessage }) => outcome === 'accepted' || idMessage === undefined, {
    path: ['idMessage'],
    error: 'is only possible with the outcome accepted: a message that was not accepted has no id',
  })
  .meta({ id: 'ResolveRequest' });

export const operationRequestSchema = z
  .strictObject({
    instance: instanceField,
    request: z.record(z.string(), z.unknown()).exactOptional().describe("The operation's own fields"),
  })
  .meta({ id: 'OperationRequest' });

export const idempotencyKeySchema = exactText
  .min(1)
  .max(INPUT_LIMITS.keyCharacters)
  .describe(
    'A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key',
  );

export const messageStateSchema = z.enum(MESSAGE_STATES);

/** Its fields and limits are checked by `validateTemplate`, which names all problems at once. */
const templateDefinitionSchema = z.record(z.string(), z.unknown()).meta({
  id: 'TemplateDefinition',
  description: "The fields of createTemplate under the gateway's names: see operation.createTemplate",
});

export const templateKeySchema = z.strictObject({ instance: z.string().min(1), elementName: z.string().min(1) });

export const submitTemplateSchema = z
  .strictObject({
    instance: instanceField,
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
      .regex(REVIEW_STATUS, 'is not the status of a review, e.g. APPROVED')
      .describe('APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a status that the gateway adds later'),
    reason: exactText
      .max(INPUT_LIMITS.reviewReasonCharacters)
      .exactOptional()
      .describe('Why the review has this status'),
    templateId: exactText.min(1).exactOptional().describe("The gateway's id, if everpost could not read it"),
  })
  .meta({ id: 'SetTemplateReview' });
