import { writeFile } from 'node:fs/promises';
import { operationContracts } from '../gateway/index.js';
import { openApiDocument } from '../starter/index.js';
import { packageVersion } from '../compose/index.js';

const document = openApiDocument({ version: packageVersion(), operations: operationContracts });

// From dist/cli or src/cli the root of the package is two folders up.
await writeFile(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
