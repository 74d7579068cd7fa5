// Times the first view of each page of the console on a ledger with 100,000 messages, 200 accounts and a running campaign,
// and fails if one takes longer than 300 ms:
//
//   npm run page-times
//   npm run page-times -- --messages 1000000
//
// Run `npm run build` first.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({ options: { messages: { type: 'string', default: '100000' } } });
const vitest = await startVitest('test', [], {
  config: false,
  root: fileURLToPath(new URL('..', import.meta.url)),
  watch: false,
  include: ['test/statements/pages.ts'],
  env: { MESSAGES: values.messages },
  pool: 'forks',
  testTimeout: 0,
});
await vitest.close();
