/**
 * Simulator, receiver, ledger, gateway client, dispatchers and the background jobs of a worker, all real, on one clock that only
 * the test moves. In place of Temporal a loop runs one shift after the other.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { applyLateEvidence, explainRejection, reconcileActivity } from '../../src/activities/index.js';
import { followCampaignActivity } from '../../src/activities/follow-campaign.js';
import {
  CAMPAIGN_END_STATES,
  RECIPIENT_VERDICTS,
  Secret,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type FaultPoint,
  type InstanceDirectory,
  type MessageId,
  type MessageRequest,
  type MessageState,
} from '../../src/contract/index.js';
import { createDispatcher, type Dispatcher } from '../../src/dispatch/index.js';
import { createGateway, type Gateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger, VerdictCounts } from '../../src/ledger/index.js';
import { startSimulator, type Settings, type Simulator } from '../../src/simulator/index.js';
import { createReceiver } from '../../src/webhooks/index.js';
import { expireMessages, wakeInstances, watchInstances } from '../../src/worker/index.js';
import { LedClock } from './led-clock.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 2_000, settleTimeMs: 2_000, editConfirmTimeoutMs: 2_000 };
/** The clock stands still during a request, so no rate may be counted by it. */
const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };
/** What the simulator does is noticed within this time. */
const STEP_MS = 500;
/** It is quiet when nothing was under way so many times in a row. */
const QUIET_ROUNDS = 3;

/** Counts what is under way, so that the clock stands while the ledger or the gateway works. */
class Work {
  #underWay = 0;

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  counted<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => this.#track(value.apply(target, given) as unknown);
      },
    });
  }

  /** Part of something under way that waits for the clock. */
  async waiting(turn: Promise<void>): Promise<void> {
    this.#underWay -= 1;
    await turn;
    this.#underWay += 1;
  }

  #track(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    this.#underWay += 1;
    return result.finally(() => {
      this.#underWay -= 1;
    });
  }
}

export interface RealWorld {
  readonly simulator: Simulator;
  readonly ledger: Ledger;
  readonly instance: string;
  nowMs(): number;
  /** A campaign that was started, with so many recipients. */
  campaign(recipients: number, definition?: Partial<CampaignDefinition>): Promise<CampaignId>;
  /** Takes a message into the ledger and wakes the instance. */
  single(request?: Partial<MessageRequest>, lifeMs?: number): Promise<MessageId>;
  /** Lets the instance be served from now on, by a process of its own; the one before it is dead. */
  serve(reached?: (point: FaultPoint) => void): void;
  wake(): void;
  /** Lets time pass, event by event. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the campaigns have ended. */
  untilEnded(...ids: CampaignId[]): Promise<void>;
  /** What the workflow of a campaign does now and then. */
  follow(id: CampaignId): Promise<unknown>;
  /** By the clock. */
  sleep(ms: number): Promise<void>;
  progress(id: CampaignId): Promise<CampaignProgress>;
  /** States with recipients in them. */
  counts(id: CampaignId): Promise<Partial<Record<MessageState, number>>>;
  state(id: MessageId): Promise<MessageState | undefined>;
  fault(fault: object): Promise<void>;
  control(method: string, path: string, body?: unknown): Promise<void>;
  patch(change: object): Promise<void>;
  /** One round of the background job that reads the account's state. */
  watch(): Promise<void>;
  /** Posts past everpost. */
  fill(items: number): Promise<void>;
  queueDepth(): Promise<number>;
  /** The deepest that the queue was at the end of a step. */
  deepest(): number;
  /** Texts on phones, each as often as it arrived. */
  delivered(): string[];
  requests(method: string): number;
  close(): Promise<void>;
}

