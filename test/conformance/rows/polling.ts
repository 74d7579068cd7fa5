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
      simulator: 'asked twice the same; deleted: the next. An unknown one answers false',
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
  row('polling.without-webhook-url', 'with a webhookUrl nothing can be fetched', {
    simulator: '400 with that reason, at once; fetched again once it is empty',
    rule: true,
    client: '400 is GATEWAY_REJECTED, with the gateway’s text',
  }),
  row('polling.kept-24-hours', 'notifications are kept for 24 hours', {
    simulator: 'fetched after 23 h, gone after 25 h',
    rule: 'webhook.gives-up-after-24-hours',
    absent: 'decided by the gateway',
  }),
  row('polling.receipt-number', 'receiptId is a number', {
    simulator: 'deleting a value that is not a number is 400',
    dropField: 'receiptId',
    client: 'a value that is not a whole number is refused before sending',
  }),
]);
