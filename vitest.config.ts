import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const onPostgres = process.env['LEDGER'] === 'postgres';
/** Files about what only a database server can do, or only the embedded ledger: each runs on its own alone. */
const OF_THE_OTHER_LEDGER = onPostgres ? 'test/ledger/storage/data-dir.test.ts' : 'test/**/*.postgres.test.ts';
/**
 * With Temporal on PostgreSQL only where several workers or operators work on the same rows: the statements under the
 * workflows are run there by the tests of the modules below them, and bench/guard.js sends messages by all of everpost.
 */
const ON_POSTGRES = [
  'test/**/!(*.temporal).test.ts',
  'test/worker/**/*.temporal.test.ts',
  'test/api/campaigns/campaign-steering.temporal.test.ts',
];

/** Vitest begins with the largest files of a fresh clone. These are small, and one of them ran alone for minutes at the end. */
const LONG = ['test/model/', 'test/api/odd/', 'test/api/keys/', 'test/ledger/streams/blockers.model'];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(`/${part}`));
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's method
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // A limit for what hangs, not for what is slow: the test of a promise about time measures it itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000 } },
    include: onPostgres ? ON_POSTGRES : ['test/**/*.test.ts'],
    exclude: [OF_THE_OTHER_LEDGER],
    // For two cores: two more files work while others wait for a server or a process. Each process takes up to 1.3 GB.
    maxWorkers: 4,
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    // Files share their process: what most of them load is loaded three times, not a hundred times, and so are the databases that are
    // lent to them. Each leaves nothing behind that another could trip over; test/support/fail-on-leaks.ts looks that it does.
    isolate: false,
    setupFiles: ['test/support/fail-on-leaks.ts'],
    globalSetup: ['test/support/ledger/postgres-setup.ts', 'test/support/temporal/global-setup.ts'],
  },
});
