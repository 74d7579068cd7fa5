/**
 * All sending parts are real, on one clock that only the test moves. The world plays Temporal: the workflow `instance`
 * and the retries of its activity. Campaigns have no workflows.
 */
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pollJournal, createActivities, reconcileActivity } from '../../src/activities/index.js';
import {
  present,
  CAMPAIGN_END_STATES,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type EditId,
  type FaultPoint,
  type MessageId,
  type MessageState,
  type ShiftReport,
} from '../../src/contract/index.js';
import type { Dispatcher } from '../../src/dispatch/index.js';
import type { Ledger, MessageView } from '../../src/ledger/index.js';
import {
  beginCampaigns,
  checkRunningCampaigns,
  pollUnresolved,
  configureInstances,
  endWithoutReceipts,
  endCampaigns,
  endEdits,
  expireMessages,
  openDispatcher,
  wakeInstances,
  watchInstances,
} from '../../src/worker/index.js';
import { startCampaign } from '../support/campaign.js';
import { closeAfterTest } from '../support/close-after-test.js';
import { aLedger } from '../support/ledger/ledger.js';
import { aStack, DAY, MINUTE, OPEN_GATE, SECOND, type Stack, type StackOptions } from '../support/stack.js';
import { LedClock } from './led-clock.js';
import { UnderWay } from './under-way.js';

export { DAY, HOUR, MINUTE, SECOND } from '../support/stack.js';

const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 2_000, settleTimeMs: 2_000, editConfirmTimeoutMs: 2_000 };
/** The activity's retry policy. */
const RETRY_FIRST_MS = SECOND;
const RETRY_MAX_MS = 10 * MINUTE;
/** The world is idle when nothing was under way this many times in a row: finished work may start more work. */
const QUIET_ROUNDS = 3;

/** For stories of days: a day has hundreds of rounds of the background jobs, not a hundred thousand. */
export const FOR_DAYS = {
  times: { ...TIMES, postingDeadlineMs: 60_000, gatewayTimeoutMs: 60_000, settleTimeMs: 1_000 },
  jobsEveryMs: 10 * MINUTE,
  settings: { delaySendMessagesMilliseconds: 500 },
} as const;

export interface RealWorldOptions extends Pick<StackOptions, 'settings' | 'gate' | 'instance' | 'instances'> {
  /** A ledger that several worlds share, each with its own instance. @default its own */
  readonly ledger?: Ledger;
  readonly times?: typeof TIMES;
  /** How often each background job runs. @default as in the product */
  readonly jobsEveryMs?: number;
  /** Whether `deepest` is measured, with a request after each event. @default false */
  readonly measuresDepth?: boolean;
}

export interface RealWorld extends Pick<
  Stack,
  'gateway' | 'instances' | 'simulator' | 'control' | 'fault' | 'patch' | 'post'
> {
  readonly ledger: Ledger;
  readonly instance: string;
  /** The activity's last failed try, as Temporal's Web UI shows it; undefined when no retry is due. */
  readonly retried: { readonly type: string; readonly message: string } | undefined;
  nowMs(): number;
  /** Starts a campaign to this many recipients. */
  campaign(recipients: number, definition?: Partial<CampaignDefinition>): Promise<CampaignId>;
  /** Adds a message to a number of its own, as the API does: the row, then the wake. */
  single(lifeMs?: number, text?: string): Promise<MessageId>;
  /** From now on a new process serves the instance; the previous one is dead. */
  serve(reached?: (point: FaultPoint) => void): void;
  wake(): void;
  /** No shift begins while Temporal is unavailable. */
  setTemporalAway(isAway: boolean): void;
  /** Passes time, event by event. */
  pass(ms: number): Promise<void>;
  /** Passes time until the campaigns have ended. */
  untilEnded(...ids: CampaignId[]): Promise<void>;
  /** What an edit by the API does: the row, then the wake. */
  edit(id: MessageId, text: string): Promise<EditId>;
  /** By the world's clock. */
  sleep(ms: number): Promise<void>;
  progress(id: CampaignId): Promise<CampaignProgress>;
  /** The states that have recipients. */
  counts(id: CampaignId): Promise<Partial<Record<MessageState, number>>>;
  view(id: MessageId): Promise<MessageView>;
  state(id: MessageId): Promise<MessageState>;
  /** Runs one round of each background job. */
  runJobs(): Promise<void>;
  /** Runs one round of the background job that reads the account's state. */
  watch(): Promise<void>;
  /** Posts without everpost. */
  fill(items: number): Promise<void>;
  queueDepth(): Promise<number>;
  /** The greatest queue depth after any event; measured with `measuresDepth`. */
  deepest(): number;
  /** The texts on the phones, once for each arrival. */
  delivered(): string[];
  requests(method: string): number;
}

interface Process {
  readonly dispatcher: Dispatcher;
  readonly activities: ReturnType<typeof createActivities>;
  readonly stopping: AbortController;
}

