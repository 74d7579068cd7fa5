// Writes src/ledger/schema.sql from the migrations. Needs a build; `npm run generate` makes one.
import { writeFile } from 'node:fs/promises';
import { schemaSql } from '../dist/ledger/index.js';

await writeFile(new URL('../src/ledger/schema.sql', import.meta.url), await schemaSql());
