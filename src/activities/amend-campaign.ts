/**
 * Posts the edits of a campaign's amendments until all of them have ended.
 *
 * AMENDRUN-1 The activity has no state and reads the remaining work from the ledger. At worst, two activities at once
 *    post the same text twice.
 * AMENDRUN-2 It requests one turn of the instance's rate limit for edits at a time, so that an edit of a single message
 *    waits for at most one turn.
 * AMENDRUN-3 Pending edits are posted before edits that may have arrived, since a notification confirms most of the
 *    latter.
 * AMENDRUN-4 If the gateway accepts no edits, the try fails with the gateway's reason, and Temporal retries.
 * AMENDRUN-5 An edit that may have arrived is posted again only if its notification is late and the journal does not
 *    show it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  EDITS_PER_SECOND,
  ErrorNext,
  type AmendInput,
  type CampaignId,
  type EditId,
} from '../contract/index.js';
import { editSpacingMs, orderEdits, type TimedEdit } from '../domain/index.js';
import type { AmendmentEdit } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { existingCampaign } from './campaign-activities.js';
import { postEdit } from './edit-message.js';
import { workerStopping } from './failures.js';
import type { messageActivities } from './message-activities.js';

type AmendDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'instances' | 'clock' | 'log' | 'times'> & {
  /** How often the ledger is polled for due edits. @default 1,000 */
  readonly pollMs?: number;
};
type FindOut = Pick<ReturnType<typeof messageActivities>, 'confirmEdit' | 'findEdit'>;

/** A slow gateway responds after seconds, but accepts an edit every second. */
const MOST_IN_FLIGHT = 16;
const POLL_MS = 1_000;
/** Reading the list may take at most one part in twenty of the time. */
const READING_SHARE = 20;
/** The delay until a journal that could not be reached is polled again. */
const CONFIRM_AGAIN_MS = 10_000;

export function amendCampaignActivity(deps: AmendDependencies, findOut: FindOut) {
  return async ({ campaignId }: AmendInput, stops: AbortSignal): Promise<void> => {
    await new AmendmentRun(deps, findOut, campaignId, stops).run();
  };
}

type DueEdit = AmendmentEdit & TimedEdit;

class AmendmentRun {
  readonly #deps: AmendDependencies;
  readonly #findOut: FindOut;
  readonly #id: CampaignId;
  readonly #stops: AbortSignal;
  readonly #inFlight = new Map<EditId, Promise<void>>();
  #instance: string | undefined;
  /** Edits that the journal does not show after their last request (AMENDRUN-5). */
  readonly #notSeen = new Set<EditId>();
  readonly #confirmedAgainAtMs = new Map<EditId, number>();
  #confirming: Promise<void> | undefined;
  /** The error that stops this try. */
  #refusal: unknown;

  constructor(deps: AmendDependencies, findOut: FindOut, id: CampaignId, stops: AbortSignal) {
    this.#deps = deps;
    this.#findOut = findOut;
    this.#id = id;
    this.#stops = stops;
  }

