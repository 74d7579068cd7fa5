/** An API with a real ledger and other dependencies as the test gives them; by default without Temporal. */
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  AppError,
  Secret,
  type Clock,
  type ErrorCode,
  type InstanceConfig,
  type InstanceDirectory,
  type NamedSecret,
} from '../../src/contract/index.js';
import { decideByEvidence } from '../../src/activities/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { createMetrics } from '../../src/metrics/index.js';
import { createApi, createChangeBell, type ApiOptions } from '../../src/api/index.js';
import { aLedger } from '../support/ledger/ledger.js';
import { documentedApi } from './documented-api.js';

export const ALICE = '15550000001@c.us';
export const JSON_TYPE = { 'content-type': 'application/json' };
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 1_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 1_000 };
export const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };

export type ApiDependencies = Awaited<ReturnType<typeof someApi>>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it as they please
  readonly body: any;
}

/** How the API answers what it refuses. */
export const refusal = (status: number, code: ErrorCode) => ({ status, body: { code } });

export function anInstance(instance: Partial<InstanceConfig> = {}): InstanceConfig {
  return {
    name: 'main',
    baseUrl: 'http://127.0.0.1:9',
    idInstance: '1101000001',
    apiTokenInstance: new Secret('instance-token'),
    webhookTokens: [new Secret('hook-token')],
    ...instance,
  };
}

export function aDirectory(...instances: readonly InstanceConfig[]): InstanceDirectory {
  return {
    names: () => instances.map(({ name }) => name),
    get(name) {
      const found = instances.find((instance) => instance.name === name);
      if (found !== undefined) return found;
      const known = instances.map((instance) => instance.name).join(', ');
      throw new AppError('INSTANCE_NOT_FOUND', `There is no instance ${name}. Known: ${known}.`);
    },
  };
}

/** Keys of the environment, named a, b … */
export function someKeys(...keys: readonly string[]): () => readonly NamedSecret[] {
  const named = keys.map((key, at) => ({ name: String.fromCodePoint(97 + at), secret: new Secret(key) }));
  return () => named;
}

/** One API for all tests of a file or group. */
export function useApi(options?: Parameters<typeof someApi>[0]): ApiDependencies {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- filled before the first test
  const parts = {} as ApiDependencies;
  beforeAll(async () => {
    Object.assign(parts, await someApi(options));
  });
  afterAll(() => parts.close());
  return parts;
}

/** One of the test's own, closed after it. */
export async function ownApi(options?: Parameters<typeof someApi>[0]): Promise<ApiDependencies> {
  const parts = await someApi(options);
  onTestFinished(() => parts.close());
  return parts;
}

/** One that listens, and the environment of commands that call it. */
export function useListeningApi(options?: Parameters<typeof someApi>[0]): {
  readonly parts: ApiDependencies;
  readonly env: Record<string, string>;
} {
  const parts = useApi(options);
  const env: Record<string, string> = {};
  beforeAll(async () => {
    env['EVERPOST_API_URL'] = (await parts.api.listen({ host: '127.0.0.1', port: 0 })).url;
  });
  return { parts, env };
}

export async function someApi(options: Partial<ApiOptions> = {}) {
  const ledger = options.ledger ?? (await aLedger());
  // Nothing listens on the port of the discard service. The SDK's retries would take until the end of the timeout.
  const connection = Connection.lazy({ address: '127.0.0.1:9', interceptors: [] });
  const instances = options.instances ?? aDirectory(anInstance());
  const clock = options.clock ?? SYSTEM_CLOCK;
  const gateway = createGateway({ instances, clock });
  const bell = createChangeBell();
  const logged: unknown[] = [];
  const uncompared = createApi({
    client: new Client({ connection }),
    ledger,
    instances,
    receiver: { receive: () => Promise.resolve(), wake: () => undefined },
    decideByEvidence: decideByEvidence({ ledger, gateway, clock, times: TIMES, timesOf: () => TIMES }),
    checkOperation: (name, request) => gateway.check(name, request),
    clock,
    apiKeys: () => [],
    log: (entry) => void logged.push(entry),
    metrics: createMetrics({ ledger, instances, clock, taskQueues: () => Promise.resolve([]) }),
    bell,
    // Long enough for a refused connection, and short enough for many tests of it.
    temporalTimeoutMs: 150,
    ...options,
  });
  const api = documentedApi(uncompared);

  return {
    api,
    /** The same without the comparison, which reads bodies before the API does. */
    uncompared,
    ledger,
    bell,
    logged,
    /** Sends one request through the API, as a caller on this machine does. */
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const sent = new Headers({ host: '127.0.0.1', ...(body === undefined ? {} : JSON_TYPE) });
      for (const [name, value] of Object.entries(headers)) sent.set(name, value);
      const request = new Request(`http://127.0.0.1${path}`, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return read(await api.fetch(request));
    },
    async close(): Promise<void> {
      await api.close();
      await gateway.close();
      await connection.close();
      if (options.ledger === undefined) await ledger.close();
    },
  };
}

/** JSON is parsed, other text is not. */
export async function read(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const isJson = /\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
