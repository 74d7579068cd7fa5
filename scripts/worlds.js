// Runs random worlds against the rules of src/domain/reconcile and prints their conclusions:
//
//   npm run worlds -- --worlds 1000000 --seed 1               proofs of absence; the first seed, default 1
//   npm run worlds -- --table without --worlds 100000          with each condition disabled
//
// Tables: storm (default), restarts, takeovers, without, broken, notified, calm. docs/decisions/0014-precede.md has
// figures.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    table: { type: 'string', default: 'storm' },
  },
});
const vitest = await startVitest('test', [], {
  config: false,
  root: fileURLToPath(new URL('..', import.meta.url)),
  watch: false,
  include: ['test/model/worlds/run.ts'],
  env: { WORLDS: values.worlds, SEED: values.seed, TABLE: values.table },
  pool: 'forks',
  testTimeout: 0,
});
await vitest.close();
