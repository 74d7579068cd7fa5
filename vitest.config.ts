import { defineConfig } from 'vitest/config';

const NEEDS_TEMPORAL = 'test/**/*.temporal.test.ts';
/** Files about what only a database server can do, or only the embedded ledger: each runs on its own alone. */
const OF_THE_OTHER_LEDGER =
  process.env['LEDGER'] === 'postgres' ? 'test/ledger/data-dir.test.ts' : 'test/**/*.postgres.test.ts';

export default defineConfig({
  test: {
    // A limit for what hangs, not for what is slow: the test of a promise about time measures it itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000 } },
    // For two cores: a third file works while others wait for a server or a process. Each process takes up to 1.3 GB.
    maxWorkers: 3,
    pool: 'forks',
    // Files share their process: what most of them load is loaded three times, not a hundred times, and so are the databases that are
    // lent to them. Each leaves nothing behind that another could trip over; test/support/fail-on-leaks.ts looks that it does.
    isolate: false,
    setupFiles: ['test/support/fail-on-leaks.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    // Vitest runs a project's global setup only when one of its files runs: the rest need not wait for Temporal.
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [NEEDS_TEMPORAL, OF_THE_OTHER_LEDGER] },
      },
      {
        extends: true,
        test: {
          name: 'temporal',
          include: [NEEDS_TEMPORAL],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
