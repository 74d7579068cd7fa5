// What CI runs, and everybody before a commit: each step in order, the first failure ends it with exit code 1.
// The last line is the test runner's own count: "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATED_FILES } from './generated-files.js';
import { countTests } from './count-tests.js';

const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-verify-'));
const reportFile = join(scratchDir, 'tests.json');

/**
 * The saved histories are replayed by tests, so that step has no line of its own.
 * @type {readonly { name: string, check: () => boolean }[]}
 */
const STEPS = [
  { name: 'format', check: () => run('npx', 'prettier', '--check', '--log-level=warn', '.') },
  { name: 'lint', check: () => run('npx', 'oxlint', '--type-aware', '--deny-warnings') },
  { name: 'types', check: () => run('npx', 'tsc', '--noEmit') },
  { name: 'build', check: () => run('npm', 'run', '--silent', 'build') },
  { name: 'unused code', check: () => run('npx', 'knip') },
  { name: 'generated files', check: generatedFilesAreCommitted },
  { name: 'tests', check: runTests },
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
  if (!existsSync(reportFile)) return 1;
  const counts = countTests(JSON.parse(readFileSync(reportFile, 'utf8')));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return failed === undefined && counts.passed > 0 && counts.failed === 0 ? 0 : 1;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  // stdin is closed: nothing here may wait for a person.
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function generatedFilesAreCommitted() {
  const files = GENERATED_FILES.map(({ file }) => file);
  return (
    run('node', 'scripts/generate.js') &&
    // A new file that nobody added does not show in `git diff`, so it is asked for by name.
    run('git', 'ls-files', '--error-unmatch', ...files) &&
    run('git', 'diff', '--exit-code', '--', ...files)
  );
}

function runTests() {
  return run('npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`);
}
