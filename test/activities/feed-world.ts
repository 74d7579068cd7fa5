/**
 * Simulator, receiver, ledger, gateway clients and feeding workers, all real, on one clock that only the test moves.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createAdmission } from '../../src/activities/admission.js';
import { createOpenQuestions, feedActivity } from '../../src/activities/feed/index.js';
import { applyLateEvidence } from '../../src/activities/index.js';
import { createInstanceStateReader } from '../../src/activities/instance-state.js';
import { createQueueDepth } from '../../src/activities/queue-depth.js';
import { sendMessageOfRow } from '../../src/activities/send-protocol.js';
import {
  AppError,
  CAMPAIGN_END_STATES,
  RECIPIENT_VERDICTS,
  Secret,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type FaultPoint,
  type FeedResult,
  type InstanceDirectory,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
  type MessageState,
} from '../../src/contract/index.js';
import { createGateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger, VerdictCounts } from '../../src/ledger/index.js';
import { startSimulator, type Settings, type Simulator } from '../../src/simulator/index.js';
import { createReceiver } from '../../src/webhooks/index.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const TIMES = {
  postingDeadlineMs: 5_000,
  gatewayTimeoutMs: 2_000,
  settleTimeMs: 2_000,
  editConfirmTimeoutMs: 2_000,
  // The clock stands still while a poll runs, so that a second round would find nothing new.
  feedForMs: 0,
};
/** The clock stands still, so no rate may be counted by it. */
const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };

export interface Worker {
  poll(id: CampaignId): Promise<FeedResult>;
}

export interface FeedWorld {
  readonly simulator: Simulator;
  readonly instance: string;
  readonly nowMs: () => number;
  /** A campaign that was started, with so many recipients. */
  campaign(recipients: number, definition?: Partial<CampaignDefinition>): Promise<CampaignId>;
  /** One poll, by the first worker. */
  poll(id: CampaignId): Promise<FeedResult>;
  worker(reached?: (point: FaultPoint) => void): Worker;
  /** Looks at each campaign when it asked to be looked at, until all have ended. @returns the polls that it took */
  untilEnded(...ids: CampaignId[]): Promise<number>;
  progress(id: CampaignId): Promise<CampaignProgress>;
  /** States with recipients in them. */
  counts(id: CampaignId): Promise<Partial<Record<MessageState, number>>>;
  /** Opens a single message and tries to post it. */
  single(request?: Partial<MessageRequest>, lifeMs?: number): Promise<MessageId>;
  /** @returns what the row says, or the error's code and how long to wait */
  trySingle(id: MessageId): Promise<MessageSnapshot | { code: string; retryAfterMs: number | undefined }>;
  /** Lets time pass, event by event: what a notification says is applied before the next one comes. */
  pass(ms: number): Promise<void>;
  fault(fault: object): Promise<void>;
  control(method: string, path: string, body?: unknown): Promise<void>;
  patch(change: object): Promise<void>;
  queueDepth(): Promise<number>;
  /** Texts on phones, each as often as it arrived. */
  delivered(): string[];
  requests(method: string): number;
  close(): Promise<void>;
}

