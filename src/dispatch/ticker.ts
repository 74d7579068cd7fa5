/**
 * Serves all shifts of this process in rounds: collect outcomes, select due messages, commit, post, wait.
 *
 * TICKER-1 A round runs at most one tick, for all shifts that have outcomes or may claim. It begins 400 ms after the last
 *    round if it is asked for only by time that has passed, by outcomes that give no room, or by readings of queues that
 *    have items and no room; for any other reason 10 ms after it, and at once if 64 outcomes wait. All shifts share one
 *    timer; without shifts and outcomes there is no timer.
 * TICKER-2 Each claim is posted once, after its commit. A claim that may no longer be posted after the commit is
 *    returned unposted.
 * TICKER-3 An outcome stays in memory until a tick has recorded it or the shift returns it, even after its shift has
 *    ended. A tick takes at most a few outcomes of edits, so that they do not delay the claims of all instances.
 * TICKER-4 After a failed tick its shifts claim nothing until the ledger has shown which of their claims are durable.
 *    Those are posted if their deadline allows. No token is posted twice.
 * TICKER-5 A shift that another epoch has replaced claims nothing more. Its POSTs end, and their outcomes count.
 * TICKER-6 An outcome whose attempt the ledger does not have, as after the restore of an older copy, is logged with its
 *    ids and dropped: it belongs to no message, and must not stop the instance.
 */
import { groupBy, type MessageId } from '../contract/index.js';
import { deadlinesOf } from '../domain/index.js';
import type { Outcome, TickResult } from '../ledger/index.js';
import type { ActiveShift, PlannedWant, ShiftEnd, ShiftView } from './shift/active-shift.js';
import type { DispatcherDependencies } from './shift/dependencies.js';
import { KeptOutcomes, type KeptOutcome } from './post/kept-outcomes.js';
import { Poster, type EndedAttempt } from './post/poster.js';
import { EditPoster } from './post/edit-poster.js';
import type { PlannedEdits } from './shift/edit-turns.js';
import { QueueReader } from './shift/read-queue.js';
import { RecipientReader } from './recipient-reader.js';
import { LedgerPause, RoundTimer, SOON_GAP_MS } from './shift/timers.js';

/** How long a shift that ends waits for an unavailable ledger before it returns its outcomes. */
const GIVE_UP_AFTER_MS = 3_000;
/**
 * This number of outcomes ends the gap before a round. It is half of the largest window, so that the ledger records one
 * half while the other is posted. The fixed cost of a tick equals that of about twenty messages.
 */
const FULL_ROUND = 64;
/** The delay until the ledger is tried again for an outcome that it could not record. */
const UNRECORDED_RETRY_MS = 2_000;

interface Claiming {
  readonly active: ActiveShift;
  readonly want: PlannedWant | undefined;
  readonly edits: PlannedEdits | undefined;
}

