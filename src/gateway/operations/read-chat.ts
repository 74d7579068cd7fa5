import { z } from 'zod';
import { chatIdOrDigits } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId } from '../text-fields.js';

export const readChat = operation({
  description:
    'Mark one incoming message, or all unread ones of a chat, as read. Works for messages that came while the instance was notifying of incoming messages.',
  perSecond: 10,
  pathPrefix: 'v3',
  request: z.strictObject({
    chatId: chatIdOrDigits,
    idMessage: messageId.optional().describe('Incoming message to mark; left out, all unread ones of the chat'),
  }),
  response: z.looseObject({ setRead: z.boolean() }),
  reaches: ({ chatId }) => [chatId.includes('@') ? chatId : `${chatId}@c.us`],
});
