import type { Row } from './row.js';
import { ENDPOINT_ROWS } from './rows/endpoints.js';
import { ERROR_ROWS } from './rows/errors.js';
import { KIND_ROWS } from './rows/kinds.js';
import { LIMIT_ROWS } from './rows/limits.js';
import { NEIGHBOUR_ROWS } from './rows/neighbours.js';
import { NOTIFICATION_KIND_ROWS } from './rows/notification-kinds.js';
import { POLLING_ROWS } from './rows/polling.js';
import { QUEUE_ROWS } from './rows/queue-items.js';
import { GROUP_ROWS, IDENTIFIER_ROWS, NOTIFICATION_ROWS, STORY_ROWS, TEMPLATE_OBJECT_ROWS } from './rows/resources.js';
import { UPLOAD_FILE_ROWS } from './rows/send-file.js';
import { SERVICE_ROWS } from './rows/service.js';
import { STATE_ROWS } from './rows/states.js';
import { TEMPLATE_USE_ROWS } from './rows/template-use.js';
import { VERSIONING_ROWS } from './rows/versioning.js';
import { WEBHOOK_ROWS } from './rows/webhooks.js';

/**
 * The gateway's document, row by row and rule by rule, in its own order.
 *
 * `coverage.test.ts` fails for a row without an assertion, an assertion without a row, and a rule without a mutation.
 */
export const ROWS: readonly Row[] = [
  ...SERVICE_ROWS,
  ...IDENTIFIER_ROWS,
  ...GROUP_ROWS,
  ...STORY_ROWS,
  ...TEMPLATE_OBJECT_ROWS,
  ...QUEUE_ROWS,
  ...NOTIFICATION_ROWS,
  ...STATE_ROWS,
  ...ENDPOINT_ROWS,
  ...WEBHOOK_ROWS,
  ...ERROR_ROWS,
  ...LIMIT_ROWS,
  ...VERSIONING_ROWS,
  ...NEIGHBOUR_ROWS,
  ...NOTIFICATION_KIND_ROWS,
  ...POLLING_ROWS,
  ...KIND_ROWS,
  ...UPLOAD_FILE_ROWS,
  ...TEMPLATE_USE_ROWS,
];

/** Every rule that a row names; a mutation breaks each. */
export const RULES_OF_ROWS: readonly string[] = [
  ...new Set(ROWS.flatMap((row) => (row.rule === undefined ? [] : [row.rule]))),
].toSorted();
