/**
 * Determines the outcome of a POST whose response is missing: a pure decision over the witnesses' evidence.
 *
 * DECIDE-1 An id of ours that is seen ends the question (ADOPT-1 to ADOPT-4). Then absence is proved (ABSENT-1 to
 *    ABSENT-7, PRECEDE-1 to PRECEDE-4), or presumed where the message asks for it (PRESUME-1 to PRESUME-9).
 * DECIDE-2 Otherwise nothing is decided. Stable words say what is missing, and whether asking again can help.
 * DECIDE-3 A witness that cannot be asked keeps a message unknown for an hour at most after it can be reconciled.
 * DECIDE-4 The longer a message is unknown, the rarer its witnesses are asked: from every three seconds to once a minute.
 */
import {
  LONGEST_UNKNOWN_MS,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
  type ClockOffset,
  type MessageContent,
  present,
} from '../../contract/index.js';
import { absence, decidableFrom, type NotAbsent, idsSeenBefore } from './absence.js';
import { CLOCK_MARGIN_MS, type AttemptInDoubt, type RecordedReading, type AccountedId } from './evidence.js';
import { presumption, type NotificationHistory, type NotPresumed } from './presumption.js';
import { type ComparableMessage, type Observation, type Witness, comparableOfAttempt, isSame } from './sameness.js';

export interface Question {
  readonly attempt: Omit<AttemptInDoubt, 'kind'> & {
    /** From when on, at the latest, its request is accepted or never will be: patience counts from here. */
    readonly reconcileAfterMs: number;
    /** The attempt's own, not the row's: that may have changed since. */
    readonly content: MessageContent;
  };
  readonly nowMs: number;
  /** From this poll's reading of the queue, from journals and stored notifications, in this order, oldest first. */
  readonly observations: readonly Observation[];
  /** See {@link AbsenceEvidence}. */
  readonly readings: readonly RecordedReading[];
  readonly accounted: ReadonlyMap<string, AccountedId>;
  readonly isRestarted: boolean;
  readonly longestListing: number;
  /** For a forward: how its copy has to look; absent where no witness has shown the message it is a copy of. */
  readonly copy?: ComparableMessage;
  /** False where the gateway refuses to show the queue. @default true */
  readonly queueIsListed?: boolean;
  /** How far the gateway's clock is ahead of ours. @default within a second */
  readonly gatewayOffset?: ClockOffset;
  /** Given only for a message that may be sent again on a presumption. */
  readonly notifications?: NotificationHistory;
  /**
   * A witness could not be asked this time, and may have something to say: nothing is given up, and nothing presumed.
   * @default false
   */
  readonly isWitnessAway?: boolean;
  /** @default DEFAULT_PATIENCE */
  readonly patience?: Patience;
  /** After which the gateway repeats a notification that was not taken. @default RETRY_INTERVAL_MS */
  readonly retryIntervalMs?: number;
}

/** How long after an attempt can be reconciled its witnesses are asked, milliseconds. */
export interface Patience {
  /** For notifications and journals. */
  readonly witnessMs: number;
  /** For a successor, where a presumption may decide. */
  readonly successorMs: number;
  /** How long one poll of all of them may take. @default 40 s */
  readonly pollMs?: number;
}

export type Decision =
  | { readonly kind: 'adopt'; readonly idMessage: string; readonly witness: Witness }
  | { readonly kind: 'absent'; readonly link: readonly string[]; readonly reading: RecordedReading }
  | { readonly kind: 'presumed_absent'; readonly successor: string }
  | {
      readonly kind: 'undecided';
      readonly why: Undecided;
      /** Why it was not presumed, where it was asked for. */
      readonly notPresumed?: NotPresumed;
      readonly askAgainAfterMs?: number;
    };

/** Why nothing is decided: stable words for the evidence. */
export type Undecided = 'too_early' | NotAbsent;

const POLL_SOONEST_MS = 3_000;
const POLL_LATEST_MS = 60_000;
/** Between two polls this part of the time since the attempt was settled. */
const POLL_SHARE = 10;
const DEFAULT_PATIENCE: Patience = { witnessMs: WITNESS_PATIENCE_MS, successorMs: SUCCESSOR_PATIENCE_MS };
/** The queue may say more against these as long as it can be read. */
const WITH_THE_QUEUE: ReadonlySet<Undecided> = new Set<Undecided>(['no_reading', 'unaccounted_item_in_queue']);

