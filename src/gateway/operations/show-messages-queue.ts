import { z } from 'zod';
import { optionalFlag, optionalText } from '../response-fields.js';
import { operation } from '../operation-contract.js';

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
  // An empty queue is evidence that something is not in it, so only an empty list counts as one: null does not.
  response: z.array(
    z.looseObject({
      type: z
        .string()
        .describe(
          'sendMessage, sendPoll, sendFileByUrl, sendLocation, sendContact, sendLink (deprecated), ForwardMessages, or a newer kind',
        ),
      messageID: optionalText,
      messagesIDs: z.array(z.string()).nullish().describe('For ForwardMessages, in place of messageID'),
      body: body.nullish(),
    }),
  ),
});
