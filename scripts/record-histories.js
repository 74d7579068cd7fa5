// Records the histories of test/histories again, from the current code:
//
//   npm run record-histories             all of them
//   npm run record-histories -- <name>   those whose names contain it
//   npm run record-histories -- --released   records nothing: the present histories are now those of the last release
//
// test/histories/record.ts plays each story and saves its history. The tests do not run that file.
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { markAsReleased } from './save-history.js';

const [testNamePattern] = process.argv.slice(2);
if (testNamePattern === '--released') {
  await markAsReleased();
  process.exit(0);
}
const vitest = await startVitest('test', [], {
  config: false,
  root: fileURLToPath(new URL('..', import.meta.url)),
  watch: false,
  include: ['test/histories/record.ts'],
  setupFiles: ['test/support/fail-on-leaks.ts'],
  globalSetup: ['test/support/temporal/global-setup.ts'],
  pool: 'forks',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  ...(testNamePattern === undefined ? {} : { testNamePattern }),
});
await vitest.close();
