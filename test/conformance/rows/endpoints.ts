import { row, rowsOf } from '../row.js';
import { SEND_FILE_ROWS } from './send-file.js';
import { STATUS_ROWS, TYPING_ROWS } from './status-and-typing.js';
import { TEMPLATE_ENDPOINT_ROWS } from './template-endpoint.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

const EDIT_ROWS = rowsOf('Endpoints', [
  row('endpoint.path-shape', '{base_url}/waInstance<idInstance>/<method>/<apiTokenInstance>', {
    simulator: 'served there; an unknown method is 404',
    client: 'requests go exactly there, with or without a slash at the end of the base URL',
  }),
  row('endpoint.content-type-on-body', 'Content-Type application/json when there is a body', {
    simulator: 'a JSON body with that header is read',
    client: 'set with a body, not set without one',
  }),
  row('edit.chatId', 'chatId is required', {
    simulator: 'missing: 400 that names chatId',
    rule: 'errors.edit.validation',
    client: 'missing: refused before sending, naming chatId',
  }),
  row('edit.idMessage', 'idMessage is required', {
    simulator: 'missing: 400 that names idMessage',
    rule: 'errors.edit.validation',
    client: 'missing: refused before sending, naming idMessage',
  }),
  row('edit.message', 'message is required', {
    simulator: 'missing: 400 that names message',
    rule: 'errors.edit.validation',
    client: 'missing: refused before sending, naming message',
  }),
  row('edit.message-utf8', 'UTF-8, emoji allowed', {
    simulator: 'emoji and Cyrillic text reach the phone unchanged',
    client: 'the body on the wire is UTF-8 and unchanged',
  }),
  row('edit.message-without-bom', 'no byte order mark', {
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before sending',
  }),
  row('edit.only-text', 'only a text can be edited, not media', {
    simulator: 'an edit of a file answers 200, changes nothing, and is refused by a notification',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.only-sent-through-api', 'the API edits only messages that were sent through the API', {
    simulator: 'an edit of a message sent from the phone changes nothing and is refused by a notification',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
]);

const GROUP_ROWS = rowsOf('Endpoints', [
  row('group-data.groupId', 'groupId is required, <group_id>@g.us', {
    simulator: 'missing: 400; a valid one is found',
    rule: 'errors.group.validation',
    client: 'missing: refused before sending, naming groupId',
  }),
  row('group-data.invite-link-for-admins', 'no administrator or owner: 200 with an empty groupInviteLink', {
    simulator: 'empty for a plain member, filled for an administrator and for the owner',
    rule: true,
    client: 'an empty link is read',
  }),
]);

const STORIES_ROWS = rowsOf('Endpoints', [
  row('stories.minutes', 'minutes is the window', {
    simulator: 'a story of 20 minutes ago is listed with 30, not with 10',
    rule: true,
    client: 'sent as the query minutes',
  }),
  row('stories.array', 'answers an array', {
    simulator: 'an empty array when there is none',
    client: 'an array is read; an empty one too',
  }),
]);

const READ_CHAT_ROWS = rowsOf('Endpoints', [
  row('read-chat.chatId', 'chatId is required', {
    simulator: 'missing: 400 that names chatId',
    rule: 'errors.read-chat.validation',
    client: 'missing: refused before sending, naming chatId',
  }),
  row('read-chat.set-read', 'answers setRead: boolean', {
    simulator: 'setRead is a boolean',
    dropField: 'setRead',
    client: 'setRead is read; true and false',
  }),
  row('read-chat.needs-setting', 'incomingWebhook must be on', {
    simulator: 'off: nothing is marked and setRead is false',
    rule: true,
    client: 'setRead false is passed on as false, not as success',
  }),
  row('read-chat.rate-limit', 'a rate limit a second applies', {
    simulator: 'the request over the limit is 429, one a second later is accepted',
    rule: 'rate-limit.per-second',
    client: 'a 429 is GATEWAY_BUSY, to be tried again',
  }),
]);

/** In the order of the document. */
export const ENDPOINT_ROWS = [
  ...EDIT_ROWS,
  ...SEND_FILE_ROWS,
  ...STATUS_ROWS,
  ...TYPING_ROWS,
  ...GROUP_ROWS,
  ...STORIES_ROWS,
  ...READ_CHAT_ROWS,
  ...TEMPLATE_ENDPOINT_ROWS,
];
