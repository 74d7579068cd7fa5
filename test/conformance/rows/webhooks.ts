import { row, rowsOf } from '../row.js';

const RECEIVER =
  'notifications are received by src/webhooks, which has its own tests; the gateway client receives none';

const DELIVERY_ROWS = rowsOf('Webhook delivery', [
  row('webhook.post-json-with-charset', 'POST with Content-Type application/json; charset=utf-8', {
    simulator: 'exactly that header, and a JSON body',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.retry-every-minute', 'tried at intervals of one minute', {
    simulator: 'after a 500 the same body comes again 60 s later, not before',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.gives-up-after-24-hours', 'delivery is guaranteed within 24 hours', {
    simulator: 'still tried after 23 h, no more after 25 h',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.throughput-50-per-second', 'about 50 a second, 20 ms each', {
    simulator: 'ten notifications due at once are spread over 180 ms at least',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.public-address', 'the customer server is publicly reachable, the source addresses are fixed', {
    absent: "a matter of the customer's network and of the service's addresses, which are not given",
  }),
  row('webhook.settings-fields', 'six settings: webhookUrl, webhookUrlToken and four flags yes or no', {
    simulator: 'setSettings stores them, getSettings answers them, a flag that is neither yes nor no is 400',
    rule: 'settings.flags-yes-or-no',
    client: 'sent under their names; a flag that is neither yes nor no is refused before sending',
  }),
]);

const AUTHENTICATION_ROWS = rowsOf('Authentication', [
  row('authentication.path-only', 'the path carries both credentials; no header, no query', {
    simulator: 'a wrong token in the path is 401, also with the right one in a header or in the query',
    rule: 'errors.unauthorized',
    client: 'no Authorization header and no query with the token',
  }),
  row('webhook.authorization.when-token-set', 'an Authorization header is sent when webhookUrlToken is not empty', {
    simulator: 'none with an empty token, one with a token',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.authorization.basic', 'a token that starts with Basic is sent as it is', {
    simulator: 'Basic dXNlcg== arrives as Basic dXNlcg==',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.authorization.bearer', 'a token that starts with Bearer is sent as it is', {
    simulator: 'Bearer abc arrives as Bearer abc, not doubled',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.authorization.bearer-default', 'without a type it is Bearer', {
    simulator: 'abc arrives as Bearer abc',
    rule: true,
    absent: RECEIVER,
  }),
  row('webhook.authorization.bare-or-full', 'two descriptions: the bare token, or the full Bearer string', {
    simulator: 'both settings give the same header',
    rule: 'webhook.authorization.bearer',
    client: 'setSettings sends either form as given',
  }),
]);

const EVENT_ROWS = rowsOf('Events', [
  ...(
    [
      ['incomingWebhook', 'incomingMessageReceived, when a message comes in'],
      ['outgoingWebhook', 'outgoingMessageStatus, when a message is sent'],
      ['stateWebhook', 'statusInstanceChanged, when the instance goes offline'],
    ] as const
  ).map(([flag, what]) => ({
    id: `events.${flag}`,
    says: `${flag} switches its kind of notification`,
    simulator: `yes: ${what}; no: nothing`,
    rule: `events.${flag}`,
    client: `setSettings sends ${flag}`,
  })),
  row('events.deviceWebhook', 'deviceWebhook switches notifications about the device', {
    simulator: 'yes: deviceInfo, when the phone reports its data; no: nothing',
    rule: 'events.deviceWebhook',
    client: 'setSettings sends deviceWebhook',
  }),
  row('events.status-instance-changed', 'statusInstanceChanged carries instanceData, timestamp and statusInstance', {
    simulator: 'exactly these fields beside typeWebhook; timestamp in seconds of the simulator clock',
    rule: true,
    absent: RECEIVER,
  }),
  row('events.edit-refused', 'a refused late edit is notified', {
    simulator: 'exactly one notification for one late edit, none for an edit in time',
    rule: 'edit.late-refusal-notice',
    absent: RECEIVER,
  }),
]);

export const WEBHOOK_ROWS = [...DELIVERY_ROWS, ...AUTHENTICATION_ROWS, ...EVENT_ROWS];
