import { z } from 'zod';
import { operation } from '../operation-contract.js';

export const deleteNotification = operation({
  description: 'Delete a notification that was fetched; false when it is not there any more.',
  perSecond: 100,
  request: z.strictObject({ receiptId: z.int().min(0).describe('As receiveNotification answered it') }),
  pathAfterToken: ({ receiptId }) => String(receiptId),
  response: z.looseObject({ result: z.boolean() }),
});
