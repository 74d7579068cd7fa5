import { row, rowsOf } from '../row.js';

export const ERROR_ROWS = rowsOf('Errors', [
  row('errors.edit.validation', 'editMessage 400 Bad Request / Validation failed', {
    simulator: 'an empty object is 400 with a message that begins with Validation failed',
    rule: true,
    client: '400 is GATEWAY_REJECTED with the gateway’s text',
  }),
  row('errors.edit.text-too-long', "400 'message' length must be less than or equal to 20000 characters long", {
    simulator: 'exactly that detail',
    rule: 'limits.edit-message-20000',
    client: 'the same text before sending',
  }),
  row('errors.edit.entity-too-large', 'editMessage: 500 request entity too large', {
    simulator: '500 and this text for a body of more than 100 kb',
    rule: 'limits.request-100-kb',
    client: 'the same text before sending; nothing is sent',
  }),
  row('errors.send-file.entity-too-large', 'sendFileByUrl: 500 request entity too large', {
    simulator: '500 and this text for a body of more than 100 kb',
    rule: 'limits.request-100-kb',
    client: 'the same text before sending; nothing is sent',
  }),
  row('errors.send-file.validation', 'sendFileByUrl 400 Bad Request / Validation failed', {
    simulator: 'an empty object is 400 with a message that begins with Validation failed',
    rule: true,
    client: '400 is GATEWAY_REJECTED with the gateway’s text',
  }),
  row('errors.send-file.url-format', '400 url has incorrect format, it should start with http(s)://', {
    simulator: 'exactly that detail for ftp:// and for no scheme',
    rule: true,
    client: 'the same text before sending',
  }),
  row('errors.status.forbidden', 'sendTextStatus 403 Forbidden', {
    simulator: '403 with Forbidden while the account has no beta',
    rule: true,
    client: '403 is GATEWAY_REJECTED, says to ask for access, and is not repeated',
  }),
  row('errors.typing.not-a-number', "400 'typingTime' must be a number", {
    simulator: 'exactly this text for a string',
    rule: true,
    client: 'the same text before sending',
  }),
  row('errors.typing.too-small', "400 'typingTime' must be larger than or equal to 1000", {
    simulator: 'exactly this text for 999',
    rule: 'limits.typing-min-1000',
    client: 'the same text before sending',
  }),
  row('errors.typing.too-large', "400 'typingTime' must be less than or equal to 20000", {
    simulator: 'exactly this text for 20001',
    rule: 'limits.typing-max-20000',
    client: 'the same text before sending',
  }),
  row('errors.group.forbidden', 'getGroupData 200 Error: forbidden when not a member', {
    simulator: '200 with this text instead of an object',
    rule: true,
    client: 'a 200 with this text, bare or in an object, is an error',
  }),
  row('errors.group.item-not-found', 'getGroupData 200 Error: item-not-found when there is no such group', {
    simulator: '200 with this text instead of an object',
    rule: true,
    client: 'a 200 with this text, bare or in an object, is an error',
  }),
  row('errors.group.validation', 'getGroupData 400 Bad Request / Validation failed', {
    simulator: 'an empty object is 400 with a message that begins with Validation failed',
    rule: true,
    client: '400 is GATEWAY_REJECTED with the gateway’s text',
  }),
  row('errors.group.id-format', "400 'groupId' must be the next formats: 'group_id@g.us", {
    simulator: 'exactly that detail for a personal chat',
    rule: true,
    client: 'the same text before sending',
  }),
  row('errors.read-chat.validation', 'readChat 400 Bad Request / Validation failed', {
    simulator: 'an empty object is 400 with a message that begins with Validation failed',
    rule: true,
    client: '400 is GATEWAY_REJECTED with the gateway’s text',
  }),
  row(
    'errors.template.category',
    'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
    {
      simulator: 'exactly this text',
      rule: 'create-template.category-listed',
      client: 'the same text before sending',
    },
  ),
  row('errors.read-chat.body-shape', 'statusCode integer, timestamp ISO 8601, path string, message string', {
    simulator: 'exactly these four, the timestamp by the simulator clock',
    rule: true,
    client: 'message is kept, path never appears in an error',
  }),
  row('errors.body-shape-elsewhere', 'the body of other errors is not shown', {
    simulator: 'the same four fields on editMessage',
    rule: 'errors.read-chat.body-shape',
    client: 'text, JSON of another shape, and no body at all become errors of the right class',
  }),
  row('errors.unauthorized', 'a wrong token (common errors are not shown)', {
    simulator: '401',
    rule: true,
    client: '401 is GATEWAY_UNAUTHORIZED, for an operator',
  }),
]);
