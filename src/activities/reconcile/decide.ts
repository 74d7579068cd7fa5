/**
 * What became of a POST whose response is missing: a pure decision over what the witnesses show.
 *
 * DECIDE-1 Adopt strictly. An id that the ledger does not account for, of a message that equals the attempt in chat,
 *    kind and body and that is not surely older than the claim, is ours. The gateway's clock is an interval.
 * DECIDE-2 Deny loosely. An item whose acceptance the ledger stored before our claim, by its own sequence, is still in
 *    a reading begun when the attempt could be reconciled; the reading shows no unaccounted item that could be ours.
 *    The queue is first in, first out, so ours never entered it. Absence without such a marker proves nothing, absence
 *    in a journal neither.
 * DECIDE-3 DECIDE-2 holds only for kinds that the queue lists, and only while the instance did not restart since the
 *    claim.
 * DECIDE-4 Presume only where it was asked for, and only when the FIFO has let through what was put behind us.
 * DECIDE-5 Otherwise nothing is decided. Words say what is missing, and whether asking again can help.
 * DECIDE-6 A witness that cannot be asked keeps a message unknown for an hour at most after it can be reconciled.
 */
import {
  LONGEST_UNKNOWN_MS,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
  type ClockOffset,
  type MessageContent,
  type MessageKind,
} from '../../contract/index.js';
import {
  couldBe,
  isSame,
  comparableOfAttempt,
  type ComparableMessage,
  type Observation,
  type Witness,
} from './sameness.js';

export interface AttemptUnderQuestion {
  /** The claim's place in the ledger's sequence. */
  readonly claimSequence: number;
  readonly claimedAtMs: number;
  /** From when on the request is surely accepted or never will be. */
  readonly reconcileAfterMs: number;
  readonly chatId?: string;
  /** The attempt's own, not the row's: that may have changed since. */
  readonly content: MessageContent;
}

/** One reading of showMessagesQueue. */
export interface QueueReading {
  /** When its request was begun, by the clock that set `reconcileAfterMs`. */
  readonly begunAtMs: number;
  readonly items: readonly Observation[];
}

/** An id that the ledger accounts for: a message of ours, an edit, anything whose owner is known. */
export interface AccountedId {
  /** When its acceptance was stored, in the ledger's sequence; absent for ids of edits, which are never queued. */
  readonly acceptedSequence?: number;
}

/** What DECIDE-4 asks for; given only for rows that may be sent again on presumption. */
export interface Presumption {
  /** The instance was authorized from the claim until now, as far as any witness said. */
  readonly authorizedThroughout: boolean;
  /** A message claimed after `reconcileAfterMs` that already has its `sent`: it stood behind ours in the queue. */
  readonly successor?: string;
  /** Receipts came, since the claim, for an id that matches no message. */
  readonly unexplainedReceipts: boolean;
}

