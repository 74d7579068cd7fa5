// Takes the picture of a trace in docs/traces.md:
//
//   npm run trace-picture -- zipkin.jar
//
// It starts `everpost dev` on a temporary folder and Zipkin, whose page shows the trace, and needs a Java runtime and
// Debian's package `chromium`. Zipkin does not read OTLP: this script receives the spans and passes them on in Zipkin's
// format, as https://opentelemetry.io/docs/specs/otel/trace/sdk_exporters/zipkin/ maps them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../bench/dev.js';
import { openBrowser } from './browser.js';

const PICTURE = fileURLToPath(new URL('../docs/images/trace.png', import.meta.url));
const ZIPKIN_PORT = 19_411;
const ZIPKIN = `http://127.0.0.1:${ZIPKIN_PORT}`;
const TOO_LONG_MS = 120_000;
const KINDS = ['', '', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

const [jar] = process.argv.slice(2);
if (jar === undefined) throw new Error('Name the file of Zipkin: npm run trace-picture -- zipkin.jar');
const zipkin = spawn('java', ['-jar', jar], {
  env: { ...process.env, QUERY_PORT: String(ZIPKIN_PORT) },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const bridge = createServer((incoming, response) => {
  void json(incoming)
    .then((otlp) => passOn(otlp))
    .then(() => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(bridge, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (bridge.address());
const dataDir = await mkdtemp(path.join(tmpdir(), 'everpost-trace-'));
const dev = await startProgram(['dev', '--http-port', '0', '--data-dir', dataDir], {
  DATABASE_URL: '',
  EVERPOST_INSTANCES_FILE: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
const browser = await openBrowser({});
try {
  await until('Zipkin listens', async () => (await fetch(`${ZIPKIN}/health`)).ok);
  const { id } = await send('The first message starts the dispatcher');
  await isDelivered(id);
  const { id: shown } = await send('Your table is booked for 8.');
  await isDelivered(shown);
  const traceId = await until('the trace is complete', () => traceOf(shown));
  const url = `${ZIPKIN}/zipkin/traces/${traceId}`;
  await writeFile(PICTURE, await browser.picture({ url, shows: 'receipt delivered', width: 1_440, height: 620 }));
} finally {
  await browser.close();
  await dev.end('SIGTERM');
  bridge.close();
  zipkin.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
}

/** @param {string} text */
async function send(text) {
  const body = { instance: 'main', to: '15551234567', content: { kind: 'text', text } };
  const response = await fetch(`${dev.facts['apiUrl']}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return /** @type {{ id: string }} */ (await response.json());
}

/** @param {string} id */
function isDelivered(id) {
  return until(`${id} is delivered`, async () => {
    const response = await fetch(`${dev.facts['apiUrl']}/v1/messages/${id}`);
    return /** @type {{ state: string }} */ (await response.json()).state === 'delivered';
  });
}

/** @param {string} messageId */
async function traceOf(messageId) {
  const query = new URLSearchParams({ annotationQuery: `messaging.message.id=${messageId}`, limit: '1' });
  const response = await fetch(`${ZIPKIN}/api/v2/traces?${query.toString()}`);
  const [spans = []] = /** @type {{ traceId: string, name: string }[][]} */ (await response.json());
  const names = spans.map(({ name }) => name);
  const isWhole = names.includes('receipt delivered') && names.includes('post /v1/messages');
  return isWhole ? spans[0]?.traceId : undefined;
}

/**
 * @template Found
 * @param {string} what
 * @param {() => Promise<Found>} find
 */
async function until(what, find) {
  const deadlineMs = Date.now() + TOO_LONG_MS;
  for (;;) {
    const found = await find().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadlineMs) throw new Error(`It did not happen in time that ${what}.`);
    await delay(200);
  }
}

/** @param {any} otlp */
async function passOn({ resourceSpans }) {
  const spans = resourceSpans.flatMap((/** @type {any} */ { resource, scopeSpans }) =>
    scopeSpans.flatMap((/** @type {any} */ scope) =>
      scope.spans.map((/** @type {any} */ span) => zipkinSpan(span, tagsOf(resource.attributes)['service.name'])),
    ),
  );
  await fetch(`${ZIPKIN}/api/v2/spans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(spans),
  });
}

/** @param {any} span @param {string | undefined} serviceName */
function zipkinSpan(span, serviceName) {
  const timestamp = Math.round(Number(span.startTimeUnixNano) / 1_000);
  return {
    traceId: span.traceId,
    id: span.spanId,
    ...(span.parentSpanId && { parentId: span.parentSpanId }),
    name: span.name,
    ...(KINDS[span.kind] && { kind: KINDS[span.kind] }),
    timestamp,
    duration: Math.max(1, Math.round(Number(span.endTimeUnixNano) / 1_000) - timestamp),
    localEndpoint: { serviceName },
    tags: tagsOf(span.attributes),
  };
}

/** @param {readonly { key: string, value: Record<string, unknown> }[]} attributes @returns {Record<string, string>} */
function tagsOf(attributes) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
