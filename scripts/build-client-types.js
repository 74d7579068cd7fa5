// Generates the types of @everpost/client from openapi.json, before the build compiles them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The generator needs TypeScript 5, which only the client's package has.
const { astToString, default: openapiTS } = createRequire(new URL('../packages/client/package.json', import.meta.url))(
  'openapi-typescript',
);
const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
// The problems of all routes have one type, EverpostError.
for (const { responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
  for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
}
const types = astToString(
  await openapiTS(document, { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true }),
);
writeFileSync(
  new URL('../src/http-client/openapi-types.ts', import.meta.url),
  `/** Generated from openapi.json by \`npm run build\`. */\n${types}`,
);