export interface Question {
  readonly attempt: AttemptUnderQuestion;
  readonly nowMs: number;
  readonly reading?: QueueReading;
  /** What journals and stored notifications show, oldest first. */
  readonly observations: readonly Observation[];
  readonly accounted: ReadonlyMap<string, AccountedId>;
  /** Of a forward, how its copy has to look; absent where no witness has shown the message it is a copy of. */
  readonly copy?: ComparableMessage;
  readonly instanceRestarted: boolean;
  /** False where the gateway refuses to show the queue. @default true */
  readonly queueIsListed?: boolean;
  /** How far the gateway's clock is ahead of ours. @default UNMEASURED */
  readonly gatewayOffset?: ClockOffset;
  readonly presumption?: Presumption;
  /**
   * A witness could not be asked this time, and may have something to say: nothing is given up, and nothing presumed.
   * @default false
   */
  readonly isWitnessAway?: boolean;
  /** @default DEFAULT_PATIENCE */
  readonly patience?: Patience;
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
  | { readonly kind: 'absent'; readonly marker: string }
  | { readonly kind: 'presumed_absent'; readonly successor: string }
  | { readonly kind: 'undecided'; readonly why: Undecided; readonly askAgainAfterMs?: number };

/** Why nothing is decided: stable words for the evidence. */
export type Undecided =
  'too_early' | 'no_reading' | 'kind_not_listed' | 'instance_restarted' | 'unaccounted_item_in_queue' | 'no_marker';

/** The queue does not list statuses. */
const LISTED: ReadonlySet<MessageKind> = new Set(['text', 'file', 'poll', 'location', 'contact', 'forward']);
/** While the item may still be in the queue: it leaves within seconds, and with it the best witness. */
const POLL_AGAIN_EARLY_MS = 3_000;
const POLL_AGAIN_MS = 10_000;
const DEFAULT_PATIENCE: Patience = { witnessMs: WITNESS_PATIENCE_MS, successorMs: SUCCESSOR_PATIENCE_MS };
/** Before the first response of a gateway: its clock is assumed to agree with ours this well. */
const UNMEASURED: ClockOffset = { lowestMs: -1_000, highestMs: 1_000 };
/** The clocks of several workers, and of several servers of one gateway, agree no better. */
const CLOCK_MARGIN_MS = 500;
/** Witnesses drop the fraction of a second. */
const LATEST_IN_SECOND_MS = 999;

export function decide(question: Question): Decision {
  return adoption(question) ?? absence(question);
}

/** DECIDE-1. */
function adoption({
  attempt,
  reading,
  observations,
  accounted,
  copy,
  gatewayOffset = UNMEASURED,
}: Question): Decision | undefined {
  const ours = [comparableOfAttempt(attempt.chatId, attempt.content), ...(copy === undefined ? [] : [copy])];
  // "Is it surely older than our claim?": the lower end is the safe one, so that nothing of ours is passed over.
  const claimedThereMs = attempt.claimedAtMs + gatewayOffset.lowestMs - CLOCK_MARGIN_MS;
  for (const { witness, ids, comparable, atMs } of [...(reading?.items ?? []), ...observations]) {
    const [idMessage, ...more] = ids;
    if (idMessage === undefined || more.length > 0 || accounted.has(idMessage)) continue;
    if (comparable === undefined || !ours.some((one) => isSame(one, comparable))) continue;
    const isOlder = atMs !== undefined && atMs + LATEST_IN_SECOND_MS < claimedThereMs;
    if (!isOlder) return { kind: 'adopt', idMessage, witness };
  }
  return undefined;
}

/** DECIDE-2, DECIDE-3, and DECIDE-4 where asked for. */
function absence(question: Question): Decision {
  const { attempt, nowMs, reading, accounted } = question;
  if (nowMs < attempt.reconcileAfterMs) {
    return undecided('too_early', Math.min(POLL_AGAIN_EARLY_MS, attempt.reconcileAfterMs - nowMs));
  }
  if (!LISTED.has(attempt.content.kind)) return finallyUndecided(question, 'kind_not_listed');
  if (question.queueIsListed === false) return finallyUndecided(question, 'no_reading');
  if (reading === undefined || reading.begunAtMs < attempt.reconcileAfterMs) {
    return undecided('no_reading', untilLongest(question, POLL_AGAIN_EARLY_MS));
  }
  const isAccounted = ({ ids }: Observation) => ids.length > 0 && ids.every((id) => accounted.has(id));
  if (reading.items.some((item) => couldBe(attempt.content.kind, item) && !isAccounted(item))) {
    return undecided('unaccounted_item_in_queue', untilLongest(question, POLL_AGAIN_MS));
  }
  if (question.instanceRestarted) return finallyUndecided(question, 'instance_restarted');
  const marker = reading.items
    .flatMap(({ ids }) => ids)
    .find((id) => (accounted.get(id)?.acceptedSequence ?? Infinity) < attempt.claimSequence);
  if (marker !== undefined) return { kind: 'absent', marker };
  return presumed(question) ?? finallyUndecided(question, 'no_marker');
}

/** DECIDE-4. */
function presumed({ presumption, attempt, observations, accounted, isWitnessAway }: Question): Decision | undefined {
  if (presumption?.successor === undefined || isWitnessAway === true) return undefined;
  if (!presumption.authorizedThroughout || presumption.unexplainedReceipts) return undefined;
  const { kind } = attempt.content;
  const somethingCame = observations.some((one) => couldBe(kind, one) && !one.ids.every((id) => accounted.has(id)));
  return somethingCame ? undefined : { kind: 'presumed_absent', successor: presumption.successor };
}

/** The queue has said all it will; what was sent may still show in a journal or a notification for a while. */
function finallyUndecided(question: Question, why: Undecided): Decision {
  const { attempt, nowMs, presumption, isWitnessAway, patience = DEFAULT_PATIENCE } = question;
  const patienceMs = presumption === undefined ? patience.witnessMs : patience.successorMs;
  const canLearnMore = isWitnessAway === true || nowMs < attempt.reconcileAfterMs + patienceMs;
  return undecided(why, canLearnMore ? untilLongest(question, POLL_AGAIN_MS) : undefined);
}

/** DECIDE-6. @returns undefined once nothing is asked any more */
function untilLongest({ attempt, nowMs }: Question, askAgainAfterMs: number): number | undefined {
  return nowMs < attempt.reconcileAfterMs + LONGEST_UNKNOWN_MS ? askAgainAfterMs : undefined;
}

function undecided(why: Undecided, askAgainAfterMs: number | undefined): Decision {
  return { kind: 'undecided', why, ...(askAgainAfterMs === undefined ? {} : { askAgainAfterMs }) };
}
