// What a soak plays on: PostgreSQL, Temporal's dev server, the simulator, two workers and one API, each a process that
// the soak kills, and that starts again as under a supervisor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startTemporal } from '../../bench/servers.js';
import { startPostgres } from '../../test/support/ledger/postgres.js';

const PROGRAM = fileURLToPath(new URL('../../bin/everpost.js', import.meta.url));
const PROBE = new URL('./probe.js', import.meta.url).href;
const RESTART_AFTER_MS = 500;
const MEASURED_WITHIN_MS = 10_000;
/** A process that ends this soon after an outage has noticed the outage. */
const AFTER_OUTAGE_MS = 60_000;

export const PRODUCT = /** @type {const} */ (['worker-1', 'worker-2', 'api']);
/** The settings between which restarts change. */
const SETTINGS = [
  { EVERPOST_GATEWAY_TIMEOUT: '5s', EVERPOST_SETTLE_TIME: '5s', EVERPOST_LOG_LEVEL: 'info' },
  {
    EVERPOST_GATEWAY_TIMEOUT: '8s',
    EVERPOST_SETTLE_TIME: '8s',
    EVERPOST_EDIT_CONFIRM_TIMEOUT: '15s',
    EVERPOST_MAX_IMPORT_SIZE: '64mb',
    EVERPOST_KEY_LIMITS: 'rate=1000/s',
    EVERPOST_LOG_LEVEL: 'warn',
  },
];

/**
 * @typedef {typeof PRODUCT[number] | 'simulator'} ProcessName
 * @typedef {{ work: number, heapBytes: number, resources: number, lagMs: number }} Measured
 * @typedef {{ child: import('node:child_process').ChildProcess, life: number, ready: Promise<unknown> }} Running
 */

