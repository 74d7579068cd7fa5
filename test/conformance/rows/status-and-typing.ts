import { rowsOf } from '../row.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

export const STATUS_ROWS = rowsOf('Endpoints', [
  {
    id: 'status.message',
    says: 'message is required, UTF-8 without BOM, emoji allowed',
    simulator: 'missing: 400; with a BOM: 400; emoji are published unchanged',
    rule: 'errors.status.validation',
    client: 'missing or with a BOM: refused before sending; emoji sent unchanged',
  },
  {
    id: 'status.background-hex',
    says: 'backgroundColor is a hex colour',
    simulator: 'a colour name is 400, a hex colour is published',
    rule: true,
    client: 'a colour name is refused before sending',
  },
  {
    id: 'status.background-default-black',
    says: 'backgroundColor is #000000 by default',
    simulator: 'published with #000000 when left out',
    rule: true,
    client: 'left out of the body when not given',
  },
  {
    id: 'status.background-not-white',
    says: 'white text on white is not allowed',
    simulator: '#FFFFFF and #ffffff are 400',
    rule: true,
    client: '#FFFFFF, #ffffff and #fff are refused before sending',
  },
  {
    id: 'status.font',
    says: 'one of five fonts',
    simulator: 'all five are accepted, another is 400',
    rule: true,
    client: 'all five are sent, another is refused before sending',
  },
  {
    id: 'status.participants',
    says: 'participants names the contacts who may see it',
    simulator: 'only those see it',
    rule: true,
    client: 'sent as a list',
  },
  {
    id: 'status.participants-empty-means-all',
    says: 'an empty list makes it visible to all contacts',
    simulator: 'an empty list is published to all contacts',
    rule: true,
    client: 'an empty list is sent as an empty list, not left out',
  },
  {
    id: 'status.participants-unknown-skipped',
    says: 'numbers that do not exist are skipped',
    simulator: 'with one unknown number of two the other sees it, and the response is 200',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'status.mutual-contacts',
    says: 'seen only where both sides saved each other',
    absent: "a matter of two recipients's address books; no request or response of this contract shows it",
  },
  {
    id: 'status.beta-access',
    says: 'without access to the beta: 403',
    simulator: '403 while the account has no beta, 200 with it',
    rule: 'errors.status.forbidden',
    client: '403 is an error, not a result',
  },
]);

export const TYPING_ROWS = rowsOf('Endpoints', [
  {
    id: 'typing.chatId',
    says: 'chatId is required',
    simulator: 'missing: 400 that names chatId',
    rule: 'typing.validation',
    client: 'missing: refused before sending, naming chatId',
  },
  {
    id: 'typing.typingTime-milliseconds',
    says: 'typingTime is optional, in milliseconds',
    simulator: 'left out it is accepted; 5000 occupies the queue for 5 s',
    rule: 'typing.delivery-time',
    client: 'given and sent in milliseconds; left out when not given',
  },
  {
    id: 'typing.typingType',
    says: 'typingType is recording',
    simulator: 'another string is 400',
    rule: true,
    client: 'another string is refused before sending',
  },
  {
    id: 'typing.empty-answer',
    says: '200 with an empty body',
    simulator: 'content length 0',
    rule: true,
    client: 'an empty body is success; a body with an idMessage is too',
  },
  {
    id: 'typing.delivery-time',
    says: 'takes the send delay plus typingTime',
    simulator: 'a message behind it leaves after delay + typingTime, not before',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
]);
