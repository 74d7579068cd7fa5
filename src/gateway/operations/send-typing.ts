import { z } from 'zod';
import { optionalText } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';

export const sendTyping = operation({
  description: 'Beta: show "typing" or "recording audio" in a chat. Its behaviour may change.',
  // No rate is published for it; one a second is what the slowest published operations allow.
  perSecond: 1,
  request: z.strictObject({
    chatId,
    typingTime: z.int().min(1_000).max(20_000).optional().describe('Milliseconds, 1000 to 20000'),
    typingType: z.literal('recording').optional().describe('recording: show recording audio instead of typing'),
  }),
  // Success is a 200 with an empty body; older gateways answer an idMessage.
  response: z.preprocess(
    (raw) => (raw === undefined || raw === null || raw === '' ? {} : raw),
    z.looseObject({ idMessage: optionalText }),
  ),
  reaches: (request) => [request.chatId],
});
