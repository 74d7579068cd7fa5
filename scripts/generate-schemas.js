// Generates schemas/, the JSON schemas of the workflows' inputs and results.
import { mkdir, writeFile } from 'node:fs/promises';
import { WORKFLOW_SCHEMAS, jsonSchemaOf } from '../dist/contract/workflow-schemas.js';

const SCHEMAS = new URL('../schemas/', import.meta.url);
const names = /** @type {(keyof typeof WORKFLOW_SCHEMAS)[]} */ (Object.keys(WORKFLOW_SCHEMAS));
await mkdir(SCHEMAS, { recursive: true });
for (const name of names) {
  await writeFile(new URL(`${name}.json`, SCHEMAS), `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
