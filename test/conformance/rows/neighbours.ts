import { BY_FAULT_CONTROL, RECEIVER, notOnClient, row, rule } from '../row.js';

/** Operations that are known from public material only. */
export const NEIGHBOUR_ROWS = [
  row('send-message.accepted', 'POST sendMessage {chatId, message} answers idMessage'),
  row('send-message.limits', 'text of 20000 characters, typingTime in milliseconds', {
    rule: 'limits.send-message-20000',
  }),
  row('send-message.quote', 'quotedMessageId as for a file', { rule: 'quote.known-only' }),
  row('settings.read', 'GET getSettings answers all settings', { dropField: 'delaySendMessagesMilliseconds' }),
  row('settings.write', 'POST setSettings with any subset answers saveSettings: true', { dropField: 'saveSettings' }),
  rule('settings.at-least-one', 'setSettings needs one field at least'),
  rule('settings.delay-range', 'delay of 500 to 600000 milliseconds'),
  row('state.read', 'GET getStateInstance answers stateInstance', { dropField: 'stateInstance' }),
  rule('state.yellow-card-accepts', 'yellowCard: sends response 200 and wait'),
  rule('journal.last-outgoing', 'GET lastOutgoingMessages?minutes= answers an array, newest first'),
  rule('journal.get-message', 'POST getMessage {chatId, idMessage} answers one entry'),
  rule('notifications.sent-status', 'outgoingMessageStatus: sent, then delivered', { notOnClient: RECEIVER }),
  rule('notifications.edited', 'an edit in time is an editedMessage with the original id in stanzaId', {
    notOnClient: RECEIVER,
  }),
  rule('errors.wrong-verb', 'a wrong verb is 404'),
  rule('rate-limit.per-second', 'each operation has a rate a second; over it 429'),
  row('errors.500-is-open', '500 does not say whether a send was accepted', { notOnSimulator: BY_FAULT_CONTROL }),
  row('errors.502-is-open', '502 does not say whether a send was accepted', { notOnSimulator: BY_FAULT_CONTROL }),
  row('errors.503-is-open', '503 does not say whether a send was accepted', { notOnSimulator: BY_FAULT_CONTROL }),
  row('errors.504-is-open', '504 does not say whether a send was accepted', { notOnSimulator: BY_FAULT_CONTROL }),
  row('errors.499-is-open', '499: the work may have been done', { notOnSimulator: BY_FAULT_CONTROL }),
  row('errors.466-plan-limit', '466: the limit of the plan is reached', { notOnSimulator: 'plans are not simulated' }),
  ...notOnClient(RECEIVER, [
    rule(
      'notifications.outgoingAPIMessageWebhook',
      'outgoingAPIMessageReceived: a message sent through the API, by outgoingAPIMessageWebhook',
    ),
    rule(
      'notifications.outgoingMessageWebhook',
      'outgoingMessageReceived: a message written on the phone, by outgoingMessageWebhook',
    ),
    rule('notifications.deleted', 'a withdrawn message is a deletedMessage with its id in stanzaId'),
    row(
      'notifications.edited-by-recipient',
      'an edit by a contact is an editedMessage as well, under incomingMessageReceived or outgoingMessageReceived',
      { rule: 'notifications.edited' },
    ),
    row('notifications.state-changed', 'stateInstanceChanged: stateInstance; the wid is empty while not authorized', {
      dropField: 'stateInstance',
    }),
    rule('notifications.incoming-call', 'incomingCall: idMessage, from and status, by incomingCallWebhook'),
    rule('notifications.incoming-block', 'incomingBlock: chatId and chatState, by incomingBlockWebhook'),
    rule('notifications.quota-exceeded', 'quotaExceeded: quotaData, without a time'),
    row(
      'notifications.device-info',
      'deviceInfo: deviceData with platform, deviceManufacturer, deviceModel, osVersion, waVersion, battery',
      { dropField: 'deviceData' },
    ),
  ]),
  rule('polling.oldest-first', 'GET receiveNotification answers receiptId and body of the oldest notification'),
  rule(
    'polling.kept-until-deleted',
    'the same one again until DELETE deleteNotification/{token}/{receiptId}, which answers result',
  ),
  rule(
    'polling.receive-timeout',
    'receiveTimeout of 5 to 60 seconds, 5 when left out; null when nothing comes in that time',
  ),
  rule('polling.without-webhook-url', 'with a webhookUrl nothing can be fetched'),
  row('polling.kept-24-hours', 'notifications are kept for 24 hours', {
    rule: 'webhook.gives-up-after-24-hours',
    notOnClient: 'decided by the gateway',
  }),
  row('polling.receipt-number', 'receiptId is a number', { dropField: 'receiptId' }),
  row('send-poll.accepted', 'POST sendPoll {chatId, message, options, multipleAnswers} answers idMessage'),
  row('send-poll.message-255', 'a question of 255 characters', { rule: 'limits.poll-message-255' }),
  row('send-poll.options-2-to-12', '2 to 12 options', { rule: 'poll.options-2-to-12' }),
  row('send-poll.options-unique', 'no two equal options', { rule: 'poll.options-unique' }),
  row('send-poll.typing-time', 'typingTime of 1000 to 20000 milliseconds', { rule: 'poll.typing-time-milliseconds' }),
  row(
    'send-location.accepted',
    'POST sendLocation {chatId, latitude, longitude, nameLocation, address} answers idMessage',
  ),
  row('send-location.ranges', 'latitude and longitude are places on earth', { rule: 'location.ranges' }),
  row('send-contact.accepted', 'POST sendContact {chatId, contact} answers idMessage'),
  row('send-contact.phone-digits', 'phoneContact is a number in international form, without plus', {
    rule: 'contact.phone-digits',
  }),
  row('forward.accepted', 'POST forwardMessages {chatId, chatIdFrom, messages} answers the ids of the copies', {
    dropField: 'messages',
  }),
  row('forward.several', 'messages may contain several ids, and the response as many'),
  rule('forward.marked', 'a copy is marked as forwarded'),
  rule('forward.known-only', 'only messages of that chat that the service knows can be forwarded'),
  row('forward.typing-time', 'typingTime of 1000 to 20000 milliseconds'),
  row('kinds.validation', 'a validation error of these sends is 400'),
  row('journal.poll', 'a journal shows a poll under pollMessageData: name, options, multipleAnswers', {
    dropField: 'pollMessageData',
  }),
  row('journal.location', 'a journal shows a place under location', { dropField: 'location' }),
  row('journal.contact', 'a journal shows a contact as displayName and vcard', { dropField: 'vcard' }),
  ...notOnClient(RECEIVER, [
    row('notifications.poll', 'a poll is notified with pollMessageData', { dropField: 'pollMessageData' }),
    rule('notifications.poll-needs-setting', 'polls are notified only with pollMessageWebhook on'),
    row('notifications.location', 'a place is notified with locationMessageData', { dropField: 'locationMessageData' }),
    row('notifications.contact', 'a contact is notified with contactMessageData: displayName and vcard', {
      dropField: 'contactMessageData',
    }),
  ]),
  row(
    'upload-file.urlFile',
    'uploadFile takes a file as it is and answers urlFile, a link for sendFileByUrl; nothing is sent',
    { dropField: 'urlFile' },
  ),
  rule('upload-file.type-or-name', 'Content-Type or GA-Filename is required'),
  row('get-template-by-id.read', 'POST getTemplateById {templateId} answers template', { dropField: 'template' }),
  row('get-templates.read', 'GET getTemplates answers templates: all of them, no paging', { dropField: 'templates' }),
  row('send-template.accepted', 'POST sendTemplate {chatId, templateId, params} answers idMessage'),
  rule('send-template.approved-only', 'only an APPROVED template is sendable'),
  rule('send-template.params', 'params are needed for the variables of the template'),
];
