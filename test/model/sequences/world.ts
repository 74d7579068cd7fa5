/**
 * The product's own core over a real ledger: API, ticker and dispatcher, reconciler, background jobs and receiver in
 * one process that can be killed; a gateway and Temporal that are played; one clock that only the world moves.
 */
import {
  applyLateEvidence,
  createActivities,
  pollJournal,
  reconcileActivity,
  settleLost,
} from '../../../src/activities/index.js';
import {
  AppError,
  Secret,
  type CampaignId,
  type FaultPoint,
  type InstanceConfig,
  type InstanceDirectory,
  type MessageId,
  type MessageRequest,
} from '../../../src/contract/index.js';
import type { Timers } from '../../../src/dispatch/index.js';
import { timesOfInstances } from '../../../src/domain/index.js';
import type { Gateway } from '../../../src/gateway/index.js';
import { failed } from '../../../src/gateway/read-outcome.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { createWaker, onAuthorizedWith } from '../../../src/starter/index.js';
import { beginMessage } from '../../../src/starter/messages/begin-message.js';
import { createIncoming, createReceiver } from '../../../src/webhooks/index.js';
import {
  configureInstances,
  endWithoutReceipts,
  eraseRecipients,
  endEdits,
  expireMessages,
  openDispatcher,
  pollUnresolved,
  rejectByTemplate,
  settleClears,
  settleRemoved,
  retentionJobs,
  wakeInstances,
  watchClock,
  watchInstances,
  watchQueues,
} from '../../../src/worker/index.js';
import { LedClock } from '../../dispatch/led-clock.js';
import { UnderWay } from '../../dispatch/under-way.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import type { Random } from '../../support/random.js';
import { amendOnce, campaignDoor, campaignJobs } from './campaigns/door.js';
import { LedgerCopies } from './copies.js';
import type { Process } from './process.js';
import { scheduleDoor } from './schedules/door.js';
import { ModelGateway } from './gateway.js';
import { Life } from './mortal.js';
import { Paces } from './paces.js';
import { ModelTemporal, type Order } from './temporal.js';

const DAY_MS = 24 * 60 * 60_000;
const TIMES = {
  postingDeadlineMs: 2_000,
  gatewayTimeoutMs: 4_000,
  settleTimeMs: 4_000,
  editConfirmTimeoutMs: 4_000,
  patience: { witnessMs: 20_000, successorMs: 60_000 },
};
/** How long a dead process still counts as alive. */
const REPORTED_FOR_MS = 4_000;
/** A job that runs each second costs more than all else; none needs to run more often than this. */
const JOBS_AT_MOST_EVERY_MS = 4_000;
/** The world is quiet when nothing was under way this many times in a row: finished work may start more work. */
const QUIET_ROUNDS = 3;
const NOTICED_WITHIN_MS = 30_000;
const NOTIFIED_BY = new Secret('hook');

export class World {
  readonly clock = new LedClock(() => this.settle());
  readonly gateway: ModelGateway;
  readonly temporal = new ModelTemporal(this.clock);
  /** The instances file. */
  readonly file = new Map<string, InstanceConfig>();
  readonly instances: InstanceDirectory = {
    names: () => [...this.file.keys()],
    get: (name) => {
      const found = this.file.get(name);
      if (found === undefined) throw new AppError('INSTANCE_NOT_FOUND', `No instance ${name}.`);
      return found;
    },
  };
  readonly copies: LedgerCopies;
  /** The ledger as an observer reads it, without a process. */
  readonly ledger: Ledger;
  readonly paces: Paces;
  /** Else the jobs of campaigns do nothing. */
  hasCampaigns = false;
  /** The recipients of schedules; undefined while they cannot be read. */
  list: string | undefined;
  /** Since when a campaign has more failures than its automatic pause allows. */
  readonly badSince = new Map<string, number>();
  readonly #close: () => Promise<void>;
  readonly #watched: Ledger;
  readonly #underWay = new UnderWay();
  /** The one that callers, operators and the gateway reach. */
  process: Process | undefined;
  /** Another worker on the same ledger. It takes the place of the first one when that dies. */
  second: Process | undefined;
  diedAtMs = -Infinity;
  /** A live shift that the restored ledger does not know may be ended by others before it notices. */
  restoredAtMs = -Infinity;
  #started = 0;

  static async open(random: Random): Promise<World> {
    return new World(random, await aDatabase());
  }

  private constructor(random: Random, { db, ledger, close }: Awaited<ReturnType<typeof aDatabase>>) {
    this.ledger = ledger;
    // The database's clock is the world's.
    Object.assign(ledger.dispatch, { clockMs: () => Promise.resolve(this.nowMs) });
    this.#watched = this.#underWay.watch(ledger);
    this.#close = close;
    this.copies = new LedgerCopies(db);
    this.gateway = new ModelGateway(this.clock, random, this.instances, (instance, body) =>
      this.#notify(instance, body),
    );
    this.paces = new Paces(this.clock, this.gateway);
    this.temporal.onEnded = (isAlive) => {
      const isRestored = this.clock.nowMs() < this.restoredAtMs + NOTICED_WITHIN_MS;
      if (isAlive && !isRestored) this.paces.endedAlive += 1;
    };
  }

