/** Plays Temporal: the workflows `instance`, operations, and the retries of activities. They outlive every process. */
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Activities } from '../../../src/activities/index.js';
import { present, type CampaignId, type ScheduleId, type ShiftReport } from '../../../src/contract/index.js';
import type { TemporalAccess } from '../../../src/starter/index.js';
import type { LedClock } from '../../dispatch/led-clock.js';

/** Other workers end the try of a dead one within this time. */
const TAKEN_OVER_MS = 5_000;
const RETRY_MS = 1_000;
const ORDER_FOR_MS = 60 * 60_000;
const SERVED_ELSEWHERE_MS = 5_000;
/** How often it gets a heartbeat of a shift. */
export const HEARTBEAT_MS = 20_000;
/** A run continues as new after this many shifts. */
const SHIFTS_IN_A_RUN = 5;

/** Operations that an operator orders. */
export type Order = 'clearMessagesQueue' | 'reboot';

interface Worker {
  readonly name: string;
  readonly activities: Pick<Activities, 'dispatch' | 'recordOutcomes' | Order>;
  /** What a heartbeat of its shift of the instance says. */
  mark(instance: string): string | undefined;
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
  /** One round of the activity of a campaign's amendments. @returns whether it has ended */
  amend(id: CampaignId): Promise<boolean>;
  /** A try of a schedule's run. @returns in how many milliseconds the next one begins; 0: it has ended */
  occurOnce(id: ScheduleId, at: string): Promise<number>;
}

interface Run {
  /** Of the current run of the chain. */
  id: string;
  shift: number;
  wakes: number;
  onWake: () => void;
  endTry: () => void;
  /** Whether a live worker has its try. */
  isServed: boolean;
  /** What the last report or heartbeat said. */
  mark: string | undefined;
}

export class ModelTemporal {
  /** How far Temporal's clock is ahead. No behaviour may depend on it. */
  aheadMs = 0;
  /** It takes no requests and starts no tries; tries under way continue. */
  isAway = false;
  /** Called when the product ends a try. */
  onEnded: (isAlive: boolean) => void = () => undefined;
  /** Operations under way, by instance. */
  readonly ordered = new Map<string, number>();
  orderEndedAtMs = -Infinity;
  readonly #clock: LedClock;
  readonly #runs = new Map<string, Run>();
  /** Campaigns whose amendments have an activity. */
  readonly #amending = new Set<CampaignId>();
  /** Campaigns that have a run. */
  readonly ran = new Set<CampaignId>();
  /** Runs of schedules that are open. */
  readonly #occurring = new Set<string>();
  #workers: readonly Worker[] = [];
  #onWorker: (() => void)[] = [];
  #begun = 0;
  #given = 0;

  constructor(clock: LedClock) {
    this.#clock = clock;
  }

  /** The requests that the product makes. */
  readonly access = {
    client: {
      withDeadline: (_: number, call: () => Promise<unknown>) =>
        this.isAway ? Promise.reject(new Error('connection refused')) : call(),
      workflow: {
        signalWithStart: async (_: unknown, { args }: { readonly args: readonly [{ readonly instance: string }] }) => {
          this.#signal(args[0].instance);
        },
      },
      activity: {
        fail: async (target: { readonly workflowId: string } | Buffer) => {
          if (Buffer.isBuffer(target)) return;
          const run = this.#runs.get(target.workflowId.replace(/^instance:/, ''));
          if (run !== undefined) this.onEnded(run.isServed);
          run?.endTry();
        },
      },
    },
  } as unknown as TemporalAccess;

  /** It polls from now on. */
  addWorker(worker: Worker): void {
    this.#workers = [...this.#workers, worker];
    this.#resolveWaiting();
  }

  removeWorker(name: string): void {
    this.#workers = this.#workers.filter((worker) => worker.name !== name);
  }

  /** The try of an instance times out, while its worker goes on with it. */
  endTry(instance: string): void {
    this.#runs.get(instance)?.endTry();
  }

