import type { Row } from './row.js';
import { DELIVERY_AND_LIMIT_ROWS } from './rows/delivery-and-limits.js';
import { ENDPOINT_ROWS } from './rows/endpoints.js';
import { NEIGHBOUR_ROWS } from './rows/neighbours.js';
import { RESOURCE_ROWS } from './rows/resources.js';

/**
 * The gateway's document, row by row and rule by rule, in its own order.
 *
 * `coverage.test.ts` fails for a row without an assertion, an assertion without a row, and a rule without a mutation.
 */
export const ROWS: readonly Row[] = [...RESOURCE_ROWS, ...ENDPOINT_ROWS, ...DELIVERY_AND_LIMIT_ROWS, ...NEIGHBOUR_ROWS];
