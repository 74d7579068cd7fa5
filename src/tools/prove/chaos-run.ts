import { setTimeout as delay } from 'node:timers/promises';
import { AppError, DEFAULT_HIGH_WATER, MOST_UNKNOWN, groupBy } from '../../contract/index.js';
import type { ApiClient } from '../../client/index.js';
import type { Backend } from './backend.js';
import { PROVE_TIMES } from './plan/faults.js';
import type { Count, GatewayUnderTest } from './gateway-under-test.js';
import type { KilledProcess } from './account/kill-account.js';
import { RELEASE_MS, type Kill, type Outage, type Plan, type PlannedMessage, type Round } from './plan/plan.js';
import type { Replacement, Version } from './plan/rolling.js';
import type { ProductRun, ProductUnderTest } from './product-process.js';
import { readProgress, type InstanceProgress, type Progress } from './progress.js';
import type { StallMeter } from './stall-meter.js';

export interface ChaosDependencies {
  readonly gateway: GatewayUnderTest;
  readonly temporal: { killAndRestart(downMs: number, stop: AbortSignal): Promise<void> };
  readonly product: ProductUnderTest;
  readonly backend: Backend;
  readonly api: ApiClient;
  readonly meter: StallMeter;
  /** Aborted to end the run: every wait then rejects. */
  readonly stop: AbortSignal;
  /** Shows progress, one line at a time. */
  readonly tell: (line: string) => void;
}

/**
 * How long a kill waits for its fault point. Temporal may need a while to start a shift on a new worker, and an
 * instance posts one message at a time while three outcomes are unknown.
 */
const POINT_PATIENCE_MS = 90_000;
/** The time from a claim until its outcome can be reconciled. */
const RECONCILED_WITHIN_MS = PROVE_TIMES.postingDeadlineMs + PROVE_TIMES.gatewayTimeoutMs + PROVE_TIMES.settleTimeMs;
const POLL_EVERY_MS = 50;
const ASK_EVERY_MS = 1_000;
/** The run is over when nothing has changed for this long. */
const QUIET_MS = 2_000;
/** A product that ends by itself this many times in a row cannot start. */
const MAX_FALSE_STARTS = 5;

type Part = 'product' | Outage['of'];

const UP_AGAIN: Readonly<Record<Part, string>> = {
  product: 'everpost was started',
  temporal: "Temporal's server was back",
  gateway: 'the gateway was back',
};

/** Plays a plan, and then waits until no message, edit, campaign or notification changes any more. */
export class ChaosRun {
  readonly #dependencies: ChaosDependencies;
  /** By the name of each kill and outage: how often it was planned and how often it happened. */
  readonly counts = new Map<string, Count>();
  readonly killed: KilledProcess[] = [];
  /** The largest window that each instance showed. */
  readonly windows = new Map<string, number>();
  /** Ends of the product that the plan does not explain. */
  readonly surprises: string[] = [];
  /** The parts that are down now. During an outage no progress is expected. */
  readonly #down = new Set<Part>(['product']);
  /** The running processes by their place. */
  readonly #running = new Map<number, ProductRun>();
  readonly #ready = new Set<ProductRun>();
  /** The version as which the process of each place starts. */
  readonly #versions = new Map<number, Version>();
  /** The place of the process that was started last. */
  #youngest = 0;
  #kills = 0;
  #plannedKills = 0;

  constructor(dependencies: ChaosDependencies) {
    this.#dependencies = dependencies;
  }

