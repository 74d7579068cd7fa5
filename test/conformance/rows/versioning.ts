import { rowsOf } from '../row.js';

export const VERSIONING_ROWS = rowsOf('Versioning', [
  {
    id: 'versioning.read-chat-v3',
    says: 'readChat has v3 before waInstance, the others no version',
    simulator: 'readChat is served under v3',
    rule: true,
    client: 'readChat goes to /v3/waInstance…, editMessage does not; both by setting',
  },
  {
    id: 'versioning.error-path-without-v3',
    says: 'the error example of readChat shows its path without v3',
    simulator: 'path in the error body begins with /waInstance',
    rule: true,
    absent: 'path is never read: it contains the token',
  },
  {
    id: 'versioning.typing-beta',
    says: 'sendTyping is a beta',
    absent: 'an announcement; the simulator serves it as documented',
    client: 'marked beta in the list of operations',
  },
  {
    id: 'versioning.status-beta',
    says: 'status methods are a beta by request',
    simulator: 'the account has or lacks it, by a control of the simulator',
    rule: 'errors.status.forbidden',
    client: 'marked beta in the list of operations',
  },
  {
    id: 'versioning.deprecated-send-link',
    says: 'sendLink is a deprecated queue type',
    simulator: 'still listed when such an item is in the queue',
    dropField: 'type',
    client: 'read, and marked deprecated',
  },
  {
    id: 'versioning.deprecated-archive',
    says: 'archive is a deprecated field of queue items',
    simulator: 'still answered with a queued file',
    dropField: 'archive',
    client: 'read, and marked deprecated',
  },
  {
    id: 'versioning.deprecated-category-change',
    says: 'allowTemplateCategoryChange is deprecated',
    simulator: 'accepted and ignored',
    rule: 'create-template.category-change-ignored',
    client: 'marked deprecated in the schema',
  },
]);
