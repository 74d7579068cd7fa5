// Runs `everpost dev` as a separate process that a benchmark measures and kills.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/everpost.js', import.meta.url));
/** The limit on a slow machine. */
const START_AT_MOST_MS = 120_000;

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {Record<string, string>} facts  from its ready line
 * @property {(signal: NodeJS.Signals) => Promise<void>} end
 */

/**
 * Returns once it is ready.
 * @param {{ dataDir: string, instancesFile?: string, databaseUrl?: string }} options
 * @returns {Promise<Running & { apiUrl: string }>}
 */
export async function startDev({ dataDir, instancesFile = '', databaseUrl = '' }) {
  const dev = await startProgram(['dev', '--http-port', '0', '--data-dir', dataDir], {
    DATABASE_URL: databaseUrl,
    EVERPOST_INSTANCES_FILE: instancesFile,
  });
  return { ...dev, apiUrl: dev.facts['apiUrl'] ?? '' };
}

/**
 * @param {readonly string[]} args  of a command that prints a ready line with `--json`
 * @param {Record<string, string>} [env]
 * @returns {Promise<Running>}
 */
export async function startProgram(args, env = {}) {
  const program = spawn(process.execPath, [PROGRAM, ...args, '--json'], {
    env: { ...process.env, TEMPORAL_ADDRESS: '', ...env, EVERPOST_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    program.kill(signal);
    await ended;
  };
  try {
    const [line] = await Promise.race([
      once(createInterface(program.stdout), 'line', { signal: AbortSignal.timeout(START_AT_MOST_MS) }),
      ended.then(() => Promise.reject(new Error(`everpost ${args[0]} ended before it was ready.`))),
    ]);
    return { pid: program.pid ?? 0, facts: JSON.parse(String(line)), end };
  } catch (error) {
    await end('SIGTERM');
    throw error;
  }
}

/**
 * @template Response
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function request(url, init) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${text}`);
  return JSON.parse(text === '' ? 'null' : text);
}

/**
 * @param {string} apiUrl
 * @param {string} key   idempotency key of this message
 * @param {string} to    phone digits
 * @returns {Promise<string>} its id
 */
export async function send(apiUrl, key, to) {
  /** @type {{ id: string }} */
  const { id } = await request(`${apiUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ instance: 'main', to, content: { kind: 'text', text: `Message ${key}` } }),
  });
  return id;
}
