import { defineConfig } from 'vitest/config';

const NEEDS_TEMPORAL = 'test/**/*.temporal.test.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two files at once: the machine that runs this may have two cores, and each file may hold a server.
    maxWorkers: 2,
    pool: 'forks',
    setupFiles: ['test/support/fail-on-leaks.ts'],
    // Vitest runs a project's global setup only when one of its files runs: the rest need not wait for Temporal.
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [NEEDS_TEMPORAL] } },
      {
        extends: true,
        test: { name: 'temporal', include: [NEEDS_TEMPORAL], globalSetup: ['test/support/global-setup.ts'] },
      },
    ],
  },
});
