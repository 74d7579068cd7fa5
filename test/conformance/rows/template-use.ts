import { row, rowsOf } from '../row.js';

/** Reading templates and sending them. */
export const TEMPLATE_USE_ROWS = rowsOf('Neighbours', [
  row('get-template-by-id.read', 'POST getTemplateById {templateId} answers template', {
    simulator: 'the one of this id, with its status; an unknown id is 400',
    dropField: 'template',
    client: 'goes to getTemplateById by POST; templateId is read from templateId or id; status and reason as given',
  }),
  row('get-templates.read', 'GET getTemplates answers templates: all of them, no paging', {
    simulator: 'all that were created, with their status',
    dropField: 'templates',
    client: 'goes to getTemplates by GET; an invalid one hides no other, none is an empty list',
  }),
  row('send-template.accepted', 'POST sendTemplate {chatId, templateId, params} answers idMessage', {
    simulator: 'the body with its parameters reaches the phone as a templateMessage; the queue does not list it',
    client: 'goes to sendTemplate by POST with these fields; idMessage is read',
  }),
  row('send-template.approved-only', 'only an APPROVED template is sendable', {
    simulator: 'each other status is 400',
    rule: true,
    client: 'a 400 is GATEWAY_REJECTED with the gateway’s text',
  }),
  row('send-template.params', 'params are needed for the variables of the template', {
    simulator: 'as many as it has are accepted; fewer and more are 400',
    rule: true,
    client: 'a list of texts is sent; anything else is refused before sending',
  }),
]);
