import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { aFolder, aProgram } from '../support/folder.js';

const VERIFY = fileURLToPath(new URL('../../scripts/verify.js', import.meta.url));

let dir: string;

beforeEach(() => {
  dir = aFolder();
});

interface Pretended {
  /** The failing step, by a word of its command line. */
  readonly failing?: string;
  /** For each of the two test runs. */
  readonly passed?: number;
  readonly failed?: number;
  /** How many files broke before their first test. */
  readonly broken?: number;
  /** For the second run, when it differs. */
  readonly passedOnPostgres?: number;
}

interface Verified {
  readonly code: number;
  readonly lastLine: string;
  readonly commands: readonly string[];
}

/** Runs the real script with every tool replaced by one that records its command line and behaves as given. */
async function verify(pretended: Pretended): Promise<Verified> {
  const { failing = 'nothing', passed = 0, failed = 0, broken = 0, passedOnPostgres = passed } = pretended;
  const testResults = Array.from({ length: broken }, () => ({ status: 'failed', assertionResults: [] }));
  const log = join(dir, 'commands');
  const report = (numPassedTests: number): string =>
    JSON.stringify({ numPassedTests, numFailedTests: failed, testResults });
  const tool = `echo "\${TEST_RUNS:+TEST_RUNS=$TEST_RUNS }\${LEDGER:+LEDGER=$LEDGER }\${0##*/} $*" >> '${log}'
case "$LEDGER" in postgres) report='${report(passedOnPostgres)}';; *) report='${report(passed)}';; esac
for word in "$@"; do case "$word" in --outputFile.json=*) echo "$report" > "\${word#--outputFile.json=}";; esac; done
case "$*" in *"${failing}"*) exit 1;; esac
`;
  for (const name of ['npx', 'npm', 'node', 'git']) aProgram(join(dir, name), tool);
  const { TEST_RUNS: _, ...inherited } = process.env;
  const env = { ...inherited, LEDGER: '', PATH: `${dir}:${process.env['PATH']}` };
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const child = execFile(process.execPath, [VERIFY], { env }, (_error, output) => {
      resolve({ code: child.exitCode ?? -1, stdout: output });
    });
  });
  return {
    code,
    lastLine: stdout.trimEnd().split('\n').at(-1) ?? '',
    commands: (await readFile(log, 'utf8')).trimEnd().split('\n'),
  };
}

describe('verify', () => {
  test("runs every step and ends with the test runner's count over both ledgers", async () => {
    const { code, lastLine, commands } = await verify({ passed: 12, passedOnPostgres: 5 });
    expect({ code, lastLine }).toEqual({ code: 0, lastLine: '17 passed, 0 failed' });
    for (const step of [
      'prettier --check',
      'oxlint --type-aware',
      'node scripts/check-words.js',
      'tsc',
      'run --silent build',
      'knip',
      'node scripts/check-package.js',
      'TEST_RUNS=1 LEDGER=embedded npx vitest run',
      'node scripts/check-exercised.js',
      'LEDGER=postgres npx vitest related --run test/support/ledger/ledger.ts',
      'node bench/guard.js',
      'node bin/everpost.js prove --kills 8',
    ]) {
      expect(commands.join('\n')).toContain(step);
    }
    expect(commands.join('\n')).toMatch(/git diff --exit-code -- .*schema\.sql/);
  });

  test.each(['prettier', 'oxlint', 'check-words', 'tsc', 'build', 'knip', 'generate', 'diff', 'check-package'])(
    'fails, and runs no test, when %s does',
    async (failing) => {
      const { code, commands } = await verify({ failing, passed: 12 });
      expect(code).toBe(1);
      expect(commands.join('\n')).not.toContain('vitest');
    },
  );

  test('fails when a test failed or a file broke before its first test, with the true count', async () => {
    const { code, lastLine } = await verify({ failing: 'vitest run', passed: 11, failed: 1, broken: 1 });
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: '11 passed, 2 failed' });
  });

  test.each([
    ['vitest run', '12 passed, 0 failed'],
    ['check-exercised', '12 passed, 0 failed'],
    ['vitest related', '24 passed, 0 failed'],
    ['bench/guard.js', '24 passed, 0 failed'],
    ['everpost.js prove', '24 passed, 0 failed'],
  ])('fails when %s does, though every test passed', async (failing, lastLine) => {
    expect(await verify({ failing, passed: 12 })).toMatchObject({ code: 1, lastLine });
  });

  test.each([
    ['on PostgreSQL, though the others passed', { passed: 12, passedOnPostgres: 0 }, '12 passed, 0 failed'],
    ['at all', { passed: 0 }, '0 passed, 0 failed'],
  ])('fails when no test ran %s', async (_, pretended, lastLine) => {
    expect(await verify(pretended)).toMatchObject({ code: 1, lastLine });
  });
});
