/**
 * Everything that sends, real but for Temporal and the time: ledger, simulator, receiver, gateway client, dispatcher,
 * the activity `dispatch` and the background jobs. One clock leads all of it, so that a story of days takes seconds.
 * What Temporal does is played: the workflow `instance`, and the retries of its activity.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { applyLateEvidence, askJournal, createActivities, reconcileActivity } from '../../../src/activities/index.js';
import {
  AppError,
  Secret,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type Clock,
  type InstanceDirectory,
  type MessageId,
  type MessageRequest,
  type ShiftReport,
} from '../../../src/contract/index.js';
import { createGateway, type RateGate } from '../../../src/gateway/index.js';
import type { Ledger, MessageView } from '../../../src/ledger/index.js';
import { startSimulator, type Simulator } from '../../../src/simulator/index.js';
import { createReceiver } from '../../../src/webhooks/index.js';
import {
  askAboutUnresolved,
  endUnheard,
  expireMessages,
  openDispatcher,
  wakeInstances,
  watchInstances,
} from '../../../src/worker/index.js';
import { startCampaign } from '../../support/campaign.js';
import { closeAfterTest } from '../../support/close-after-test.js';
import { aLedger } from '../../support/ledger.js';
import { LedClock } from '../led-clock.js';
import { UnderWay } from './watched.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The activity's policy; the longest interval is ten minutes instead of one, so that a day has a hundred tries. */
const RETRY_FIRST_MS = SECOND;
const RETRY_MAX_MS = 10 * MINUTE;
/** How often the background jobs run here, so that a day has hundreds of rounds and not a hundred thousand. */
const JOBS_EVERY_MS = 10 * MINUTE;
const CAMPAIGNS_EVERY_MS = 10 * MINUTE;

const TIMES = {
  postingDeadlineMs: 60_000,
  gatewayTimeoutMs: 60_000,
  settleTimeMs: 1_000,
  editConfirmTimeoutMs: 60_000,
};

/** The real gate counts real time. */
const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };

export interface OutageWorld {
  readonly ledger: Ledger;
  readonly simulator: Simulator;
  readonly clock: LedClock;
  /** The try of the activity that failed last, as Temporal's Web UI shows it; undefined when none is to be retried. */
  readonly retried: { readonly attempt: number; readonly type: string; readonly message: string } | undefined;
  /** Takes a message to a number of its own, as the API does: the row, then the wake. */
  accept(text: string, request?: Partial<MessageRequest>): Promise<MessageId>;
  campaign(id: string, recipients: number, definition?: Partial<CampaignDefinition>): Promise<CampaignId>;
  progress(id: CampaignId): Promise<CampaignProgress>;
  view(id: MessageId): Promise<MessageView>;
  wake(): void;
  /** While it is away no shift begins. */
  setTemporalAway(isAway: boolean): void;
  control(method: string, path: string, body?: unknown): Promise<void>;
  pass(ms: number): Promise<void>;
  /** POSTs of messages that arrived at the gateway. */
  posts(): number;
}

interface OutageOptions {
  /** @default one with the instance `main` */
  readonly instances?: (simulatorUrl: string, clock: Clock) => InstanceDirectory;
  /** Milliseconds between two releases of the gateway's queue. @default 500 */
  readonly delaySendMessagesMilliseconds?: number;
}

/** Time passes only when everything that needs none has ended. */
class OutageClock extends LedClock {
  isQuiet: () => Promise<boolean> = () => Promise.resolve(true);

  override async settle(): Promise<void> {
    // What ended a moment ago may begin something else.
    for (let quiet = 0; quiet < 2;) {
      await super.settle();
      quiet = (await this.isQuiet()) ? quiet + 1 : 0;
    }
  }
}

