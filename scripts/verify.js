// What CI runs, and everybody before a commit: each step in order, the first failure ends it with exit code 1.
// The last line is the test runner's own count: "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATED_FILES } from './generated-files.js';
import { countTests } from './count-tests.js';

const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-verify-'));
const reportFile = join(scratchDir, 'tests.json');

/** The saved histories are replayed by tests, so that step has no line of its own. */
const STEPS = [
  { name: 'format', command: ['npx', 'prettier', '--check', '--log-level=warn', '.'] },
  { name: 'lint', command: ['npx', 'oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', command: ['npx', 'tsc', '--noEmit'] },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'unused code', command: ['npx', 'knip'] },
  { name: 'generate', command: ['npm', 'run', '--silent', 'generate'] },
  { name: 'generated files', check: generatedFilesAreCommitted },
  {
    name: 'tests',
    command: ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
  },
];

try {
  process.exitCode = verify();
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

/** @returns {number} the exit code */
function verify() {
  for (const { name, command, check } of STEPS) {
    const startedMs = performance.now();
    const passed = command === undefined ? check() : run(command);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (!passed && name !== 'tests') return 1;
    if (name === 'tests') return reportTests(passed);
  }
  return 1;
}

/** @param {readonly string[]} command */
function run([program, ...args]) {
  // stdin is closed: nothing here may wait for a person.
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function generatedFilesAreCommitted() {
  const files = GENERATED_FILES.map(({ file }) => file);
  // A new file that nobody added does not show in `git diff`, so it is asked for by name.
  return run(['git', 'ls-files', '--error-unmatch', ...files]) && run(['git', 'diff', '--exit-code', '--', ...files]);
}

/** @param {boolean} runnerPassed */
function reportTests(runnerPassed) {
  const { passed, failed } = countTests(JSON.parse(readFileSync(reportFile, 'utf8')));
  console.log(`${passed} passed, ${failed} failed`);
  return runnerPassed && passed > 0 && failed === 0 ? 0 : 1;
}
