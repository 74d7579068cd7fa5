import { z } from 'zod';
import { QUEUE_TYPE_NAMES, readChatId } from '../../domain/index.js';
import { optionalFlag, optionalNumber, optionalText, withUnits, chatId, chatIdOrDigits, messageId } from './fields.js';
import { operation } from './operation-contract.js';

const textOrNumber = z.union([z.string(), z.number()]).nullish();

const contact = z.looseObject({
  phoneContact: textOrNumber.describe('International, without +; text by the table, a number in samples'),
  firstName: optionalText,
  lastName: optionalText,
  middleName: optionalText,
  company: optionalText,
});

const body = z.looseObject({
  chatId: optionalText,
  message: optionalText,
  messages: z.array(z.string()).nullish(),
  linkPreview: optionalFlag,
  quotedMessageId: optionalText,
  options: z.array(z.looseObject({ optionName: optionalText })).nullish(),
  fileName: optionalText,
  caption: optionalText,
  urlFile: optionalText,
  archive: z.union([z.string(), z.boolean()]).nullish().meta({ deprecated: true }).describe('Deprecated'),
  latitude: textOrNumber,
  longitude: textOrNumber,
  nameLocation: optionalText,
  address: optionalText,
  contact: contact.nullish(),
  urlLink: z.string().nullish().meta({ deprecated: true }).describe('Deprecated, with the kind sendLink'),
  chatIdFrom: optionalText,
});

export const showMessagesQueue = operation({
  description:
    'List the items waiting in the send queue, oldest first. Statuses, typing notifications and templates are not listed.',
  perSecond: 1,
  request: z.strictObject({}),
  // An empty queue is evidence of absence, so only an empty list counts as one, and null does not.
  response: z.array(
    z.looseObject({
      type: z.string().describe(`${QUEUE_TYPE_NAMES.join(', ')}, or a newer kind; sendLink is deprecated`),
      messageID: optionalText,
      messagesIDs: z.array(z.string()).nullish().describe('For ForwardMessages, in place of messageID'),
      body: body.nullish(),
    }),
  ),
});

const extendedText = z.looseObject({
  text: optionalText,
  description: optionalText,
  title: optionalText,
  previewType: optionalText,
  jpegThumbnail: optionalText,
  stanzaId: optionalText,
  participant: optionalText,
});

/** One message of a journal, or one story. Its fields depend on `typeMessage`, which may have new values. */
const journalEntry = withUnits(
  { timestamp: 'timestampSeconds' },
  z.looseObject({
    idMessage: z.string().min(1),
    type: z.string().nullish().describe('incoming or outgoing'),
    timestamp: optionalNumber,
    timestampSeconds: z.number().optional().describe('timestamp, Unix seconds'),
    typeMessage: optionalText,
    chatId: optionalText,
    senderId: optionalText,
    senderName: optionalText,
    textMessage: z.string().nullish().describe('A text sent through the API is here or in extendedTextMessage.text'),
    extendedTextMessage: extendedText.nullish(),
    downloadUrl: optionalText,
    caption: optionalText,
    fileName: optionalText,
    mimeType: optionalText,
    location: z.looseObject({}).nullish().describe('latitude, longitude, nameLocation, address'),
    contact: z.looseObject({}).nullish().describe('displayName and vcard'),
    pollMessageData: z.looseObject({}).nullish().describe('name, options, multipleAnswers'),
    isForwarded: optionalFlag,
    forwardingScore: optionalNumber.describe('How often it was forwarded'),
    quotedMessage: z.looseObject({}).nullish(),
    statusMessage: optionalText,
    sendByApi: optionalFlag,
    isEdited: optionalFlag,
    editedMessageId: optionalText,
    isDeleted: optionalFlag,
    deletedMessageId: optionalText,
  }),
);

/** An empty journal may be an empty list, `null` or an empty body. It proves nothing. */
const journalEntries = z.preprocess((raw) => raw ?? [], z.array(journalEntry));

const ofMinutes = z.strictObject({
  minutes: z.int().min(1).optional().describe('How far back, minutes; the gateway assumes 1440'),
});

export const lastOutgoingMessages = operation({
  description: 'List recently sent messages, newest first. A missing message may still have been sent.',
  perSecond: 1,
  request: ofMinutes,
  response: journalEntries,
});

export const getMessage = operation({
  description: 'Read one message of a chat, with its status and whether it was edited.',
  perSecond: 10,
  request: z.strictObject({ chatId, idMessage: messageId }),
  response: journalEntry,
});

export const getIncomingStories = operation({
  description: 'List incoming story messages.',
  // No rate is published for stories. The similar journals allow one request per second.
  perSecond: 1,
  request: ofMinutes,
  response: journalEntries,
});

export const readChat = operation({
  description:
    'Mark one incoming message, or all unread ones of a chat, as read. Works only for messages that came while notifications of incoming messages were on.',
  perSecond: 10,
  pathPrefix: 'v3',
  request: z.strictObject({
    chatId: chatIdOrDigits,
    idMessage: messageId.optional().describe('Incoming message to mark; absent: all unread messages of the chat'),
  }),
  response: z.looseObject({ setRead: z.boolean() }),
  reaches: ({ chatId: chat }) => [readChatId(chat) ?? chat],
});
