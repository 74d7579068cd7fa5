import { row, rowsOf } from '../row.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

export const STATUS_ROWS = rowsOf('Endpoints', [
  row('status.message', 'message is required, UTF-8 without BOM, emoji allowed', {
    simulator: 'missing: 400; with a BOM: 400; emoji are published unchanged',
    rule: 'errors.status.validation',
    client: 'missing or with a BOM: refused before sending; emoji sent unchanged',
  }),
  row('status.background-hex', 'backgroundColor is a hex colour', {
    simulator: 'a colour name is 400, a hex colour is published',
    rule: true,
    client: 'a colour name is refused before sending',
  }),
  row('status.background-default-black', 'backgroundColor is #000000 by default', {
    simulator: 'published with #000000 when left out',
    rule: true,
    client: 'left out of the body when not given',
  }),
  row('status.background-not-white', 'white text on white is not allowed', {
    simulator: '#FFFFFF and #ffffff are 400',
    rule: true,
    client: '#FFFFFF, #ffffff and #fff are refused before sending',
  }),
  row('status.font', 'one of five fonts', {
    simulator: 'all five are accepted, another is 400',
    rule: true,
    client: 'all five are sent, another is refused before sending',
  }),
  row('status.participants', 'participants names the contacts who may see it', {
    simulator: 'only those see it',
    rule: true,
    client: 'sent as a list',
  }),
  row('status.participants-empty-means-all', 'an empty list makes it visible to all contacts', {
    simulator: 'an empty list is published to all contacts',
    rule: true,
    client: 'an empty list is sent as an empty list, not left out',
  }),
  row('status.participants-unknown-skipped', 'numbers that do not exist are skipped', {
    simulator: 'with one unknown number of two the other sees it, and the response is 200',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('status.mutual-contacts', 'seen only where both sides saved each other', {
    absent: "a matter of two recipients's address books; no request or response of this contract shows it",
  }),
  row('status.beta-access', 'without access to the beta: 403', {
    simulator: '403 while the account has no beta, 200 with it',
    rule: 'errors.status.forbidden',
    client: '403 is an error, not a result',
  }),
]);

export const TYPING_ROWS = rowsOf('Endpoints', [
  row('typing.chatId', 'chatId is required', {
    simulator: 'missing: 400 that names chatId',
    rule: 'typing.validation',
    client: 'missing: refused before sending, naming chatId',
  }),
  row('typing.typingTime-milliseconds', 'typingTime is optional, in milliseconds', {
    simulator: 'left out it is accepted; 5000 occupies the queue for 5 s',
    rule: 'typing.delivery-time',
    client: 'given and sent in milliseconds; left out when not given',
  }),
  row('typing.typingType', 'typingType is recording', {
    simulator: 'another string is 400',
    rule: true,
    client: 'another string is refused before sending',
  }),
  row('typing.empty-answer', '200 with an empty body', {
    simulator: 'content length 0',
    rule: true,
    client: 'an empty body is success; a body with an idMessage is too',
  }),
  row('typing.delivery-time', 'takes the send delay plus typingTime', {
    simulator: 'a message behind it leaves after delay + typingTime, not before',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
]);
