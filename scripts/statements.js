// Explains every statement that a worker or a page repeats, on a ledger with a million messages, and fails if one reads
// too many blocks, or scans a table that grows. docs/statements.md explains the limits:
//
//   npm run statements                                     on PostgreSQL and on the embedded ledger
//   npm run statements -- --store postgres --messages 200000
//   npm run statements -- --show 100                       prints this many statements, those nearest to their limits
//   npm run statements -- --write                          writes the table of docs/statements.md
//
// Run `npm run build` first.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres,embedded' },
    messages: { type: 'string', default: '1000000' },
    show: { type: 'string', default: '25' },
    write: { type: 'boolean', default: false },
  },
});
const vitest = await startVitest('test', [], {
  config: false,
  root: fileURLToPath(new URL('..', import.meta.url)),
  watch: false,
  include: ['test/statements/run.ts'],
  env: { STORES: values.store, MESSAGES: values.messages, SHOW: values.show, WRITE: values.write ? 'yes' : '' },
  pool: 'forks',
  testTimeout: 0,
});
await vitest.close();
