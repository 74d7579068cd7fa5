import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { openCommandLog, type CommandLog, type LoggedCommand } from './command-log.js';
import { GatewayModel, type Command, type StartState } from './gateway-model.js';
import { type Json, WireError } from './wire/wire.js';
import type { OperationRequest } from './operations/operation.js';
import { OPERATIONS } from './operations/operations.js';
import { SimulatorClock, type TimeSource } from './simulator-clock.js';
import { WebhookPusher } from './webhook-pusher.js';

/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The least delay after a timer that fired too early, because a test's clock stands still. */
const STANDING_CLOCK_MS = 50;

interface SimulationOptions {
  readonly clock: TimeSource;
  readonly start: StartState;
  readonly dataFile: string | undefined;
  readonly webhookTimeoutMs: number;
  /** Receives errors outside any request. */
  onError(error: unknown): void;
}

/**
 * The model with its clock, its log and its notifications.
 *
 * SIMULATION-1 A command is stored before its response is sent; a restart replays the commands.
 * SIMULATION-2 The state is computed when it is read. One timer runs the next due event or notification.
 * SIMULATION-3 `advance` moves from event to event. At each event it waits until all notifications have a response.
 */
export class Simulation {
  readonly clock: SimulatorClock;
  readonly #options: SimulationOptions;
  readonly #gates = new RateGates();
  readonly #pusher: WebhookPusher;
  readonly #log: CommandLog;
  /** Wakes the requests that wait for a notification. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #model: GatewayModel;
  #commands = 0;
  #alarm: NodeJS.Timeout | undefined;
  #advancing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.clock = new SimulatorClock(options.clock);
    const nothing = (): void => undefined;
    const { log, commands }: ReturnType<typeof openCommandLog> =
      options.dataFile === undefined
        ? { log: { seed: randomUUID(), append: nothing, restart: nothing, close: nothing }, commands: [] }
        : openCommandLog(options.dataFile, randomUUID());
    this.#log = log;
    this.#model = new GatewayModel(log.seed);
    for (const logged of commands) this.#replay(logged);
    this.#pusher = new WebhookPusher({
      model: () => this.#model,
      nowMs: () => this.clock.nowMs(),
      timeoutMs: options.webhookTimeoutMs,
      record: (command) => {
        this.execute(command);
      },
      onError: (error) => options.onError(error),
    });
    // A restart keeps later changes, unless it has other options than the last start.
    const lastStart = commands.findLast(({ command }) => command.do === 'start');
    const start: Command = { do: 'start', ...options.start };
    if (JSON.stringify(lastStart?.command) !== JSON.stringify(start)) this.execute(start);
    this.#setAlarm(0);
  }

  /** The model at the current time. */
  model(): GatewayModel {
    this.#model.runUntil(this.clock.nowMs());
    return this.#model;
  }

  /** Stores a command and applies it. @throws WireError an error response of the gateway */
  execute(command: Command): Json | undefined {
    const atMs = this.clock.nowMs();
    this.#commands += 1;
    const { speed } = this.clock;
    this.#log.append({ number: this.#commands, atMs, sourceMs: this.clock.sourceNowMs(), speed, command });
    try {
      return this.#model.apply(command, atMs, this.#commands);
    } finally {
      this.#setAlarm(0);
      this.#changes.emit('change');
    }
  }