  async run(): Promise<void> {
    try {
      while (await this.#round()) this.#throwIfStopped();
    } finally {
      await Promise.allSettled([...this.#inFlight.values(), this.#confirming]);
    }
  }

  /** @returns whether unfinished edits are left */
  async #round(): Promise<boolean> {
    const { ledger, clock, pollMs = POLL_MS } = this.#deps;
    const beganMs = performance.now();
    await ledger.amendments.openEdits(this.#id, clock.nowMs());
    const edits = await ledger.amendments.edits(this.#id);
    const nextReadMs = beganMs + Math.max(pollMs, READING_SHARE * (performance.now() - beganMs));
    if (
      edits.length === 0 &&
      this.#inFlight.size === 0 &&
      !(await ledger.amendments.endIfDone(this.#id, clock.nowMs()))
    ) {
      return false;
    }
    for (const { editId } of edits.filter(({ isHopeless }) => isHopeless)) {
      const why = { witness: 'amendment', reason: 'never_seen_sent' };
      await ledger.edits.recordOutcome(editId, 'not_possible', why, clock.nowMs());
    }
    this.#confirm(edits);
    await this.#post(edits, nextReadMs);
    await this.#pause(nextReadMs - performance.now());
    return true;
  }

  /** Posts one edit after the other, until `untilMs` or until no edit is due. */
  async #post(edits: readonly AmendmentEdit[], untilMs: number): Promise<void> {
    const spacingMs = await this.#spacingMs();
    const done = new Set<EditId>();
    while (performance.now() < untilMs) {
      this.#throwIfStopped();
      const due = edits.filter((edit): edit is DueEdit => edit.untilMs !== undefined && !done.has(edit.editId));
      const edit = this.#next(due, spacingMs);
      if (edit === undefined) return;
      done.add(edit.editId);
      await this.#untilLeft(edit.editId);
    }
  }

  /** AMENDRUN-3 */
  #next(due: readonly DueEdit[], spacingMs: number): DueEdit | undefined {
    const free = due.filter(({ editId }) => !this.#inFlight.has(editId));
    const nowMs = this.#deps.clock.nowMs();
    const waiting = free.filter(({ state }) => state === 'pending');
    // The claim of a late edit ends the edit and uses no turn.
    return (
      waiting.find(({ untilMs }) => untilMs <= nowMs) ??
      orderEdits(waiting, { nowMs, spacingMs }).next ??
      free.find(({ editId, state, untilMs }) => state === 'sending' && untilMs > nowMs && this.#notSeen.has(editId))
    );
  }

  /** AMENDRUN-2: returns when the request has left, or when the edit needs no turn any more. */
  async #untilLeft(editId: EditId): Promise<void> {
    if (this.#inFlight.size >= MOST_IN_FLIGHT) await Promise.race(this.#inFlight.values());
    await new Promise<void>((left) => {
      const posting = this.#postOne(editId, left).finally(() => {
        this.#inFlight.delete(editId);
        left();
      });
      this.#inFlight.set(editId, posting);
    });
  }

  async #postOne(editId: EditId, onLeft: () => void): Promise<void> {
    this.#notSeen.delete(editId);
    try {
      await postEdit(this.#deps, editId, { onLeft });
    } catch (error) {
      const message = 'an edit of an amendment failed; retried automatically';
      if (isOfThisEdit(error)) this.#deps.log({ level: 'info', message, editId, error });
      else this.#refusal ??= error;
    }
  }

  /** Looks up edits whose notification is late in the journal, one after the other. */
  #confirm(edits: readonly AmendmentEdit[]): void {
    if (this.#confirming !== undefined) return;
    const nowMs = this.#deps.clock.nowMs();
    const late = edits.filter((edit) => this.#isLate(edit, nowMs));
    if (late.length === 0) return;
    this.#confirming = this.#confirmAll(late).finally(() => (this.#confirming = undefined));
  }

  #isLate({ editId, state, postedAtMs, triedAtMs = 0, untilMs }: AmendmentEdit, nowMs: number): boolean {
    const { editConfirmTimeoutMs: patienceMs } = this.#deps.times;
    if (this.#inFlight.has(editId) || (this.#confirmedAgainAtMs.get(editId) ?? 0) > nowMs) return false;
    if (state !== 'sending') return state === 'posted' && (postedAtMs ?? 0) + patienceMs <= nowMs;
    if (untilMs === undefined) return false;
    if (untilMs <= nowMs) return true;
    // The lookup comes early enough to post the edit again within its window.
    return !this.#notSeen.has(editId) && Math.min(triedAtMs, untilMs - 2 * patienceMs) + patienceMs <= nowMs;
  }

  async #confirmAll(late: readonly AmendmentEdit[]): Promise<void> {
    for (const { messageId, editId, state, untilMs = 0, triedAtMs = 0 } of late) {
      if (this.#stops.aborted || this.#refusal !== undefined) return;
      // AMENDRUN-5
      const mayBePostedAgain = state === 'sending' && untilMs > this.#deps.clock.nowMs();
      try {
        if (!mayBePostedAgain) await this.#findOut.confirmEdit({ messageId, editId });
        else if (!(await this.#findOut.findEdit(messageId, editId, triedAtMs))) this.#notSeen.add(editId);
      } catch (error) {
        if (!(error instanceof AppError) || error.next === ErrorNext.bug) this.#refusal ??= error;
        this.#confirmedAgainAtMs.set(editId, this.#deps.clock.nowMs() + CONFIRM_AGAIN_MS);
        this.#deps.log({ level: 'info', message: 'an edit of an amendment is confirmed later', editId, error });
      }
    }
  }

  async #spacingMs(): Promise<number> {
    this.#instance ??= (await existingCampaign(this.#deps, this.#id)).instance;
    const perSecond = this.#deps.instances.get(this.#instance).rateLimits?.['editMessage'] ?? EDITS_PER_SECOND;
    return editSpacingMs(perSecond) * (await this.#deps.ledger.amendments.sharing(this.#id));
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#stops.aborted) return;
    await delay(ms, undefined, { signal: this.#stops }).catch(() => undefined);
  }

  #throwIfStopped(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- the error of the gateway or the ledger
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#stops.aborted) throw workerStopping(`amends ${this.#id}`);
  }
}

/**
 * Whether the error concerns only this edit: its window has closed, another edit of its message is under way, or its
 * response was lost.
 */
function isOfThisEdit(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { code, next } = error;
  return next === ErrorNext.ask || code === 'GATEWAY_DEADLINE_PASSED' || code === 'MESSAGE_CLAIMED_ELSEWHERE';
}
