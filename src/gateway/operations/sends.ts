/** The operations that a recipient sees, and the upload of files. */
import { z } from 'zod';
import { EDITS_PER_SECOND, MAX_FILE_BYTES, isRecord } from '../../contract/index.js';
import { chatId, contactId, httpLink, messageId, requiredText, text, optionalText } from './fields.js';
import { parameterFault } from '../../domain/index.js';
import { operation } from './operation-contract.js';

/** `{ idMessage }` means that the queue has accepted the message. */
const idMessageResponse = z.looseObject({ idMessage: z.string().min(1).describe('Id of the accepted item, opaque') });
const quotedMessageId = messageId.optional().describe('Id of a message in the same chat to quote');
/** How long typing is shown before the message. Only sendFileByUrl counts it in seconds. */
const typingTime = z
  .int()
  .min(1_000)
  .max(20_000)
  .describe('Typing notification, milliseconds, 1000 to 20000')
  .optional();
const typingType = z.literal('recording').optional().describe('recording: show recording audio instead of typing');

/** Shared by most sends to a chat. */
const toOneChat = {
  perSecond: 50,
  response: idMessageResponse,
  reaches: (request: { readonly chatId: string }) => [request.chatId],
};

const customPreview = z.strictObject({
  title: requiredText(),
  description: text().optional(),
  link: httpLink.optional(),
  urlFile: httpLink.optional(),
  jpegThumbnail: text().optional(),
});

export const sendMessage = operation({
  ...toOneChat,
  description: 'Send a text to a personal or group chat.',
  request: z.strictObject({
    chatId,
    message: requiredText(20_000).describe('Text, at most 20000 characters'),
    quotedMessageId,
    linkPreview: z.boolean().optional().describe('Show a preview of a link in the text; the gateway assumes true'),
    typePreview: z.enum(['large', 'small']).optional().describe('Size of the link preview'),
    customPreview: customPreview.optional().describe('A custom preview'),
    typingTime,
  }),
});

export const editMessage = operation({
  ...toOneChat,
  description:
    'Edit the text of a message sent through the API, within 15 minutes of sending. A later edit also gets a 200, and a notification then rejects it.',
  perSecond: EDITS_PER_SECOND,
  request: z.strictObject({
    chatId,
    idMessage: messageId.describe('Id of the message to edit'),
    message: requiredText(20_000).describe('New text, at most 20000 characters'),
  }),
});

const HOW_MANY = { error: "Validation failed, details: 'options' must contain from 2 to 12 items" };

export const sendPoll = operation({
  ...toOneChat,
  description: 'Send a poll to a personal or group chat.',
  request: z.strictObject({
    chatId,
    // Documents of the service family differ (255 or 200). The network itself allows 255.
    message: requiredText(255).describe('The question, at most 255 characters'),
    options: z
      .array(z.strictObject({ optionName: text().trim().min(1) }))
      .min(2, HOW_MANY)
      .max(12, HOW_MANY)
      .refine((options) => new Set(options.map(({ optionName }) => optionName)).size === options.length, {
        error: "Validation failed, details: 'options' must be unique",
      })
      .describe('2 to 12 different options'),
    multipleAnswers: z.boolean().optional().describe('More than one may be chosen; the gateway assumes false'),
    quotedMessageId,
    typingTime,
  }),
});

export const sendLocation = operation({
  ...toOneChat,
  description: 'Send a place on the map to a personal or group chat.',
  request: z.strictObject({
    chatId,
    latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90'),
    longitude: z.number().min(-180).max(180).describe('Degrees, -180 to 180'),
    nameLocation: text().optional().describe('Name of the place'),
    address: text().optional().describe('Address of the place'),
    quotedMessageId,
  }),
});

export const sendContact = operation({
  ...toOneChat,
  description: 'Send a contact card to a personal or group chat.',
  request: z.strictObject({
    chatId,
    contact: z.strictObject({
      phoneContact: z.int().min(1).describe('International number without +, its digits as a number'),
      firstName: text().optional(),
      middleName: text().optional(),
      lastName: text().optional(),
      company: text().optional(),
    }),
    quotedMessageId,
  }),
  // The document states 11 or 12 digits for the queue, but numbers of many countries have fewer or more.
  warnings: ({ contact }) =>
    /^\d{11,12}$/.test(String(contact.phoneContact))
      ? []
      : ["contact.phoneContact: does not have the 11 or 12 digits that the gateway's document names"],
});

export const sendFileByUrl = operation({
  ...toOneChat,
  description: 'Send a file of at most 100 MB from a link, one file per request.',
  request: z.strictObject({
    chatId,
    urlFile: httpLink.describe('Link to the file, unencoded; starts with http:// or https://'),
    fileName: requiredText().describe('File name with extension; the extension decides how it is sent'),
    caption: text(20_000).optional().describe('Caption, at most 20000 characters'),
    quotedMessageId,
    typingTime: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe('Typing notification, seconds (not milliseconds as elsewhere), 1 to 20; the gateway assumes 1'),
    typingType,
  }),
  warnings: (request) => [
    ...LINK_WARNINGS.filter(([pattern]) => pattern.test(request.urlFile)).map(([, warning]) => `urlFile: ${warning}`),
    ...(/\.[^.\s]+$/.test(request.fileName)
      ? []
      : ["fileName: has no extension; the gateway derives the kind of file from the link's response"]),
  ],
});

