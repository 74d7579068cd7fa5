/**
 * When a shift may claim edits: the ticker's view of the edits of one instance. Times are monotonic.
 *
 * EDITTURN-1 One edit in 1.1 times the interval of the instance's rate, so that two workers together do not exceed it.
 * EDITTURN-2 An edit that was not accepted, or whose response was lost, delays all edits of the instance: by what the
 *    gateway names, or by a pause that doubles from 1 s to 60 s until a response arrives. The delay outlasts the shift.
 *    Reads of the journal go on.
 * EDITTURN-3 A wake shows that something may be due; then the next tick asks. Otherwise each tick shows when the next
 *    edit is due.
 */
import type { AttemptOutcome } from '../../contract/index.js';
import type { EditWant, NextEdits } from '../../ledger/index.js';

/** A slow gateway responds after seconds, but accepts an edit every second. */
const MOST_POSTS = 16;
const MOST_READS = 4;
/** Without a limit of the rate, and between reads. */
const LEAST_GAP_MS = 100;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** A shift with an edit due within this time does not end. */
const SOON_MS = 30_000;

/** Its deadlines begin with the tick that claims. */
export type PlannedEdits = Omit<EditWant, 'postingDeadlineMs' | 'settlesAtMs'>;

export class EditTurns {
  #postAtMs = 0;
  #readAtMs = 0;
  #turnAtMs = 0;
  #delayedUntilMs = 0;
  #failures = 0;
  #posts = 0;
  #reads = 0;
  /** A wake that no tick has answered. One that arrives during a tick also counts after it. */
  #hasReason = true;

  get inFlight(): number {
    return this.#posts + this.#reads;
  }

  /** Something may be due. */
  wake(): void {
    this.#hasReason = true;
    this.#postAtMs = 0;
    this.#readAtMs = 0;
  }

  /** When {@link plan} returns something. */
  nextAtMs(): number {
    const postAtMs = this.#posts < MOST_POSTS ? Math.max(this.#postAtMs, this.#delayedUntilMs) : Infinity;
    const readAtMs = this.#reads < MOST_READS ? this.#readAtMs : Infinity;
    return Math.max(this.#turnAtMs, Math.min(postAtMs, readAtMs));
  }

  isDueSoon(nowMs: number): boolean {
    return this.inFlight > 0 || this.nextAtMs() <= nowMs + SOON_MS;
  }

  /** @returns what to claim now; undefined if nothing is known to be due */
  plan(spacingMs: number, nowMs: number): Pick<PlannedEdits, 'posts' | 'reads'> | undefined {
    if (this.nextAtMs() > nowMs) return undefined;
    this.#hasReason = false;
    this.#turnAtMs = nowMs + Math.max(spacingMs, LEAST_GAP_MS);
    const free = this.#delayedUntilMs > nowMs ? 0 : MOST_POSTS - this.#posts;
    return { posts: Math.min(free, spacingMs === 0 ? MOST_POSTS : 1), reads: MOST_READS - this.#reads };
  }

  /** @param aheadMs  how far the monotonic clock is ahead of the ledger's times */
  ticked({ postAtMs = Infinity, readAtMs = Infinity }: NextEdits, aheadMs: number): void {
    if (this.#hasReason) return;
    this.#postAtMs = postAtMs + aheadMs;
    this.#readAtMs = readAtMs + aheadMs;
  }

  begun(kind: 'post' | 'read'): void {
    if (kind === 'post') this.#posts += 1;
    else this.#reads += 1;
  }

  posted(outcome: AttemptOutcome, nowMs: number): void {
    this.#posts -= 1;
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected') {
      this.#failures = 0;
      return;
    }
    const ownMs = Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    const askedMs = outcome.kind === 'not_accepted' ? (outcome.retryAfterMs ?? 0) : 0;
    this.#delayedUntilMs = Math.max(this.#delayedUntilMs, nowMs + Math.max(askedMs, ownMs));
  }

  read(): void {
    this.#reads -= 1;
    this.wake();
  }
}
