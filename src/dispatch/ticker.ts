/**
 * Serves all shifts of this process: collect, select, commit, post, wait.
 *
 * TICKER-1 One transaction a round, for all shifts that have outcomes or may claim. A round begins when there is a reason, at most
 *    every 10 ms. An idle shift costs no timer of its own; without shifts and outcomes there is none at all.
 * TICKER-2 Each claim is posted once, after its commit. One that arrives when it cannot be posted any more is returned: it never left.
 * TICKER-3 An outcome goes into the next tick, whatever became of its shift, until the ledger has it or the shift returns it.
 * TICKER-4 After a failed tick its shifts claim nothing until the ledger has said which of their claims are durable. Those are posted
 *    if their deadline allows; no token is posted twice.
 * TICKER-5 A shift whose epoch is lost claims nothing more; its POSTs end by themselves and their outcomes count.
 */
import type { DueAttempt, Outcome, TickResult, Want } from '../ledger/index.js';
import type { ActiveShift, ShiftEnd } from './active-shift.js';
import type { DispatcherDependencies } from './dependencies.js';
import { isLater } from './is-later.js';
import { KeptOutcomes, type KeptOutcome } from './kept-outcomes.js';
import { LedgerPause } from './ledger-pause.js';
import { Poster } from './poster.js';
import { QueueReader } from './read-queue.js';
import { Rounds } from './rounds.js';

/** A shift that ends while the ledger is away gives it so long, then returns its outcomes. */
const GIVE_UP_AFTER_MS = 3_000;

interface Claiming {
  readonly active: ActiveShift;
  readonly want: Want;
}

