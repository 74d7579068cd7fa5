import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two files at once: the machine that runs this may have two cores, and each file may hold a server.
    maxWorkers: 2,
    pool: 'forks',
  },
});