export async function anOutageWorld(options: OutageOptions = {}): Promise<OutageWorld> {
  const clock = new OutageClock();
  const wall = clock.wall;
  const underWay = new UnderWay();
  const bare = await aLedger();
  const ledger = underWay.watch(bare);
  const log = (): void => undefined;
  const webhookToken = new Secret('hook-token');
  let simulator: Simulator | undefined = undefined;
  const main: InstanceDirectory = {
    names: () => ['main'],
    get: (name) => {
      if (name !== 'main') throw new AppError('INSTANCE_NOT_FOUND', `No instance ${name}.`);
      return {
        name,
        baseUrl: simulator?.url ?? 'http://127.0.0.1:9',
        idInstance: '1101000001',
        apiTokenInstance: new Secret('simulator-token'),
        webhookTokens: [webhookToken],
      };
    },
  };
  const onAuthorized = async (): Promise<void> => wake();
  const receiver = createReceiver({
    ledger,
    instances: main,
    clock: wall,
    notify: () => Promise.resolve(),
    lateEvidence: (instance, body) => applyLateEvidence({ ledger, clock: wall, onAuthorized }, instance, body),
    log,
  });
  /** True when a notification came since the receiver was last seen idle. */
  let isUnseen = false;
  const door = createServer((request, response) => void underWay.during(receive(request, response)));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    isUnseen = true;
    const { status } = await receiver.receive('main', request.headers.authorization, await buffer(request));
    response.writeHead(status).end();
  }
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  simulator = await startSimulator({
    clock: wall,
    settings: {
      webhookUrl: `http://127.0.0.1:${port}/`,
      webhookUrlToken: webhookToken.reveal(),
      outgoingWebhook: 'yes',
      outgoingAPIMessageWebhook: 'yes',
      stateWebhook: 'yes',
      delaySendMessagesMilliseconds: options.delaySendMessagesMilliseconds ?? 500,
    },
  });
  const running = simulator;
  const instances = options.instances?.(running.url, wall) ?? main;
  const client = createGateway({
    instances,
    clock: wall,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    gate: OPEN_GATE,
    onClock: () => undefined,
  });
  const gateway = underWay.watch(client);
  clock.isQuiet = async () => {
    await running.idle();
    if (isUnseen) {
      isUnseen = false;
      await receiver.idle();
      return false;
    }
    return underWay.count === 0;
  };

  const times = TIMES;
  const dispatcher = openDispatcher({ ledger, gateway, clock: wall, times, instances, log, timers: clock });
  const stopping = new AbortController();
  const activities = createActivities(
    {
      inputs: { message: notAsked, template: notAsked, editId: notAsked },
      ledger,
      gateway,
      clock: wall,
      wake: () => wake(),
      worker: 'worker-under-test',
      stopping: stopping.signal,
      times,
      log,
    },
    dispatcher,
  );

  let isTemporalAway = false;
  let isWoken = false;
  let isRunning = false;
  let onWake = (): void => undefined;
  let retried: OutageWorld['retried'];
  let serving: Promise<void> = Promise.resolve();

  function wake(): void {
    dispatcher.wake('main');
    isWoken = true;
    onWake();
    if (isRunning || isTemporalAway || stopping.signal.aborted) return;
    isRunning = true;
    serving = serve().finally(() => {
      isRunning = false;
    });
  }

  /** Plays the workflow `instance`. Where it would wait without a timer, it ends, and a wake begins it again. */
  async function serve(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false;
      const { ended, nextDueAtMs, unrecorded } = await dispatch();
      if (unrecorded.length > 0) await activities.recordOutcomes({ outcomes: unrecorded });
      if (ended === 'time' || isWoken) continue;
      if (nextDueAtMs === undefined) return;
      await untilWokenOr(nextDueAtMs - wall.nowMs());
    }
  }

  function untilWokenOr(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      onWake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Plays the activity's retries. */
  async function dispatch(): Promise<ShiftReport> {
    const scheduledTimestampMs = wall.nowMs();
    for (let attempt = 1; ; attempt += 1) {
      const temporal = new MockActivityEnvironment({ scheduledTimestampMs, attempt });
      try {
        const report: ShiftReport = await temporal.run(activities.dispatch, { instance: 'main' });
        retried = undefined;
        return report;
      } catch (error) {
        if (!(error instanceof ApplicationFailure) || stopping.signal.aborted) {
          return { ended: 'stopping', unrecorded: [] };
        }
        retried = { attempt, type: error.type ?? '', message: error.message };
        const backoffMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempt - 1));
        await clock.sleep(Math.max(backoffMs, Number(error.nextRetryDelay ?? 0)));
      }
    }
  }

  const reconcile = reconcileActivity({ ledger, gateway, clock: wall, times });
  const parts = { ledger, clock: wall, log };
  for (const { round, everyMs } of [
    { ...expireMessages(parts), everyMs: JOBS_EVERY_MS },
    { ...wakeInstances(parts, () => wake()), everyMs: JOBS_EVERY_MS },
    {
      ...endUnheard(parts, (id) => askJournal({ ledger, gateway, clock: wall }, id)),
      everyMs: JOBS_EVERY_MS,
    },
    { ...askAboutUnresolved(parts, (messageId) => reconcile({ messageId })), everyMs: JOBS_EVERY_MS },
    { ...watchInstances({ ...parts, instances, gateway, onAuthorized }), everyMs: JOBS_EVERY_MS },
    { round: followCampaigns, everyMs: CAMPAIGNS_EVERY_MS },
  ]) {
    const again = (): void => {
      const next = (): void => void clock.after(everyMs, again);
      underWay.during(round()).then(next, next);
    };
    clock.after(everyMs, again);
  }

  const campaigns = new Set<CampaignId>();
  /** Plays the workflows of campaigns. */
  async function followCampaigns(): Promise<void> {
    for (const campaignId of campaigns) await activities.followCampaign({ campaignId });
  }

  closeAfterTest(async () => {
    stopping.abort();
    onWake();
    await clock.until(serving);
    await running.close();
    await receiver.close();
    door.closeAllConnections();
    await new Promise((resolve) => door.close(resolve));
    await client.close();
    await bare.close();
  });

  let accepted = 0;
  const known = <Found>(found: Found | undefined): Found => {
    if (found === undefined) throw new Error('It is not in the ledger.');
    return found;
  };
  return {
    ledger,
    simulator: running,
    clock,
    get retried() {
      return retried;
    },
    async accept(text, request = {}) {
      accepted += 1;
      const id = `msg_${accepted}` as MessageId;
      const chatId = `1555${String(accepted).padStart(7, '0')}@c.us`;
      const whole: MessageRequest = { instance: 'main', chatId, content: { kind: 'text', text }, ...request };
      const expiresAtMs = whole.expiresAt === undefined ? wall.nowMs() + DAY : Date.parse(whole.expiresAt);
      await ledger.messages.open({ id, requestHash: id, request: whole, expiresAtMs, nowMs: wall.nowMs() });
      wake();
      return id;
    },
    async campaign(id, recipients, definition = {}) {
      const campaignId = id as CampaignId;
      await startCampaign({ ledger, clock: wall }, { id: campaignId, recipients, definition });
      campaigns.add(campaignId);
      wake();
      return campaignId;
    },
    progress: async (id) => known(await ledger.campaigns.progress(id, Date.now())),
    view: async (id) => known(await ledger.messages.view(id, Date.now())),
    wake,
    setTemporalAway(isAway) {
      isTemporalAway = isAway;
    },
    async control(method, path, body) {
      const response = await fetch(`${running.url}/_sim/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${await response.text()}`);
      await clock.settle();
    },
    async pass(ms) {
      const untilMs = wall.nowMs() + ms;
      for (;;) {
        await clock.settle();
        const nowMs = wall.nowMs();
        if (nowMs >= untilMs) return;
        const releaseInMs = Math.max(1, (running.nextDueAtMs() ?? Infinity) - nowMs);
        await clock.pass(Math.min(untilMs - nowMs, releaseInMs, Math.max(0, clock.nextAtMs - clock.nowMs())));
      }
    },
    posts: () => running.requests().filter(({ method }) => method === 'sendMessage').length,
  };
}

function notAsked(): never {
  throw new Error('No workflow is started here.');
}