export class Ticker {
  readonly #deps: DispatcherDependencies;
  readonly #outcomes = new KeptOutcomes();
  readonly #pause: LedgerPause;
  readonly #rounds: Rounds;
  readonly #poster: Poster;
  readonly #reader: QueueReader;
  /** With what is called once nothing is left to do for a shift. */
  readonly #shifts = new Map<ActiveShift, (unrecorded: readonly Outcome[]) => void>();
  /** The one that may claim, by instance. */
  readonly #current = new Map<string, ActiveShift>();

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#pause = new LedgerPause(deps);
    this.#reader = new QueueReader(deps);
    this.#rounds = new Rounds(deps.timers, () => this.#round());
    this.#poster = new Poster(deps, this.#outcomes, ({ instance, messageId }, isLate) => {
      if (isLate) this.#current.get(instance)?.resolved(messageId);
      this.#rounds.ask();
    });
  }

  /**
   * Serves a shift that has begun until it has ended. One of the same instance that is still served is superseded.
   * @returns outcomes that the ledger could not take
   */
  serve(active: ActiveShift): Promise<readonly Outcome[]> {
    const other = this.#current.get(active.shift.instance);
    if (other !== undefined && isLater(other.shift.epoch, active.shift.epoch)) active.close('superseded');
    else {
      other?.close('superseded');
      this.#current.set(active.shift.instance, active);
    }
    return new Promise((resolve) => {
      this.#shifts.set(active, resolve);
      this.#rounds.ask();
    });
  }

  /** Changes the shift of an instance, where one is served here, and sees to what follows. */
  change(instance: string, change: (active: ActiveShift) => void): void {
    const active = this.#current.get(instance);
    if (active === undefined) return;
    change(active);
    this.#rounds.ask();
  }

  close(active: ActiveShift, end: ShiftEnd): void {
    active.close(end);
    this.#rounds.ask();
  }

  async #round(): Promise<number> {
    const { timers } = this.#deps;
    const canClaim = timers.nowMs() >= this.#pause.endsAtMs && (await this.#findLostClaims());
    const claiming = this.#plan(timers.nowMs());
    const isCommitted = canClaim && (await this.#commit(claiming));
    if (!isCommitted) for (const { active } of claiming) active.notClaimed(timers.nowMs());
    this.#finishEnded(timers.nowMs());
    return this.#nextAtMs();
  }

  #plan(nowMs: number): Claiming[] {
    const claiming: Claiming[] = [];
    for (const active of this.#shifts.keys()) {
      if (active.nextAtMs > nowMs) continue;
      const want = active.plan(nowMs);
      if (active.needsReading(nowMs))
        void this.#reader.read(active, () => {
          this.#rounds.ask();
        });
      if (want !== undefined) claiming.push({ active, want });
    }
    return claiming;
  }

  /** @returns false when the ledger could not be reached; everything is then as before */
  async #commit(claiming: readonly Claiming[]): Promise<boolean> {
    const outcomes = this.#outcomes.takeAll();
    if (outcomes.length + claiming.length === 0) return true;
    const begunAtMs = this.#deps.timers.nowMs();
    try {
      const result = await this.#tick(outcomes, claiming);
      this.#pause.succeeded();
      this.#apply(result, claiming, begunAtMs);
      return true;
    } catch (error) {
      this.#outcomes.giveBack(outcomes);
      for (const { active } of claiming) active.hasLostCommit = true;
      this.#pause.failed(error);
      return false;
    }
  }

  async #tick(outcomes: readonly KeptOutcome[], claiming: readonly Claiming[]): Promise<TickResult> {
    const { ledger, clock, times, reached } = this.#deps;
    const nowMs = clock.nowMs();
    const postingDeadlineMs = nowMs + times.postingDeadlineMs;
    if (claiming.length > 0) reached?.('claim.before');
    const result = await ledger.tick({
      wants: claiming.map(({ want }) => want),
      outcomes: outcomes.map(({ outcome }) => outcome),
      postingDeadlineMs,
      reconcileAfterMs: postingDeadlineMs + times.gatewayTimeoutMs + times.settleTimeMs,
      nowMs,
    });
    if (outcomes.length > 0) reached?.('outcome.stored');
    if (result.claimed.length > 0) reached?.('claim.after');
    return result;
  }

  #apply({ claimed, lost, nextDueMs }: TickResult, claiming: readonly Claiming[], begunAtMs: number): void {
    const byInstance = new Map<string, DueAttempt[]>();
    for (const due of claimed) byInstance.set(due.instance, [...(byInstance.get(due.instance) ?? []), due]);
    const nowMs = this.#deps.timers.nowMs();
    const aheadMs = nowMs - this.#deps.clock.nowMs();
    for (const { active, want } of claiming) {
      const { instance } = active.shift;
      const own = byInstance.get(instance) ?? [];
      const dueMs = nextDueMs.get(instance);
      if (lost.includes(instance)) active.close('superseded');
      active.claimed(want, own.length, dueMs === undefined ? undefined : dueMs + aheadMs, nowMs);
      for (const due of own) this.#poster.take(active, due, begunAtMs);
    }
  }

  /** TICKER-4. @returns false when the ledger could not be reached */
  async #findLostClaims(): Promise<boolean> {
    try {
      for (const active of this.#shifts.keys()) if (active.hasLostCommit) await this.#takeLostClaims(active);
      return true;
    } catch (error) {
      this.#pause.failed(error);
      return false;
    }
  }

  async #takeLostClaims(active: ActiveShift): Promise<void> {
    const open = await this.#deps.ledger.claimed(active.shift);
    active.hasLostCommit = false;
    const lost = open.filter(({ token }) => !active.hasPosted(token) && !this.#outcomes.hasToken(token));
    for (const due of lost) this.#poster.take(active, due, this.#deps.timers.nowMs());
  }

  #finishEnded(nowMs: number): void {
    for (const [active, finish] of this.#shifts) {
      if (active.end === undefined || active.inFlight.size > 0) continue;
      active.finishedAtMs ??= nowMs;
      const isRecorded = !active.hasLostCommit && !this.#outcomes.has(active);
      const isGivenUp = this.#pause.isAway && nowMs - active.finishedAtMs >= GIVE_UP_AFTER_MS;
      if (!isRecorded && !isGivenUp) continue;
      this.#shifts.delete(active);
      if (this.#current.get(active.shift.instance) === active) this.#current.delete(active.shift.instance);
      finish(this.#outcomes.removeOf(active));
    }
  }

  #nextAtMs(): number {
    let nextAtMs = this.#outcomes.isEmpty ? Infinity : 0;
    for (const active of this.#shifts.keys()) nextAtMs = Math.min(nextAtMs, active.hasLostCommit ? 0 : active.nextAtMs);
    return this.#pause.isAway ? Math.max(nextAtMs, this.#pause.endsAtMs) : nextAtMs;
  }
}