  async play(plan: Plan): Promise<void> {
    this.#plannedKills = plan.rounds.length;
    for (let place = 0; place < plan.workers; place += 1) this.#versions.set(place, plan.isRolling ? 'other' : 'this');
    for (const { kill, outage, replacement } of plan.rounds) {
      this.#add(nameOfKill(kill), { planned: 1 });
      if (replacement !== undefined) this.#add(nameOfReplacement(replacement), { planned: 1 });
      if (outage !== undefined) this.#add(nameOfOutage(outage), { planned: 1 });
    }
    const watch = new AbortController();
    const watching = this.#watch(AbortSignal.any([this.#dependencies.stop, watch.signal]));
    try {
      if (plan.opening.length > 0) await this.#open(plan.opening);
      for (const round of plan.rounds) await this.#playRound(round);
      await this.startForGood();
      await this.#dependencies.gateway.releaseEvery(RELEASE_MS);
      // All unknown outcomes can be reconciled now. The closing messages show that an earlier message never was in the
      // queue.
      await delay(RECONCILED_WITHIN_MS, undefined, { signal: this.#dependencies.stop });
      await this.#askFor(plan.closing);
      await this.#dependencies.backend.responded();
      await this.#untilQuiet();
    } finally {
      watch.abort();
      await watching;
    }
  }

  /** Starts every process. None of them is killed after that. */
  async startForGood(stop = this.#dependencies.stop): Promise<void> {
    for (let starts = 0; starts < MAX_FALSE_STARTS; starts += 1) {
      stop.throwIfAborted();
      this.#startMissing();
      const runs = [...this.#running.values()];
      const ready = runs.map(async (run) => Promise.race([run.ready.then(() => true), run.ended.then(() => false)]));
      if ((await orAbort(Promise.all(ready), stop)).every(Boolean)) return;
      this.surprises.push('the product ended by itself during its start');
    }
    throw doesNotStart();
  }

  /** PLAN-7: returns when all opening messages are on the phones. It does not wait for their edits. */
  async #open(messages: readonly PlannedMessage[]): Promise<void> {
    const { gateway, backend, stop } = this.#dependencies;
    await this.startForGood();
    await gateway.releaseEvery(RELEASE_MS);
    for (const message of messages) backend.ask(message);
    while (gateway.delivered().length < messages.length) await delay(ASK_EVERY_MS, undefined, { signal: stop });
    this.#tell(`${messages.length} messages before the first kill`);
  }

  async #playRound({ releaseEveryMs, imports, starts, template, replacement, ...round }: Round): Promise<void> {
    const { messages, kill, outage } = round;
    const { gateway, backend } = this.#dependencies;
    await gateway.releaseEvery(releaseEveryMs);
    for (const campaign of imports) backend.prepare(campaign);
    for (const campaign of starts) backend.start(campaign);
    if (template !== undefined) backend.submit(template);
    await Promise.all([
      this.#replace(replacement).then(() => this.#killOnce(kill)),
      this.#askFor(messages),
      ...(outage === undefined ? [] : [this.#play(outage)]),
    ]);
    this.#kills += 1;
    this.#tell(`kill ${this.#kills} of ${this.#plannedKills}, ${nameOfKill(kill)}`);
  }

  async #askFor(messages: readonly PlannedMessage[]): Promise<void> {
    const { gateway, backend, stop } = this.#dependencies;
    for (const message of messages) {
      await delay(message.afterMs, undefined, { signal: stop });
      const { gatewayFault, notificationFault } = message;
      if (gatewayFault !== undefined) await gateway.breakNextSend(gatewayFault);
      if (notificationFault !== undefined) await gateway.breakNextNotification(notificationFault);
      backend.ask(message);
    }
  }

  /** ROLL-1 to ROLL-3: the other processes continue. */
  async #replace(replacement: Replacement | undefined): Promise<void> {
    if (replacement === undefined) return;
    const { product } = this.#dependencies;
    const { place, to, by, migratesBefore } = replacement;
    await this.startForGood();
    if (migratesBefore) await product.migrate();
    const run = this.#running.get(place);
    if (by === 'SIGTERM') run?.stop();
    else run?.kill();
    const end = await run?.ended;
    if (by === 'SIGTERM' && end?.code !== 0)
      this.surprises.push(`a process ended with ${end?.code ?? end?.signal} after SIGTERM`);
    this.#versions.set(place, to);
    await this.startForGood();
    this.#add(nameOfReplacement(replacement), { fired: 1 });
    this.#tell(nameOfReplacement(replacement));
  }

  /** Starts all processes and kills one as planned. Starts a process again that ends by itself before the kill. */
  async #killOnce(kill: Kill): Promise<void> {
    const { stop } = this.#dependencies;
    for (let starts = 0; starts < MAX_FALSE_STARTS; starts += 1) {
      // A run that ends must not start the product again.
      stop.throwIfAborted();
      this.#startMissing();
      const runs = [...this.#running.values()];
      const over = new AbortController();
      const ended = runs.map(async (run) => ((await run.ended).signal === 'SIGKILL' ? 'killed' : 'ended by itself'));
      const killer = this.#killLater(kill, AbortSignal.any([stop, over.signal]));
      const end = await orAbort(Promise.race([...ended, killer]), stop);
      over.abort();
      await Promise.all(runs.map((run) => run.killAt(undefined)));
      if (end !== 'ended by itself') {
        if (end === 'killed') this.#add(nameOfKill(kill), { fired: 1 });
        return;
      }
      // The product cannot start without Temporal. Any other end is a surprise.
      if (!this.#down.has('temporal')) this.surprises.push('the product ended by itself');
    }
    throw doesNotStart();
  }

  /** Kills one process at the planned time, or after a timeout if no process reaches the planned fault point. */
  async #killLater(kill: Kill, stop: AbortSignal): Promise<'killed' | 'not reached'> {
    const runs = [...this.#running.values()];
    if (kill.at !== 'random') for (const run of runs) void run.killAt(kill);
    const isStarting = kill.at === 'random' && kill.while === 'starting';
    const victim = isStarting ? this.#running.get(this.#youngest) : runs[this.#kills % runs.length];
    if (!isStarting) await victim?.ready;
    await delay(kill.at === 'random' ? kill.afterMs : POINT_PATIENCE_MS, undefined, { signal: stop });
    victim?.kill();
    await victim?.ended;
    return kill.at === 'random' ? 'killed' : 'not reached';
  }

  async #play(outage: Outage): Promise<void> {
    const { gateway, temporal, stop } = this.#dependencies;
    await delay(outage.afterMs, undefined, { signal: stop });
    this.#markDown(outage.of);
    if (outage.of === 'temporal') await temporal.killAndRestart(outage.forMs, stop);
    else await gateway.goAway(outage.forMs, stop);
    this.#markUp(outage.of);
    this.#add(nameOfOutage(outage), { fired: 1 });
  }

  #startMissing(): void {
    const { product } = this.#dependencies;
    for (let place = 0; place < product.processes; place += 1) {
      if (this.#running.has(place)) continue;
      const run = product.start(place, this.#versions.get(place) ?? 'this');
      this.#running.set(place, run);
      this.#youngest = place;
      void run.ready.then(() => this.#ready.add(run));
      void run.ended.then(({ signal }) => {
        this.#ready.delete(run);
        const hasSuccessor = this.#ready.size > 0 && this.#down.size === 0;
        if (signal === 'SIGKILL') this.killed.push({ pid: run.pid, atMs: Date.now(), hasSuccessor });
        this.#running.delete(place);
        if (this.#running.size === 0) this.#markDown('product');
      });
    }
    this.#markUp('product');
  }

  #markDown(what: Part): void {
    this.#down.add(what);
    this.#dependencies.meter.stopped();
  }

  #markUp(what: Part): void {
    if (!this.#down.delete(what) || this.#down.size > 0) return;
    this.#dependencies.meter.restarted(UP_AGAIN[what]);
  }

  /** Updates the meter: polls the gateway every 50 ms and the ledger once a second. */
  async #watch(stop: AbortSignal): Promise<void> {
    const { gateway, meter } = this.#dependencies;
    const last = new Map<string, InstanceProgress>();
    let reading: Promise<void> | undefined;
    let askedMs = 0;
    while (!stop.aborted) {
      for (const instance of gateway.newSends()) meter.progressed(instance);
      // The loop does not await this: a starting process responds late.
      if (reading === undefined && performance.now() - askedMs > ASK_EVERY_MS) {
        askedMs = performance.now();
        reading = this.#look(last).finally(() => (reading = undefined));
      }
      for (const instance of last.values())
        meter.poll(instance.name, instance.isSomethingDue ? this.#waitsFor(instance) : undefined);
      const pause = delay(POLL_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
      await Promise.race([pause, ...(reading === undefined ? [] : [reading])]);
    }
    meter.stopped();
    await reading;
  }

  async #look(last: Map<string, InstanceProgress>): Promise<void> {
    for (const instance of (await readProgress(this.#dependencies))?.instances ?? []) {
      const { name, window, fingerprint } = instance;
      if (fingerprint !== last.get(name)?.fingerprint) this.#dependencies.meter.progressed(name);
      last.set(name, instance);
      this.windows.set(name, Math.max(window, this.windows.get(name) ?? 1));
    }
  }

  /** The reason for which the due message of the instance waits, by the last reading. */
  #waitsFor({ servedBy, unknown, depth }: InstanceProgress): string {
    if (this.#ready.size === 0) return 'the start of everpost';
    if (servedBy === undefined) return 'a shift';
    if (![...this.#ready].some(({ pid }) => pid === servedBy)) return 'the end of the shift of a killed process';
    if (unknown >= MOST_UNKNOWN) return `a shift that probes (${unknown} unknown outcomes)`;
    return depth >= DEFAULT_HIGH_WATER.normal ? "space in the gateway's queue" : 'its shift';
  }

  /** Waits until everything has ended and nothing has changed for two seconds. */
  async #untilQuiet(): Promise<void> {
    let quietSinceMs = performance.now();
    let last: Progress | undefined;
    for (;;) {
      await delay(ASK_EVERY_MS / 4, undefined, { signal: this.#dependencies.stop });
      const now = await readProgress(this.#dependencies);
      if (now === undefined || !now.isAllDone || now.fingerprint !== last?.fingerprint)
        quietSinceMs = performance.now();
      if (performance.now() - quietSinceMs > QUIET_MS) return;
      if (now !== undefined && now.moving.length !== last?.moving.length) {
        const states = [...groupBy(now.moving, (state) => state)].map(([state, { length }]) => `${length} ${state}`);
        this.#tell(`waiting for the end of ${states.length === 0 ? 'edits and receipts' : states.join(', ')}`);
      }
      last = now ?? last;
    }
  }

  #tell(what: string): void {
    const { backend, gateway, tell } = this.#dependencies;
    const acknowledged = backend.asked.filter(({ id }) => id !== undefined).length;
    tell(
      `${what} · ${backend.asked.length} single messages requested, ${acknowledged} acknowledged, ${gateway.delivered().length} on phones`,
    );
  }

  #add(name: string, more: Partial<Count>): void {
    const { planned, fired } = this.counts.get(name) ?? { planned: 0, fired: 0 };
    this.counts.set(name, { planned: planned + (more.planned ?? 0), fired: fired + (more.fired ?? 0) });
  }
}

function nameOfKill(kill: Kill): string {
  return kill.at === 'random' ? `killed at a random time, ${kill.while}` : `killed at ${kill.at}`;
}

function nameOfOutage({ of }: Outage): string {
  return of === 'temporal' ? "Temporal's server killed" : 'gateway away';
}

function nameOfReplacement({ to, by, migratesBefore }: Replacement): string {
  const what = to === 'this' ? 'process upgraded' : 'process rolled back';
  return `${migratesBefore ? 'ledger migrated, ' : ''}${what} by ${by}`;
}

function orAbort<Value>(work: Promise<Value>, stop: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(stop.reason as Error);
    if (stop.aborted) abort();
    stop.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', abort));
  });
}

function doesNotStart(): AppError {
  return new AppError(
    'INTERNAL',
    'The product ends by itself at each start. See product.log in the directory of the run.',
  );
}
