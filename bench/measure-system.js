// Measures one system: its speed and cost, or the effect of a SIGKILL in the middle of a run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { peakMb, startNode, treeCpuSeconds } from './processes.js';
import { startDatabase, startRedis, startTemporal } from './servers.js';

const GATEWAY = fileURLToPath(new URL('./gateway-stub.js', import.meta.url));
const POLL_EVERY_MS = 250;
/** By the end of this time, the gateway has received all that a killed process wrote to its sockets. */
const LAST_BYTES_MS = 50;
/** Counts statements, and gives the first change of a page after a checkpoint the same weight as others. */
const COUNTED = ['shared_preload_libraries=pg_stat_statements', 'full_page_writes=off'];
/** Groups of processes whose processor time is printed. */
export const GROUPS = /** @type {const} */ (['ours', 'database', 'Temporal', 'Redis']);

/**
 * @typedef {import('./systems.js').System} System
 * @typedef {import('./systems.js').Running} Running
 * @typedef {import('./systems.js').Servers} Servers
 * @typedef {import('./processes.js').NodeProcess} NodeProcess
 * @typedef {typeof GROUPS[number]} Group
 * @typedef {{ posts: number, distinct: number, firstMs?: number, lastMs?: number, firstAfterMs?: number,
 *   numbers: number[] }} GatewayLog
 *
 * @typedef {object} Speed
 * @property {number} sent       messages; fewer than all if the time limit ended the run
 * @property {number} rate       messages a second, from the start of the hand-over to the last POST
 * @property {number} sendRate   messages a second, from the first POST to the last
 * @property {Partial<Record<Group, number>>} cpuMs  a message
 * @property {number} peakMb     of the system's own processes together
 * @property {number} heapMb     of the worker, after a garbage collection
 *
 * @typedef {object} Killed
 * @property {number} messages
 * @property {number} lost         neither sent nor stored by the system at the end
 * @property {number} twice        POSTs beyond the first of a message
 * @property {number} unresolved   left to an operator
 * @property {number} waiting      not finished when watching ended
 * @property {number} [resumedSeconds]   from the kill to the next POST
 * @property {number} [finishedSeconds]  from the kill until no message waits
 */

/**
 * @param {System} system
 * @param {{ messages: number, limitSeconds: number }} options
 * @returns {Promise<Speed>}
 */
export async function measureSpeed(system, { messages, limitSeconds }) {
  return onStand(system, messages, async ({ running, gateway, servers, startWorker }) => {
    const worker = await startWorker();
    const own = [worker, ...running.others];
    const before = await cpuByGroup(own, servers);
    const startedMs = nowMs();
    const untilMs = startedMs + limitSeconds * 1_000;
    const handedOver = running.handOver();
    await firstOf([handedOver.then(() => gateway.reaches(messages))], limitSeconds * 1_000);
    const { distinct: sent, firstMs = Number.NaN, lastMs = Number.NaN } = await gateway.log();
    // Posted is not finished: the system still records its last outcomes.
    if (sent === messages) {
      while (nowMs() < untilMs && (await running.open()) > 0) await delay(POLL_EVERY_MS);
    }
    const after = await cpuByGroup(own, servers);
    const peaks = await Promise.all(own.map(({ pid }) => peakMb(pid)));
    // If the time limit ended the run, callers are still active and fail with the processes.
    handedOver.catch(() => {});
    return {
      sent,
      rate: (1_000 * sent) / (lastMs - startedMs),
      sendRate: (1_000 * sent) / (lastMs - firstMs),
      cpuMs: Object.fromEntries(after.map(([group, seconds], at) => [group, cpuMs(seconds, before[at]?.[1], sent)])),
      peakMb: peaks.reduce((sum, mb) => sum + mb, 0),
      heapMb: await worker.heapMb(),
    };
  });
}

/**
 * Kills the worker after half of the messages were posted, and restarts it immediately.
 * @param {System} system
 * @param {{ messages: number, limitSeconds: number, watchSeconds: number }} options
 * @returns {Promise<Killed>}
 */
