import { row, rowsOf } from '../row.js';

const READ_BY_RECEIVER = 'notifications are read by the webhook receiver and by reconciling';

/** Polls, locations, contacts and forwards. */
export const KIND_ROWS = rowsOf('Neighbours', [
  row('send-poll.accepted', 'POST sendPoll {chatId, message, options, multipleAnswers} answers idMessage', {
    simulator: 'the poll reaches the phone as a pollMessage with its options',
    client: 'goes to sendPoll by POST with these fields; idMessage is read',
  }),
  row('send-poll.message-255', 'a question of 255 characters', {
    simulator: '255 are accepted, 256 are not',
    rule: 'limits.poll-message-255',
    client: '255 are sent, 256 are refused before sending',
  }),
  row('send-poll.options-2-to-12', '2 to 12 options', {
    simulator: '2 and 12 are accepted, 1 and 13 are not',
    rule: 'poll.options-2-to-12',
    client: '2 and 12 are sent, 1 and 13 are refused before sending',
  }),
  row('send-poll.options-unique', 'no two equal options', {
    simulator: 'two equal ones are 400',
    rule: 'poll.options-unique',
    client: 'two equal ones are refused before sending',
  }),
  row('send-poll.typing-time', 'typingTime of 1000 to 20000 milliseconds', {
    simulator: '1000 and 20000 are accepted, 999 and 20001 are not',
    rule: 'poll.typing-time-milliseconds',
    client: '1000 and 20000 are sent, 999 and 20001 are refused before sending',
  }),
  row(
    'send-location.accepted',
    'POST sendLocation {chatId, latitude, longitude, nameLocation, address} answers idMessage',
    {
      simulator: 'the place reaches the phone as a locationMessage',
      client: 'goes to sendLocation by POST with these fields; idMessage is read',
    },
  ),
  row('send-location.ranges', 'latitude and longitude are places on earth', {
    simulator: '±90 and ±180 are accepted, values beyond are not',
    rule: 'location.ranges',
    client: '±90 and ±180 are sent, values beyond are refused before sending',
  }),
  row('send-contact.accepted', 'POST sendContact {chatId, contact} answers idMessage', {
    simulator: 'the contact reaches the phone as a contactMessage: a display name and a card',
    client: 'goes to sendContact by POST with chatId and contact; idMessage is read',
  }),
  row('send-contact.phone-digits', 'phoneContact is a number in international form, without plus', {
    simulator: 'digits are accepted, as a number or a text; anything else is not',
    rule: 'contact.phone-digits',
    client: 'a whole number is sent, with advice when it has other than 11 or 12 digits; anything else is refused',
  }),
  row('forward.accepted', 'POST forwardMessages {chatId, chatIdFrom, messages} answers the ids of the copies', {
    simulator: 'the copy reaches the phone with type and content of its original',
    dropField: 'messages',
    client: 'goes to forwardMessages by POST; the one id of the response is read as idMessage',
  }),
  row('forward.several', 'messages may contain several ids, and the response as many', {
    simulator: 'two are forwarded under two ids',
    client: 'two, or none, are refused before sending; a response of two ids, or of none, is invalid',
  }),
  row('forward.marked', 'a copy is marked as forwarded', {
    simulator: 'phone, journal and notification say isForwarded',
    rule: true,
    client: 'isForwarded and forwardingScore of a journal are read',
  }),
  row('forward.known-only', 'only messages of that chat that the service knows can be forwarded', {
    simulator: 'an unknown id answers 200 and is never delivered, with a failed notification',
    rule: true,
    client: '200 is acceptance only',
  }),
  row('forward.typing-time', 'typingTime of 1000 to 20000 milliseconds', {
    simulator: '1000 and 20000 are accepted, 999 and 20001 are not',
    client: '1000 and 20000 are sent, 999 and 20001 are refused before sending',
  }),
  row('kinds.validation', 'a validation error of these sends is 400', {
    simulator: 'an empty body is 400 for each',
    client: 'a 400 to each is GATEWAY_REJECTED with the gateway’s text',
  }),
  row('journal.poll', 'a journal shows a poll under pollMessageData: name, options, multipleAnswers', {
    simulator: 'getMessage and lastOutgoingMessages show it so',
    dropField: 'pollMessageData',
    client: 'read as given',
  }),
  row('journal.location', 'a journal shows a place under location', {
    simulator: 'getMessage and lastOutgoingMessages show it so',
    dropField: 'location',
    client: 'read as given',
  }),
  row('journal.contact', 'a journal shows a contact as displayName and vcard', {
    simulator: 'getMessage and lastOutgoingMessages show it so',
    dropField: 'vcard',
    client: 'read as given',
  }),
  row('notifications.poll', 'a poll is notified with pollMessageData', {
    simulator: 'outgoingAPIMessageReceived carries it',
    dropField: 'pollMessageData',
    absent: READ_BY_RECEIVER,
  }),
  row('notifications.poll-needs-setting', 'polls are notified only with pollMessageWebhook on', {
    simulator: 'none comes with the flag off, one with it on',
    rule: true,
    absent: READ_BY_RECEIVER,
  }),
  row('notifications.location', 'a place is notified with locationMessageData', {
    simulator: 'outgoingAPIMessageReceived carries it',
    dropField: 'locationMessageData',
    absent: READ_BY_RECEIVER,
  }),
  row('notifications.contact', 'a contact is notified with contactMessageData: displayName and vcard', {
    simulator: 'outgoingAPIMessageReceived carries it',
    dropField: 'contactMessageData',
    absent: READ_BY_RECEIVER,
  }),
]);
