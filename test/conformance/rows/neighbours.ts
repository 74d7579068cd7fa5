import { row, rowsOf } from '../row.js';

export const NEIGHBOUR_ROWS = rowsOf('Neighbours', [
  row('send-message.accepted', 'POST sendMessage {chatId, message} answers idMessage', {
    simulator: 'the text reaches the phone',
    client: 'goes to sendMessage by POST with chatId and message; idMessage is read',
  }),
  row('send-message.limits', 'text of 20000 characters, typingTime in milliseconds', {
    simulator: '20000 are accepted, 20001 are not',
    rule: 'limits.send-message-20000',
    client: '20000 are sent, 20001 are refused before sending; typingTime is 1000 to 20000',
  }),
  row('send-message.quote', 'quotedMessageId as for a file', {
    simulator: 'an unknown one answers 200 and is never delivered, with a failed notification',
    rule: 'quote.known-only',
    client: 'sent as quotedMessageId',
  }),
  row('settings.read', 'GET getSettings answers all settings', {
    simulator: 'delay, webhookUrl, token and flags are there',
    dropField: 'delaySendMessagesMilliseconds',
    client: 'read, with the delay under a name that says milliseconds; unknown settings kept',
  }),
  row('settings.write', 'POST setSettings with any subset answers saveSettings: true', {
    simulator: 'one changed, the others as before',
    dropField: 'saveSettings',
    client: 'only the given fields are sent; saveSettings is read',
  }),
  row('settings.at-least-one', 'setSettings needs one field at least', {
    simulator: 'an empty object is 400',
    rule: true,
    client: 'an empty object is refused before sending',
  }),
  row('settings.delay-range', 'delay of 500 to 600000 milliseconds', {
    simulator: '500 and 600000 are accepted, 499 and 600001 are not',
    rule: true,
    client: '500 and 600000 are sent, 499 and 600001 are refused before sending; a read of 0 is read',
  }),
  row('state.read', 'GET getStateInstance answers stateInstance', {
    simulator: 'authorized, notAuthorized and yellowCard as set',
    dropField: 'stateInstance',
    client: 'read, an unknown state too; null while the instance is created is no state',
  }),
  row('state.yellow-card-accepts', 'yellowCard: sends response 200 and wait', {
    simulator: '200, listed, not delivered',
    rule: true,
    client: 'yellowCard is read as a state',
  }),
  row('journal.last-outgoing', 'GET lastOutgoingMessages?minutes= answers an array, newest first', {
    simulator: 'two sent texts, the later one first, with statusMessage and sendByApi',
    rule: true,
    client: 'minutes as query; both text forms are read; unknown fields kept',
  }),
  row('journal.get-message', 'POST getMessage {chatId, idMessage} answers one entry', {
    simulator: 'after an edit it shows the new text and isEdited',
    rule: true,
    client: 'goes to getMessage by POST; isEdited is read',
  }),
  row('notifications.sent-status', 'outgoingMessageStatus: sent, then delivered', {
    simulator: 'both arrive in that order with chatId, idMessage and sendByApi',
    rule: true,
    absent: 'notifications are read by the webhook receiver',
  }),
  row('notifications.edited', 'an edit in time is an editedMessage with the original id in stanzaId', {
    simulator: 'arrives with editedMessageWebhook and outgoingAPIMessageWebhook on',
    rule: true,
    absent: 'notifications are read by the webhook receiver',
  }),
  row('errors.wrong-verb', 'a wrong verb is 404', {
    simulator: 'GET on editMessage and POST on showMessagesQueue are 404',
    rule: true,
    client: '404 is GATEWAY_REJECTED',
  }),
  row('rate-limit.per-second', 'each operation has a rate a second; over it 429', {
    simulator: 'the second editMessage within a second is 429, one a second later is accepted',
    rule: true,
    client: '429 is GATEWAY_BUSY: not accepted',
  }),
  ...([500, 502, 503, 504] as const).map((status) => ({
    id: `errors.${status}-is-open`,
    says: `${status} does not say whether a send was accepted`,
    absent: 'the simulator answers it by its fault control, tested with the simulator',
    client: `a send answered ${status} is GATEWAY_OUTCOME_UNKNOWN, unless the instance's answers name it refused`,
  })),
  row('errors.499-is-open', '499: the work may have been done', {
    absent: 'the simulator answers it by its fault control, tested with the simulator',
    client: 'a send answered 499 is GATEWAY_OUTCOME_UNKNOWN',
  }),
  row('errors.466-plan-limit', '466: the limit of the plan is reached', {
    absent: 'plans are not simulated',
    client: '466 is GATEWAY_PLAN_LIMIT, for an operator',
  }),
]);
