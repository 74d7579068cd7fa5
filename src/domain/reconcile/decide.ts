/**
 * Determines the outcome of a POST whose response is missing: a pure decision on the evidence of the witnesses.
 *
 * DECIDE-1 An observed id of the attempt decides first (ADOPT-1 to ADOPT-5). Without one, absence is proved (ABSENT-1
 *    to ABSENT-7, PRECEDE-1 to PRECEDE-4), or presumed if the message allows it (PRESUME-1 to PRESUME-9).
 * DECIDE-2 Otherwise the outcome stays undecided. Stable codes say which evidence is missing, and whether another poll
 *    can help.
 * DECIDE-3 A witness that cannot be reached keeps a message unknown for at most an hour after reconciliation can begin.
 * DECIDE-4 The witnesses of an unknown message are polled less often with time: first every three seconds, later once a
 *    minute.
 */
import { LONGEST_UNKNOWN_MS, SUCCESSOR_PATIENCE_MS, WITNESS_PATIENCE_MS, present } from '../../contract/index.js';
import { absence, decidableFrom, type NotAbsent, idsSeenBefore } from './absence.js';
import { adoption, possibleMatches, type PossibleMatch, type SeenMessages } from './adoption.js';
import type { AbsenceEvidence, AttemptInDoubt, RecordedReading } from './evidence.js';
import { presumption, type NotificationHistory, type NotPresumed } from './presumption.js';
import type { Witness } from './sameness.js';

/** An attempt in doubt, with the evidence about it. */
export interface DecisionInput extends AbsenceEvidence, SeenMessages {
  /** `reconcileAfterMs`: the latest time at which the attempt is settled. The time limits for witnesses begin here. */
  readonly attempt: AttemptInDoubt & { readonly reconcileAfterMs: number };
  /** Whether the gateway shows the queue. @default true */
  readonly queueIsListed?: boolean;
  /** Present only for a message that allows a presumption. */
  readonly notifications?: NotificationHistory;
  /**
   * Whether a witness that may have evidence could not be reached in this poll. If so, the message becomes neither
   * unresolved nor presumed absent.
   * @default false
   */
  readonly isWitnessUnavailable?: boolean;
  /** @default DEFAULT_PATIENCE */
  readonly patience?: Patience;
  /** The delay until the gateway retries a failed notification. @default RETRY_INTERVAL_MS */
  readonly retryIntervalMs?: number;
}

/** How long witnesses are polled after `reconcileAfterMs`, in milliseconds. */
export interface Patience {
  /** The limit for notifications and journals. */
  readonly witnessMs: number;
  /** The limit for a successor, if a presumption may decide. */
  readonly successorMs: number;
  /** The time limit of one poll of all witnesses. @default 40 s */
  readonly pollMs?: number;
}

export type Decision =
  | { readonly kind: 'adopt'; readonly idMessage: string; readonly witness: Witness }
  | { readonly kind: 'absent'; readonly link: readonly string[]; readonly reading: RecordedReading }
  | { readonly kind: 'presumed_absent'; readonly successor: string }
  | {
      readonly kind: 'undecided';
      readonly why: Undecided;
      /** Why absence was not presumed, if the message allows a presumption. */
      readonly notPresumed?: NotPresumed;
      readonly nextPollAfterMs?: number;
      /** ADOPT-5: for an operator. */
      readonly possible: readonly PossibleMatch[];
    };

/** Why the outcome is undecided, as stable codes in the evidence. */
type Undecided = 'too_early' | NotAbsent;

const POLL_SOONEST_MS = 3_000;
const POLL_LATEST_MS = 60_000;
/** The pause between two polls is a tenth of the time since the attempt was settled. */
const PAUSE_DIVISOR = 10;
const DEFAULT_PATIENCE: Patience = { witnessMs: WITNESS_PATIENCE_MS, successorMs: SUCCESSOR_PATIENCE_MS };
/** Reasons that a later reading of the queue may change. */
const CHANGES_WITH_QUEUE: ReadonlySet<Undecided> = new Set<Undecided>(['no_reading', 'unaccounted_item_in_queue']);

/** Reasons against a presumption that end with time. */
const ENDS_WITH_TIME: ReadonlySet<NotPresumed> = new Set<NotPresumed>(['successor_too_young', 'no_clear_reading']);

export function decide(input: DecisionInput): Decision {
  const { attempt, readings, nowMs, queueIsListed = true, notifications, isWitnessUnavailable = false } = input;
  const evidence = { ...input, seenBefore: idsSeenBefore(attempt.claimSequence, readings) };
  const adopted = adoption(evidence);
  if (adopted !== undefined) return { kind: 'adopt', ...adopted };
  const possible = possibleMatches(evidence);
  const tooEarlyMs = decidableFrom(attempt) - nowMs;
  if (tooEarlyMs > 0) {
    return { kind: 'undecided', why: 'too_early', nextPollAfterMs: Math.min(POLL_SOONEST_MS, tooEarlyMs), possible };
  }
  const absent = absence(input);
  if (absent.kind === 'absent') return absent;
  const presumed = notifications === undefined ? undefined : presumption({ ...input, notifications });
  if (presumed?.kind === 'presumed_absent' && !isWitnessUnavailable) return presumed;

  const { why, nextPollAfterMs = pollAfter(input) } = absent;
  const notPresumed = presumed?.kind === 'not_presumed' ? presumed.why : undefined;
  const { patience = DEFAULT_PATIENCE } = input;
  const patienceMs = notifications === undefined ? patience.witnessMs : patience.successorMs;
  const canLearnMore =
    (queueIsListed && CHANGES_WITH_QUEUE.has(why)) ||
    (notPresumed !== undefined && ENDS_WITH_TIME.has(notPresumed)) ||
    isWitnessUnavailable ||
    why === 'restart_wait' ||
    // A journal or a notification may still show the message.
    nowMs < attempt.reconcileAfterMs + patienceMs;
  const isOver = nowMs >= attempt.reconcileAfterMs + LONGEST_UNKNOWN_MS;
  const next = canLearnMore && !isOver ? { nextPollAfterMs } : {};
  return { kind: 'undecided', why, ...present({ notPresumed }), ...next, possible };
}

/** DECIDE-4 */
function pollAfter({ attempt, nowMs }: DecisionInput): number {
  return Math.min(POLL_LATEST_MS, Math.max(POLL_SOONEST_MS, (nowMs - attempt.settledAtMs) / PAUSE_DIVISOR));
}
