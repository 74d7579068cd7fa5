import { writeFile } from 'node:fs/promises';
import { schemaSql } from './schema-sql.js';

// From dist/ledger/storage or src/ledger/storage the root of the package is three folders up.
await writeFile(new URL('../../../src/ledger/schema.sql', import.meta.url), await schemaSql());
