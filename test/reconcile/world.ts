/** Simulator, receiver, ledger, gateway client and activities, all real, on one clock that only the test moves. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { applyLateEvidence } from '../../src/activities/index.js';
import { reconcileActivity } from '../../src/activities/reconcile/index.js';
import {
  AppError,
  Secret,
  type InstanceDirectory,
  type MessageContent,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
} from '../../src/contract/index.js';
import { CLOCK_MARGIN_MS, RESTART_WAIT_MS } from '../../src/domain/index.js';
import { createGateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger, MessageView } from '../../src/ledger/index.js';
import { startSimulator, type Settings, type Simulator } from '../../src/simulator/index.js';
import { createReceiver } from '../../src/webhooks/index.js';
import { saveGatewayClocks } from '../../src/worker/index.js';
import { sendOnce } from '../support/send-once.js';

export const ALICE = '15550000001@c.us';
const SECOND_MS = 1_000;
export const TIMES = {
  postingDeadlineMs: 5_000,
  gatewayTimeoutMs: 2_000,
  settleTimeMs: 2_000,
  editConfirmTimeoutMs: 2_000,
};
/** From a claim until its attempt can be reconciled. */
export const RECONCILE_MS = TIMES.postingDeadlineMs + TIMES.gatewayTimeoutMs + TIMES.settleTimeMs;
/** From the loss of a connection that was seen until its attempt can be reconciled. */
export const SETTLED_MS = TIMES.settleTimeMs + CLOCK_MARGIN_MS;
/** The clock stands still, so no rate may be counted by it. */
const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };

export interface World {
  readonly simulator: Simulator;
  /** Opens a message to Alice and posts it, as far as that gets. */
  send(content: string | MessageContent, request?: Partial<MessageRequest>): Promise<MessageSnapshot>;
  /** Posts a row again that is pending. */
  sendAgain(id: MessageId): Promise<MessageSnapshot>;
  /** What the row says after a poll, or why it is still open. */
  reconcile(id: MessageId): Promise<MessageSnapshot | string>;
  /** The same look at witnesses that take every question and answer none. */
  reconcileWithDeafWitnesses(id: MessageId): Promise<MessageSnapshot | string>;
  view(id: MessageId): Promise<MessageView>;
  /** What the evidence says, in order. */
  story(id: MessageId): Promise<string[]>;
  /** Lets time pass, event by event: what a notification says is applied before the next one comes. */
  pass(ms: number): Promise<void>;
  fault(fault: object): Promise<void>;
  control(method: string, path: string, body?: unknown): Promise<void>;
  instance(change: object): Promise<void>;
  delivered(text: string): number;
  close(): Promise<void>;
}

/** @param ledger  may be shared: each world has an instance of its own in it */
export async function aWorld(ledger: Ledger, settings: Partial<Settings> = {}): Promise<World> {
  let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
  const clock = { nowMs: () => nowMs };
  const instance = `i-${randomUUID().slice(0, 8)}`;
  const log = (): void => undefined;
  let simulator: Simulator | undefined = undefined;
  const instances: InstanceDirectory = {
    names: () => [instance],
    get: (name) => ({
      name,
      baseUrl: simulator?.url ?? '',
      idInstance: '1101000001',
      apiTokenInstance: new Secret('simulator-token'),
    }),
  };
  const receiver = createReceiver({
    ledger,
    instances,
    clock,
    notify: () => Promise.resolve(),
    lateEvidence: (from, body) => applyLateEvidence({ ledger, clock }, from, body),
    log,
  });
  const door = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = { isLocal: true };
    const { status } = await receiver.receive(instance, undefined, await buffer(request), from);
    response.writeHead(status).end();
  }
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  const running = await startSimulator({
    clock,
    rateLimits: false,
    settings: {
      delaySendMessagesMilliseconds: 60 * SECOND_MS,
      webhookUrl: `http://127.0.0.1:${port}/`,
      outgoingWebhook: 'yes',
      outgoingAPIMessageWebhook: 'yes',
      stateWebhook: 'yes',
      ...settings,
    },
  });
  simulator = running;
  const gateway = createGateway({
    instances,
    clock,
    gate: OPEN_GATE,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    onClock: saveGatewayClocks(ledger.gatewayClocks, clock, log),
  });
  const deps = {
    ledger,
    gateway,
    clock,
    times: TIMES,
    log,
  };
  const reconcileMessage = reconcileActivity(deps);
  const reconcileDeaf = reconcileActivity({
    ...deps,
    gateway: { ...gateway, call: () => new Promise<never>(() => undefined) },
    times: { ...TIMES, patience: { witnessMs: 0, successorMs: 0, pollMs: 50 } },
  });

  async function sendAgain(id: MessageId): Promise<MessageSnapshot> {
    return (await sendOnce(deps, id)).snapshot;
  }

  const control = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${running.url}/_sim/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${await response.text()}`);
  };
  const view = async (id: MessageId): Promise<MessageView> => {
    const found = await ledger.messages.view(id, Date.now());
    if (found === undefined) throw new Error(`${id} is not in the ledger`);
    return found;
  };
  const settle = async (): Promise<void> => {
    await running.idle();
    await receiver.idle();
  };
  async function reconcileBy(
    activity: ReturnType<typeof reconcileActivity>,
    id: MessageId,
  ): Promise<MessageSnapshot | string> {
    await settle();
    try {
      return await activity({ messageId: id });
    } catch (error) {
      if (error instanceof AppError && error.code === 'MESSAGE_OUTCOME_UNKNOWN') return error.message;
      throw error;
    }
  }

  return {
    simulator: running,
    async send(content, request = {}) {
      const id = `msg_${randomUUID()}` as MessageId;
      const whole = typeof content === 'string' ? ({ kind: 'text', text: content } as const) : content;
      await ledger.messages.open({
        id,
        requestHash: id,
        request: {
          instance,
          ...(whole.kind === 'status' ? {} : { chatId: ALICE }),
          content: whole,
          ...request,
        },
        expiresAtMs: nowMs + 24 * 3_600 * SECOND_MS,
        nowMs,
      });
      return sendAgain(id);
    },
    sendAgain,
    reconcile: (id) => reconcileBy(reconcileMessage, id),
    reconcileWithDeafWitnesses: (id) => reconcileBy(reconcileDeaf, id),
    view,
    async story(id) {
      return (await view(id)).evidence.map(({ what }) => what);
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settle();
        const dueMs = running.nextDueAtMs() ?? untilMs;
        if (nowMs >= untilMs) return;
        nowMs = Math.min(untilMs, Math.max(dueMs, nowMs + 1));
      }
    },
    fault: (fault) => control('POST', 'faults', { method: 'sendMessage', times: 1, ...fault }),
    control,
    instance: (change) => control('PATCH', 'instances/1101000001', change),
    delivered: (text) => running.delivered().filter((message) => message.text === text).length,
    async close() {
      await running.close();
      await receiver.close();
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await gateway.close();
    },
  };
}

/** A message sent since shows that the listing is not cut; the wait for restarts goes by. */
export async function proveAbsent(world: World, id: MessageId): Promise<MessageSnapshot | string> {
  await world.pass(SETTLED_MS);
  await world.send('sent since');
  await world.reconcile(id);
  await world.pass(RESTART_WAIT_MS);
  return world.reconcile(id);
}