  get nowMs(): number {
    return this.clock.wall.nowMs();
  }

  /** Ends the process at once, with all that it does, and starts another one. */
  async start(): Promise<void> {
    this.kill();
    const started = await this.#start();
    this.second = this.process;
    this.process = started;
  }

  async join(): Promise<void> {
    this.second ??= await this.#start();
  }

  async #start(): Promise<Process> {
    const life = new Life();
    const ledger = life.bind(this.#watched);
    const worker = `worker-${(this.#started += 1)}`;
    const { instances } = this;
    const ofCampaigns = {
      ledger,
      clock: { nowMs: () => this.nowMs + process.aheadMs },
      instances,
      wake: (instance: string) => process.wake(instance),
      amend: (id: CampaignId) => this.temporal.amend(id),
    };
    const process: Process = {
      worker,
      life,
      aheadMs: 0,
      diesAt: undefined,
      ledger,
      clock: ofCampaigns.clock,
      campaigns: campaignDoor(ofCampaigns),
      schedules: scheduleDoor({
        ...ofCampaigns,
        occur: (id, at) => this.temporal.occur(id, at),
        ran: this.temporal.ran,
        isTemporalAway: () => this.temporal.isAway,
        list: () => this.list,
      }),
      receive: async (instance, body) => {
        await receiver.receive(instance, NOTIFIED_BY.reveal(), Buffer.from(JSON.stringify(body)));
        await receiver.idle();
      },
      wake: (instance) => this.#during(life, wakeInstance(instance)),
      sayAlive: async () => {
        await ledger.dispatch.sayAlive(worker, dispatcher.serving()).catch(() => undefined);
        // By the database's own clock, which the world does not have.
        await this.copies.setAlive(worker, true);
      },
    };
    const { clock } = process;
    const timers: Timers = {
      nowMs: () => this.clock.nowMs(),
      after: (delayMs, run) =>
        this.clock.after(delayMs, () => {
          if (life.isOver) return;
          this.paces.turn(worker);
          run();
        }),
    };
    const log = (): void => undefined;
    const gateway = life.bind(this.#gatewayOf(process));
    const timesOf = timesOfInstances(instances, TIMES);
    const deps = { ledger, gateway, instances, clock, times: TIMES, timesOf, log };
    const reached = (point: FaultPoint): void => {
      if (process.diesAt !== point || life.isOver) return;
      this.#end(process);
      throw new Error(`killed at ${point}`);
    };
    const clocks = watchClock({ dispatch: ledger.dispatch, clock, log, monotonicMs: () => this.clock.nowMs() });
    await clocks.job.round().catch(() => undefined);
    const dispatcher = openDispatcher({ ...deps, timers, reached, clocks });
    const wakeInstance = createWaker({ ...this.temporal.access, ledger, clock, log });
    const wake = (instance: string): void => void process.wake(instance);
    const notAsked = (): never => {
      throw new Error('No workflow is started here.');
    };
    const activities = createActivities(
      {
        ...deps,
        inputs: { message: notAsked, template: notAsked, editId: notAsked },
        wake,
        runSchedule: notAsked,
        worker,
        processId: worker,
      },
      dispatcher,
    );
    const onAuthorized = onAuthorizedWith({ ledger, instances, clock, wake: process.wake });
    const receiver = createReceiver({
      ledger,
      instances,
      clock,
      log,
      lateEvidence: (from, body) => applyLateEvidence({ ledger, clock }, from, body),
      onAuthorized,
      onEditsDue: wake,
      incoming: createIncoming({ ledger, instances, clock, log }),
    });
    ledger.wakes.listen((instance) => {
      if (!life.isOver) dispatcher.wake(instance);
    });
    const given = { ledger, clock, log, instances };
    const reconcile = reconcileActivity(deps);
    const forCampaigns = campaignJobs(ofCampaigns, log);
    const kept = { keptForMs: 7 * DAY_MS, eventsKeptForMs: 7 * DAY_MS, auditKeptForMs: 7 * DAY_MS };
    for (const job of [
      ...forCampaigns,
      clocks.job,
      expireMessages(given),
      endEdits(given),
      rejectByTemplate(given),
      settleRemoved(given),
      wakeInstances(given, wake),
      configureInstances(given, wake),
      endWithoutReceipts(given, (id) => pollJournal(deps, id)),
      pollUnresolved(given, () => reconcile),
      watchInstances({ ...given, gateway, onAuthorized }),
      watchQueues({ ...given, gateway }, wake),
      settleClears(given, (clear) => settleLost({ ...deps, wake }, clear, 'OPERATION_MAY_HAVE_HAPPENED')),
      eraseRecipients({ ...given, ...kept }),
      ...retentionJobs(given, { ...kept, messagesKeptForMs: undefined }),
    ]) {
      const { round, everyMs, withAnyClock = false } = job;
      const isIdle = (): boolean => !this.hasCampaigns && forCampaigns.includes(job);
      const later = (): void => void timers.after(Math.max(everyMs, JOBS_AT_MOST_EVERY_MS), again);
      const again = (): void => {
        const mayRun = (withAnyClock || clocks.isRight()) && !isIdle();
        // Not counted as under way: a round may wait for the gateway, which waits for the clock.
        void Promise.race([mayRun ? endOf(round()) : undefined, life.died]).then(later);
      };
      later();
    }
    await process.sayAlive();
    const amend = (id: CampaignId): Promise<boolean> => amendOnce(ofCampaigns, id);
    const { occurOnce } = process.schedules;
    const mark = (instance: string): string | undefined => dispatcher.view(instance)?.mark;
    this.temporal.addWorker({ name: worker, activities, mark, died: life.died, amend, occurOnce });
    return process;
  }

  kill(): void {
    if (this.process !== undefined) this.#end(this.process);
  }

  killAll(): void {
    this.kill();
    this.kill();
  }

  #end(process: Process): void {
    process.life.end();
    this.diedAtMs = this.clock.nowMs();
    this.clock.after(REPORTED_FOR_MS, () => void this.#underWay.during(this.copies.setAlive(process.worker, false)));
    this.temporal.removeWorker(process.worker);
    if (this.process === process) this.process = this.second;
    this.second = undefined;
  }

  /** The API's way to send. @throws AppError as the API; if no process runs, LEDGER_UNAVAILABLE */
  async send(key: string, request: MessageRequest): Promise<MessageId> {
    const { process } = this;
    if (process === undefined) throw new AppError('LEDGER_UNAVAILABLE', 'No process runs.');
    const { ledger, clock, wake } = process;
    const load = { count: () => undefined };
    let id: MessageId | undefined;
    const begun = beginMessage({ ledger, instances: this.instances, clock, wake, load }, request, {
      key,
      witness: 'caller',
    });
    await this.#during(
      process.life,
      begun.then((message) => {
        id = message.id;
      }),
    );
    if (id !== undefined) return id;
    throw new AppError('LEDGER_UNAVAILABLE', 'The process died.');
  }

