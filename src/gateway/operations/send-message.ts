import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { httpLink, messageId, requiredText, text, typingTimeMs } from '../text-fields.js';

const customPreview = z.strictObject({
  title: requiredText(),
  description: text().optional(),
  link: httpLink.optional(),
  urlFile: httpLink.optional(),
  jpegThumbnail: text().optional(),
});

export const sendMessage = operation({
  description: 'Send a text to a personal or group chat.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    message: requiredText(20_000).describe('Text, at most 20000 characters'),
    quotedMessageId: messageId.optional().describe('Id of a message in the same chat to quote'),
    linkPreview: z.boolean().optional().describe('Show a preview of a link in the text; the gateway assumes true'),
    typePreview: z.enum(['large', 'small']).optional().describe('Size of the link preview'),
    customPreview: customPreview.optional().describe('A preview of your own'),
    typingTime: typingTimeMs.optional(),
  }),
  response: idMessageResponse,
  reaches: (request) => [request.chatId],
});
