import { z } from 'zod';
import { EDITS_PER_SECOND } from '../../contract/index.js';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId, requiredText } from '../text-fields.js';

export const editMessage = operation({
  description:
    'Edit the text of a message sent through the API, within 15 minutes of sending. A later edit is answered 200 as well and then refused by a notification.',
  perSecond: EDITS_PER_SECOND,
  request: z.strictObject({
    chatId,
    idMessage: messageId.describe('Id of the message to edit'),
    message: requiredText(20_000).describe('New text, at most 20000 characters'),
  }),
  response: idMessageResponse,
  reaches: (request) => [request.chatId],
});
