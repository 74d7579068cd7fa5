// Files and folders in git that are made from the sources. `npm run generate` makes them again; `npm run verify` fails
// when one then differs from what is committed.

/** @type {readonly { file: string, script: string }[]} what is made, and the script, most of them built, that makes it */
export const GENERATED_FILES = [
  { file: '.env.example', script: 'dist/config/generate-env-example.js' },
  { file: 'src/ledger/schema.sql', script: 'dist/ledger/storage/generate-schema.js' },
  { file: 'src/ledger/schema.ts', script: 'scripts/generate-tables.js' },
  { file: 'src/http-client/routes.ts', script: 'scripts/generate-routes.js' },
  { file: 'openapi.json', script: 'dist/cli/generate-openapi.js' },
  // From openapi.json, so after it.
  { file: 'src/http-client/openapi-types.ts', script: 'scripts/generate-client.js' },
  { file: 'docs/keys.md', script: 'scripts/generate-scopes.js' },
  { file: 'docs/metrics.md', script: 'scripts/generate-metrics.js' },
  { file: 'schemas', script: 'dist/cli/generate-schemas.js' },
];
