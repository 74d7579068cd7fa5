// Loaded by --import into each process of a soak: measures the process from inside, and leaks on request, which shows
// that the soak notices a leak.
import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const LEAKED_BYTES = 1_024;
/** One message in this many leaves a connection open. */
const LEAKED_CONNECTION_EVERY = 20;

const leak = process.env['SOAK_LEAK'] ?? '';
/** @type {unknown[]} */
const leaked = [];
const lag = monitorEventLoopDelay();
lag.enable();
/** Requests that this process has made to send a message, or has served. */
let work = 0;

function worked() {
  work += 1;
  if (leak === 'memory') leaked.push(Array.from({ length: LEAKED_BYTES / 8 }, (_, at) => at + 0.5));
  if (leak === 'connection' && work % LEAKED_CONNECTION_EVERY === 0) leaked.push(openConnection());
}

function openConnection() {
  const { hostname, port } = new URL(process.env['DATABASE_URL'] ?? '');
  return connect(Number(port), hostname).on('error', () => undefined);
}

subscribe('undici:request:create', (/** @type {any} */ { request }) => {
  if (String(request.path).includes('/sendMessage/')) worked();
});
subscribe('http.server.request.start', worked);

process.on('message', (asked) => {
  if (asked !== 'measure') return;
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const lagMs = lag.max / 1e6;
  lag.reset();
  process.send?.({ work, heapBytes: heapUsed + external, resources: resources.length, lagMs });
});
process.on('disconnect', () => process.exit(1));
// The channel to the soak must not keep a process alive that has ended its work.
process.channel?.unref();
