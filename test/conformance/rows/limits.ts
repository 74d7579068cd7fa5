import { row, rowsOf } from '../row.js';

export const LIMIT_ROWS = rowsOf('Limits', [
  row('limits.request-100-kb', 'a JSON request of 100 kb at most, editMessage and sendFileByUrl', {
    simulator: '102400 bytes are accepted, 102401 are not',
    rule: true,
    client: '102400 bytes are sent, 102401 are refused before sending',
  }),
  row('limits.edit-window', 'editMessage: 15 minutes', {
    simulator: 'edited at 14:59, not at 15:01',
    rule: 'edit.window-15-minutes',
    absent: 'the window is kept by the message workflow and by the gateway; the client sends every requested edit',
  }),
  row('limits.edit-message-20000', 'editMessage: text of 20000 characters', {
    simulator: '20000 are accepted, 20001 are not',
    rule: true,
    client: '20000 are sent, 20001 are refused before sending',
  }),
  row('limits.caption-20000', 'sendFileByUrl: caption of 20000 characters', {
    simulator: '20000 are accepted, 20001 are not',
    rule: true,
    client: '20000 are sent, 20001 are refused before sending',
  }),
  row('limits.file-100-mb', 'sendFileByUrl: a file of 100 MB', {
    simulator: 'a link whose response announces more is never delivered, 100 MB is',
    rule: true,
    absent: 'the client sees the link only, never the file',
  }),
  row('limits.one-file-per-message', 'sendFileByUrl: one file', {
    simulator: 'one request makes one message on the phone',
    rule: 'errors.send-file.validation',
    client: 'one link per request by the type of the request',
  }),
  row('limits.thumbnail-3000', 'no thumbnail above 3000x3000', {
    absent: 'no response and no notification of this contract carries a thumbnail of a sent file',
  }),
  row('limits.file-typing-1-to-20-seconds', 'sendFileByUrl: typingTime 1 to 20 seconds', {
    simulator: '1 and 20 are accepted, 0 and 21 are not',
    rule: 'send-file.typing-time-seconds',
    client: '1 and 20 are sent, 0 and 21 are refused before sending',
  }),
  row('limits.typing-min-1000', 'sendTyping: 1000 milliseconds at least', {
    simulator: '1000 is accepted, 999 is not',
    rule: true,
    client: '1000 is sent, 999 is refused before sending',
  }),
  row('limits.typing-max-20000', 'sendTyping: 20000 milliseconds at most', {
    simulator: '20000 is accepted, 20001 is not',
    rule: true,
    client: '20000 is sent, 20001 is refused before sending',
  }),
  row('limits.status-text-500', 'sendTextStatus: 500 characters', {
    simulator: '500 are accepted, 501 are not',
    rule: true,
    client: '500 are sent, 501 are refused before sending',
  }),
  row('limits.queue-retention', 'the queue keeps an item 24 hours', {
    simulator: 'a file and a status queued while notAuthorized are gone after 24 h and never arrive',
    rule: 'queue.kept-24-hours',
    absent: 'the queue is inside the gateway',
  }),
  row('limits.stories-default-1440', 'getIncomingStories: 1440 minutes by default', {
    simulator: 'without minutes a story of 23 h ago is listed, one of 25 h ago is not',
    rule: true,
    client: 'minutes is left out of the query when not given',
  }),
  row('limits.vertical-180', 'createTemplate: vertical of 180 characters', {
    simulator: '180 are accepted, 181 are not',
    rule: true,
    client: '180 are sent, 181 are refused before sending',
  }),
  row('limits.content-550', 'createTemplate: content of 550 characters', {
    simulator: '550 are accepted, 551 are not',
    rule: true,
    client: '550 are sent, 551 are refused before sending',
  }),
  row('limits.content-10-emoji', 'createTemplate: up to 10 emoji in content', {
    simulator: '10 are accepted, 11 are not; a flag or a family is one',
    rule: true,
    client: '10 are sent, a flag or a family being one; 11 are refused before sending',
  }),
  row('limits.header-60', 'createTemplate: header of 60 characters', {
    simulator: '60 are accepted, 61 are not',
    rule: true,
    client: '60 are sent, 61 are refused before sending',
  }),
  row('limits.footer-60', 'createTemplate: footer of 60 characters', {
    simulator: '60 are accepted, 61 are not',
    rule: true,
    client: '60 are sent, 61 are refused before sending',
  }),
  row('limits.button-text-25', 'createTemplate: button text of 25 characters for QUICK_REPLY and URL', {
    simulator: '25 are accepted, 26 are not, for both',
    rule: true,
    client: '25 are sent, 26 are refused before sending, for both',
  }),
  row('limits.button-text-20', 'createTemplate: button text of 20 characters for PHONE_NUMBER', {
    simulator: '20 are accepted, 21 are not',
    rule: true,
    client: '20 are sent, 21 are refused before sending',
  }),
  row('limits.code-expiration-1-to-90', 'createTemplate: codeExpirationMinutes 1 to 90', {
    simulator: '1, 2.5 and 90 are accepted, 0 and 91 are not',
    rule: true,
    client: '1, 2.5 and 90 are sent, 0 and 91 are refused before sending',
  }),
  row('limits.webhook-intervals', 'webhooks: 1 minute, 24 hours, about 50 a second', {
    simulator: 'a server that is down for ten minutes has the notification within eleven, once',
    rule: 'webhook.retry-every-minute',
    absent: 'notifications are received by src/webhooks',
  }),
  row('limits.file-send-time', 'sendFileByUrl: roughly 1 to 20 seconds to send', {
    simulator: 'the sent notification of a file comes 1 to 20 s after its release',
    rule: 'send-file.takes-seconds',
    absent: 'time inside the gateway',
  }),
  row('limits.read-chat-rate', 'readChat: a rate limit a second, value not shown', {
    simulator: '429 from the eleventh request of a second',
    rule: 'rate-limit.per-second',
    client: 'Retry-After of a 429 is passed on in milliseconds',
  }),
]);