export class Ticker {
  readonly #deps: DispatcherDependencies;
  readonly #outcomes = new KeptOutcomes();
  readonly #pause: LedgerPause;
  readonly #rounds: RoundTimer;
  readonly #poster: Poster;
  readonly #edits: EditPoster;
  readonly #reader: QueueReader;
  readonly #recipients: RecipientReader;
  /** All shifts, each with the function to call when it has ended. */
  readonly #shifts = new Map<ActiveShift, (unrecorded: readonly Outcome[]) => void>();
  /** By instance: the shift that may claim. */
  readonly #current = new Map<string, ActiveShift>();

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#pause = new LedgerPause(deps);
    this.#reader = new QueueReader(deps);
    this.#rounds = new RoundTimer(
      deps.timers,
      () => this.#round(),
      () => this.#outcomes.size >= FULL_ROUND,
    );
    this.#poster = new Poster(deps, this.#outcomes, (ended) => {
      this.#ended(ended);
    });
    this.#edits = new EditPoster(
      deps,
      ({ active, isLate, ...kept }) => {
        this.#outcomes.add(isLate ? kept : { ...kept, owner: active });
        this.#rounds.ask();
      },
      () => this.#rounds.ask(),
    );
    this.#recipients = new RecipientReader(deps, (instance) => {
      if (this.#current.has(instance)) this.wakeShift(instance);
      else deps.wakeElsewhere?.(instance);
    });
  }

  /**
   * Serves a shift until it has ended, and replaces an earlier shift of the same instance.
   * @returns outcomes that the ledger could not record
   */
  serve(active: ActiveShift): Promise<readonly Outcome[]> {
    const other = this.#current.get(active.shift.instance);
    if (other !== undefined && BigInt(other.epoch) > BigInt(active.epoch)) active.close('superseded');
    else {
      other?.close('superseded');
      this.#current.set(active.shift.instance, active);
      this.#recipients.serve(active.shift.instance);
    }
    return new Promise((resolve) => {
      this.#shifts.set(active, resolve);
      this.#rounds.ask();
    });
  }

  /** Called when a message leaves the state unknown. It may be due again. */
  noLongerUnknown(instance: string, messageId: MessageId): void {
    this.#change(instance, (active) => {
      active.noLongerUnknown(messageId);
      active.wake();
    });
  }

  #change(instance: string, change: (active: ActiveShift) => void): void {
    const active = this.#current.get(instance);
    if (active === undefined) return;
    change(active);
    this.#rounds.ask();
  }

  /** Called when a message of the instance is due, or one of its campaigns has changed. */
  messagesDue(instance: string): void {
    if (!this.#current.has(instance)) return;
    this.wakeShift(instance);
    this.#recipients.serve(instance);
  }

  wakeShift(instance: string): void {
    this.#change(instance, (active) => {
      active.wake();
      active.edits.wake();
    });
  }

  /** For how long a round has been due without ending. */
  get lateMs(): number {
    return this.#rounds.lateMs;
  }

  /** The state of the instance's shift, if it is served here. */
  view(instance: string): ShiftView | undefined {
    const active = this.#current.get(instance);
    return active === undefined ? undefined : this.#viewOf(active);
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
      if (Math.min(active.nextAtMs, active.editsAtMs) > nowMs) continue;
      const want = active.nextAtMs > nowMs ? undefined : active.plan(nowMs);
      const edits = active.planEdits(nowMs);
      if (active.needsReading(nowMs))
        void this.#reader.read(active, () => {
          if (active.isBlocked && !active.queue.isAlmostEmpty) this.#rounds.askSoon();
          else this.#rounds.ask();
        });
      if (want !== undefined || edits !== undefined) claiming.push({ active, want, edits });
    }
    return claiming;
  }

  /** @returns false if the ledger could not be reached, so that nothing has changed */
  async #commit(claiming: readonly Claiming[]): Promise<boolean> {
    const outcomes = this.#outcomes.takeDue(this.#deps.timers.nowMs());
    if (outcomes.length + claiming.length === 0) return true;
    const begunAtMs = this.#deps.timers.nowMs();
    try {
      const result = await this.#tick(outcomes, claiming);
      this.#pause.succeeded();
      this.#putOff(outcomes, result);
      this.#apply(result, claiming, begunAtMs);
      // The outcome of an edit may make others due.
      for (const { owner, outcome } of outcomes) if (outcome.edit !== undefined) owner?.edits.wake();
      return true;
    } catch (error) {
      this.#outcomes.giveBack(outcomes);
      for (const { active } of claiming) active.hasLostCommit = true;
      this.#pause.failed(error);
      return false;
    }
  }

  async #tick(outcomes: readonly KeptOutcome[], claiming: readonly Claiming[]): Promise<TickResult> {
    const { ledger, clock, timesOf, reached } = this.#deps;
    const nowMs = clock.nowMs();
    if (claiming.length > 0) reached?.('claim.before');
    const result = await ledger.tick({
      wants: claiming.flatMap(({ active, want }) =>
        want === undefined
          ? []
          : [{ ...want, ...deadlinesOf(timesOf(want.shift.instance), nowMs), stats: this.#viewOf(active) }],
      ),
      editWants: claiming.flatMap(({ edits }) => {
        if (edits === undefined) return [];
        const { postingDeadlineMs, reconcileAfterMs } = deadlinesOf(timesOf(edits.shift.instance), nowMs);
        return [{ ...edits, postingDeadlineMs, settlesAtMs: reconcileAfterMs }];
      }),
      outcomes: outcomes.map(({ outcome }) => outcome),
      nowMs,
    });
    if (outcomes.length > 0) {
      reached?.('outcome.stored');
      this.#deps.recorded?.(outcomes.map(({ messageId }) => messageId));
      // Of a message: an edit has one of its own.
      this.#deps.accepted?.(
        outcomes
          .filter(({ outcome: { edit, outcome } }) => edit === undefined && outcome.kind === 'accepted')
          .map(({ messageId }) => messageId),
      );
    }
    if (result.claimed.length > 0) reached?.('claim.after');
    return result;
  }

  /** TICKER-3: an outcome that the ledger could not record does not delay others. TICKER-6: some never can be. */
  #putOff(outcomes: readonly KeptOutcome[], { unrecorded }: TickResult): void {
    if (unrecorded.size === 0) return;
    const notBeforeMs = this.#deps.timers.nowMs() + UNRECORDED_RETRY_MS;
    for (const kept of outcomes) {
      const error = unrecorded.get(kept.outcome.token);
      if (error === undefined) continue;
      if (error.code === 'MESSAGE_NOT_FOUND') {
        this.#deps.log(droppedOutcome(kept.outcome));
        continue;
      }
      this.#deps.log({ level: 'error', message: 'an outcome could not be recorded; retried automatically', error });
      this.#outcomes.add({ ...kept, notBeforeMs });
    }
  }

  #apply({ claimed, edits, byInstance }: TickResult, claiming: readonly Claiming[], begunAtMs: number): void {
    const claimedIn = groupBy(claimed, ({ instance }) => instance);
    const nowMs = this.#deps.timers.nowMs();
    const aheadMs = nowMs - this.#deps.clock.nowMs();
    for (const { active, want } of claiming) {
      const { instance } = active.shift;
      const own = claimedIn.get(instance) ?? [];
      const { isLost, next, hasHidden = false, nextEdits = {}, mark, error } = byInstance.get(instance) ?? {};
      active.place = mark ?? active.place;
      active.last = own.at(-1)?.token ?? active.last;
      if (error !== undefined) {
        this.#deps.log({ level: 'error', message: 'nothing could be claimed; retried automatically', instance, error });
      }
      if (isLost) active.close('superseded');
      const nextDue = next && { ...next, atMs: next.atMs + aheadMs };
      active.edits.ticked(nextEdits, aheadMs);
      for (const due of edits) if (due.instance === instance) this.#edits.begin(active, due);
      if (want === undefined) continue;
      active.claimed(want, own.length, nextDue, hasHidden, nowMs);
      for (const due of own) this.#poster.postOrReturn(active, due, begunAtMs);
    }
    this.#recipients.claimed(claimed);
  }

  #ended({ due, outcome, isLate }: EndedAttempt): void {
    const active = this.#current.get(due.instance);
    if (isLate) active?.noLongerUnknown(due.messageId);
    if (outcome.kind === 'unknown') active?.reconciler.watch(due.messageId);
    if (outcome.kind === 'rejected') this.#recipients.rejected(due);
    if (active?.isBlocked === true) this.#rounds.askSoon();
    else this.#rounds.ask();
  }

  /** The state with wall-clock times, for operators and other processes. */
  #viewOf(active: ActiveShift): ShiftView {
    const nowMs = this.#deps.timers.nowMs();
    const { reading, delays, ...stats } = active.view(nowMs);
    const wall = (ms: number) => Math.round(ms - nowMs + this.#deps.clock.nowMs());
    return {
      ...stats,
      ...(reading && { reading: { items: reading.items, atMs: wall(reading.atMs) } }),
      ...(delays && { delays: Object.fromEntries(Object.entries(delays).map(([name, ms]) => [name, wall(ms)])) }),
    };
  }

  /** TICKER-4 @returns false if the ledger could not be reached */
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
    const durable = await this.#deps.ledger.claimed(active.shift);
    active.hasLostCommit = false;
    const lost = durable.filter(({ token }) => !active.hasPosted(token) && !this.#outcomes.hasToken(token));
    for (const due of lost) this.#poster.postOrReturn(active, due, this.#deps.timers.nowMs());
  }

  #finishEnded(nowMs: number): void {
    for (const [active, finish] of this.#shifts) {
      if (active.end === undefined || active.inFlight.size + active.edits.inFlight > 0) continue;
      active.finishedAtMs ??= nowMs;
      const isRecorded = !active.hasLostCommit && !this.#outcomes.has(active);
      const hasUnrecorded = this.#outcomes.nextAtMs() > nowMs;
      const isGivenUp = (this.#pause.isUnavailable || hasUnrecorded) && nowMs - active.finishedAtMs >= GIVE_UP_AFTER_MS;
      if (!isRecorded && !isGivenUp) continue;
      this.#shifts.delete(active);
      if (this.#current.get(active.shift.instance) === active) {
        this.#current.delete(active.shift.instance);
        this.#recipients.leave(active.shift.instance);
      }
      finish(this.#outcomes.removeOf(active));
    }
  }

  #nextAtMs(): number {
    const nowMs = this.#deps.timers.nowMs();
    let nextAtMs = this.#outcomes.nextAtMs();
    for (const active of this.#shifts.keys()) {
      if (active.hasLostCommit || active.nextAtMs <= nowMs) nextAtMs = 0;
      else nextAtMs = Math.min(nextAtMs, active.editsAtMs, Math.max(active.nextAtMs, nowMs + SOON_GAP_MS));
    }
    return this.#pause.isUnavailable ? Math.max(nextAtMs, this.#pause.endsAtMs) : nextAtMs;
  }
}

/** The log entry of TICKER-6. */
export function droppedOutcome({ token, outcome }: Outcome) {
  return {
    level: 'error',
    message:
      'an outcome was dropped: its attempt is not in the ledger, which may have been restored from an older copy. Compare with the phone before the message is sent again',
    attempt: token,
    outcome: outcome.kind,
    ...(outcome.kind === 'accepted' ? { idMessage: outcome.idMessage } : {}),
  } as const;
}
