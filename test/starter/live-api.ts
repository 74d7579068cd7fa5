/** The API over HTTP with all that stands behind it: receiver, ledger, a worker on Temporal's server, the simulator. */
import type { Worker } from '@temporalio/worker';
import { vi } from 'vitest';
import { createActivities } from '../../src/activities/index.js';
import { Secret, type Clock, type InstanceDirectory } from '../../src/contract/index.js';
import { createGateway, operationContracts } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { createApi, createChangeBell, createNotifier } from '../../src/starter/index.js';
import { createReceiver } from '../../src/webhooks/index.js';
import { aLedger } from '../support/ledger.js';
import type { TemporalForTests } from '../support/temporal.js';
import { aDirectory, anInstance, type Answer } from './api-parts.js';

const WEBHOOK_TOKEN = 'hook-token';

export interface LiveApi {
  readonly url: string;
  readonly simulator: Simulator;
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Runs `test` while a worker works. */
  withWorker(test: () => Promise<void>): Promise<void>;
  /** The API's and the worker's time from now on; the simulator's follows. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export async function aLiveApi(temporal: TemporalForTests, taskQueue: string): Promise<LiveApi> {
  let aheadMs = 0;
  const clock: Clock = { nowMs: () => Date.now() + aheadMs };
  const ledger = await aLedger();
  const simulator = await startSimulator({ clock });
  const instances = aDirectory(
    anInstance({
      baseUrl: simulator.url,
      apiTokenInstance: new Secret('simulator-token'),
      webhookTokens: [new Secret(WEBHOOK_TOKEN)],
      answers: { '503': 'refused' },
      rateLimits: { editMessage: 0 },
    }),
  );
  const gateway = createGateway({ instances, clock, httpTimeoutMs: 2_000 });
  const bell = createChangeBell();
  const { client } = temporal;
  const notify = createNotifier({ client, taskQueue, bell });
  const log = (): void => undefined;
  const receiver = createReceiver({ ledger, instances, clock, notify, log });
  const api = createApi({
    client,
    taskQueue,
    ledger,
    instances,
    receiver,
    checkOperation: (name, request) => gateway.check(name, request),
    operationDocs: operationContracts,
    clock,
    apiTokens: [],
    log,
    version: '0.0.0-test',
    bell,
    temporalTimeoutMs: 4_000,
  });
  const { url } = await api.listen({ host: '127.0.0.1', port: 0 });
  await control(simulator, {
    webhookUrl: `${url}/webhooks/main`,
    webhookUrlToken: WEBHOOK_TOKEN,
    outgoingWebhook: 'yes',
    outgoingAPIMessageWebhook: 'yes',
    editedMessageWebhook: 'yes',
    delaySendMessagesMilliseconds: 500,
  });
  const activities = createActivities({
    ledger,
    gateway,
    clock,
    notify,
    worker: 'worker-under-test',
    times: { postingDeadlineMs: 5_000, httpTimeoutMs: 2_000, settleMs: 1_000, editConfirmMs: 2_000 },
    log,
  });

  return {
    url,
    simulator,
    ledger,
    instances,
    advance: (ms) => void (aheadMs += ms),
    async call(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    async withWorker(test) {
      const worker: Worker = await temporal.createWorker({ taskQueue, activities, shutdownGraceTime: '1 second' });
      await worker.runUntil(test);
    },
    async close() {
      await api.close();
      await receiver.close();
      await simulator.close();
      await gateway.close();
      await ledger.close();
    },
  };
}

async function control(simulator: Simulator, settings: object): Promise<void> {
  const answer = await fetch(`${simulator.url}/_sim/instances/1101000001`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  });
  if (!answer.ok) throw new Error(`The simulator refused its settings: ${await answer.text()}`);
}

export function eventually<Seen>(look: () => Promise<Seen> | Seen): Promise<Seen> {
  return vi.waitFor(look, { timeout: 15_000, interval: 20 });
}
