// Checks the packages everpost, @everpost/client and @everpost/testing as users receive them: packs them, checks every
// file, installs them in an empty project, compiles strict programs against them, imports them, and runs their programs.
// Needs a build. Prints each failure; the exit code is then 1.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageProblems } from './package-problems.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-package-'));
const appDir = join(scratchDir, 'app');

/** @typedef {{ name: string, dir: string, sourceDir: string, needed: string[], maxBytes?: number }} Package */

/** @type {Package} */
const EVERPOST = {
  name: 'everpost',
  dir: ROOT,
  sourceDir: 'src',
  needed: ['CHANGELOG.md', 'SECURITY.md', 'dist/workflow-bundle.js', 'dist/empty-ledger.tar.br'],
};
/** @type {Package} */
const CLIENT = {
  name: '@everpost/client',
  dir: join(ROOT, 'packages/client'),
  sourceDir: 'src/http-client',
  needed: [],
  // It must stay small for browser bundles and cloud functions.
  maxBytes: 1_000_000,
};
/** @type {Package} */
const TESTING = {
  name: '@everpost/testing',
  dir: join(ROOT, 'packages/testing'),
  sourceDir: 'src',
  needed: [],
  maxBytes: 1_000_000,
};
const PACKAGES = [EVERPOST, CLIENT, TESTING];

/**
 * The compilers of users: the last TypeScript 5 in their project, and the compiler of everpost itself.
 */
const TYPESCRIPT_5 = '5.9.3';
const OUR_COMPILER = join(ROOT, 'node_modules', '.bin', 'tsc');

/** The strictest settings of a project: every strict option, and every declaration file checked. */
const STRICT = {
  target: 'ES2022',
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};
/** Projects without Node's types, as with no other package installed, and with them for the examples. */
const PROJECTS = {
  nodenext: {
    compilerOptions: { ...STRICT, module: 'NodeNext', types: [] },
    files: ['consumer.ts'],
  },
  bundler: {
    compilerOptions: { ...STRICT, module: 'ESNext', moduleResolution: 'Bundler', types: ['node'], checkJs: true },
    files: ['consumer.ts', 'backend.js', 'send-http.js'],
  },
  // For a web page: without Node's types.
  browser: {
    compilerOptions: { ...STRICT, module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2022', 'DOM'], types: [] },
    files: ['client.ts'],
  },
};
/** Programs that are compiled or run in the empty project. */
const PROGRAMS = [
  'test/package/consumer.ts',
  'test/package/client.ts',
  'test/package/run-client.js',
  'examples/backend.js',
  'examples/send-http.js',
  'examples/gateway-double.test.js',
];

const IMPORT_ALL = `
  import { createEverpost, messageId } from 'everpost';
  import { MESSAGE_STATES } from 'everpost/contract';
  import openapi from 'everpost/openapi.json' with { type: 'json' };
  const { version } = openapi.info;
  if (typeof createEverpost !== 'function' || !/^msg_/.test(messageId('main', 'k')) || MESSAGE_STATES.length === 0) {
    throw new Error('An export of everpost is missing or wrong.');
  }
  console.log(version);
`;

try {
  process.exitCode = check() ? 0 : 1;
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}

function check() {
  const tarballs = PACKAGES.map((one) => ({ one, tarball: pack(one) }));
  return (
    tarballs.every(({ one, tarball }) => isWellPacked(one, tarball)) &&
    installs(Object.fromEntries(tarballs.map(({ one, tarball }) => [one.name, `file:${tarball}`]))) &&
    compiles() &&
    // As in production: without the project's devDependencies.
    run(appDir, 'npm', 'ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error') &&
    runs() &&
    run(appDir, 'node', 'run-client.js') &&
    run(appDir, 'node', '--test', 'gateway-double.test.js')
  );
}

/**
 * @param {Package} one
 * @returns {string} the tarball
 */
function pack({ dir }) {
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', scratchDir];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: dir, encoding: 'utf8' }));
  return join(scratchDir, filename);
}

/**
 * @param {Package} one
 * @param {string} tarball
 */
function isWellPacked({ name, sourceDir, needed, maxBytes = Infinity }, tarball) {
  const files = filesOf(tarball);
  const problems = packageProblems({ files, sources: sourcesIn(sourceDir), packageDir: ROOT, needed });
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxBytes) problems.push(`has ${bytes} bytes unpacked, more than ${maxBytes}`);
  for (const problem of problems) console.error(`${name}: ${problem}`);
  return (
    problems.length === 0 &&
    run(ROOT, 'npx', 'publint', '--strict', tarball) &&
    run(ROOT, 'npx', 'attw', '--profile', 'esm-only', '--format', 'ascii', '--quiet', tarball)
  );
}

/**
 * @param {string} tarball
 * @returns {Map<string, string>} text by path inside the package
 */
function filesOf(tarball) {
  const root = join(scratchDir, basename(tarball, '.tgz'));
  mkdirSync(root);
  execFileSync('tar', ['-xzf', tarball, '-C', root, '--strip-components=1']);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/**
 * @param {string} dir
 * @returns {Set<string>}
 */
function sourcesIn(dir) {
  const files = readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' });
  return new Set(files.map((file) => file.replace(/\.[jt]sx?$/, '')));
}

/** @param {Record<string, string>} dependencies */
function installs(dependencies) {
  mkdirSync(appDir);
  const devDependencies = { typescript: TYPESCRIPT_5, '@types/node': '20' };
  write('package.json', { private: true, type: 'module', dependencies, devDependencies });
  return run(appDir, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
}

function compiles() {
  for (const program of PROGRAMS) copyFileSync(join(ROOT, program), join(appDir, basename(program)));
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
  console.error(`The installed package printed unexpected output: ${JSON.stringify({ imported, shown, help })}`);
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
