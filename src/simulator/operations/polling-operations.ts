import { operation, type Operation } from './operation.js';
import { WireError } from '../wire/wire.js';

const DEFAULT_SECONDS = 5;

/** Fetches notifications. The source of this behavior, errors included, is public material only. */
export const POLLING_OPERATIONS: Readonly<Record<string, Operation>> = {
  receiveNotification: operation<number>({
    verb: 'GET',
    perSecond: 100,
    changes: false,
    read: ({ query: { receiveTimeout } }) => {
      const seconds = receiveTimeout === undefined ? DEFAULT_SECONDS : Number(receiveTimeout);
      if (!Number.isInteger(seconds) || seconds < 5 || seconds > 60)
        throw new WireError(400, "Validation failed. Details: 'receiveTimeout' must be a number from 5 to 60");
      return seconds;
    },
    holdsMs: (seconds) => seconds * 1000,
    run: (_, { instance, nowMs }) => {
      if (instance.settings.webhookUrl !== '') {
        throw new WireError(400, 'custom webhook url is set');
      }
      const notification = instance.outbox.first(nowMs);
      return notification === undefined ? null : { receiptId: notification.number, body: notification.body };
    },
  }),

  deleteNotification: operation<number>({
    verb: 'DELETE',
    perSecond: 100,
    changes: true,
    pathField: 'receiptId',
    read: ({ query }) => {
      const given = query['receiptId'] ?? '';
      if (!/^\d+$/.test(given)) throw new WireError(400, 'Parameter receiptId must be a Number');
      return Number(given);
    },
    run: (receiptId, { instance }) => ({ result: instance.outbox.delete(receiptId) }),
  }),
};