export async function measureKill(system, { messages, limitSeconds, watchSeconds }) {
  return onStand(system, messages, async ({ running, gateway, startWorker }) => {
    const worker = await startWorker();
    const half = gateway.reaches(messages / 2);
    const handedOver = running.handOver();
    await firstOf([half, handedOver.then(() => half)], limitSeconds * 1_000);
    const killedMs = nowMs();
    await worker.end('SIGKILL');
    await delay(LAST_BYTES_MS);
    const quietMs = nowMs();
    await startWorker();
    let log = await gateway.log(quietMs);
    // A slow system may still send messages of the hand-over long after the kill.
    const isWatched = () => {
      const lastMs = Math.max(killedMs, log.lastMs ?? 0);
      return nowMs() < Math.min(killedMs + limitSeconds * 1_000, lastMs + watchSeconds * 1_000);
    };
    /** @type {{ how: 'under way' | 'done' | Error }} */
    const handOver = { how: 'under way' };
    handedOver.then(
      () => (handOver.how = 'done'),
      (error) => (handOver.how = error),
    );
    let isFinished = false;
    while (!isFinished && isWatched()) {
      await delay(POLL_EVERY_MS);
      log = await gateway.log(quietMs);
      // A message that is neither posted nor known to the system may still appear, so it counts as lost only at the
      // end.
      isFinished =
        handOver.how === 'done' &&
        (await running.open()) === 0 &&
        (await isAccountedFor(running, log.numbers, messages));
    }
    if (handOver.how !== 'done') throw new Error(`Not all messages were handed over: ${handOver.how}`);
    const finishedSeconds = (nowMs() - killedMs) / 1_000;
    const { waiting, unresolved } = await running.owned();
    log = await gateway.log(quietMs);
    const listed = new Set([...log.numbers, ...waiting, ...unresolved]);
    const missing = Array.from({ length: messages }, (_, number) => number).filter((number) => !listed.has(number));
    const known = (await running.known?.(missing)) ?? [];
    return {
      messages,
      lost: missing.length - known.length,
      twice: log.posts - log.distinct,
      unresolved: unresolved.length,
      waiting: waiting.length + known.length,
      ...(log.firstAfterMs === undefined ? {} : { resumedSeconds: (log.firstAfterMs - killedMs) / 1_000 }),
      ...(isFinished ? { finishedSeconds } : {}),
    };
  });
}

/**
 * @param {Running} running
 * @param {readonly number[]} posted
 * @param {number} messages
 */
async function isAccountedFor(running, posted, messages) {
  if (posted.length === messages) return true;
  const { unresolved } = await running.owned();
  return new Set([...posted, ...unresolved]).size === messages;
}

/**
 * @typedef {object} Stand
 * @property {Running} running
 * @property {Servers} servers
 * @property {Awaited<ReturnType<typeof startGateway>>} gateway
 * @property {() => Promise<NodeProcess>} startWorker
 */

/**
 * Starts new servers, a new gateway and a new system.
 * @template Result
 * @param {Pick<System, 'needs' | 'start'>} system
 * @param {number} messages
 * @param {(stand: Stand) => Promise<Result>} measure
 * @param {number} [delayMs]  between two messages that leave the gateway's queue of an instance; 0: no queue
 * @param {object} [slow]     how long responses to sends take, in the format of the gateway stub. Default: no time
 * @returns {Promise<Result>}
 */