  /** A request to the API of the process. @returns undefined if the process died meanwhile */
  async request<Response>(work: (process: Process) => Promise<Response>): Promise<Response | undefined> {
    const { process } = this;
    return process && this.#underWay.during(Promise.race([work(process), process.life.died.then(() => undefined)]));
  }

  /** An operator orders an operation of the gateway. */
  async order(instance: string, method: Order, key: string): Promise<void> {
    const { process } = this;
    // It died meanwhile: the operator's request fails.
    if (process === undefined) return;
    const { ledger, clock } = process;
    const order = { id: `op_${key}`, method, instance, requestHash: key, request: {}, nowMs: clock.nowMs() };
    await this.#during(
      process.life,
      ledger.operations.open(order).then(() => undefined),
    );
    this.temporal.order(instance, method, order.id);
  }

  /** Work of a process, which ends with its life. */
  #during(life: Life, work: Promise<void>): Promise<void> {
    return this.#underWay.during(Promise.race([work, life.died]));
  }

  async pass(ms: number): Promise<void> {
    await this.clock.pass(ms);
  }

  /** Waits until all work that needs no time has ended. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS;) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#underWay.count === 0 ? quiet + 1 : 0;
      await this.#underWay.oneEnded();
    }
  }

  async close(): Promise<void> {
    this.killAll();
    await this.settle();
    await this.#close();
  }

  #gatewayOf({ clock }: Process): Gateway {
    const { gateway, instances } = this;
    const call: Gateway['call'] = async (instance, operation, request, options = {}) => {
      if ((options.deadlineMs ?? Infinity) < clock.nowMs()) {
        throw failed({ instance: instances.get(instance), operation, request }, 'deadline', {});
      }
      return gateway.call(instance, operation, request, options);
    };
    return { call, check: gateway.check, offers: gateway.offers, close: gateway.close };
  }

  async #notify(instance: string, body: object): Promise<boolean> {
    const { process } = this;
    if (process === undefined) return false;
    return this.#underWay.during(
      Promise.race([
        process.receive(instance, body).then(
          () => true,
          () => false,
        ),
        process.life.died.then(() => false),
      ]),
    );
  }
}

function endOf(round: Promise<void>): Promise<void> {
  return round.catch(() => undefined);
}
