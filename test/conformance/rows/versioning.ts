import { row, rowsOf } from '../row.js';

export const VERSIONING_ROWS = rowsOf('Versioning', [
  row('versioning.read-chat-v3', 'readChat has v3 before waInstance, the others no version', {
    simulator: 'readChat is served under v3',
    rule: true,
    client: 'readChat goes to /v3/waInstance…, editMessage does not; both by setting',
  }),
  row('versioning.error-path-without-v3', 'the error example of readChat shows its path without v3', {
    simulator: 'path in the error body begins with /waInstance',
    rule: true,
    absent: 'path is never read: it contains the token',
  }),
  row('versioning.typing-beta', 'sendTyping is a beta', {
    absent: 'an announcement; the simulator serves it as documented',
    client: 'marked beta in the list of operations',
  }),
  row('versioning.status-beta', 'status methods are a beta by request', {
    simulator: 'the account has or lacks it, by a control of the simulator',
    rule: 'errors.status.forbidden',
    client: 'marked beta in the list of operations',
  }),
  row('versioning.deprecated-send-link', 'sendLink is a deprecated queue type', {
    simulator: 'still listed when such an item is in the queue',
    dropField: 'type',
    client: 'read, and marked deprecated',
  }),
  row('versioning.deprecated-archive', 'archive is a deprecated field of queue items', {
    simulator: 'still answered with a queued file',
    dropField: 'archive',
    client: 'read, and marked deprecated',
  }),
  row('versioning.deprecated-category-change', 'allowTemplateCategoryChange is deprecated', {
    simulator: 'accepted and ignored',
    rule: 'create-template.category-change-ignored',
    client: 'marked deprecated in the schema',
  }),
]);
