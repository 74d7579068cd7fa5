// Generates openapi.json from the routes and the contracts of the operations.
import { writeFile } from 'node:fs/promises';
import { packageVersion } from '../dist/compose/index.js';
import { operationContracts } from '../dist/gateway/index.js';
import { openApiDocument } from '../dist/api/index.js';

const document = openApiDocument({ version: packageVersion(), operations: operationContracts });
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
