import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { requiredText, text } from '../text-fields.js';

export const sendTemplate = operation({
  description: 'Send an approved template to a chat.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    templateId: requiredText().describe("The template's id, opaque"),
    params: z.array(text()).optional().describe('Values for its variables, in their order'),
  }),
  response: idMessageResponse,
  reaches: (request) => [request.chatId],
});
