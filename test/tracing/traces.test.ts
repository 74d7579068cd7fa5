/** `everpost dev` as a real process that exports its traces by OTLP: whole, killed, with a dead collector, and off. */
import { rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { controlGateway } from '../../src/testing/index.js';
import { isAlive, startDev, type DevProcess } from '../cli/run/dev-process.js';
import { eventually } from '../support/eventually.js';
import { aDataDir } from '../support/ledger/embedded-database.js';
import { PrivateScan } from '../support/private-scan.js';
import { startCollector, startSlowCollector, type CollectedSpan, type Collector } from './collector.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.trace}-${CALLER.span}-01`;
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const PRODUCER = 4;
const CONSUMER = 5;

let dataDir: string;
let collector: Collector;
let dev: DevProcess;

const tracesTo = ({ url }: { readonly url: string }) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '20',
  OTEL_SERVICE_NAME: 'posts',
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  EVERPOST_SETTLE_TIME: '1s',
});

beforeAll(async () => {
  dataDir = await aDataDir();
  collector = await startCollector();
  dev = await startDev(dataDir, tracesTo(collector));
});

afterAll(async () => {
  if (isAlive(dev.pid)) await dev.end('SIGTERM');
  await collector.close();
  rmSync(dataDir, { recursive: true });
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into it as they please
async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
  const response = await fetch(`${dev.facts.apiUrl}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : JSON_TYPE), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return response.json();
}

function send(to: string, text: string, headers: Record<string, string> = {}) {
  return call('POST', '/v1/messages', { instance: 'main', to, content: { kind: 'text', text } }, headers);
}

async function untilState(id: string, state: string): Promise<void> {
  await eventually(async () => expect(await call('GET', `/v1/messages/${id}`)).toMatchObject({ state }));
}

const spansOf = (id: string): CollectedSpan[] => {
  const own = collector.spans.filter(({ attributes }) => attributes['messaging.message.id'] === id);
  const traces = new Set(own.map(({ traceId }) => traceId));
  return collector.spans.filter(({ traceId }) => traces.has(traceId));
};

it('a message is one trace, from the request of its caller to its receipts (TRACE-2, TRACE-3)', async () => {
  const { id } = await send('15551110001', 'Hello', { traceparent: TRACEPARENT });
  await untilState(id, 'delivered');
  const spans = await eventually(() => {
    const found = spansOf(id);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST sendMessage', 'receipt sent', 'receipt delivered', 'send main']),
    );
    return found;
  });
  const named = (name: string) => spans.find((span) => span.name === name)!;
  const request = named('POST /v1/messages');
  const attempt = named('send main');
  expect(request).toMatchObject({ traceId: CALLER.trace, parent: CALLER.span, kind: SERVER });
  expect(request.service).toMatchObject({ 'service.name': 'posts' });
  expect(attempt).toMatchObject({ parent: request.spanId, kind: PRODUCER, hasFailed: false });
  expect(attempt.attributes).toMatchObject({ 'everpost.outcome': 'accepted', 'everpost.attempt': 1 });
  expect(named('claim')).toMatchObject({ parent: attempt.spanId, kind: INTERNAL });
  expect(named('POST sendMessage')).toMatchObject({ parent: attempt.spanId, kind: CLIENT });
  expect(named('POST sendMessage').attributes).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
  for (const status of ['sent', 'delivered']) {
    const receipts = spans.filter(({ name }) => name === `receipt ${status}`);
    expect(receipts).toMatchObject([{ parent: request.spanId, kind: CONSUMER, traceId: CALLER.trace }]);
  }
});

it('an edit is in the trace of its message, with the notification that confirms it (TRACE-2)', async () => {
  // The receipts come before the response, and wait for it.
  const gateway = controlGateway(dev.facts.simulatorUrl ?? '');
  await gateway.addFault({ method: 'sendMessage', kind: 'late-answer', ms: 500, times: 1 });
  const { id } = await send('15551110004', 'Nine');
  await untilState(id, 'delivered');
  await call('POST', `/v1/messages/${id}/edits?timeoutMs=20000`, { text: 'Ten' });
  const next = await send('15551110005', 'Next');
  await untilState(next.id, 'delivered');
  await eventually(() => expect(spansOf(next.id).map(({ name }) => name)).toContain('receipt delivered'));
  const spans = await eventually(() => {
    const found = spansOf(id);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['edit main', 'POST editMessage', 'receipt edited']),
    );
    return found;
  });
  const named = (name: string) => spans.find((span) => span.name === name)!;
  const request = named('POST /v1/messages');
  const edit = named('edit main');
  expect(edit).toMatchObject({ parent: request.spanId, kind: PRODUCER, hasFailed: false });
  expect(edit.attributes).toMatchObject({ 'everpost.outcome': 'accepted', 'messaging.operation.type': 'send' });
  expect(named('POST editMessage')).toMatchObject({ parent: edit.spanId, kind: CLIENT });
  expect(named('receipt edited')).toMatchObject({ parent: request.spanId, kind: CONSUMER, hasFailed: false });
  // The outcome of the edit does not repeat the receipts that had waited for that of the message.
  const receipts = spans.filter(({ kind }) => kind === CONSUMER).map(({ name }) => name);
  expect(receipts.toSorted()).toEqual(['receipt delivered', 'receipt edited', 'receipt sent']);
});

it('no number, text, name, token or URL is in any export (TRACE-1)', async () => {
  const planted = {
    number: '15550104477',
    name: 'Quillamina',
    text: 'velvet otter',
    edit: 'velvet heron',
    echo: 'copper heron',
    reference: 'reference-of-a-lynx',
    key: 'key-of-a-badger',
    token: 'simulator-token',
    state: 'amber-walrus',
    path: 'waInstance',
  };
  const scan = new PrivateScan(planted);
  const headers = { traceparent: TRACEPARENT.replace('0af', '1af'), tracestate: `vendor=${planted.state}` };
  const body = {
    instance: 'main',
    to: planted.number,
    content: { kind: 'text', text: planted.text },
    reference: planted.reference,
  };
  const { id } = await call('POST', '/v1/messages', body, { ...headers, 'Idempotency-Key': planted.key });
  await untilState(id, 'delivered');

  await call('POST', `/v1/messages/${id}/edits?timeoutMs=20000`, { text: planted.edit });

  const gateway = controlGateway(dev.facts.simulatorUrl ?? '');
  await gateway.addFault({
    method: 'sendMessage',
    kind: 'status',
    status: 400,
    body: { message: planted.echo },
    times: 1,
  });
  const rejected = await send(planted.number, `${planted.text} again`);
  await untilState(rejected.id, 'rejected');
  await call('GET', `/v1/messages?to=${planted.number}`);
  await call('POST', `/v1/suppressions`, { to: planted.number });
  await call('GET', `/v1/${planted.name}`);
  await call('POST', '/v1/messages', { instance: 'main', to: planted.name, content: { kind: 'text', text: '' } });

  const campaign = `c-${randomUUID().slice(0, 8)}`;
  const content = { kind: 'text', text: `{{name}}: ${planted.text}` };
  await call('POST', '/v1/campaigns', { id: campaign, instance: 'main', content });
  const recipients = `phone,name\n15550104478,${planted.name}\n`;
  await call('PUT', `/v1/campaigns/${campaign}/recipients`, recipients, { 'content-type': 'text/csv' });
  await call('POST', `/v1/campaigns/${campaign}/start`);
  const seen = (name: string, key: string, value: string) =>
    collector.spans.some((span) => span.name === name && span.attributes[key] === value);
  await eventually(() => {
    expect(seen('create main', 'everpost.campaign.id', campaign)).toBe(true);
    expect(seen('receipt delivered', 'messaging.message.id', id)).toBe(true);
    expect(seen('receipt edited', 'messaging.message.id', id)).toBe(true);
    expect(seen('send main', 'error.type', 'GATEWAY_REJECTED')).toBe(true);
  });
  // A recipient of a campaign has a trace of its own.
  expect(collector.spans.find(({ name }) => name === 'create main')).not.toHaveProperty('parent');
  await eventually(() =>
    expect(collector.spans.some(({ attributes: all }) => all['http.route'] === 'none')).toBe(true),
  );
  for (const exported of collector.bodies) scan.look('an export', exported);
  expect(scan.read).toBeGreaterThan(1_000);
  expect(scan.found).toEqual([]);
});

it('a trace continues after a kill during the POST, in the next process (TRACE-2)', async () => {
  const gateway = controlGateway(dev.facts.simulatorUrl ?? '');
  // The gateway accepts the message, and its response never comes.
  await gateway.addFault({ method: 'sendMessage', kind: 'lose-answer', ms: 60_000, accepted: true, times: 1 });
  const { id } = await send('15551110002', 'Killed meanwhile');
  await eventually(async () => {
    expect(await gateway.delivered('15551110002@c.us')).toHaveLength(1);
    expect(collector.spans.filter(({ name }) => name === 'POST /v1/messages').length).toBeGreaterThan(2);
  });
  await dev.end('SIGKILL');
  dev = await startDev(dataDir, tracesTo(collector));
  await untilState(id, 'delivered');
  const spans = await eventually(() => {
    const found = spansOf(id);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /v1/messages', 'reconcile main', 'receipt sent', 'receipt delivered']),
    );
    return found;
  });
  const request = spans.find(({ name }) => name === 'POST /v1/messages')!;
  const later = spans.filter(({ name }) => /^(?:reconcile|receipt)/.test(name));
  expect(later.map(({ parent }) => parent)).toEqual(later.map(() => request.spanId));
  // The process that posted died before it could export its span, which has no children elsewhere.
  expect(spans.map(({ name }) => name)).not.toContain('send main');
});

it('a collector that never responds delays no message', async () => {
  const slow = await startSlowCollector();
  const other = await aDataDir();
  const beside = await startDev(other, {
    ...tracesTo(slow),
    OTEL_BSP_MAX_QUEUE_SIZE: '4',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
  });
  onTestFinished(async () => {
    if (isAlive(beside.pid)) await beside.end('SIGKILL');
    await slow.close();
    rmSync(other, { recursive: true });
  });
  const ids = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const response = await fetch(`${beside.facts.apiUrl}/v1/messages`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ instance: 'main', to: `1555222000${at}`, content: { kind: 'text', text: `No. ${at}` } }),
      });
      return ((await response.json()) as { id: string }).id;
    }),
  );
  for (const id of ids) {
    await eventually(async () => {
      const response = await fetch(`${beside.facts.apiUrl}/v1/messages/${id}`);
      expect(await response.json()).toMatchObject({ state: 'delivered' });
    });
  }
  expect(slow.asked()).toBeGreaterThan(0);
});

it('without a collector nothing is exported, and the same messages continue', async () => {
  await dev.end('SIGTERM');
  dev = await startDev(dataDir, { OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  const before = collector.spans.length;
  const { id } = await send('15551110003', 'Not traced', { traceparent: TRACEPARENT });
  await untilState(id, 'delivered');
  expect(collector.spans).toHaveLength(before);
});
