// Takes docs/images/trace-message.png: the trace of one message, from the request of its caller to an edit, in Zipkin.
//
//   OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 ZIPKIN_URL=http://127.0.0.1:9411 node scripts/trace-picture.js
//
// docs/traces.md shows how to start Zipkin and a collector before it. It starts `everpost dev` on a temporary folder, and
// prints every span. It needs Debian's package `chromium`.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { request, startProgram } from '../bench/dev.js';

const FILE = fileURLToPath(new URL('../docs/images/trace-message.png', import.meta.url));
const { OTEL_EXPORTER_OTLP_ENDPOINT: collector = '', ZIPKIN_URL: zipkin = '' } = process.env;
const NUMBER = '15551234567';
const TEXTS = ['Your table is booked for 7.', 'Your table is booked for 8.'];
const EVERY_MS = 250;
const TOO_LONG_MS = 60_000;
/** Of a trace with all that happens here. */
const SPANS = 14;

const caller = { traceId: hex(16), spanId: hex(8), beganAtMs: Date.now() };
const dataDir = await mkdtemp(path.join(tmpdir(), 'everpost-trace-'));
const dev = await startProgram(['dev', '--http-port', '0', '--data-dir', dataDir], {
  DATABASE_URL: '',
  EVERPOST_INSTANCES_FILE: '',
});
const { apiUrl = '', simulatorUrl = '' } = dev.facts;
try {
  await sendAndEdit();
  await exportCaller();
  const spans = await eventually(`${zipkin}/api/v2/trace/${caller.traceId}`, ({ length }) => length >= SPANS);
  check(spans);
  await picture();
} finally {
  await dev.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
}

/** The gateway refuses the first attempt, and its receipts take a moment. */
async function sendAndEdit() {
  // The first message of a process is slow.
  const { id: first } = await post(`${apiUrl}/v1/messages`, messageOf('First'));
  await eventually(`${apiUrl}/v1/messages/${first}`, ({ state }) => state === 'delivered');
  const fault = { method: 'sendMessage', kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 1 };
  await post(`${simulatorUrl}/_sim/faults`, fault);
  for (const ms of [300, 900]) {
    const receipt = { typeWebhook: 'outgoingMessageStatus', kind: 'delay', ms, times: 1 };
    await post(`${simulatorUrl}/_sim/notifications/faults`, receipt);
  }
  caller.beganAtMs = Date.now();
  const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
  const { id } = await post(`${apiUrl}/v1/messages`, messageOf(TEXTS[0]), { traceparent });
  await eventually(`${apiUrl}/v1/messages/${id}`, ({ state }) => state === 'delivered');
  await post(`${apiUrl}/v1/messages/${id}/edits?timeoutMs=20000`, { text: TEXTS[1] }, { traceparent });
}

/** @param {string | undefined} text */
function messageOf(text) {
  return { instance: 'main', to: NUMBER, content: { kind: 'text', text } };
}

/** The span of the program that calls everpost, which it exports itself. */
async function exportCaller() {
  const { beganAtMs, ...ids } = caller;
  const times = { startTimeUnixNano: `${beganAtMs}000000`, endTimeUnixNano: `${Date.now()}000000` };
  const spans = [{ ...ids, ...times, name: 'POST /orders', kind: 2 }];
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
  await post(`${collector}/v1/traces`, { resourceSpans: [{ resource, scopeSpans: [{ scope: {}, spans }] }] });
}

/** @param {any[]} spans */
function check(spans) {
  for (const { name, parentId, duration = 0, tags = {} } of spans) console.log(name, parentId, duration, tags);
  const all = JSON.stringify(spans);
  const found = [NUMBER, ...TEXTS].filter((words) => all.includes(words));
  if (found.length > 0) throw new Error(`The trace contains ${found.join(', ')}.`);
}

/** With the tags of the refused attempt. */
async function picture() {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' });
  try {
    const page = await browser.newPage({ viewport: { width: 1_200, height: 710 } });
    await page.goto(`${zipkin}/zipkin/traces/${caller.traceId}`);
    await page.getByText('send main').first().click({ force: true });
    await page.getByText('Annotation').locator('..').getByRole('button').click();
    await page.getByText('GATEWAY_BUSY').waitFor();
    await delay(1_000);
    await page.screenshot({ path: FILE });
  } finally {
    await browser.close();
  }
}

/** @param {number} bytes */
function hex(bytes) {
  return randomBytes(bytes).toString('hex');
}

/**
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
function post(url, body, headers = {}) {
  const all = { 'content-type': 'application/json', ...headers };
  return request(url, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

/**
 * @param {string} url
 * @param {(found: any) => boolean} isDone
 * @returns {Promise<any>}
 */
async function eventually(url, isDone) {
  const deadlineMs = Date.now() + TOO_LONG_MS;
  for (;;) {
    // Zipkin does not have the trace at first.
    const found = await request(url).catch(() => []);
    if (isDone(found)) return found;
    if (Date.now() > deadlineMs) throw new Error(`Too late: ${url} has ${JSON.stringify(found)}`);
    await delay(EVERY_MS);
  }
}