  #resolveWaiting(): void {
    const waiting = this.#onWorker;
    this.#onWorker = [];
    for (const resolve of waiting) resolve();
  }

  #signal(instance: string): void {
    const run = this.#runs.get(instance);
    if (run !== undefined) {
      run.wakes += 1;
      return run.onWake();
    }
    const started: Run = {
      ...this.#newRun(),
      wakes: 0,
      onWake: () => undefined,
      endTry: () => undefined,
      isServed: false,
      mark: undefined,
    };
    this.#runs.set(instance, started);
    void this.#play(instance, started);
  }

  /** Starts an operation, which ends with its result, or with a failure that is not retried. */
  order(instance: string, method: Order, operationId: string): void {
    this.ordered.set(instance, (this.ordered.get(instance) ?? 0) + 1);
    void this.#runOrder(method, operationId).then(() => {
      this.ordered.set(instance, (this.ordered.get(instance) ?? 0) - 1);
      this.orderEndedAtMs = this.#clock.nowMs();
    });
  }

  async #runOrder(method: Order, operationId: string): Promise<void> {
    const untilMs = this.#clock.nowMs() + ORDER_FOR_MS;
    while (this.#clock.nowMs() < untilMs) {
      const { activities, died } = await this.#aWorker();
      const ended = activities[method]({ operationId }).then(
        () => 0,
        (error: unknown) => {
          if (!(error instanceof ApplicationFailure)) throw error;
          return error.nonRetryable ? 0 : Number(error.nextRetryDelay ?? RETRY_MS);
        },
      );
      const waitMs = await Promise.race([ended, died.then(() => TAKEN_OVER_MS)]);
      if (waitMs === 0) return;
      await this.#clock.sleep(waitMs);
    }
  }

  /** Starts the activity of a campaign's amendments, unless it runs. */
  async amend(id: CampaignId): Promise<void> {
    if (this.isAway) throw new Error('connection refused');
    if (this.#amending.has(id)) return;
    this.#amending.add(id);
    void this.#amendUntilDone(id).then(() => this.#amending.delete(id));
  }

  async #amendUntilDone(id: CampaignId): Promise<void> {
    for (;;) {
      const { amend, died } = await this.#aWorker();
      if (await Promise.race([amend(id), died.then(() => false)])) return;
      await this.#clock.sleep(RETRY_MS);
    }
  }

  /** Starts the run of an occurrence, unless it is open. */
  async occur(id: ScheduleId, at: string): Promise<void> {
    if (this.isAway) throw new Error('connection refused');
    const key = `${id} ${at}`;
    if (this.#occurring.has(key)) return;
    this.#occurring.add(key);
    void this.#occurUntilEnded(id, at).then(() => this.#occurring.delete(key));
  }

  async #occurUntilEnded(id: ScheduleId, at: string): Promise<void> {
    for (;;) {
      const { occurOnce, died } = await this.#aWorker();
      const waitMs = await Promise.race([occurOnce(id, at), died.then(() => TAKEN_OVER_MS)]);
      if (waitMs === 0) return;
      await this.#clock.sleep(waitMs);
    }
  }

  #newRun() {
    this.#begun += 1;
    return { id: `run-${this.#begun}`, shift: 0 };
  }

  /** The workflow. */
  async #play(instance: string, run: Run): Promise<void> {
    for (;;) {
      const seen = run.wakes;
      const { ended, nextDue, unrecorded, mark = run.mark } = await this.#dispatch(instance, run);
      run.mark = mark;
      if (unrecorded.length > 0) await this.#recordOutcomes(unrecorded);
      if (run.shift >= SHIFTS_IN_A_RUN) {
        Object.assign(run, this.#newRun());
        continue;
      }
      if (ended === 'time' || run.wakes !== seen) continue;
      await this.#wokenWithin(run, ended === 'superseded' ? SERVED_ELSEWHERE_MS : nextDue?.inMs);
    }
  }

  #wokenWithin(run: Run, ms: number | undefined): Promise<void> {
    if (ms !== undefined && ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = ms === undefined ? () => undefined : this.#clock.after(ms, resolve);
      run.onWake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** @param isAway  whether it takes no requests from now on */
  setAway(isAway: boolean): void {
    this.isAway = isAway;
    if (!isAway) this.#resolveWaiting();
  }

  async #dispatch(instance: string, run: Run): Promise<ShiftReport> {
    const scheduledTimestampMs = this.#clock.wall.nowMs() + this.aheadMs;
    const workflowExecution = { workflowId: `instance:${instance}`, runId: run.id };
    run.shift += 1;
    for (let attempt = 1; ; attempt += 1) {
      const worker = await this.#aWorker();
      const environment = new MockActivityEnvironment(
        { scheduledTimestampMs, workflowExecution, attempt, base64TaskToken: 'AAAA' },
        { logger: new DefaultLogger('ERROR') },
      );
      const input = { instance, shift: run.shift, ...present({ mark: run.mark }) };
      const report: Promise<ShiftReport> = environment.run(worker.activities.dispatch, input);
      const endBeats = this.#beats(worker, instance, run);
      report.catch(() => undefined);
      run.isServed = true;
      void worker.died.then(() => (run.isServed = false));
      try {
        return await Promise.race([report, this.#lost(worker, run)]);
      } catch (error) {
        run.isServed = false;
        if (!(error instanceof ApplicationFailure)) throw error;
        await this.#clock.sleep(Number(error.nextRetryDelay ?? RETRY_MS));
      } finally {
        endBeats();
        run.isServed = false;
      }
    }
  }

  /** The heartbeats of a try. @returns a function that ends them */
  #beats({ mark, died }: Worker, instance: string, run: Run): () => void {
    let end = (): void => undefined;
    const again = (): void => {
      end = this.#clock.after(HEARTBEAT_MS, () => {
        if (!this.isAway) run.mark = mark(instance) ?? run.mark;
        again();
      });
    };
    again();
    void died.then(() => end());
    return () => end();
  }

  /** Rejects when the try has ended without a report. */
  #lost({ died }: Worker, run: Run): Promise<never> {
    return new Promise((_, reject) => {
      const lost = (): void => reject(ApplicationFailure.create({ type: 'WORKER_LOST', nextRetryDelay: 100 }));
      run.endTry = lost;
      void died.then(() => this.#clock.after(TAKEN_OVER_MS, lost));
    });
  }

  async #recordOutcomes(outcomes: ShiftReport['unrecorded']): Promise<void> {
    for (;;) {
      const { activities, died } = await this.#aWorker();
      const recorded = activities.recordOutcomes({ outcomes }).then(
        () => true,
        () => false,
      );
      if (await Promise.race([recorded, died.then(() => false)])) return;
      await this.#clock.sleep(RETRY_MS);
    }
  }

  /** They take turns. */
  async #aWorker(): Promise<Worker> {
    for (;;) {
      const worker = this.#workers[(this.#given += 1) % this.#workers.length];
      if (worker !== undefined && !this.isAway) return worker;
      await new Promise<void>((resolve) => this.#onWorker.push(resolve));
    }
  }
}
