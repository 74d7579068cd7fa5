/**
 * All of everpost in this process, on a ledger that was opened before: API, webhook receiver and a worker with its
 * background jobs, on Temporal's server, in front of the simulator.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { assembleDependencies, startApiService, startWorkerService } from '../../src/compose/services.js';
import { Teardown } from '../../src/compose/teardown.js';
import { localTemporal } from '../../src/compose/temporal-place.js';
import { prepareTemporal } from '../../src/compose/temporal.js';
import { loadConfig } from '../../src/config/index.js';
import { MESSAGE_WAIT_FOR_UPDATE, TASK_QUEUE, WORKFLOW, type Log } from '../../src/contract/index.js';
import { NEEDED_FLAGS } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { createTracing } from '../../src/tracing/spans.js';
import { startSimulator } from '../../src/simulator/index.js';
import { controlGateway, type GatewayControl } from '../../src/testing/index.js';
import { choosePorts, findTemporalCli, startDevServer } from '../../src/tools/local-temporal/index.js';
import { binaryOptions } from '../support/temporal/temporal-programs.js';
import { INSTANCES, MAIN } from './world.js';

export const KEY = 'a-key-for-operators-of-this-world';
export const WEBHOOK_TOKEN = 'the-webhook-token-of-this-world';
export const ID_OF_MAIN = 1101000001;
const BUNDLE = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each caller knows what it asked for
  readonly body: any;
}

export interface Everything {
  /** Of the API. */
  readonly url: string;
  readonly ledger: Ledger;
  readonly simulator: GatewayControl;
  /** @param key  of the API. @default one with every scope */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    key?: string,
  ): Promise<Answer>;
  /** As an SDK does. */
  sendByWorkflow(message: object): Promise<void>;
  close(): Promise<void>;
}

export async function startEverything(ledger: Ledger, log: Log, { withWorker = true } = {}): Promise<Everything> {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-statements-'));
  const teardown = new Teardown(log);
  teardown.add('directory', () => rm(dir, { recursive: true, force: true }));
  const [port = 0] = await choosePorts('127.0.0.1', [0]);
  const simulator = await startSimulator({
    idInstance: String(ID_OF_MAIN),
    rateLimits: false,
    settings: {
      ...Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes'])),
      webhookUrl: `http://127.0.0.1:${port}/webhooks/${MAIN}`,
      webhookUrlToken: WEBHOOK_TOKEN,
    },
  });
  teardown.add('simulator', () => simulator.close());
  const { path: cliPath } = await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'));
  const server = await startDevServer({ cliPath, port: 0, namespace: 'default', dir, inMemory: true });
  teardown.add('Temporal', () => server.stop());
  const temporal = localTemporal(server.address, { namespace: 'default' });
  await prepareTemporal(temporal);

  const config = loadConfig(
    {
      EVERPOST_INSTANCES_FILE: await writeInstances(dir, simulator.url),
      EVERPOST_DATA_DIR: dir,
      EVERPOST_SOURCES_DIR: dir,
      EVERPOST_API_KEYS: `ops:${KEY}`,
      EVERPOST_ALLOW_PRIVATE_TARGETS: 'yes',
      EVERPOST_SETTLE_TIME: '1s',
      EVERPOST_EDIT_CONFIRM_TIMEOUT: '2s',
      EVERPOST_TEMPLATE_POLL_INTERVALS: '1s',
      EVERPOST_MESSAGE_RETENTION: '89d',
    },
    { cwd: dir },
  );
  const instances = config.instances!.open(log);
  // Its spans go nowhere; the statements that look up the contexts of messages are measured.
  const tracer = new BasicTracerProvider().getTracer('statements');
  const tracing = createTracing({ tracer, shareOfRecipients: 1 });
  const dependencies = assembleDependencies({ config, log, ledger, instances, temporal, tracing, teardown });
  const services = { ...dependencies, bundlePath: BUNDLE };
  const { url } = await startApiService(services, { host: '127.0.0.1', port });
  if (withWorker) await startWorkerService(services, { graceMs: 1_000 });

  return {
    url,
    ledger,
    simulator: controlGateway(simulator.url, String(ID_OF_MAIN)),
    async request(method, path, body, headers = {}, key = KEY) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...type, ...headers, authorization: `Bearer ${key}` },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '');
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    },
    async sendByWorkflow(message) {
      const options = { taskQueue: TASK_QUEUE, workflowId: 'played', args: [{ ...message, key: 'played' }] };
      const workflow = await dependencies.client.workflow.start(WORKFLOW.message, options);
      await workflow.executeUpdate(MESSAGE_WAIT_FOR_UPDATE, { args: [{ state: 'delivered', timeoutMs: 2_000 }] });
    },
    close: async () => void (await teardown.run()),
  };
}

async function writeInstances(dir: string, baseUrl: string): Promise<string> {
  const entries = INSTANCES.map((name, at) => [
    name,
    {
      baseUrl,
      mediaUrl: baseUrl,
      idInstance: ID_OF_MAIN + at,
      apiTokenInstance: 'simulator-token',
      webhookToken: WEBHOOK_TOKEN,
      ...(name === 'i-1' ? { notifications: 'poll' } : {}),
    },
  ]);
  const file = join(dir, 'instances.json');
  await writeFile(file, JSON.stringify(Object.fromEntries(entries)));
  return file;
}