export async function aRealWorld(options: RealWorldOptions = {}): Promise<RealWorld> {
  const { times = TIMES, gate = OPEN_GATE, jobsEveryMs, measuresDepth = false } = options;
  const clock = new LedClock(settle);
  const { wall } = clock;
  const underWay = new UnderWay();
  const bare = options.ledger ?? (await aLedger());
  const ledger = underWay.watch(bare);
  const instance = options.ledger === undefined ? 'main' : `i-${randomUUID().slice(0, 8)}`;
  const log = (): void => undefined;
  const onAuthorized = (): Promise<void> => Promise.resolve(wake());
  const stack = await aStack({
    ledger,
    clock: wall,
    gatewayTimeoutMs: times.gatewayTimeoutMs,
    name: instance,
    settings: { delaySendMessagesMilliseconds: SECOND, ...options.settings },
    gate: { ...gate, acquire: (...asked) => underWay.waiting(gate.acquire(...asked)) },
    instances: options.instances,
    instance: options.instance,
    onAuthorized,
    onEditsDue: () => wake(),
  });
  const { simulator, instances, control } = stack;
  const gateway = underWay.watch(stack.gateway);

  let current: Process | undefined;
  let isTemporalAway = false;
  let isWoken = false;
  let isRunning = false;
  let onWake = (): void => undefined;
  let retried: RealWorld['retried'];
  let running: Promise<void> = Promise.resolve();
  let shifts = 0;
  let mark: string | undefined;
  let deepest = 0;

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS;) {
      await new Promise((resolve) => setImmediate(resolve));
      const isQuiet = !(await stack.settle()) && underWay.count === 0;
      quiet = isQuiet ? quiet + 1 : 0;
      await underWay.oneEnded();
    }
  }

  /** A process: a wake begins its first shift. */
  function start(reached?: (point: FaultPoint) => void): void {
    current?.stopping.abort();
    const stopping = new AbortController();
    const deps = { ledger, gateway, instances, clock: wall, times, timesOf: () => times, log };
    const dispatcher = openDispatcher({ ...deps, reached, timers: clock });
    const inputs = { message: notAsked, template: notAsked, editId: notAsked };
    const worker = 'worker-under-test';
    const runSchedule = () => Promise.reject(new Error('no schedule runs here'));
    const given = { ...deps, inputs, wake, runSchedule, worker, processId: worker, stopping: stopping.signal };
    const activities = createActivities(given, dispatcher);
    current = { dispatcher, activities, stopping };
    isRunning = false;
  }

  function wake(): void {
    const process = current;
    process?.dispatcher.wake(instance);
    isWoken = true;
    onWake();
    if (process === undefined || isRunning || isTemporalAway || process.stopping.signal.aborted) return;
    isRunning = true;
    running = runShifts(process).finally(() => {
      if (current === process) isRunning = false;
    });
  }

  /**
   * Plays the workflow `instance`. Where the workflow would wait without a timer, it ends, and a wake starts it again.
   */
  async function runShifts(process: Process): Promise<void> {
    const { activities, stopping } = process;
    while (!stopping.signal.aborted) {
      isWoken = false;
      const { ended, nextDue, unrecorded } = await dispatch(process);
      if (unrecorded.length > 0) await activities.recordOutcomes({ outcomes: unrecorded });
      if (ended === 'time' || isWoken) continue;
      if (nextDue === undefined) return;
      await untilWokenOr(nextDue.inMs);
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

  /** Plays the retries of the activity. */
  async function dispatch({ activities, stopping }: Process): Promise<ShiftReport> {
    const input = { instance, shift: ++shifts, ...present({ mark }) };
    for (let attempt = 1; ; attempt += 1) {
      const temporal = new MockActivityEnvironment({ attempt });
      try {
        const report: ShiftReport = await temporal.run(activities.dispatch, input);
        retried = undefined;
        mark = report.mark ?? mark;
        return report;
      } catch (error) {
        if (!(error instanceof ApplicationFailure) || stopping.signal.aborted) {
          return { ended: 'stopping', unrecorded: [] };
        }
        retried = { type: error.type ?? '', message: error.message };
        const backoffMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempt - 1));
        await clock.sleep(jobsEveryMs === undefined ? Number(error.nextRetryDelay ?? backoffMs) : backoffMs);
      }
    }
  }

  const reconcile = reconcileActivity({ ledger, gateway, clock: wall, times, timesOf: () => times });
  const given = { ledger, clock: wall, log };
  const ofCampaigns = { ...given, namespace: 'default' };
  const watchAccount = watchInstances({ ...given, instances, gateway, onAuthorized });
  const jobs = [
    expireMessages(given),
    endEdits(given),
    wakeInstances(given, wake),
    configureInstances({ ...given, instances }, wake),
    endWithoutReceipts(given, (id) => pollJournal({ ledger, gateway, clock: wall }, id)),
    pollUnresolved(given, () => reconcile),
    watchAccount,
    beginCampaigns(ofCampaigns, wake),
    endCampaigns(ofCampaigns),
    checkRunningCampaigns(ofCampaigns),
  ];
  for (const { round, everyMs } of jobs) {
    const inAWhile = (): void => void clock.after(jobsEveryMs ?? everyMs, again);
    const again = (): void => void underWay.during(round()).then(inAWhile, inAWhile);
    inAWhile();
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = wall.nowMs() + ms;
    for (;;) {
      await settle();
      if (measuresDepth) deepest = Math.max(deepest, await queueDepth());
      const nowMs = wall.nowMs();
      if (nowMs >= untilMs) return;
      const releaseInMs = Math.max(1, (simulator.nextDueAtMs() ?? Infinity) - nowMs);
      await clock.pass(Math.min(untilMs - nowMs, releaseInMs, Math.max(0, clock.nextAtMs - clock.nowMs())));
    }
  }

  async function queueDepth(): Promise<number> {
    const response = await fetch(`${simulator.url}/_sim/instances/1101000001`);
    return ((await response.json()) as { readonly queue: readonly unknown[] }).queue.length;
  }

  const known = <Found>(found: Found | undefined): Found => {
    if (found === undefined) throw new Error('It is not in the ledger.');
    return found;
  };
  const progress = async (id: CampaignId): Promise<CampaignProgress> =>
    known(await bare.campaigns.progress(id, wall.nowMs()));
  const settled =
    <Given extends readonly unknown[]>(act: (...asked: Given) => Promise<unknown>) =>
    async (...asked: Given): Promise<void> => {
      await act(...asked);
      await settle();
    };

  closeAfterTest(async () => {
    current?.stopping.abort();
    onWake();
    await clock.until(running);
    await stack.close();
    if (options.ledger === undefined) await bare.close();
  });

  start();
  return {
    gateway,
    instances,
    simulator,
    ledger: bare,
    instance,
    post: stack.post,
    control: settled(control),
    fault: settled(stack.fault),
    patch: settled(stack.patch),
    get retried() {
      return retried;
    },
    nowMs: () => wall.nowMs(),
    async campaign(recipients, definition = {}) {
      const id = `c-${randomUUID()}` as CampaignId;
      const content = { kind: 'text', text: `Hello {{name}} from ${id}` } as const;
      const whole = { instance, content, ...definition };
      await startCampaign({ ledger, clock: wall }, { id, recipients, definition: whole });
      wake();
      return id;
    },
    async single(lifeMs = DAY, text = 'Hello') {
      const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
      const chatId = `1777${String(++singles).padStart(7, '0')}@c.us`;
      const request = { instance, chatId, content: { kind: 'text', text } } as const;
      const nowMs = wall.nowMs();
      await ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + lifeMs, nowMs });
      wake();
      return id;
    },
    async edit(messageId, text) {
      const editId = `edt_${randomUUID().replaceAll('-', '')}` as EditId;
      await ledger.edits.open({ editId, messageId, text, nowMs: wall.nowMs() });
      wake();
      return editId;
    },
    serve(reached) {
      start(reached);
      wake();
    },
    wake,
    setTemporalAway(isAway) {
      isTemporalAway = isAway;
    },
    pass,
    async untilEnded(...ids) {
      const untilMs = wall.nowMs() + 15 * MINUTE;
      for (;;) {
        const states = await Promise.all(ids.map(async (id) => (await progress(id)).state));
        // The last receipts may come after the end.
        if (states.every((state) => CAMPAIGN_END_STATES.includes(state))) return pass(3 * SECOND);
        if (wall.nowMs() > untilMs) throw new Error(`the campaigns do not end: ${states.join(', ')}`);
        await pass(2 * SECOND);
      }
    },
    sleep: (ms) => clock.sleep(ms),
    progress,
    async counts(id) {
      const { counts } = await progress(id);
      return Object.fromEntries(Object.entries(counts).filter(([, recipients]) => recipients > 0));
    },
    view: async (id) => known(await bare.views.message(id, wall.nowMs())),
    state: async (id) => known(await bare.messages.snapshot(id)).state,
    async runJobs() {
      for (const { round } of jobs) await underWay.during(round());
      await settle();
    },
    watch: () => watchAccount.round(),
    async fill(items) {
      for (let item = 0; item < items; item += 1) {
        await stack.post('sendMessage', { chatId: '15558888888@c.us', message: `an unmatched ${item}` });
      }
      await settle();
    },
    queueDepth,
    deepest: () => deepest,
    delivered: () => simulator.delivered().map(({ text }) => text ?? ''),
    requests: (method) => simulator.requests().filter((request) => request.method === method).length,
  };
}

let singles = 0;

function notAsked(): never {
  throw new Error('No workflow is started here.');
}
