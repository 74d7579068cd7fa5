// Runs all checks of CI; run it before each commit. The steps run in order, some of them side by side. After a failure
// no further step begins, and the exit code is 1. The last line is "N passed, N failed", the tests on both ledgers.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATED_FILES } from './generated-files.js';

const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-verify-'));
/** The responses of the API that the first test run received: see scripts/check-exercised.js. */
const exercisedFile = join(scratchDir, 'exercised');
/** The total of all test runs. */
const total = { passed: 0, failed: 0 };

/** The files from which test files get their ledgers. */
const OPENS_A_LEDGER = ['test/support/ledger/ledger.ts', 'test/support/ledger/postgres.js'];

/**
 * Kills at every named fault point once, including those of campaigns. A test shows that a run fails without a rule.
 */
const SHORT_PROOF = ['--kills', '8', '--messages', '24', '--seed', '1'];

/**
 * @typedef {(text: string) => void} Write  takes the output of a step
 * @typedef {{ name: string, check: (write: Write) => Promise<boolean> }} Step
 */

/**
 * The steps of one array run side by side. Tests replay the saved histories, so there is no step for it.
 * @type {readonly (readonly Step[])[]}
 */
const STEPS = [
  [{ name: 'build', check: (write) => run(write, 'npm', 'run', '--silent', 'build') }],
  [{ name: 'generated files', check: generatedFilesAreCommitted }],
  // The longest step first. No step writes a file that another one reads.
  [
    { name: 'package', check: (write) => run(write, 'node', 'scripts/check-package.js') },
    { name: 'lint', check: (write) => run(write, 'npx', 'oxlint', '--type-aware', '--deny-warnings') },
    { name: 'format', check: (write) => run(write, 'npx', 'prettier', '--check', '--log-level=warn', '.') },
    { name: 'types', check: (write) => run(write, 'npx', 'tsc', '--noEmit') },
    { name: 'unused code', check: (write) => run(write, 'npx', 'knip') },
    { name: 'structure and copies', check: (write) => run(write, 'node', 'scripts/ratchet.js') },
    { name: 'words', check: (write) => run(write, 'node', 'scripts/check-words.js') },
  ],
  [{ name: 'tests', check: (write) => runTests(write, 'embedded', 'run') }],
  [
    {
      name: 'responses of the API',
      check: (write) => run(write, 'node', 'scripts/check-exercised.js', exercisedFile),
    },
  ],
  // The proof mostly waits, so the other steps run beside it. The tests run again on a database server: every test file
  // that imports, directly or not, a file that opens a ledger. vitest finds them by their imports, so no list has to be
  // kept; vitest.config.ts names the files that use Temporal.
  [
    { name: 'short proof', check: (write) => run(write, 'node', 'bin/everpost.js', 'prove', ...SHORT_PROOF) },
    {
      name: 'tests on PostgreSQL',
      check: (write) => runTests(write, 'postgres', 'related', '--run', ...OPENS_A_LEDGER),
    },
  ],
  // Alone: on a busy machine a round takes fewer messages, so that each costs more statements.
  [{ name: 'cost of a message', check: (write) => run(write, 'node', 'bench/guard.js') }],
  // Each fills a ledger of its own. The embedded one takes three times as long for a million messages.
  [
    { name: 'statements on PostgreSQL', check: (write) => explainStatements(write, 'postgres', 1_000_000) },
    { name: 'statements, embedded', check: (write) => explainStatements(write, 'embedded', 200_000) },
  ],
];

try {
  process.exitCode = await verify();
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

/** @returns {Promise<number>} the exit code */
async function verify() {
  let hasPassed = true;
  for (const together of STEPS) {
    if (hasPassed) hasPassed = await runTogether(together);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return hasPassed ? 0 : 1;
}

/**
 * Runs as many steps at once as there are processors.
 * @param {readonly Step[]} steps
 * @returns {Promise<boolean>} whether all passed; each has ended
 */
async function runTogether(steps) {
  const waiting = steps.values();
  let hasPassed = true;
  const running = Array.from({ length: Math.min(steps.length, availableParallelism()) }, async () => {
    for (const step of waiting) hasPassed = (await runStep(step, steps.length === 1)) && hasPassed;
  });
  await Promise.all(running);
  return hasPassed;
}

/**
 * @param {Step} step
 * @param {boolean} isAlone  prints its output immediately; otherwise with its result, so that outputs do not mix
 */
async function runStep({ name, check }, isAlone) {
  const startedMs = performance.now();
  let printed = '';
  const passed = await check((text) => {
    if (isAlone) process.stdout.write(text);
    else printed += text;
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${printed}${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
  return passed;
}

/**
 * @param {Write} write
 * @param {string} program
 * @param {string[]} args
 */
function run(write, program, ...args) {
  return runWith({}, write, program, ...args);
}

/**
 * @param {Record<string, string>} variables  on top of the environment
 * @param {Write} write
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it ended with 0
 */
function runWith(variables, write, program, ...args) {
  const env = { ...process.env, ...variables };
  // Closes stdin: no step may wait for an operator.
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', write);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

/**
 * @param {Write} write
 * @param {'embedded' | 'postgres'} store
 * @param {number} messages
 */
function explainStatements(write, store, messages) {
  return run(write, 'node', 'scripts/statements.js', '--store', store, '--messages', String(messages), '--show', '0');
}

/** @param {Write} write */
async function generatedFilesAreCommitted(write) {
  const files = GENERATED_FILES.map(({ file }) => file);
  return (
    (await run(write, 'node', 'scripts/generate.js')) &&
    // `git diff` ignores a new file that is not in the index, so check each file by name.
    (await run(write, 'git', 'ls-files', '--error-unmatch', ...files)) &&
    (await run(write, 'git', 'diff', '--exit-code', '--', ...files))
  );
}

/**
 * @param {Write} write
 * @param {'embedded' | 'postgres'} ledger
 * @param {string[]} command
 * @returns {Promise<boolean>} false also when no test ran
 */
async function runTests(write, ledger, ...command) {
  const reportFile = join(scratchDir, `${ledger}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  // Random tests run less often on the second ledger.
  const more = ledger === 'embedded' ? { EXERCISED_FILE: exercisedFile, TEST_RUNS: '1' } : {};
  const ended = await runWith({ LEDGER: ledger, ...more }, write, 'npx', 'vitest', ...command, ...reporters);
  if (!existsSync(reportFile)) return false;
  const { passed, failed } = countTests(JSON.parse(readFileSync(reportFile, 'utf8')));
  total.passed += passed;
  total.failed += failed;
  return ended && passed > 0 && failed === 0;
}

/**
 * Counts tests in the test runner's JSON report. A file that fails before it has tests counts as one failure.
 *
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[]
 *   }[] }} report
 * @returns {{ passed: number, failed: number }}
 */
function countTests({ numPassedTests, numFailedTests, testResults }) {
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
}
