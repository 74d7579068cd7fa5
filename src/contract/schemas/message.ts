import { z } from 'zod';
import { MAX_KEY_CHARACTERS, UNSENDABLE, UNSENDABLE_WORDS, parseDurationMs } from '../values/values.js';
import { MESSAGE_STATES, MessageCategory, OnUnknown, Priority, STATUS_FONTS, TYPING_LIMITS_MS } from '../message.js';

/** The largest JSON body in bytes: the gateway's own 100 kb. */
export const MAX_BODY_BYTES = 100 * 1024;

/** Text that is stored and sent exactly as given. */
export const exactText = z.string().refine((text) => !UNSENDABLE.test(text), UNSENDABLE_WORDS);

const CHAT_ID = /^(?:\d{5,32}@c\.us|\d{5,32}(?:-\d{1,32})?@g\.us|\d{5,32}@lid)$/;
const PHONE = /^\+?[1-9]\d{6,14}$/;
const PHONE_SEPARATORS = /[\s().-]/g;

/**
 * Converts a caller's recipient to the gateway's chat id.
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
  // The schema describes a string also in responses that contain it, e.g. a message's content.
  .pipe(z.string())
  .describe('Phone number in international form, or a chat id ending in @c.us, @g.us or @lid');

export const httpUrl = z.url({ protocol: /^https?$/, error: 'is no URL that begins with http:// or https://' });

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
    url: exactText.exactOptional().describe('http or https; given to the gateway as it is, unencoded'),
    fileId: exactText.exactOptional().describe('In place of url: of a file that was stored by POST /v1/files'),
    fileName: exactText.describe('With its extension, which decides how it is shown'),
    caption: exactText.exactOptional().describe('At most 20,000 characters'),
    quotedMessageId: exactText.exactOptional(),
    typingTime: z.number().exactOptional().describe('Seconds, 1 to 20'),
    typingType: z.literal('recording').exactOptional(),
  })
  .refine(({ url, fileId }) => (url === undefined) !== (fileId === undefined), {
    path: ['url'],
    message: 'or fileId is needed, and one of them only',
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

/** A shorter lifetime is useless, and a longer one is a mistake. */
const LONGEST_DURATION_MS = 365 * 24 * 60 * 60 * 1000;

export const durationSchema = z.string().refine((text) => {
  try {
    return parseDurationMs(text) <= LONGEST_DURATION_MS;
  } catch {
    return false;
  }
}, 'is no duration of at most a year, e.g. 30m or 2h');

export const typingSchema = z.string().refine((text) => {
  try {
    const typingMs = parseDurationMs(text);
    return typingMs >= TYPING_LIMITS_MS.min && typingMs <= TYPING_LIMITS_MS.max;
  } catch {
    return false;
  }
}, 'is no duration from 1s to 20s, e.g. 3s');

/** A message request. The kind decides whether `to` is required: see {@link needsRecipient}. */
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
      .describe('How long typing is shown in the chat before it is posted, 1s to 20s. Default: not'),
    priority: z.enum(Object.values(Priority)).exactOptional().describe('Default: normal'),
    category: z.enum(Object.values(MessageCategory)).exactOptional().describe('Default: transactional'),
    onUnknown: z
      .enum(Object.values(OnUnknown))
      .exactOptional()
      .describe('What to do when it is unknown whether the gateway took it. Default: manual'),
    reference: exactText.max(500).exactOptional().describe('Your own words for it, shown back'),
    statusCallback: httpUrl.exactOptional().describe('URL to which every change of state is posted'),
  })
  .meta({ id: 'SendRequest' });

/** The request as a caller writes it; `to` may be a phone number with blanks. */
export type SendRequest = z.input<typeof sendRequestSchema>;

/** A status goes to all contacts of the account; every other kind goes to one chat. */
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
