/**
 * The common part of every complete everpost in a test: simulator, receiver over HTTP and gateway client for one
 * instance.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { applyLateEvidence } from '../../src/activities/index.js';
import {
  AppError,
  Secret,
  present,
  type Clock,
  type InstanceConfig,
  type InstanceDirectory,
  type MessageId,
} from '../../src/contract/index.js';
import { createGateway, type Gateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { startSimulator, type Settings, type Simulator } from '../../src/simulator/index.js';
import { createReceiver, type Receiver } from '../../src/webhooks/index.js';
import { saveGatewayClocks } from '../../src/worker/index.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** For a clock that a test moves: the real gate uses real time. */
export const OPEN_GATE: RateGate = {
  acquire: () => Promise.resolve(),
  block: () => undefined,
  close: () => undefined,
};

export interface StackOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly gatewayTimeoutMs: number;
  /** @default 'main' */
  readonly name?: string;
  readonly instance?: Partial<InstanceConfig> | undefined;
  /** Settings of the account. All webhooks are on by default. */
  readonly settings?: Partial<Settings>;
  /** @default the open one */
  readonly gate?: RateGate;
  /** The instances of the gateway client, once the simulator's address is known. @default one with the instance */
  readonly instances?: ((simulatorUrl: string, clock: Clock) => InstanceDirectory) | undefined;
  /** Called with each message that a notification changed. */
  readonly onChanged?: (id: MessageId) => void;
  readonly onAuthorized?: (instance: string) => Promise<void>;
  readonly onEditsDue?: (instance: string) => void;
  readonly log?: (entry: unknown) => void;
}

export interface Stack {
  /** Fields of the instance. */
  readonly name: string;
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly gateway: Gateway;
  readonly instances: InstanceDirectory;
  /** One request to the simulator's control endpoints. */
  control(method: string, path: string, body?: unknown): Promise<void>;
  /** A fault of the next sendMessage, or of another method. */
  fault(fault: object): Promise<void>;
  /** Changes the account. */
  patch(change: object): Promise<void>;
  /** One request to the gateway without everpost. */
  post(method: string, body: object): Promise<Response>;
  /**
   * Waits until due events at the simulator have happened, and their notifications are applied.
   * @returns whether a notification came
   */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

export async function aStack(options: StackOptions): Promise<Stack> {
  const { ledger, clock, gatewayTimeoutMs, name = 'main', gate = OPEN_GATE, settings } = options;
  const { onChanged, onAuthorized, onEditsDue, log = () => undefined } = options;
  const webhookToken = new Secret('hook-token');
  let simulator: Simulator | undefined = undefined;
  const own: InstanceDirectory = {
    names: () => [name],
    get: (asked) => {
      if (asked !== name) throw new AppError('INSTANCE_NOT_FOUND', `No instance ${asked}.`);
      return {
        name,
        // The receiver gets the instance before the simulator that pushes to it has an address.
        baseUrl: simulator?.url ?? 'http://127.0.0.1:9',
        idInstance: '1101000001',
        apiTokenInstance: new Secret('simulator-token'),
        webhookTokens: [webhookToken],
        ...options.instance,
      };
    },
  };
  const lateEvidence = (from: string, body: unknown) => applyLateEvidence({ ledger, clock }, from, body);
  const receiver = createReceiver({
    ledger,
    instances: own,
    clock,
    ...present({ onChanged, onAuthorized, onEditsDue }),
    lateEvidence,
    log,
  });
  let isUnapplied = false;
  const door = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    isUnapplied = true;
    const { status } = await receiver.receive(name, request.headers.authorization, await buffer(request));
    response.writeHead(status).end();
  }
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  const running = await startSimulator({
    clock,
    rateLimits: false,
    settings: {
      webhookUrl: `http://127.0.0.1:${port}/`,
      webhookUrlToken: webhookToken.reveal(),
      outgoingWebhook: 'yes',
      outgoingAPIMessageWebhook: 'yes',
      editedMessageWebhook: 'yes',
      stateWebhook: 'yes',
      ...settings,
    },
  });
  simulator = running;
  const instances = options.instances?.(running.url, clock) ?? own;
  const onClock = saveGatewayClocks(ledger.gatewayClocks, clock, log);
  const gateway = createGateway({ instances, clock, gatewayTimeoutMs, gate, onClock });

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${running.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  const control = async (method: string, path: string, body?: unknown): Promise<void> => {
    await call(method, `/_sim/${path}`, body);
  };

  return {
    name,
    simulator: running,
    receiver,
    gateway,
    instances,
    control,
    fault: (fault) => control('POST', 'faults', { method: 'sendMessage', times: 1, ...fault }),
    patch: (change) => control('PATCH', 'instances/1101000001', change),
    post: (method, body) => call('POST', `/waInstance1101000001/${method}/simulator-token`, body),
    async settle() {
      await running.idle();
      if (!isUnapplied) return false;
      isUnapplied = false;
      await receiver.idle();
      return true;
    },
    async close() {
      await running.close();
      await receiver.close();
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await gateway.close();
    },
  };
}
