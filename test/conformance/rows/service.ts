import { row, rowsOf } from '../row.js';

const QUEUE_IS_THEIRS = 'the queue is inside the gateway; a client can only watch it through showMessagesQueue';

export const SERVICE_ROWS = rowsOf('What the service does', [
  row('service.json-in-json-out', 'requests and responses are JSON', {
    simulator: 'a response with a body is application/json',
    client: 'a request with a body carries Content-Type application/json',
  }),
  row('queue.fifo-order', 'outgoing items wait in one send queue', {
    simulator: 'a text, a file, a status and a text to another chat arrive in the order of acceptance',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.status-occupies', 'a status is an outgoing item like a message', {
    simulator: 'a message behind a status leaves one delay later',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.typing-occupies', 'a typing notification is an outgoing item like a message', {
    simulator: 'a message behind a typing notification leaves one delay later',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.waits-until-authorized', 'a queued item waits for the phone to be authorized', {
    simulator: 'while notAuthorized a send answers 200 and nothing reaches the phone',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.leaves-on-authorization', 'the item leaves as soon as the phone is authorized', {
    simulator: 'the waiting item reaches the phone at once after authorized',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.kept-24-hours', 'a queued item is kept for 24 hours', {
    simulator: 'present one minute before 24 h; one minute after it is neither listed nor ever delivered',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('queue.release-by-delay', 'delaySendMessagesMilliseconds sets the rate of leaving', {
    simulator: 'the second item leaves one delay after the first, the third two; never earlier',
    rule: true,
    absent: QUEUE_IS_THEIRS,
  }),
  row('webhook.pushes-to-settings-address', 'notifications go to the address in the settings', {
    simulator: 'with webhookUrl set a notification arrives there; with an empty one none is sent',
    rule: true,
    client: 'setSettings sends webhookUrl',
  }),
  ...(
    [
      ['editMessage', 'POST'],
      ['sendFileByUrl', 'POST'],
      ['sendTextStatus', 'POST'],
      ['sendTyping', 'POST'],
      ['getGroupData', 'POST'],
      ['getIncomingStories', 'GET'],
      ['readChat', 'POST'],
      ['createTemplate', 'POST'],
      ['showMessagesQueue', 'GET'],
    ] as const
  ).map(([operation, verb]) => ({
    id: `operation.${operation}`,
    says: `${operation} exists under its name, by ${verb}`,
    simulator: `a valid request is answered 200; another verb is not`,
    rule: 'errors.wrong-verb',
    client: `goes to ${operation} by ${verb} with the documented body`,
  })),
]);
