import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId, requiredText, typingTimeMs } from '../text-fields.js';

const HOW_MANY = { error: "Validation failed, details: 'options' must contain from 2 to 12 items" };

export const sendPoll = operation({
  description: 'Send a poll to a personal or group chat.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    // Pages of the service family disagree (255, 200 elsewhere); 255 is what the network itself lets a question have.
    message: requiredText(255).describe('The question, at most 255 characters'),
    options: z
      .array(z.strictObject({ optionName: requiredText() }))
      .min(2, HOW_MANY)
      .max(12, HOW_MANY)
      .refine((options) => new Set(options.map(({ optionName }) => optionName)).size === options.length, {
        error: "Validation failed, details: 'options' must be unique",
      })
      .describe('2 to 12 options, no two alike'),
    multipleAnswers: z.boolean().optional().describe('More than one may be chosen; the gateway assumes false'),
    quotedMessageId: messageId.optional().describe('Id of a message in the same chat to quote'),
    typingTime: typingTimeMs.optional(),
  }),
  response: idMessageResponse,
  reaches: (request) => [request.chatId],
});