  /** Waits for the next change, `forMs` of real time at most. */
  async changed(forMs: number, stop: AbortSignal): Promise<void> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), forMs);
    // `once` rejects only when a signal aborts.
    const signal = AbortSignal.any([stop, over.signal]);
    await once(this.#changes, 'change', { signal }).catch(() => undefined);
    clearTimeout(timer);
  }

  /** Runs an existing gateway operation. @throws WireError a refusal; nothing is stored then */
  call(idInstance: string, operation: string, request: OperationRequest): Json | undefined {
    const { changes } = this.#admit(idInstance, operation, request);
    if (!changes) return this.#model.call(idInstance, operation, request);
    return this.execute({ do: 'call', idInstance, operation, request });
  }

  /** Accepts a request like `call`, and runs it `afterMs` later. */
  callLater(idInstance: string, operation: string, request: OperationRequest, afterMs: number): void {
    this.#admit(idInstance, operation, request);
    this.execute({ do: 'call-later', afterMs, idInstance, operation, request });
  }

  /** When the next event or notification is due; undefined if there is none. */
  nextDueAtMs(): number | undefined {
    const model = this.model();
    const all = [model.nextDueAtMs(), model.nextFreeAtMs(), this.#pusher.nextDueAtMs()];
    const times = all.filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Advances the clock: runs all due events, each at its time, and waits until every notification has a response. */
  async advance(advanceMs: number): Promise<void> {
    const before = this.#advancing;
    const mine = (async () => {
      await before;
      await this.#advanceTo(this.clock.nowMs() + advanceMs);
    })();
    this.#advancing = mine.catch(() => undefined);
    await mine;
  }

  /** Multiplies the speed of the clock from now on. */
  setSpeed(speed: number): void {
    this.clock.speed = speed;
    this.execute({ do: 'wait' });
  }

  /** Waits until every due notification has a response. */
  async idle(): Promise<void> {
    this.model();
    await this.#pusher.settle();
  }

  /** Waits for an advance under way, then restores the initial state, clock included. */
  async reset(): Promise<void> {
    await this.#advancing;
    await this.#pusher.stop();
    const seed = randomUUID();
    this.#log.restart(seed);
    this.#commands = 0;
    this.#gates.reset();
    this.clock.reset();
    this.#model = new GatewayModel(seed);
    this.execute({ do: 'start', ...this.#options.start });
  }

  /** May be called again. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#alarm);
    await this.#pusher.stop();
    this.#log.close();
  }

  #replay({ number, atMs, sourceMs, speed, command }: LoggedCommand): void {
    this.#commands = number;
    this.clock.resume({ timeMs: atMs, sourceMs, speed });
    try {
      this.#model.apply(command, atMs, number);
    } catch (error) {
      // The command was refused the first time too.
      if (!(error instanceof WireError)) throw error;
    }
  }

  #admit(idInstance: string, name: string, request: OperationRequest): { readonly changes: boolean } {
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new WireError(404, 'Not Found');
    const { perSecond } = operation;
    const limited = this.model().instance(idInstance).rateLimits;
    if (limited && perSecond !== undefined && !this.#gates.take(idInstance, name, perSecond, this.clock.nowMs())) {
      throw new WireError(429, 'Too Many Requests');
    }
    operation.check(request);
    return operation;
  }

  async #advanceTo(targetMs: number): Promise<void> {
    for (;;) {
      await this.idle();
      const nextMs = this.nextDueAtMs();
      if (nextMs === undefined || nextMs > targetMs) break;
      this.clock.jumpTo(nextMs);
    }
    this.clock.jumpTo(targetMs);
    this.execute({ do: 'wait' });
    await this.idle();
  }

  #setAlarm(atLeastMs: number): void {
    clearTimeout(this.#alarm);
    if (this.#closed) return;
    const dueAtMs = this.nextDueAtMs();
    if (dueAtMs === undefined) return;
    const waitMs = Math.ceil((dueAtMs - this.clock.nowMs()) / this.clock.speed);
    this.#alarm = setTimeout(() => this.#wake(dueAtMs), Math.min(Math.max(waitMs, atLeastMs), LONGEST_TIMER_MS));
  }

  #wake(dueAtMs: number): void {
    try {
      this.model();
      this.#pusher.pump();
      this.#changes.emit('change');
      this.#setAlarm(this.clock.nowMs() < dueAtMs ? STANDING_CLOCK_MS : 0);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const WINDOW_MS = 1000;

/** Counts the requests of each instance and operation in the last second of the simulator's clock. */
class RateGates {
  readonly #takenAtMs = new Map<string, number[]>();

  /** @returns whether the request is within `perSecond`; a refused request is not counted */
  take(idInstance: string, operation: string, perSecond: number, nowMs: number): boolean {
    const key = `${idInstance} ${operation}`;
    const recent = (this.#takenAtMs.get(key) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const taken = recent.length < perSecond;
    this.#takenAtMs.set(key, taken ? [...recent, nowMs] : recent);
    return taken;
  }

  reset(): void {
    this.#takenAtMs.clear();
  }
}
