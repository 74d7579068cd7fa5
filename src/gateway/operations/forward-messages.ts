import { z } from 'zod';
import { isRecord } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId, typingTimeMs } from '../text-fields.js';

const ONE_EACH = {
  error:
    "Validation failed, details: 'messages' must hold one id; forward one message each, so that each has its own state",
};

/**
 * `{ messages: [id] }` under the name that every other send answers its id by. Several ids, or none, say nothing of one
 * message.
 */
function withIdMessage(raw: unknown): unknown {
  if (!isRecord(raw) || !Array.isArray(raw['messages'])) return raw;
  const [idMessage]: unknown[] = raw['messages'];
  return { ...raw, idMessage };
}

export const forwardMessages = operation({
  description: 'Forward a message that the service knows to a personal or group chat, one message per request.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    chatIdFrom: chatId.describe('Chat in which the message is'),
    messages: z
      .array(messageId)
      .min(1, ONE_EACH)
      .max(1, ONE_EACH)
      .describe('Id of the message to forward: exactly one'),
    typingTime: typingTimeMs.optional(),
  }),
  response: z.preprocess(
    withIdMessage,
    z.looseObject({
      messages: z.array(z.string().min(1)).length(1),
      idMessage: z.string().min(1).describe("Id of the copy, opaque: the gateway's messages[0]"),
    }),
  ),
  reaches: (request) => [request.chatId],
});
