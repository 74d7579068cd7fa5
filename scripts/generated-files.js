// Files and folders in git that are generated from the sources by `npm run generate`. `npm run verify` fails if one of
// them differs from the committed one.

/** @type {readonly { file: string, script: string }[]} each file and the script that generates it */
export const GENERATED_FILES = [
  { file: '.env.example', script: 'scripts/generate-env-example.js' },
  { file: 'src/ledger/storage/schema.sql', script: 'scripts/generate-schema.js' },
  { file: 'src/ledger/storage/schema.ts', script: 'scripts/generate-tables.js' },
  { file: 'src/http-client/routes.ts', script: 'scripts/generate-routes.js' },
  { file: 'openapi.json', script: 'scripts/generate-openapi.js' },
  { file: 'docs/http-api.md', script: 'scripts/generate-operations.js' },
  { file: 'docs/keys.md', script: 'scripts/generate-scopes.js' },
  { file: 'docs/metrics.md', script: 'scripts/generate-metrics.js' },
  { file: 'schemas', script: 'scripts/generate-schemas.js' },
];

/** What the build generates; not in git. */
export const BUILT_FILE = 'src/http-client/openapi-types.ts';
