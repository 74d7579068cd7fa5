// Runs a peer for a measurement: bench/peers/<script>.js in two processes, see bench/peers/role.js.
import { execFile } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { startNode } from './processes.js';

const DIR = fileURLToPath(new URL('./peers/', import.meta.url));

const AS_PEER = { ready: /** @type {const} */ ('message'), env: { NODE_ENV: 'production' } };

/** Installs the peers' packages if they are missing. */
async function installPeers() {
  const isInstalled = await access(join(DIR, 'node_modules', 'bullmq')).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  console.error('Installing the peers (npm install --no-save --prefix bench/peers).');
  // `npm ci` refuses a lock file that was written where a package for another platform was unavailable.
  await promisify(execFile)('npm', ['install', '--no-save', '--prefix', DIR, '--no-audit', '--no-fund']);
}

/** @type {import('./systems.js').System['start']} */
export async function startLoop({ gatewayUrl, messages }) {
  /** @type {import('./processes.js').NodeProcess | undefined} */
  let worker;
  let open = messages;
  return {
    startWorker: async () => {
      const isRestart = worker !== undefined;
      worker = await startNode([join(DIR, 'loop.js'), 'worker', JSON.stringify({ gatewayUrl, messages })], AS_PEER);
      void worker.message(({ finished }) => finished).then(() => (open = 0));
      if (isRestart) worker.send('begin');
      return worker;
    },
    others: [],
    handOver: async () => worker?.send('begin'),
    open: async () => open,
    owned: async () => ({ waiting: [], unresolved: [] }),
  };
}

/**
 * @param {string} script
 * @param {string} [variant]
 * @param {{ instances?: number, delayMs?: number }} [pace]
 * @returns {import('./systems.js').System['start']}
 */
export function peer(script, variant = '', pace = {}) {
  return async ({ dir, gatewayUrl, messages, servers }) => {
    await installPeers();
    const options = {
      gatewayUrl,
      messages,
      variant,
      ...pace,
      databaseUrl: servers.postgres?.url,
      redisPort: servers.redis?.port,
      temporalAddress: servers.temporal?.address,
      ...(script === 'temporal' ? { bundlePath: await bundle(dir) } : {}),
    };
    /** @param {'client' | 'worker'} role */
    const start = (role) => {
      const file = join(DIR, `${script}.js`);
      return startNode([file, role, JSON.stringify(options)], AS_PEER);
    };
    const client = await start('client');
    let calls = 0;
    /** @param {string} command */
    const call = async (command) => {
      const id = ++calls;
      const response = client.message((message) => message.id === id);
      client.send({ id, command });
      const { result, error } = await response;
      if (error !== undefined) throw new Error(`${script}: ${error}`);
      return result;
    };
    return {
      startWorker: () => start('worker'),
      others: [client],
      handOver: () => call('handOver'),
      open: () => call('open'),
      owned: async () => ({ waiting: await call('waiting'), unresolved: [] }),
    };
  };
}

/**
 * Bundles the workflows before the worker starts, as everpost's build does for its own workflows.
 * @param {string} dir
 */
async function bundle(dir) {
  const logger = new DefaultLogger('ERROR');
  const { code } = await bundleWorkflowCode({ workflowsPath: join(DIR, 'temporal-workflows.js'), logger });
  const path = join(dir, 'workflow-bundle.js');
  await writeFile(path, code);
  return path;
}
