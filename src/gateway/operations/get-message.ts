import { z } from 'zod';
import { journalEntry } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { messageId } from '../text-fields.js';

export const getMessage = operation({
  description: 'Read one message of a chat, with its status and whether it was edited.',
  perSecond: 10,
  request: z.strictObject({ chatId, idMessage: messageId }),
  response: journalEntry,
});