/** @param ledger  may be shared: each world has an instance of its own in it */
export async function aRealWorld(
  whole: Ledger,
  { settings = {}, gate = OPEN_GATE }: { settings?: Partial<Settings>; gate?: RateGate } = {},
): Promise<RealWorld> {
  const clock = new LedClock(settle);
  const work = new Work();
  const counted = Object.entries(whole).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'object' && part !== null ? work.counted(part) : part,
  ]);
  const ledger = Object.fromEntries(counted) as Ledger;
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
    ledger: whole,
    instances,
    clock: clock.wall,
    notify: () => Promise.resolve('told'),
    lateEvidence: (from, body) => applyLateEvidence({ ledger: whole, clock: clock.wall }, from, body),
    log,
  });
  const door = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status } = await receiver.receive(instance, undefined, await buffer(request), { isLocal: true });
    response.writeHead(status).end();
  }
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  const running = await startSimulator({
    clock: clock.wall,
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
  const client = createGateway({
    instances,
    clock: clock.wall,
    gate: {
      acquire: (...asked) => work.waiting(gate.acquire(...asked)),
      block: (...blocked) => gate.block(...blocked),
      close: () => gate.close(),
    },
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
  });
  const gateway: Gateway = work.counted(client);

  const deps = { ledger, gateway, clock: clock.wall, times: TIMES };
  const reconcile = reconcileActivity(deps);
  const follow = followCampaignActivity(deps);
  const jobs = { ledger, clock: clock.wall, log };

  let serving: { readonly dispatcher: Dispatcher; readonly stopping: AbortController } | undefined;
  let bell = (): void => undefined;
  let epochs = 0;
  let deepest = 0;

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS; quiet = work.isIdle ? quiet + 1 : 0) {
      await running.idle();
      await receiver.idle();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function wake(): void {
    serving?.dispatcher.wake(instance);
    bell();
  }

  /** What the workflow of the instance does. */
  async function shifts(dispatcher: Dispatcher, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      epochs += 1;
      const epoch = { scheduledMs: clock.wall.nowMs(), attempt: epochs };
      const result = await dispatcher.run({ instance, worker: 'worker-under-test', epoch }, stopping);
      if (stopping.aborted || result.ended === 'superseded') return;
      if (result.ended === 'refused') {
        await clock.sleep(result.refusal?.retryAfterMs ?? SECOND);
        continue;
      }
      const woken = new Promise<void>((resolve) => {
        bell = resolve;
      });
      const due = result.nextDueMs === undefined ? [] : [clock.sleep(result.nextDueMs - clock.wall.nowMs())];
      await Promise.race([woken, ...due]);
    }
  }

  function every(ms: number, round: () => Promise<void>): void {
    clock.after(ms, () => void round().finally(() => every(ms, round)));
  }
  every(SECOND, () => expireMessages(jobs).round());
  every(5 * SECOND, () => wakeInstances(jobs, wake).round());
  const watch = (): Promise<void> => watchInstances({ instances, gateway, ...jobs }).round();
  every(MINUTE, watch);

  async function control(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(`${running.url}/_sim/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${await response.text()}`);
    await settle();
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = clock.wall.nowMs() + ms;
    await settle();
    for (let nowMs = clock.wall.nowMs(); nowMs < untilMs; nowMs = clock.wall.nowMs()) {
      const nextMs = running.nextDueAtMs() ?? untilMs;
      await clock.pass(Math.min(untilMs, nowMs + STEP_MS, Math.max(nextMs, nowMs + 1)) - nowMs);
      await settle();
      deepest = Math.max(deepest, await queueDepth());
    }
  }

  async function queueDepth(): Promise<number> {
    const response = await fetch(`${running.url}/_sim/instances/1101000001`);
    return ((await response.json()) as { readonly queue: readonly unknown[] }).queue.length;
  }

  async function progress(id: CampaignId): Promise<CampaignProgress> {
    const known = await whole.campaigns.progress(id, clock.wall.nowMs());
    if (known === undefined) throw new Error(`${id} is not in the ledger`);
    return known;
  }

  const world: RealWorld = {
    simulator: running,
    ledger: whole,
    instance,
    nowMs: () => clock.wall.nowMs(),
    async campaign(recipients, definition = {}) {
      const id = `c-${randomUUID()}` as CampaignId;
      const nowMs = clock.wall.nowMs();
      const content = { kind: 'text', text: `Hello {{name}} from ${id}` } as const;
      await whole.audiences.open({ id, requestHash: 'h', definition: { instance, content, ...definition }, nowMs });
      const audience = await whole.audiences.beginImport(id, nowMs);
      const lines = Array.from({ length: recipients }, (_, index) => ({
        line: index + 2,
        chatId: chatOf(index),
        values: { name: `P${index + 2}` },
      }));
      await whole.audiences.addLines(audience, lines, []);
      const none = Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
      const verdicts = { ...none, accepted: recipients };
      const source = { hash: id, lines: recipients, verdicts, columns: { name: { recipients } } };
      await whole.audiences.finishImport(id, audience, source, nowMs);
      await whole.campaigns.start(id, 'default', nowMs);
      wake();
      return id;
    },
    async single(request = {}, lifeMs = 24 * HOUR) {
      const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
      const nowMs = clock.wall.nowMs();
      const content = { kind: 'text', text: `single ${id}` } as const;
      const all = { instance, chatId: `1777${String(++singles).padStart(7, '0')}@c.us`, content, ...request };
      await whole.messages.open({ id, requestHash: id, request: all, expiresAtMs: nowMs + lifeMs, nowMs });
      wake();
      return id;
    },
    serve(reached) {
      serving?.stopping.abort();
      const stopping = new AbortController();
      const dispatcher = createDispatcher({
        ledger: ledger.dispatch,
        gateway,
        instances,
        clock: clock.wall,
        timers: clock,
        times: TIMES,
        log,
        explainRejection: (attempt, error) => explainRejection(deps, attempt, error),
        reconcile: (messageId) => reconcile({ messageId }),
        pauseIfFailing: (id) => ledger.campaigns.pauseIfFailing(id, clock.wall.nowMs()),
        ...(reached === undefined ? {} : { reached }),
      });
      serving = { dispatcher, stopping };
      void shifts(dispatcher, stopping.signal);
    },
    wake,
    pass,
    async untilEnded(...ids) {
      const untilMs = clock.wall.nowMs() + 15 * MINUTE;
      for (;;) {
        const states = await Promise.all(ids.map(async (id) => (await follow({ campaignId: id })).progress.state));
        // The last receipts may come after the end.
        if (states.every((state) => CAMPAIGN_END_STATES.includes(state))) return pass(3 * SECOND);
        if (clock.wall.nowMs() > untilMs) throw new Error(`the campaigns do not end: ${states.join(', ')}`);
        await pass(2 * SECOND);
      }
    },
    follow: (campaignId) => follow({ campaignId }),
    sleep: (ms) => clock.sleep(ms),
    progress,
    async counts(id) {
      const { counts } = await progress(id);
      return Object.fromEntries(Object.entries(counts).filter(([, recipients]) => recipients > 0));
    },
    async state(id) {
      return (await whole.messages.snapshot(id))?.state;
    },
    fault: (fault) => control('POST', 'faults', { method: 'sendMessage', times: 1, ...fault }),
    control,
    patch: (change) => control('PATCH', 'instances/1101000001', change),
    watch,
    async fill(items) {
      for (let item = 0; item < items; item += 1) {
        await fetch(`${running.url}/waInstance1101000001/sendMessage/simulator-token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ chatId: '15558888888@c.us', message: `an unmatched ${item}` }),
        });
      }
      await settle();
    },
    queueDepth,
    deepest: () => deepest,
    delivered: () => running.delivered().map(({ text }) => text ?? ''),
    requests: (method) => running.requests().filter((request) => request.method === method).length,
    async close() {
      serving?.stopping.abort();
      await clock.pass(10 * SECOND);
      await settle();
      await running.close();
      await receiver.close();
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await client.close();
    },
  };
  world.serve();
  return world;
}

let singles = 0;

export function chatOf(recipient: number): string {
  return `1555${String(recipient + 2).padStart(7, '0')}@c.us`;
}
