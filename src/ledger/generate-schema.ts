import { writeFile } from 'node:fs/promises';
import { schemaSql } from './storage/schema-sql.js';

// From dist/ledger or src/ledger the root of the package is two folders up.
await writeFile(new URL('../../src/ledger/schema.sql', import.meta.url), await schemaSql());
