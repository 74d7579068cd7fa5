import { expect, it, onTestFinished } from 'vitest';
import type { WorkerPart } from '../../src/contract/index.js';
import { createMetrics } from '../../src/metrics/index.js';
import { createWorkerServer, type WorkerServer } from '../../src/api/index.js';
import { aLedger } from '../support/ledger/ledger.js';
import { aDirectory, anInstance, ownApi, someKeys, SYSTEM_CLOCK, type ApiDependencies } from './api-parts.js';

const TO = '15550001111';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function linesOf(api: ApiDependencies, headers?: Record<string, string>): Promise<string[]> {
  const { status, body } = await api.call('GET', '/metrics', undefined, headers);
  expect(status).toBe(200);
  return String(body).split('\n');
}

it("GET /metrics shows the ledger's counts, and each request by its route's pattern", async () => {
  const parts = await ownApi();
  const content = { kind: 'text', text: 'hello' };
  const sent = await parts.call('POST', '/v1/messages', { instance: 'main', to: TO, content });
  await parts.call('GET', `/v1/messages/${sent.body.id}`);
  await parts.call('GET', `/v1/messages/msg_${'0'.repeat(32)}`);
  await parts.call('GET', `/nowhere/${TO}`);

  const lines = await linesOf(parts);
  for (const line of [
    'everpost_messages{everpost_instance="main",state="pending"} 1',
    'everpost_messages_entered_total{everpost_instance="main",state="pending"} 1',
    'everpost_run_starts_waiting 1',
    'everpost_api_requests_total{method="POST",route="/v1/messages",status="202"} 1',
    'everpost_api_requests_total{method="GET",route="/v1/messages/{id}",status="200"} 1',
    'everpost_api_requests_total{method="GET",route="/v1/messages/{id}",status="404"} 1',
    'everpost_api_requests_total{method="none",route="none",status="404"} 1',
    'everpost_api_request_duration_seconds_count{method="POST",route="/v1/messages"} 1',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.join('\n')).not.toContain(TO);
});

it('GET /metrics is served under any host name, since Prometheus asks a container by its address, but needs a key', async () => {
  const parts = await ownApi({ apiKeys: someKeys('env-key'), allowedHosts: ['api.example.com'] });
  const host = { host: '10.1.2.3:8080' };
  expect(await linesOf(parts, { ...host, ...bearer('env-key') })).toContain('everpost_ledger_up 1');
  expect(await parts.call('GET', '/metrics', undefined, host)).toMatchObject({ status: 401 });
});

it('GET /metrics is served while the ledger is unavailable, and shows that', async () => {
  const ledger = await aLedger();
  const parts = await ownApi({ ledger });
  await ledger.close();
  const lines = await linesOf(parts);
  expect(lines).toContain('everpost_ledger_up 0');
  expect(lines.some((line) => line.startsWith('process_cpu_seconds_total'))).toBe(true);
  expect(lines.some((line) => line.startsWith('everpost_messages{'))).toBe(false);
});

interface WorkerServerOptions {
  readonly keys?: readonly string[];
  readonly missing?: () => Promise<ReadonlyMap<WorkerPart, string> | undefined>;
}

/** A worker has no API. */
async function aWorkerServer({
  keys = [],
  missing = () => Promise.resolve(new Map()),
}: WorkerServerOptions = {}): Promise<WorkerServer> {
  const ledger = await aLedger();
  const instances = aDirectory(anInstance({ webhookTokens: [] }));
  const clock = SYSTEM_CLOCK;
  const taskQueues = () => Promise.resolve([]);
  const worker = { missing, ofSdk: () => Promise.resolve('temporal_num_pollers 4\n') };
  const metrics = createMetrics({ ledger, instances, clock, taskQueues, worker });
  const apiKeys = someKeys(...keys);
  const readiness = { missing };
  const server = createWorkerServer({ ledger, instances, metrics, readiness, clock, apiKeys, log: () => undefined });
  onTestFinished(async () => {
    await server.close();
    await ledger.close();
  });
  return server;
}

const ask = (server: WorkerServer, path: string, headers: Record<string, string> = {}) =>
  server.fetch(new Request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1', ...headers } }));

it("a worker's metrics have the process's counts, for the same keys, and no other route", async () => {
  const server = await aWorkerServer({ keys: ['env-key'] });
  const found = await ask(server, '/metrics', bearer('env-key'));
  expect(found.status).toBe(200);
  const text = await found.text();
  expect(text).toContain('# TYPE everpost_gateway_requests_total counter');
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain('everpost_ledger_up');
  expect(text).toContain('everpost_worker_ready{part="temporal"} 1');
  expect(text).toMatch(/\ntemporal_num_pollers 4\n$/);

  expect((await ask(server, '/metrics')).status).toBe(401);
  expect(await (await ask(server, '/v1/messages', bearer('env-key'))).json()).toMatchObject({
    status: 404,
    code: 'ROUTE_NOT_FOUND',
  });
});

it("a worker's metrics are served beyond loopback only with a key, and need no webhook token", async () => {
  const [open, guarded] = [await aWorkerServer(), await aWorkerServer({ keys: ['env-key'] })];
  const address = { host: '0.0.0.0', port: 0 };
  await expect(open.listen(address)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    problems: [{ path: 'EVERPOST_API_KEYS' }],
  });
  const { port } = await guarded.listen(address);
  const taken = { host: '127.0.0.1', port };
  await expect(guarded.listen({ ...address, port })).rejects.toThrow(/EVERPOST_METRICS_PORT/);
  expect((await fetch(`http://127.0.0.1:${taken.port}/metrics`)).status).toBe(401);
});

it('a worker answers its probes without a key, and readiness names everything that is missing (READY-1)', async () => {
  let missing: ReadonlyMap<WorkerPart, string> | undefined;
  const server = await aWorkerServer({ keys: ['env-key'], missing: () => Promise.resolve(missing) });
  const readyz = async () => {
    const found = await ask(server, '/readyz');
    return { status: found.status, body: await found.json() };
  };
  expect((await ask(server, '/livez')).status).toBe(200);
  expect(await readyz()).toMatchObject({
    status: 503,
    body: { code: 'WORKER_NOT_READY', errors: [{ path: 'worker', message: 'is starting' }] },
  });
  expect(await (await ask(server, '/metrics', bearer('env-key'))).text()).not.toContain('everpost_worker_ready{');

  missing = new Map([
    ['clock', 'its clock is 90 s ahead'],
    ['temporal', 'Temporal does not respond'],
  ]);
  expect(await readyz()).toMatchObject({
    status: 503,
    body: {
      code: 'WORKER_NOT_READY',
      errors: [
        { path: 'clock', message: 'its clock is 90 s ahead' },
        { path: 'temporal', message: 'Temporal does not respond' },
      ],
    },
  });
  const text = await (await ask(server, '/metrics', bearer('env-key'))).text();
  expect(text).toContain('everpost_worker_ready{part="clock"} 0');
  expect(text).toContain('everpost_worker_ready{part="ledger"} 1');

  missing = new Map();
  expect(await readyz()).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await ask(server, '/livez')).status).toBe(200);
});
