import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId, text } from '../text-fields.js';

export const sendLocation = operation({
  description: 'Send a place on the map to a personal or group chat.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90'),
    longitude: z.number().min(-180).max(180).describe('Degrees, -180 to 180'),
    nameLocation: text().optional().describe('Name of the place'),
    address: text().optional().describe('Address of the place'),
    quotedMessageId: messageId.optional().describe('Id of a message in the same chat to quote'),
  }),
  response: idMessageResponse,
  reaches: (request) => [request.chatId],
});
