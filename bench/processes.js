// Starts, measures and kills processes. Their cost comes from /proc, which only Linux has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';

/** Ticks of the kernel in a second, on every Linux. */
const TICKS = 100;
/** The limit on a slow machine. */
const START_AT_MOST_MS = 120_000;
const INSPECTOR_SAYS = [
  'For help, see: https://nodejs.org',
  'Debugger attached',
  'Debugger ending',
  'Waiting for the deb',
];

/**
 * @typedef {object} NodeProcess
 * @property {number} pid
 * @property {any} facts                            from its ready line
 * @property {(message: unknown) => void} send          by IPC
 * @property {(wanted: (message: any) => boolean) => Promise<any>} message  the next message that is wanted
 * @property {() => Promise<number>} heapMb             in use after a full garbage collection
 * @property {(signal: NodeJS.Signals) => Promise<void>} end
 */

/**
 * Starts a Node program, and returns once it is ready: by `ready` of an IPC message, or by its first line.
 * @param {readonly string[]} args  script and arguments
 * @param {{ env?: Record<string, string>, ready: 'message' | 'line' }} options
 * @returns {Promise<NodeProcess>}
 */
export async function startNode(args, { env = {}, ready }) {
  // Any free port. The inspector listens only after a SIGUSR1 at the end.
  const child = spawn(process.execPath, ['--inspect-port=0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ready === 'message' ? /** @type {const} */ (['ipc']) : [])],
  });
  const exited = once(child, 'exit');
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  void exited.then(() => process.off('exit', orphaned));
  const errors = createInterface(/** @type {import('node:stream').Readable} */ (child.stderr));
  /** @type {(url: string) => void} */
  let debuggerListens = () => {};
  errors.on('line', (line) => {
    const [, url] = /^Debugger listening on (ws:\S{1,100})$/.exec(line) ?? [];
    if (url !== undefined) debuggerListens(url);
    else if (!INSPECTOR_SAYS.some((words) => line.startsWith(words))) console.error(line);
  });
  const lines = createInterface(/** @type {import('node:stream').Readable} */ (child.stdout));
  /** @type {NodeProcess['message']} */
  const message = (wanted) =>
    new Promise((resolve) => {
      /** @param {unknown} received */
      const listen = (received) => {
        if (!wanted(received)) return;
        child.off('message', listen);
        resolve(received);
      };
      child.on('message', listen);
    });
  const isReady =
    ready === 'line'
      ? once(lines, 'line').then(([line]) => JSON.parse(line))
      : message((received) => received.ready ?? received.port);
  const running = {
    pid: child.pid ?? 0,
    message,
    send: (/** @type {any} */ command) => void child.send(command),
    heapMb: async () => {
      const listening = new Promise((/** @type {(url: string) => void} */ resolve) => (debuggerListens = resolve));
      child.kill('SIGUSR1');
      return heapAfterCollection(await listening);
    },
    end: async (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      await exited;
    },
  };
  try {
    const facts = await within(
      START_AT_MOST_MS,
      Promise.race([isReady, exited.then(() => Promise.reject(new Error(`${args.join(' ')} ended before ready.`)))]),
    );
    return { ...running, facts };
  } catch (error) {
    await running.end('SIGKILL');
    throw error;
  }
}

/**
 * @template Result
 * @param {number} ms
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function within(ms, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the heap size through Node's inspector.
 * @param {string} url
 */
async function heapAfterCollection(url) {
  const socket = new WebSocket(url);
  await once(/** @type {any} */ (socket), 'open');
  let calls = 0;
  /** @param {string} method */
  const call = async (method) => {
    const id = ++calls;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = await once(/** @type {any} */ (socket), 'message');
      const response = JSON.parse(String(data));
      if (response.id === id) return response.result;
    }
  };
  try {
    await call('HeapProfiler.collectGarbage');
    const { usedSize } = await call('Runtime.getHeapUsage');
    return usedSize / 1_048_576;
  } finally {
    socket.close();
  }
}

/**
 * @param {number} pid
 * @returns {Promise<number>}
 */
export async function cpuSeconds(pid) {
  const [own = 0] = await secondsOf(pid);
  return own;
}

/**
 * The processor time of a process and its descendants, including those that have ended.
 * @param {number} pid
 * @returns {Promise<number>}
 */
export async function treeCpuSeconds(pid) {
  const [[own = 0, ended = 0], children] = await Promise.all([secondsOf(pid), childrenOf(pid)]);
  const seconds = await Promise.all(children.map((child) => treeCpuSeconds(child)));
  return seconds.reduce((sum, more) => sum + more, own + ended);
}

/**
 * A process and its descendants that run now.
 * @param {number} pid
 * @returns {Promise<number[]>}
 */
export async function processTree(pid) {
  const children = await Promise.all((await childrenOf(pid)).map((child) => processTree(child)));
  return [pid, ...children.flat()];
}

/**
 * The peak memory of a process.
 * @param {number} pid
 */
export async function peakMb(pid) {
  return statusMb(pid, /^VmHWM:\s{1,20}(\d{1,20}) kB$/m);
}

/**
 * The memory of a process that is resident now.
 * @param {number} pid
 */
export async function residentMb(pid) {
  return statusMb(pid, /^VmRSS:\s{1,20}(\d{1,20}) kB$/m);
}

/** @param {number} pid  @param {RegExp} line */
async function statusMb(pid, line) {
  const [, kilobytes] = line.exec(await contentOf(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1_024;
}

/**
 * The memory of a process and its descendants; what they share counts once.
 * @param {number} pid
 * @returns {Promise<number>}
 */
export async function treeMb(pid) {
  const rollups = await Promise.all((await processTree(pid)).map((one) => contentOf(`/proc/${one}/smaps_rollup`)));
  return rollups.reduce((sum, rollup) => {
    const [, kilobytes = 0] = /^Pss:\s{1,20}(\d{1,20}) kB$/m.exec(rollup) ?? [];
    return sum + Number(kilobytes) / 1_024;
  }, 0);
}

/**
 * @param {number} pid
 * @returns {Promise<number[]>}  its own time, and that of its children that have ended
 */
async function secondsOf(pid) {
  const stat = await contentOf(`/proc/${pid}/stat`);
  // The program's name, in parentheses, may have spaces. The fields after it count from the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return [(user + system) / TICKS, (endedUser + endedSystem) / TICKS];
}

/** @param {number} pid */
async function childrenOf(pid) {
  const children = await contentOf(`/proc/${pid}/task/${pid}/children`);
  return children
    .split(' ')
    .filter((child) => child !== '')
    .map(Number);
}

/**
 * Returns an empty text if the process has ended, or the system has no such file.
 * @param {string} file
 */
async function contentOf(file) {
  return readFile(file, 'utf8').catch(() => '');
}
