import { mkdir, writeFile } from 'node:fs/promises';
import { WORKFLOW_SCHEMAS, jsonSchemaOf } from '../contract/workflow-schemas.js';

// From dist/cli or src/cli the root of the package is two folders up.
const SCHEMAS = new URL('../../schemas/', import.meta.url);

await mkdir(SCHEMAS, { recursive: true });
for (const name of Object.keys(WORKFLOW_SCHEMAS) as (keyof typeof WORKFLOW_SCHEMAS)[]) {
  await writeFile(new URL(`${name}.json`, SCHEMAS), `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