/** @param ledger  may be shared: each world has an instance of its own in it */
export async function aFeedWorld(
  ledger: Ledger,
  { settings = {}, gate = OPEN_GATE }: { settings?: Partial<Settings>; gate?: RateGate } = {},
): Promise<FeedWorld> {
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
      delaySendMessagesMilliseconds: SECOND,
      webhookUrl: `http://127.0.0.1:${port}/`,
      outgoingWebhook: 'yes',
      stateWebhook: 'yes',
      ...settings,
    },
  });
  simulator = running;
  const gateway = createGateway({ instances, clock, gate, gatewayTimeoutMs: TIMES.gatewayTimeoutMs });

  function depsOf(name: string, reached?: (point: FaultPoint) => void) {
    const notify = () => Promise.resolve();
    const deps = { ledger, gateway, clock, times: TIMES, worker: name, notify, log, ...(reached && { reached }) };
    const shared = { queueDepth: createQueueDepth(deps), instanceStates: createInstanceStateReader(deps) };
    return { ...deps, shared, admit: createAdmission(deps, shared) };
  }
  function worker(reached?: (point: FaultPoint) => void): Worker {
    const { shared, ...deps } = depsOf(`worker-${randomUUID()}`, reached);
    const feed = feedActivity(deps, { ...shared, openQuestions: createOpenQuestions(deps) });
    return { poll: (campaignId) => feed({ campaignId }) };
  }
  const first = worker();
  const single = depsOf('worker-of-singles');

  const control = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${running.url}/_sim/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${await response.text()}`);
  };
  const settle = async (): Promise<void> => {
    await running.idle();
    await receiver.idle();
  };
  async function pass(ms: number): Promise<void> {
    const untilMs = nowMs + ms;
    for (;;) {
      await settle();
      const dueMs = running.nextDueAtMs() ?? untilMs;
      if (nowMs >= untilMs) return;
      nowMs = Math.min(untilMs, Math.max(dueMs, nowMs + 1));
    }
  }
  async function progress(id: CampaignId): Promise<CampaignProgress> {
    const known = await ledger.campaigns.progress(id);
    if (known === undefined) throw new Error(`${id} is not in the ledger`);
    return known;
  }

  return {
    simulator: running,
    instance,
    nowMs: () => nowMs,
    async campaign(recipients, definition = {}) {
      const id = `c-${randomUUID()}` as CampaignId;
      const content = { kind: 'text', text: `Hello {{name}} from ${id}` } as const;
      await ledger.audiences.open({
        id,
        requestHash: 'h',
        definition: { instance, content, ...definition },
        nowMs,
      });
      const audience = await ledger.audiences.beginImport(id, nowMs);
      const lines = Array.from({ length: recipients }, (_, index) => ({
        line: index + 2,
        chatId: `1555${String(index + 2).padStart(7, '0')}@c.us`,
        values: { name: `P${index + 2}` },
      }));
      await ledger.audiences.addLines(audience, lines, []);
      const none = Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
      const verdicts = { ...none, accepted: recipients };
      const source = { hash: id, lines: recipients, verdicts, columns: { name: { recipients } } };
      await ledger.audiences.finishImport(id, audience, source, nowMs);
      await ledger.campaigns.start(id, 'default', nowMs);
      return id;
    },
    poll: (id) => first.poll(id),
    worker,
    async untilEnded(...ids) {
      const dueMs = new Map(ids.map((id) => [id, nowMs]));
      let polls = 0;
      while (dueMs.size > 0) {
        if (polls > 200) throw new Error('the campaigns do not end');
        const [id, atMs] = [...dueMs].reduce((a, b) => (b[1] < a[1] ? b : a));
        await pass(Math.max(0, atMs - nowMs));
        const result = await first.poll(id);
        polls += 1;
        if (CAMPAIGN_END_STATES.includes(result.progress.state)) dueMs.delete(id);
        else dueMs.set(id, nowMs + result.nextPollMs);
      }
      return polls;
    },
    progress,
    async counts(id) {
      const { counts } = await progress(id);
      return Object.fromEntries(Object.entries(counts).filter(([, recipients]) => recipients > 0));
    },
    async single(request = {}, lifeMs = 24 * HOUR) {
      const id = `msg_${randomUUID()}` as MessageId;
      const content = { kind: 'text', text: `single ${id}` } as const;
      const whole = { instance, chatId: '15559999999@c.us', content, ...request };
      await ledger.messages.open({ id, requestHash: id, request: whole, expiresAtMs: nowMs + lifeMs, nowMs });
      return id;
    },
    async trySingle(id) {
      try {
        const result = await sendMessageOfRow(single, id);
        if (result.kind !== 'recorded') throw new Error('the outcome was not recorded');
        return result.snapshot;
      } catch (error) {
        if (error instanceof AppError) return { code: error.code, retryAfterMs: error.retryAfterMs };
        throw error;
      }
    },
    pass,
    fault: (fault) => control('POST', 'faults', { method: 'sendMessage', times: 1, ...fault }),
    control,
    patch: (change) => control('PATCH', 'instances/1101000001', change),
    async queueDepth() {
      const { response } = await gateway.call(instance, 'showMessagesQueue', {});
      return response.length;
    },
    delivered: () => running.delivered().map(({ text }) => text ?? ''),
    requests: (method) => running.requests().filter((request) => request.method === method).length,
    async close() {
      await running.close();
      await receiver.close();
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await gateway.close();
    },
  };
}
