// Checks the package as its users get it: packs it, looks at every file, installs it in an empty project, compiles a
// strict program against it, imports it, and runs its command. Needs a build. Each failure is said; the exit code is
// then 1.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageProblems } from './package-problems.js';

const PACKAGE_DIR = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(PACKAGE_DIR, 'package.json'), 'utf8'));
const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-package-'));
const appDir = join(scratchDir, 'app');

/**
 * What users compile with: the last TypeScript 5, in their project, and the one that everpost itself is compiled with.
 */
const TYPESCRIPT_5 = '5.9.3';
const OUR_COMPILER = join(PACKAGE_DIR, 'node_modules', '.bin', 'tsc');

/** As hard as a project may ask: everything strict, and every declaration file checked. */
const STRICT = {
  target: 'ES2022',
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};
/** Without Node's types, as in a project that has installed nothing else; with them for the example. */
const PROJECTS = {
  nodenext: {
    compilerOptions: { ...STRICT, module: 'NodeNext', types: [] },
    files: ['consumer.ts'],
  },
  bundler: {
    compilerOptions: { ...STRICT, module: 'ESNext', moduleResolution: 'Bundler', types: ['node'] },
    files: ['consumer.ts', 'backend.ts'],
  },
};

const IMPORT_ALL = `
  import { createEverpost, messageId } from 'everpost';
  import { MESSAGE_STATES } from 'everpost/contract';
  import openapi from 'everpost/openapi.json' with { type: 'json' };
  const { version } = openapi.info;
  if (typeof createEverpost !== 'function' || !/^msg_/.test(messageId('main', 'k')) || MESSAGE_STATES.length === 0) {
    throw new Error('An export of everpost is not what it should be.');
  }
  console.log(version);
`;

try {
  process.exitCode = check() ? 0 : 1;
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

function check() {
  const tarball = pack();
  const problems = packageProblems({ files: filesOf(tarball), sources: sources(), packageDir: PACKAGE_DIR });
  for (const problem of problems) console.error(problem);
  return (
    problems.length === 0 &&
    run(PACKAGE_DIR, 'npx', 'publint', '--strict', tarball) &&
    run(PACKAGE_DIR, 'npx', 'attw', '--profile', 'esm-only', '--format', 'ascii', '--quiet', tarball) &&
    installs(tarball) &&
    compiles() &&
    // As in production: without the project's own devDependencies.
    run(appDir, 'npm', 'ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error') &&
    runs()
  );
}

/** @returns {string} the tarball */
function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', scratchDir];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: PACKAGE_DIR, encoding: 'utf8' }));
  return join(scratchDir, filename);
}

/**
 * @param {string} tarball
 * @returns {Map<string, string>} text by path inside the package
 */
function filesOf(tarball) {
  execFileSync('tar', ['-xzf', tarball, '-C', scratchDir]);
  const root = join(scratchDir, 'package');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/** @returns {Set<string>} */
function sources() {
  const files = readdirSync(join(PACKAGE_DIR, 'src'), { recursive: true, encoding: 'utf8' });
  return new Set(files.map((file) => file.replace(/\.ts$/, '')));
}

/** @param {string} tarball */
function installs(tarball) {
  mkdirSync(appDir);
  const dependencies = { everpost: `file:${tarball}` };
  const devDependencies = { typescript: TYPESCRIPT_5, '@types/node': '20' };
  write('package.json', { private: true, type: 'module', dependencies, devDependencies });
  return run(appDir, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
}

function compiles() {
  copyFileSync(join(PACKAGE_DIR, 'test/package/consumer.ts'), join(appDir, 'consumer.ts'));
  copyFileSync(join(PACKAGE_DIR, 'examples/backend.ts'), join(appDir, 'backend.ts'));
  return Object.entries(PROJECTS).every(([name, project]) => {
    write(`tsconfig.${name}.json`, project);
    return ['node_modules/.bin/tsc', OUR_COMPILER].every((compiler) =>
      run(appDir, compiler, '--project', `tsconfig.${name}.json`),
    );
  });
}

function runs() {
  const imported = output('node', '--input-type=module', '--eval', IMPORT_ALL);
  const shown = output('npx', '--no-install', 'everpost', '--version');
  const help = output('npx', '--no-install', 'everpost', '--help');
  if (imported === version && shown === version && help.includes('dev [options]')) return true;
  console.error(`The installed package does not run as it should: ${JSON.stringify({ imported, shown, help })}`);
  return false;
}

/**
 * @param {string} file
 * @param {object} content
 */
function write(file, content) {
  writeFileSync(join(appDir, file), JSON.stringify(content, undefined, 2));
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 */
function run(cwd, program, ...args) {
  const ended = spawnSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (ended.status === 0) return true;
  console.error(`${program} ${args.join(' ')} failed:\n${ended.stdout}${ended.stderr}`);
  return false;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function output(program, ...args) {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: appDir, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : `exit code ${status}: ${stderr}`;
}
