import { z } from 'zod';
import { operation } from '../operation-contract.js';

/** As long as the gateway waits by itself. */
const DEFAULT_SECONDS = 5;

export const receiveNotification = operation({
  description: 'Fetch the oldest notification, the same one until it is deleted. Needs an empty webhookUrl.',
  perSecond: 100,
  request: z.strictObject({
    receiveTimeout: z.int().min(5).max(60).optional().describe('How long to wait for one, seconds; 5 when left out'),
  }),
  holdsMs: ({ receiveTimeout = DEFAULT_SECONDS }) => receiveTimeout * 1_000,
  // Null or no body at all: none came. Of one that came only the receipt is relied on, so that no body can block the
  // next.
  response: z.preprocess(
    (raw) => raw ?? { receiptId: null },
    z.looseObject({
      receiptId: z.int().nullable().describe('For deleteNotification; null: none came in time'),
      body: z.unknown().optional().describe('The notification as it would be pushed'),
    }),
  ),
});

export const deleteNotification = operation({
  description: 'Delete a notification that was fetched; false when it is not there any more.',
  perSecond: 100,
  request: z.strictObject({ receiptId: z.int().min(0).describe('As receiveNotification answered it') }),
  pathAfterToken: ({ receiptId }) => String(receiptId),
  response: z.looseObject({ result: z.boolean() }),
});