export async function onStand(system, messages, measure, delayMs = 0, slow = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  /** @type {(() => Promise<void>)[]} */
  const closing = [() => rm(dir, { recursive: true, force: true })];
  try {
    const servers = await startServers(system.needs, dir, closing);
    const gateway = await startGateway(delayMs, slow);
    closing.push(gateway.close);
    const running = await system.start({ dir, gatewayUrl: gateway.url, messages, servers });
    closing.push(...running.others.map((other) => () => other.end('SIGKILL')));
    const startWorker = async () => {
      const worker = await running.startWorker();
      closing.push(() => worker.end('SIGKILL'));
      return worker;
    };
    return await measure({ running, servers, gateway, startWorker });
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/**
 * @param {System['needs']} needs
 * @param {string} dir
 * @param {(() => Promise<void>)[]} closing  receives a function that ends each server
 * @returns {Promise<Servers>}
 */
async function startServers(needs, dir, closing) {
  /** @type {Servers} */
  const servers = {};
  for (const need of needs) {
    switch (need) {
      case 'redis':
      case 'redis-always':
        servers.redis = await startRedis(join(dir, 'redis'), need === 'redis' ? 'everysec' : 'always');
        closing.push(servers.redis.close);
        break;
      case 'postgres':
      case 'postgres-counted':
        servers.postgres = await startDatabase(need === 'postgres' ? {} : { settings: COUNTED });
        closing.push(servers.postgres.close);
        break;
      case 'temporal':
        servers.temporal = await startTemporal(join(dir, 'temporal'));
        closing.push(servers.temporal.close);
        break;
    }
  }
  return servers;
}

/**
 * @param {number} delayMs
 * @param {object} slow
 */
async function startGateway(delayMs, slow) {
  const gateway = await startNode([GATEWAY, String(delayMs), JSON.stringify(slow)], { ready: 'message' });
  const url = `http://127.0.0.1:${gateway.facts.port}`;
  return {
    url,
    close: () => gateway.end('SIGKILL'),
    /**
     * Resolves once this many messages were received.
     * @param {number} count
     */
    reaches: async (count) => {
      const reached = gateway.message((message) => message.reached === count);
      gateway.send({ notifyAt: count });
      await reached;
    },
    /**
     * @param {number} [afterMs]  adds the messages to the log, and the first POST after this time
     * @returns {Promise<GatewayLog>}
     */
    log: async (afterMs = 0) => {
      const response = await fetch(`${url}/log?afterMs=${afterMs}`);
      return /** @type {Promise<GatewayLog>} */ (response.json());
    },
    /**
     * Counts the messages that left the queues in an interval of the gateway's clock.
     * @param {number} fromMs
     * @param {number} toMs
     * @param {string} [idInstance]  else of all
     * @returns {Promise<{ count: number, nowMs: number }>}
     */
    released: async (fromMs, toMs, idInstance = '') => {
      const response = await fetch(`${url}/released?fromMs=${fromMs}&toMs=${toMs}&instance=${idInstance}`);
      return /** @type {Promise<{ count: number, nowMs: number }>} */ (response.json());
    },
    /**
     * @param {number} afterMs
     * @returns {Promise<number[]>} when each instance received its first message after this time
     */
    firsts: async (afterMs) => {
      const response = await fetch(`${url}/firsts?afterMs=${afterMs}`);
      return /** @type {Promise<number[]>} */ (response.json());
    },
  };
}

/**
 * Measures the processor time of each part of a system during `work`, as columns of a table: shares of one core.
 * @param {NodeProcess} worker
 * @param {Pick<Stand, 'running' | 'servers'>} stand
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Record<string, string>>}
 */
export async function cpuShares(worker, { running, servers }, work) {
  const parts = {
    'CPU worker': worker.pid,
    'CPU API': running.others[0]?.pid,
    'CPU PostgreSQL': servers.postgres?.pid,
    'CPU Temporal': servers.temporal?.pid,
    'CPU Redis': servers.redis?.pid,
  };
  const spent = () => Promise.all(Object.values(parts).map((pid = 0) => treeCpuSeconds(pid)));
  const begunMs = performance.now();
  const before = await spent();
  await work();
  const after = await spent();
  const seconds = (performance.now() - begunMs) / 1_000;
  const share = (/** @type {number} */ at) => (100 * ((after[at] ?? 0) - (before[at] ?? 0))) / seconds;
  const shares = Object.keys(parts).map((part, at) => [part, `${share(at).toFixed(2)} %`]);
  return { ...Object.fromEntries(shares), CPU: `${shares.reduce((sum, _, at) => sum + share(at), 0).toFixed(1)} %` };
}

/**
 * @param {readonly NodeProcess[]} own
 * @param {Servers} servers
 * @returns {Promise<[Group, number | undefined][]>}
 */
async function cpuByGroup(own, { postgres, temporal, redis }) {
  const ours = await Promise.all(own.map(({ pid }) => treeCpuSeconds(pid)));
  return [
    ['ours', ours.reduce((sum, seconds) => sum + seconds, 0)],
    ['database', postgres && (await treeCpuSeconds(postgres.pid))],
    ['Temporal', temporal && (await treeCpuSeconds(temporal.pid))],
    ['Redis', redis && (await treeCpuSeconds(redis.pid))],
  ];
}

/**
 * @param {number | undefined} after
 * @param {number | undefined} before
 * @param {number} messages
 */
function cpuMs(after, before, messages) {
  return after === undefined || before === undefined ? undefined : (1_000 * (after - before)) / messages;
}

/**
 * @param {readonly Promise<unknown>[]} work
 * @param {number} limitMs  resolves after this time at the latest
 */
async function firstOf(work, limitMs) {
  const ended = new AbortController();
  const limit = delay(limitMs, undefined, { signal: ended.signal }).catch(() => {});
  try {
    await Promise.race([...work, limit]);
  } finally {
    ended.abort();
  }
}

/** The time of the clock that this process shares with the gateway. */
function nowMs() {
  return performance.timeOrigin + performance.now();
}