/** @param {{ dir: string, leak: string, say: (line: string) => void }} options */
export async function startSystem({ dir, leak, say }) {
  for (const folder of ['logs', 'data', 'sources']) await mkdir(join(dir, folder), { recursive: true });
  const [apiPort, simulatorPort, ...metricsPorts] = await Promise.all(Array.from({ length: 4 }, () => freePort()));
  const postgres = await startPostgres();
  let temporal = await startTemporal(join(dir, 'temporal'));
  const temporalPort = Number(temporal.address.split(':')[1]);
  const instancesFile = join(dir, 'instances.json');
  /** @type {Map<ProcessName, Running>} */
  const running = new Map();
  /** @type {Map<ProcessName, number>} */
  const settings = new Map();
  /** @type {string[]} */
  const surprises = [];
  let lives = 0;
  let outageEndedMs = -Infinity;
  let isClosing = false;

  const env = (/** @type {ProcessName} */ name) => ({
    ...Object.fromEntries(['PATH', 'HOME', 'TMPDIR'].map((key) => [key, process.env[key] ?? ''])),
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    EVERPOST_DATA_DIR: join(dir, 'data'),
    EVERPOST_SOURCES_DIR: join(dir, 'sources'),
    EVERPOST_INSTANCES_FILE: instancesFile,
    EVERPOST_ALLOW_PRIVATE_TARGETS: 'yes',
    ...(name === 'worker-1' ? { EVERPOST_METRICS_PORT: String(metricsPorts[0]) } : {}),
    ...(name === 'worker-2' ? { EVERPOST_METRICS_PORT: String(metricsPorts[1]) } : {}),
    ...SETTINGS[(settings.get(name) ?? 0) % SETTINGS.length],
    SOAK_LEAK: name === 'simulator' ? '' : leak,
  });
  /** @type {Readonly<Record<ProcessName, readonly string[]>>} */
  const commands = {
    'worker-1': ['worker'],
    'worker-2': ['worker'],
    api: ['api', '--http-port', String(apiPort)],
    simulator: ['simulator', '--port', String(simulatorPort), '--data-file', join(dir, 'simulator.jsonl')],
  };

  const logOf = (/** @type {ProcessName} */ name) => join(dir, 'logs', `${name}.log`);

  /** @param {ProcessName} name */
  function launch(name) {
    const log = openSync(logOf(name), 'a');
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--import', PROBE, PROGRAM, ...commands[name], '--json'],
      // In a process group of its own, so that Ctrl-C reaches only the soak; the pipe of IPC ends with it.
      { env: env(name), stdio: ['ignore', 'pipe', log, 'ipc'], detached: true },
    );
    closeSync(log);
    const lines = createInterface(/** @type {import('node:stream').Readable} */ (child.stdout));
    // Sending a message to a killed process fails.
    child.on('error', () => undefined);
    child.setMaxListeners(0);
    lives += 1;
    running.set(name, { child, life: lives, ready: once(lines, 'line') });
    child.once('exit', (code, signal) => {
      if (running.get(name)?.child !== child) return;
      running.delete(name);
      if (isClosing) return;
      const isExplained = signal === 'SIGKILL' || code === 0 || Date.now() < outageEndedMs + AFTER_OUTAGE_MS;
      if (!isExplained) surprises.push(`${name} ended with ${code ?? signal}`);
      setTimeout(() => isClosing || running.has(name) || launch(name), RESTART_AFTER_MS);
    });
  }

  /** @param {ProcessName} name */
  async function untilReady(name) {
    for (;;) {
      const { child, ready } = running.get(name) ?? {};
      if (child !== undefined && (await Promise.race([ready?.then(() => true), once(child, 'exit').then(() => false)])))
        return;
      await delay(RESTART_AFTER_MS / 5);
    }
  }

  /** @param {ProcessName} name  @param {NodeJS.Signals} signal */
  async function end(name, signal) {
    const child = running.get(name)?.child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** @param {() => Promise<unknown>} away */
  async function outage(away) {
    outageEndedMs = Infinity;
    await away();
    outageEndedMs = Date.now();
  }

  return {
    apiUrl: `http://127.0.0.1:${apiPort}`,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    metricsUrls: [...metricsPorts, apiPort].map((port) => `http://127.0.0.1:${port}/metrics`),
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    surprises,
    /** Replaces the instances file in one step, as an operator's editor does. @param {object} instances */
    async writeInstances(instances) {
      await writeFile(`${instancesFile}.new`, JSON.stringify(instances), { mode: 0o600 });
      await rename(`${instancesFile}.new`, instancesFile);
    },
    /** @param {ProcessName} name */
    async start(name) {
      launch(name);
      const { child, ready } = running.get(name) ?? {};
      const ended = child && once(child, 'exit').then(() => 'ended');
      if ((await Promise.race([ready, ended])) === 'ended')
        throw new Error(`${name} does not start. Read ${logOf(name)}`);
    },
    untilReady,
    /** @param {ProcessName} name */
    async kill(name) {
      await end(name, 'SIGKILL');
      await untilReady(name);
    },
    /** By SIGTERM; the next start has other settings. @param {ProcessName} name */
    async restart(name) {
      settings.set(name, (settings.get(name) ?? 0) + 1);
      await end(name, 'SIGTERM');
      await untilReady(name);
    },
    /** @param {number} ms */
    killTemporal: (ms) =>
      outage(async () => {
        process.kill(temporal.pid, 'SIGKILL');
        await temporal.close();
        await delay(ms);
        temporal = await startTemporal(join(dir, 'temporal'), temporalPort);
      }),
    /** @param {number} ms */
    crashPostgres: (ms) =>
      outage(async () => {
        await postgres.crash();
        await delay(ms);
        await postgres.start();
      }),
    starts: () => lives,
    /** The processes that run, with a number that no other life of a process has. */
    running: () => [...running].map(([name, { child, life }]) => ({ name, life, pid: child.pid ?? 0 })),
    /** @param {ProcessName} name  @returns {Promise<Measured | undefined>} undefined if it does not answer */
    async measure(name) {
      const child = running.get(name)?.child;
      if (child === undefined || !child.connected) return undefined;
      const answered = once(child, 'message', { signal: AbortSignal.timeout(MEASURED_WITHIN_MS) });
      child.send('measure', () => undefined);
      return answered.then(
        ([measured]) => measured,
        () => undefined,
      );
    },
    async close() {
      isClosing = true;
      say('stopping');
      await Promise.all([...running.keys()].map((name) => end(name, 'SIGTERM')));
      await temporal.close();
      await postgres.close();
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startSystem>>} System */
