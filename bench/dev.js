// `everpost dev` as a process of its own, to be measured and to be killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/everpost.js', import.meta.url));
/** The bound on a slow machine. */
const START_AT_MOST_MS = 120_000;

/**
 * Returns when it is ready.
 * @param {{ dataDir: string, httpPort?: number, instancesFile?: string }} options
 * @returns {Promise<{ apiUrl: string, end: (signal: NodeJS.Signals) => Promise<void> }>}
 */
export async function startDev({ dataDir, httpPort = 0, instancesFile = '' }) {
  const args = [PROGRAM, 'dev', '--json', '--http-port', String(httpPort), '--data-dir', dataDir];
  const configured = { TEMPORAL_ADDRESS: '', DATABASE_URL: '', EVERPOST_INSTANCES_FILE: instancesFile };
  const dev = spawn(process.execPath, args, {
    env: { ...process.env, ...configured, EVERPOST_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(dev, 'exit');
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    dev.kill(signal);
    await ended;
  };
  try {
    const [line] = await Promise.race([
      once(createInterface(dev.stdout), 'line', { signal: AbortSignal.timeout(START_AT_MOST_MS) }),
      ended.then(() => Promise.reject(new Error('everpost dev ended before it was ready.'))),
    ]);
    const { apiUrl } = /** @type {{ apiUrl: string }} */ (JSON.parse(String(line)));
    return { apiUrl, end };
  } catch (error) {
    await end('SIGTERM');
    throw error;
  }
}

/**
 * @template Answer
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<Answer>}
 */
export async function request(url, init) {
  const response = await fetch(url, init);
  const answer = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${answer}`);
  return JSON.parse(answer);
}

/**
 * @param {string} apiUrl
 * @param {string} key   of this message alone; asked for again it is the same message
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
