/**
 * Determines the outcome of a POST whose response is missing: a pure decision on the evidence of the witnesses.
 *
 * DECIDE-1 An observed id of the attempt decides first (ADOPT-1 to ADOPT-4). Without one, absence is proved (ABSENT-1
 *    to ABSENT-7, PRECEDE-1 to PRECEDE-4), or presumed if the message allows it (PRESUME-1 to PRESUME-9).
 * DECIDE-2 Otherwise the outcome stays undecided. Stable codes say which evidence is missing, and whether another poll
 *    can help.
 * DECIDE-3 A witness that cannot be reached keeps a message unknown for at most an hour after reconciliation can begin.
 * DECIDE-4 The witnesses of an unknown message are polled less often with time: first every three seconds, later once a
 *    minute.
 */
import {
  LONGEST_UNKNOWN_MS,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
  type ClockOffset,
  present,
} from '../../contract/index.js';
import { absence, decidableFrom, type NotAbsent, idsSeenBefore } from './absence.js';
import { CLOCK_MARGIN_MS, type AbsenceEvidence, type AttemptInDoubt, type RecordedReading } from './evidence.js';
import { presumption, type NotificationHistory, type NotPresumed } from './presumption.js';
import { type ComparableMessage, type Observation, type Witness, comparableOfAttempt, isSame } from './sameness.js';

/** An attempt in doubt, with the evidence about it. */
export interface DecisionInput extends AbsenceEvidence {
  /** `reconcileAfterMs`: the latest time at which the attempt is settled. The time limits for witnesses begin here. */
  readonly attempt: AttemptInDoubt & { readonly reconcileAfterMs: number };
  /**
   * Observations from this poll's reading of the queue, from journals and from stored notifications, in this order,
   * oldest first.
   */
  readonly observations: readonly Observation[];
  /** For a forward: the expected form of its copy. Absent if no witness has shown the forwarded message. */
  readonly copy?: ComparableMessage;
  /** Whether the gateway shows the queue. @default true */
  readonly queueIsListed?: boolean;
  /** The offset of the gateway's clock from ours. @default within a second */
  readonly gatewayOffset?: ClockOffset;
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
  const adopted = adoption({ ...input, seenBefore: idsSeenBefore(attempt.claimSequence, readings) });
  if (adopted !== undefined) return { kind: 'adopt', ...adopted };
  const tooEarlyMs = decidableFrom(attempt) - nowMs;
  if (tooEarlyMs > 0) {
    return { kind: 'undecided', why: 'too_early', nextPollAfterMs: Math.min(POLL_SOONEST_MS, tooEarlyMs) };
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
  return { kind: 'undecided', why, ...present({ notPresumed }), ...next };
}

/** DECIDE-4 */
function pollAfter({ attempt, nowMs }: DecisionInput): number {
  return Math.min(POLL_LATEST_MS, Math.max(POLL_SOONEST_MS, (nowMs - attempt.settledAtMs) / PAUSE_DIVISOR));
}

/**
 * Decides which id belongs to the attempt. The rules are strict, since a wrong match gives a message the id of another
 * one.
 *
 * ADOPT-1 The id is not accounted for.
 * ADOPT-2 Kind, chat and body equal the attempt's.
 * ADOPT-3 The observation is not older than the claim, by the lower end of the interval of the gateway's clock.
 * ADOPT-4 No reading that was recorded before the claim lists the id.
 */

interface AdoptionEvidence extends Pick<DecisionInput, 'observations' | 'accounted' | 'copy' | 'gatewayOffset'> {
  readonly attempt: Pick<AttemptInDoubt, 'claimedAtMs' | 'chatId' | 'content'>;
  /** The ids in readings recorded before the claim. */
  readonly seenBefore: ReadonlySet<string>;
}

/** The assumed offset of a gateway's clock before its first response. */
const UNMEASURED: ClockOffset = { lowestMs: -1_000, highestMs: 1_000 };
/** Added to the times of witnesses, which are rounded down to whole seconds. */
const LATEST_IN_SECOND_MS = 999;

export function adoption({
  attempt,
  observations,
  accounted,
  seenBefore,
  copy,
  gatewayOffset = UNMEASURED,
}: AdoptionEvidence): { readonly idMessage: string; readonly witness: Witness } | undefined {
  const ours = [comparableOfAttempt(attempt.chatId, attempt.content), ...(copy === undefined ? [] : [copy])];
  // Only an id that is surely older than our claim is excluded, so the lower end is the safe one.
  const claimedThereMs = attempt.claimedAtMs + gatewayOffset.lowestMs - CLOCK_MARGIN_MS;
  for (const { witness, ids, comparable, atMs } of observations) {
    const [idMessage, ...more] = ids;
    if (idMessage === undefined || more.length > 0 || accounted.has(idMessage) || seenBefore.has(idMessage)) continue;
    if (comparable === undefined || !ours.some((one) => isSame(one, comparable))) continue;
    const isOlder = atMs !== undefined && atMs + LATEST_IN_SECOND_MS < claimedThereMs;
    if (!isOlder) return { idMessage, witness };
  }
  return undefined;
}
