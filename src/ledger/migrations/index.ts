import type { Migration } from 'kysely';
import * as ledger from './0001-ledger.js';

/** Every migration there is, by the name under which a database remembers it. Only ever added to. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-ledger': ledger };
