import { row, rowsOf } from '../row.js';

/** Notifications that are fetched, according to public material. */
export const POLLING_ROWS = rowsOf('Neighbours', [
  row('polling.oldest-first', 'GET receiveNotification answers receiptId and body of the oldest notification', {
    simulator: 'of two the first, its body as it would be pushed',
    rule: true,
    client: 'goes to receiveNotification by GET; receiptId and body are read, whatever the body is',
  }),
  row(
    'polling.kept-until-deleted',
    'the same one again until DELETE deleteNotification/{token}/{receiptId}, which answers result',
    {
      simulator: 'asked twice the same; deleted: the next. What is not there any more responses false',
      rule: true,
      client: 'the receiptId stands behind the token; result is read, true or false',
    },
  ),
  row(
    'polling.receive-timeout',
    'receiveTimeout of 5 to 60 seconds, 5 when left out; null when nothing comes in that time',
    {
      simulator: 'null after five seconds and not before; one that comes meanwhile at once; 4 and 61 are 400',
      rule: true,
      client:
        'sent as a query, waited for on top of the timeout; null and an empty body are none; 4 and 61 are refused',
    },
  ),
  row('polling.without-webhook-url', 'with a webhookUrl no one can fetch', {
    simulator: '400 that says so, at once; fetched again once it is empty',
    rule: true,
    client: '400 is GATEWAY_REJECTED, with the words',
  }),
  row('polling.kept-24-hours', 'notifications are kept for 24 hours', {
    simulator: 'fetched after 23 h, gone after 25 h',
    rule: 'webhook.gives-up-after-24-hours',
    absent: 'a matter of the gateway',
  }),
  row('polling.receipt-number', 'receiptId is a number', {
    simulator: 'deleting something that is no number is 400',
    dropField: 'receiptId',
    client: 'anything but a whole number is refused before the wire',
  }),
]);