const LINK_WARNINGS: readonly (readonly [RegExp, string])[] = [
  [/%[0-9a-f]{2}/i, 'looks percent-encoded; give the link unencoded, since the gateway encodes it'],
  [/\s/, 'has a space; links without spaces are advised'],
  // Apart from the dots, colons and slashes of a link, only letters, digits, hyphen and underscore are advised.
  [/[^\w\-./:\s%]/, 'has characters other than a-z, A-Z, 0-9, hyphen and underscore, which is advised against'],
  [/\.html?(?:[?#]|$)/i, 'ends like a web page; the link must lead to the file'],
];

/** A slower upload is aborted and retried, since it sends nothing. */
const BYTES_PER_MS = 100;

export const uploadFile = operation({
  description: 'Upload a file and get a link for sendFileByUrl, valid for 15 days. Nothing is sent.',
  perSecond: 1,
  request: z.strictObject({
    fileName: requiredText().describe('File name with extension'),
    contentType: requiredText(200)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, "Validation failed, 'contentType' must be like image/jpeg")
      .describe('E.g. image/jpeg'),
    content: z
      .any()
      .refine(isBytes, "Validation failed, details: 'content' must be base64 of 1 byte to 100 MB")
      .meta({ type: 'string', contentEncoding: 'base64', description: 'The file, at most 100 MB' }),
  }),
  response: z.looseObject({ urlFile: httpLink.describe('Link to the file, valid for 15 days') }),
  onMediaHost: true,
  toRawBody: ({ fileName, contentType, content }) => ({
    bytes: bytesOf(content),
    // A header cannot hold other characters. The message names the file again.
    headers: { 'content-type': contentType, ...(/^[ -~]+$/.test(fileName) ? { 'ga-filename': fileName } : {}) },
  }),
  holdsMs: ({ content }) => Math.ceil(bytesOf(content).length / BYTES_PER_MS),
});

/** Whether the content is bytes, or valid base64 from a caller. */
function isBytes(content: unknown): content is string | Uint8Array {
  const isGiven = content instanceof Uint8Array || z.base64().safeParse(content).success;
  if (!isGiven) return false;
  const { length } = bytesOf(content as string | Uint8Array);
  return length > 0 && length <= MAX_FILE_BYTES;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}

const ONE_EACH = {
  error:
    "Validation failed, details: 'messages' must hold one id; forward each message by a separate request, so that it has its own state",
};

export const forwardMessages = operation({
  ...toOneChat,
  description: 'Forward a message that the service knows to a personal or group chat, one message per request.',
  request: z.strictObject({
    chatId,
    chatIdFrom: chatId.describe('Chat in which the message is'),
    messages: z
      .array(messageId)
      .min(1, ONE_EACH)
      .max(1, ONE_EACH)
      .describe('Id of the message to forward: exactly one'),
    typingTime,
  }),
  // Gets an idMessage, like the response of all other sends. Several ids, or none, are not about one message.
  response: z.preprocess(
    (raw) =>
      isRecord(raw) && Array.isArray(raw['messages']) ? { ...raw, idMessage: raw['messages'][0] as unknown } : raw,
    z.looseObject({
      messages: z.array(z.string().min(1)).length(1),
      idMessage: z.string().min(1).describe("Id of the copy, opaque: the gateway's messages[0]"),
    }),
  ),
});

export const sendTemplate = operation({
  ...toOneChat,
  description: 'Send an approved template to a chat.',
  request: z.strictObject({
    chatId,
    templateId: requiredText().describe("The template's id, opaque"),
    params: z.array(text()).optional().describe('Values for its variables, in their order'),
  }),
  warnings: ({ params = [] }) =>
    params.flatMap((value, at) => {
      const fault = parameterFault(value);
      return fault === undefined ? [] : [`params[${at}]: ${fault}, and the network refuses such a value of a variable`];
    }),
});

const HEX_COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const WHITE = /^#(?:f{3}|f{6})$/i;

const backgroundColor = z
  .string()
  .regex(HEX_COLOUR, {
    error: "Validation failed, details: 'backgroundColor' must be a hex color such as #228B22",
    abort: true,
  })
  .refine((colour) => !WHITE.test(colour), {
    error: "Validation failed, details: 'backgroundColor' must not be white, because the text is white",
  })
  .describe('Hex color #RRGGBB or #RGB, not white; the gateway assumes #000000');

export const sendTextStatus = operation({
  description:
    'Beta: publish a text status. Access is granted to an account on request; without it the response is 403.',
  perSecond: 5,
  request: z.strictObject({
    message: requiredText(500).describe('Text, at most 500 characters'),
    backgroundColor: backgroundColor.optional(),
    font: z.enum(['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY']).optional(),
    participants: z
      .array(contactId)
      .optional()
      .describe('Contacts who may see it; an empty list means all contacts, unknown numbers are skipped'),
  }),
  response: idMessageResponse,
  reaches: ({ participants }) => (participants === undefined || participants.length === 0 ? 'everyone' : participants),
});

export const sendTyping = operation({
  ...toOneChat,
  description: 'Beta: show "typing" or "recording audio" in a chat. Its behaviour may change.',
  // No rate is published for it. The slowest published operations allow one request per second.
  perSecond: 1,
  request: z.strictObject({
    chatId,
    typingTime: z.int().min(1_000).max(20_000).optional().describe('Milliseconds, 1000 to 20000'),
    typingType,
  }),
  // Success is a 200 with an empty body. Older gateways return an idMessage.
  response: z.preprocess(
    (raw) => (raw === undefined || raw === null || raw === '' ? {} : raw),
    z.looseObject({ idMessage: optionalText }),
  ),
});
