// Starts the servers that a measured system needs, for one run each, in a new directory and with their data on disk. If
// a program is missing, MissingServer names it, and the run is skipped.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from 'everpost/contract';
import pg from 'pg';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { startDev } from './dev.js';

const START_AT_MOST_MS = 60_000;
const HOST = '127.0.0.1';
const DURABLE = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'];

/**
 * @typedef {{ pid: number, close: () => Promise<void> }} Server
 */

export class MissingServer extends Error {}

/**
 * @param {string} dir
 * @param {'everysec' | 'always'} appendFsync
 * @returns {Promise<Server & { port: number }>}
 */
export async function startRedis(dir, appendFsync) {
  const program = await onPath('redis-server');
  if (program === undefined) throw new MissingServer('redis-server not found');
  const port = await freePort();
  await mkdir(dir, { recursive: true });
  const args = ['--bind', HOST, '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'yes'];
  // BullMQ requires this: a job must never be evicted.
  const policy = ['--maxmemory-policy', 'noeviction'];
  const server = launch(program, [...args, '--appendfsync', appendFsync, ...policy]);
  await server.until(() => listens(port));
  return { ...server, port };
}

/**
 * Starts PostgreSQL with fsync, and ignores TEST_DATABASE_URL.
 * @param {{ settings?: readonly string[] }} [options]
 * @returns {Promise<Server & { url: string }>}
 */
export async function startDatabase({ settings = [] } = {}) {
  const server = await startPostgres({ settings: [...DURABLE, ...settings] }).catch((error) => {
    if (!String(error).includes('PostgreSQL is not on this machine')) throw error;
    throw new MissingServer('PostgreSQL not found');
  });
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid");
    return { pid: rows[0].pid, url: server.url, close: server.close };
  } finally {
    await client.end();
  }
}

/**
 * Starts Temporal's dev server with its data on disk, with the settings of `everpost dev`.
 * @param {string} dir     a used directory continues with its data
 * @param {number} [port]  default: a free one
 * @returns {Promise<Server & { address: string, metricsUrl: string }>}
 */
export async function startTemporal(dir, port) {
  const program = await findTemporal(dir);
  port ??= await freePort();
  const metricsPort = await freePort();
  await mkdir(dir, { recursive: true });
  const database = [
    `--db-filename=${join(dir, 'temporal.db')}`,
    '--sqlite-pragma=journal_mode=wal',
    '--sqlite-pragma=synchronous=2',
  ];
  const attributes = Object.entries(SEARCH_ATTRIBUTES).map(([name, kind]) => `--search-attribute=${name}=${kind}`);
  const ports = [`--port=${port}`, `--metrics-port=${metricsPort}`];
  const listening = [`--ip=${HOST}`, ...ports, '--headless', '--log-level=never'];
  const server = launch(program, ['server', 'start-dev', ...listening, ...database, ...attributes]);
  const address = `${HOST}:${port}`;
  await server.until(async () => {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    return true;
  });
  return { ...server, address, metricsUrl: `http://${HOST}:${metricsPort}/metrics` };
}

/**
 * Finds the CLI as `everpost dev` does; if it was never downloaded, lets `everpost dev` download it.
 * @param {string} dir
 */
async function findTemporal(dir) {
  const known = process.env['TEMPORAL_CLI_PATH'] || (await onPath('temporal')) || (await fetchedTemporal());
  if (known !== undefined) return known;
  const dev = await startDev({ dataDir: join(dir, 'fetch') }).catch(() => undefined);
  await dev?.end('SIGTERM');
  const fetched = await fetchedTemporal();
  if (fetched === undefined) throw new MissingServer('Temporal CLI not found; set TEMPORAL_CLI_PATH');
  return fetched;
}

async function fetchedTemporal() {
  const cacheDir = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'everpost');
  const names = await readdir(cacheDir).catch(() => /** @type {string[]} */ ([]));
  const ending = `-${process.platform}-${process.arch}`;
  const name = names.toSorted().findLast((file) => file.startsWith('temporal-1') && file.endsWith(ending));
  return name === undefined ? undefined : join(cacheDir, name);
}

/** The versions of the installed servers, for the report. */
export async function serverVersions() {
  const redis = await onPath('redis-server');
  const temporal = process.env['TEMPORAL_CLI_PATH'] || (await onPath('temporal')) || (await fetchedTemporal());
  return {
    redis: redis && (await versionOf(redis)),
    temporal: temporal && (await versionOf(temporal)),
  };
}

/** @param {string} program */
async function versionOf(program) {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /\d{1,9}(?:\.\d{1,9}){1,3}/.exec(stdout)?.[0];
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function launch(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env['PATH'] } });
  const exited = once(child, 'exit');
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  let isGone = false;
  void exited.then(() => {
    isGone = true;
    process.off('exit', orphaned);
  });
  return {
    pid: child.pid ?? 0,
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    /** @param {() => Promise<boolean>} responds */
    until: async (responds) => {
      const untilMs = performance.now() + START_AT_MOST_MS;
      while (!(await responds().catch(() => false))) {
        if (isGone || performance.now() > untilMs) throw new Error(`${program} did not start.`);
        await delay(50);
      }
    },
  };
}

/** @param {string} name */
async function onPath(name) {
  for (const dir of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(dir, name);
    if (
      dir !== '' &&
      (await access(file, constants.X_OK)
        .then(() => true)
        .catch(() => false))
    )
      return file;
  }
  return undefined;
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer();
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
