// What CI runs, and everyone before a commit: each step in order, the first failure ends it with exit code 1.
// The last line is the test runner's own count, of both ledgers together: "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATED_FILES } from './generated-files.js';
import { countTests } from './count-tests.js';

const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-verify-'));
/** What the first test run saw of the API: see scripts/check-exercised.js. */
const exercisedFile = join(scratchDir, 'exercised');
/** Of all test runs together. */
const total = { passed: 0, failed: 0 };

/** What test files get their ledgers from. */
const OPENS_A_LEDGER = ['test/support/ledger.ts', 'test/support/postgres.js'];

/**
 * Every named fault point is killed at once, those of campaigns among them. That a run fails without a rule is shown by
 * a test.
 */
const SHORT_PROOF = ['--kills', '8', '--messages', '24', '--seed', '1'];

/**
 * The saved histories are replayed by tests, so that step has no line of its own.
 * @type {readonly { name: string, check: () => boolean }[]}
 */
const STEPS = [
  { name: 'format', check: () => run('npx', 'prettier', '--check', '--log-level=warn', '.') },
  { name: 'lint', check: () => run('npx', 'oxlint', '--type-aware', '--deny-warnings') },
  { name: 'words', check: () => run('node', 'scripts/check-words.js') },
  { name: 'types', check: () => run('npx', 'tsc', '--noEmit') },
  { name: 'build', check: () => run('npm', 'run', '--silent', 'build') },
  { name: 'unused code', check: () => run('npx', 'knip') },
  { name: 'sizes and copies', check: () => run('node', 'scripts/ratchet.js') },
  { name: 'generated files', check: generatedFilesAreCommitted },
  { name: 'package', check: () => run('node', 'scripts/check-package.js') },
  { name: 'tests', check: () => runTests('embedded', 'run') },
  { name: 'responses of the API', check: () => run('node', 'scripts/check-exercised.js', exercisedFile) },
  // Again on a database server: every file that imports, however far down, what opens a ledger. No other can tell the
  // two apart, and that is found out from the imports, not from a list that an operator has to keep.
  { name: 'tests on PostgreSQL', check: () => runTests('postgres', 'related', '--run', ...OPENS_A_LEDGER) },
  { name: 'cost of a message', check: () => run('node', 'bench/guard.js') },
  { name: 'short proof', check: () => run('node', 'bin/everpost.js', 'prove', ...SHORT_PROOF) },
];

try {
  process.exitCode = verify();
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

/** @returns {number} the exit code */
function verify() {
  const failed = STEPS.find(({ name, check }) => {
    const startedMs = performance.now();
    const passed = check();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
    return !passed;
  });
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return failed === undefined ? 0 : 1;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  return runWith({}, program, ...args);
}

/**
 * @param {Record<string, string>} variables  on top of the environment
 * @param {string} program
 * @param {string[]} args
 */
function runWith(variables, program, ...args) {
  const env = { ...process.env, ...variables };
  // stdin is closed: nothing here may wait for an operator.
  return spawnSync(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function generatedFilesAreCommitted() {
  const files = GENERATED_FILES.map(({ file }) => file);
  return (
    run('node', 'scripts/generate.js') &&
    // A new file that no one added does not show in `git diff`, so it is asked for by name.
    run('git', 'ls-files', '--error-unmatch', ...files) &&
    run('git', 'diff', '--exit-code', '--', ...files)
  );
}

/**
 * @param {'embedded' | 'postgres'} ledger
 * @param {string[]} command
 * @returns {boolean} false also when no test ran
 */
function runTests(ledger, ...command) {
  const reportFile = join(scratchDir, `${ledger}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  // What is tried at random need not be tried as often on the second ledger.
  const more = ledger === 'embedded' ? { EXERCISED_FILE: exercisedFile, TEST_RUNS: '1' } : {};
  const ended = runWith({ LEDGER: ledger, ...more }, 'npx', 'vitest', ...command, ...reporters);
  if (!existsSync(reportFile)) return false;
  const { passed, failed } = countTests(JSON.parse(readFileSync(reportFile, 'utf8')));
  total.passed += passed;
  total.failed += failed;
  return ended && passed > 0 && failed === 0;
}
