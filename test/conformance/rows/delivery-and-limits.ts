import { RECEIVER, notOnClient, row, rule } from '../row.js';

/** Webhooks and their events, errors, limits and versions. */
export const DELIVERY_AND_LIMIT_ROWS = [
  // Webhook delivery
  ...notOnClient(RECEIVER, [
    rule('webhook.post-json-with-charset', 'POST with Content-Type application/json; charset=utf-8'),
    rule('webhook.retry-every-minute', 'tried at intervals of one minute'),
    rule('webhook.gives-up-after-24-hours', 'delivery is guaranteed within 24 hours'),
    rule('webhook.throughput-50-per-second', 'about 50 a second, 20 ms each'),
  ]),
  row('webhook.public-address', 'the customer server is publicly reachable, the source addresses are fixed', {
    notAsserted: "a matter of the customer's network and of the service's addresses, which are not given",
  }),
  row('webhook.settings-fields', 'six settings: webhookUrl, webhookUrlToken and four flags yes or no', {
    rule: 'settings.flags-yes-or-no',
  }),

  // Authentication
  row('authentication.path-only', 'the path carries both credentials; no header, no query', {
    rule: 'errors.unauthorized',
  }),
  ...notOnClient(RECEIVER, [
    rule('webhook.authorization.when-token-set', 'an Authorization header is sent when webhookUrlToken is not empty'),
    rule('webhook.authorization.basic', 'a token that starts with Basic is sent as it is'),
    rule('webhook.authorization.bearer', 'a token that starts with Bearer is sent as it is'),
    rule('webhook.authorization.bearer-default', 'without a type it is Bearer'),
  ]),
  row('webhook.authorization.bare-or-full', 'two descriptions: the bare token, or the full Bearer string', {
    rule: 'webhook.authorization.bearer',
  }),

  // Events
  rule('events.incomingWebhook', 'incomingWebhook switches its kind of notification'),
  rule('events.outgoingWebhook', 'outgoingWebhook switches its kind of notification'),
  rule('events.stateWebhook', 'stateWebhook switches its kind of notification'),
  rule('events.deviceWebhook', 'deviceWebhook switches notifications about the device'),
  rule('events.status-instance-changed', 'statusInstanceChanged carries instanceData, timestamp and statusInstance', {
    notOnClient: RECEIVER,
  }),
  row('events.edit-refused', 'a refused late edit is notified', {
    rule: 'edit.late-refusal-notice',
    notOnClient: RECEIVER,
  }),

  // Errors
  rule('errors.edit.validation', 'editMessage 400 Bad Request / Validation failed'),
  row('errors.edit.text-too-long', "400 'message' length must be less than or equal to 20000 characters long", {
    rule: 'limits.edit-message-20000',
  }),
  row('errors.edit.entity-too-large', 'editMessage: 500 request entity too large', { rule: 'limits.request-100-kb' }),
  row('errors.send-file.entity-too-large', 'sendFileByUrl: 500 request entity too large', {
    rule: 'limits.request-100-kb',
  }),
  rule('errors.send-file.validation', 'sendFileByUrl 400 Bad Request / Validation failed'),
  rule('errors.send-file.url-format', '400 url has incorrect format, it should start with http(s)://'),
  rule('errors.status.forbidden', 'sendTextStatus 403 Forbidden'),
  rule('errors.typing.not-a-number', "400 'typingTime' must be a number"),
  row('errors.typing.too-small', "400 'typingTime' must be larger than or equal to 1000", {
    rule: 'limits.typing-min-1000',
  }),
  row('errors.typing.too-large', "400 'typingTime' must be less than or equal to 20000", {
    rule: 'limits.typing-max-20000',
  }),
  rule('errors.group.forbidden', 'getGroupData 200 Error: forbidden when not a member'),
  rule('errors.group.item-not-found', 'getGroupData 200 Error: item-not-found when there is no such group'),
  rule('errors.group.validation', 'getGroupData 400 Bad Request / Validation failed'),
  rule('errors.group.id-format', "400 'groupId' must be the next formats: 'group_id@g.us"),
  rule('errors.read-chat.validation', 'readChat 400 Bad Request / Validation failed'),
  row(
    'errors.template.category',
    'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
    { rule: 'create-template.category-listed' },
  ),
  rule('errors.read-chat.body-shape', 'statusCode integer, timestamp ISO 8601, path string, message string'),
  row('errors.body-shape-elsewhere', 'the body of other errors is not shown', { rule: 'errors.read-chat.body-shape' }),
  rule('errors.unauthorized', 'a wrong token (common errors are not shown)'),

  // Limits
  rule('limits.request-100-kb', 'a JSON request of 100 kb at most, editMessage and sendFileByUrl'),
  row('limits.edit-window', 'editMessage: 15 minutes', {
    rule: 'edit.window-15-minutes',
    notOnClient: 'the window is kept by the message workflow and by the gateway; the client sends every requested edit',
  }),
  rule('limits.edit-message-20000', 'editMessage: text of 20000 characters'),
  rule('limits.caption-20000', 'sendFileByUrl: caption of 20000 characters'),
  rule('limits.file-100-mb', 'sendFileByUrl: a file of 100 MB', {
    notOnClient: 'the client sees the link only, never the file',
  }),
  row('limits.one-file-per-message', 'sendFileByUrl: one file', { rule: 'errors.send-file.validation' }),
  row('limits.thumbnail-3000', 'no thumbnail above 3000x3000', {
    notAsserted: 'no response and no notification of this contract carries a thumbnail of a sent file',
  }),
  row('limits.file-typing-1-to-20-seconds', 'sendFileByUrl: typingTime 1 to 20 seconds', {
    rule: 'send-file.typing-time-seconds',
  }),
  rule('limits.typing-min-1000', 'sendTyping: 1000 milliseconds at least'),
  rule('limits.typing-max-20000', 'sendTyping: 20000 milliseconds at most'),
  rule('limits.status-text-500', 'sendTextStatus: 500 characters'),
  row('limits.queue-retention', 'the queue keeps an item 24 hours', {
    rule: 'queue.kept-24-hours',
    notOnClient: 'the queue is inside the gateway',
  }),
  rule('limits.stories-default-1440', 'getIncomingStories: 1440 minutes by default'),
  rule('limits.vertical-180', 'createTemplate: vertical of 180 characters'),
  rule('limits.content-550', 'createTemplate: content of 550 characters'),
  rule('limits.content-10-emoji', 'createTemplate: up to 10 emoji in content'),
  rule('limits.header-60', 'createTemplate: header of 60 characters'),
  rule('limits.footer-60', 'createTemplate: footer of 60 characters'),
  rule('limits.button-text-25', 'createTemplate: button text of 25 characters for QUICK_REPLY and URL'),
  rule('limits.button-text-20', 'createTemplate: button text of 20 characters for PHONE_NUMBER'),
  rule('limits.code-expiration-1-to-90', 'createTemplate: codeExpirationMinutes 1 to 90'),
  row('limits.webhook-intervals', 'webhooks: 1 minute, 24 hours, about 50 a second', {
    rule: 'webhook.retry-every-minute',
    notOnClient: 'notifications are received by src/webhooks',
  }),
  row('limits.file-send-time', 'sendFileByUrl: roughly 1 to 20 seconds to send', {
    rule: 'send-file.takes-seconds',
    notOnClient: 'time inside the gateway',
  }),
  row('limits.read-chat-rate', 'readChat: a rate limit a second, value not shown', { rule: 'rate-limit.per-second' }),

  // Versioning
  rule('versioning.read-chat-v3', 'readChat has v3 before waInstance, the others no version'),
  rule('versioning.error-path-without-v3', 'the error example of readChat shows its path without v3', {
    notOnClient: 'path is never read: it contains the token',
  }),
  row('versioning.typing-beta', 'sendTyping is a beta', {
    notOnSimulator: 'an announcement; the simulator serves it as documented',
  }),
  row('versioning.status-beta', 'status methods are a beta by request', { rule: 'errors.status.forbidden' }),
  row('versioning.deprecated-send-link', 'sendLink is a deprecated queue type', { dropField: 'type' }),
  row('versioning.deprecated-archive', 'archive is a deprecated field of queue items', { dropField: 'archive' }),
  row('versioning.deprecated-category-change', 'allowTemplateCategoryChange is deprecated', {
    rule: 'create-template.category-change-ignored',
  }),
];