/** A presumption that time alone completes. */
const SOON_PRESUMED: ReadonlySet<NotPresumed> = new Set<NotPresumed>(['successor_too_young', 'no_empty_reading']);

export function decide(question: Question): Decision {
  const { attempt, readings, nowMs, queueIsListed = true, notifications, isWitnessAway = false } = question;
  const adopted = adoption({ ...question, seenBefore: idsSeenBefore(attempt.claimSequence, readings) });
  if (adopted !== undefined) return { kind: 'adopt', ...adopted };
  const inDoubt: AttemptInDoubt = { ...attempt, kind: attempt.content.kind };
  const decidableFromMs = decidableFrom(inDoubt);
  if (nowMs < decidableFromMs) {
    return { kind: 'undecided', why: 'too_early', askAgainAfterMs: Math.min(POLL_SOONEST_MS, decidableFromMs - nowMs) };
  }
  const evidence = { ...question, attempt: inDoubt };
  const absent = absence(evidence);
  if (absent.kind === 'absent') return absent;
  const presumed = notifications === undefined ? undefined : presumption({ ...evidence, notifications });
  if (presumed?.kind === 'presumed_absent' && !isWitnessAway) return presumed;
  return undecided(question, absent.why, {
    isFinal: !WITH_THE_QUEUE.has(absent.why) || !queueIsListed,
    ...present({ askAgainAfterMs: absent.askAgainAfterMs }),
    ...(presumed?.kind === 'not_presumed' ? { notPresumed: presumed.why } : {}),
  });
}

/**
 * DECIDE-2, DECIDE-3.
 * @param more.isFinal  the queue has said all it will; what was sent may still show in a journal or a notification
 */
function undecided(
  question: Question,
  why: Undecided,
  more: { readonly isFinal: boolean; readonly askAgainAfterMs?: number; readonly notPresumed?: NotPresumed },
): Decision {
  const { attempt, nowMs, notifications, isWitnessAway = false, patience = DEFAULT_PATIENCE } = question;
  const { isFinal, askAgainAfterMs = pollAfter(question), notPresumed } = more;
  const patienceMs = notifications === undefined ? patience.witnessMs : patience.successorMs;
  const canLearnMore =
    !isFinal ||
    (notPresumed !== undefined && SOON_PRESUMED.has(notPresumed)) ||
    isWitnessAway ||
    why === 'restart_wait' ||
    nowMs < attempt.reconcileAfterMs + patienceMs;
  const isOver = nowMs >= attempt.reconcileAfterMs + LONGEST_UNKNOWN_MS;
  return {
    kind: 'undecided',
    why,
    ...present({ notPresumed }),
    ...(canLearnMore && !isOver ? { askAgainAfterMs } : {}),
  };
}

/** DECIDE-4. */
function pollAfter({ attempt, nowMs }: Question): number {
  return Math.min(POLL_LATEST_MS, Math.max(POLL_SOONEST_MS, (nowMs - attempt.settledAtMs) / POLL_SHARE));
}

/**
 * Which id is the attempt's. Strict: a wrong yes gives a message the id of another one.
 *
 * ADOPT-1 The id is not accounted for.
 * ADOPT-2 Kind, chat and body equal the attempt's.
 * ADOPT-3 It is not older than the claim, by the gateway's clock and the lower end of its interval.
 * ADOPT-4 No reading that was recorded before the claim lists it.
 */

export interface AdoptionEvidence extends Pick<Question, 'observations' | 'accounted' | 'copy' | 'gatewayOffset'> {
  readonly attempt: Pick<Question['attempt'], 'claimedAtMs' | 'chatId' | 'content'>;
  /** Ids that a reading recorded before the claim lists. */
  readonly seenBefore: ReadonlySet<string>;
}

/** Before the first response of a gateway: its clock is assumed to agree with ours this well. */
const UNMEASURED: ClockOffset = { lowestMs: -1_000, highestMs: 1_000 };
/** Witnesses drop the fraction of a second. */
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
  // "Is it surely older than our claim?": the lower end is the safe one, so that nothing of ours is passed over.
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
