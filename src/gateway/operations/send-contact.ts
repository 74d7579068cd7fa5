import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId, text } from '../text-fields.js';

export const sendContact = operation({
  description: 'Send a contact card to a personal or group chat.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    contact: z.strictObject({
      phoneContact: z.int().min(1).describe('International number without +, its digits as a number'),
      firstName: text().optional(),
      middleName: text().optional(),
      lastName: text().optional(),
      company: text().optional(),
    }),
    quotedMessageId: messageId.optional().describe('Id of a message in the same chat to quote'),
  }),
  response: idMessageResponse,
  // The document says 11 or 12 digits where it shows the queue; numbers of many countries have fewer or more.
  warnings: ({ contact }) =>
    /^\d{11,12}$/.test(String(contact.phoneContact))
      ? []
      : ["contact.phoneContact: has not the 11 or 12 digits that the gateway's document names"],
  reaches: (request) => [request.chatId],
});
