/**
 * A separate PostgreSQL: it starts on a free port in a temporary folder, and its close removes everything.
 * Plain JavaScript, so that scripts can start one as well as tests.
 */
import { execFile, spawn } from 'node:child_process';
import { access, chown, constants, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * @typedef {object} PostgresServer
 * @property {string} url       postgres://…, of a user who may create databases
 * @property {number} port      at 127.0.0.1
 * @property {() => Promise<void>} crash  ends it at once, without an orderly shutdown; committed data stays
 * @property {() => Promise<void>} start  starts it again after a crash: same port, same data
 * @property {() => Promise<void>} close  ends it and removes its folder
 */

const REMEDY =
  'Install it (Debian: apt-get install postgresql; macOS: brew install postgresql), ' +
  'or name a running server in TEST_DATABASE_URL, whose user may create databases.';

/** Where Debian installs the programs of each version. */
const DEBIAN_DIR = '/usr/lib/postgresql';
/** Below the range of ports for outgoing connections, so that no process takes it during a crash. */
const PORTS = { from: 20_000, to: 30_000 };
/** How often another free port is tried when another process was faster. */
const PORT_TRIES = 5;
const USER = 'everpost';

/** Settings that make it fast, and are safe because the folder is temporary: nothing waits for a disk. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=64MB',
  'max_connections=200',
  // Far from UTC and from whole hours: a time that passes through the server's zone would show.
  'timezone=Asia/Kathmandu',
  // Its own log contains starts and ends; errors that a test causes reach the test.
  'log_min_messages=log',
  'log_checkpoints=off',
];

/**
 * @param {object} [options]
 * @param {string} [options.searchPath]  where to look for the programs
 * @param {string} [options.debianDir]
 * @param {readonly string[]} [options.settings]  `name=value`, which override those for tests
 * @param {string} [options.password]  of the superuser `postgres`; without one, every user of this machine's loopback may
 *   use the server
 * @returns {Promise<PostgresServer>}
 * @throws Error without PostgreSQL's programs, with the remedy
 */
export async function startPostgres({ searchPath, debianDir, settings = [], password } = {}) {
  const binDir = await findBinDir(searchPath, debianDir);
  const account = await unprivilegedAccount();
  const dir = await mkdtemp(join(tmpdir(), 'everpost-postgres-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    if (account !== undefined) await chown(dir, account.uid, account.gid);
    const dataDir = join(dir, 'data');
    const init = ['-D', dataDir, '-E', 'UTF8', '--no-locale', '--no-sync', ...(await authentication(dir, password))];
    await run(join(binDir, 'initdb'), init, { cwd: dir, ...account });
    for (let tries = 1; ; tries += 1) {
      const port = await aFreePort();
      const launch = () => startServer(join(binDir, 'postgres'), { dir, dataDir, port, account, settings });
      try {
        return serverOn(port, await launch(), launch, remove, password);
      } catch (error) {
        if (tries === PORT_TRIES || !String(error).includes('Address already in use')) throw error;
      }
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * @param {string} dir
 * @param {string | undefined} password
 * @returns {Promise<string[]>}
 */
async function authentication(dir, password) {
  if (password === undefined) return ['-U', USER, '-A', 'trust'];
  const file = join(dir, 'password');
  await writeFile(file, password, { mode: 0o644 });
  return ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`];
}

/**
 * @typedef {{ end: (signal: NodeJS.Signals) => Promise<void> }} RunningServer
 * @param {number} port
 * @param {RunningServer} first
 * @param {() => Promise<RunningServer>} launch
 * @param {() => Promise<void>} remove
 * @param {string | undefined} password
 * @returns {PostgresServer}
 */
function serverOn(port, first, launch, remove, password) {
  /** @type {RunningServer | undefined} */
  let running = first;
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    const server = running;
    running = undefined;
    await server?.end(signal);
  };
  return {
    url: `postgres://${password === undefined ? USER : `postgres:${password}`}@127.0.0.1:${port}/postgres`,
    port,
    crash: () => end('SIGQUIT'),
    start: async () => {
      running ??= await launch();
    },
    close: async () => {
      await end('SIGINT');
      await remove();
    },
  };
}

/**
 * Resolves when it accepts connections.
 * @param {string} program
 * @param {{ dir: string, dataDir: string, port: number, account: Account | undefined, settings: readonly string[] }}
 *   where
 * @returns {Promise<RunningServer>}
 */
async function startServer(program, { dir, dataDir, port, account, settings: more }) {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dir}`,
    ...SETTINGS,
    ...more,
  ];
  const child = spawn(program, ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])], {
    cwd: dir,
    // Messages in English, whatever the machine's locale: the ready line is read.
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  const orphaned = () => child.kill('SIGQUIT');
  process.once('exit', orphaned);
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    child.once('close', () => {
      process.off('exit', orphaned);
      resolve();
    });
  });
  /** @type {string[]} */
  const log = [];
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    createInterface(child.stderr).on('line', (line) => {
      log.push(line);
      if (line.includes('database system is ready to accept connections')) resolve(undefined);
    });
    void ended.then(() => reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`)));
  });
  return {
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/**
 * The folder of `initdb` and `postgres`: the first on PATH, or Debian's newest.
 * @param {string} [searchPath]
 * @param {string} [debianDir]
 */
export async function findBinDir(searchPath = process.env['PATH'] ?? '', debianDir = DEBIAN_DIR) {
  const onPath = searchPath.split(delimiter).filter((dir) => dir !== '');
  const versions = await readdir(debianDir).catch(() => /** @type {string[]} */ ([]));
  const debian = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(debianDir, version, 'bin'));
  for (const dir of [...onPath, ...debian]) {
    if ((await isExecutable(join(dir, 'initdb'))) && (await isExecutable(join(dir, 'postgres')))) return dir;
  }
  throw new Error(`PostgreSQL is not on this machine (no initdb and postgres on PATH or in ${debianDir}). ${REMEDY}`);
}

/** @param {string} path */
async function isExecutable(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * PostgreSQL refuses to run as root: it then gets the account of Debian's package, or the unprivileged one.
 * @typedef {{ uid: number, gid: number }} Account
 * @returns {Promise<Account | undefined>} undefined when this process is not root
 */
export async function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such account: the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody to run it as.');
}

/** A port at 127.0.0.1 without a listener. */
export async function aFreePort() {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
