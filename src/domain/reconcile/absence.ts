/**
 * Proof that an attempt never entered the gateway's queue. Loose about what could be it: a wrong yes sends a message
 * twice. Times are compared in the ledger's sequence where both are in the ledger, else by clocks with a margin.
 *
 * ABSENT-1 The queue lists the attempt's kind.
 * ABSENT-2 The last reading began after the attempt was settled, plus the margin for clocks.
 * ABSENT-3 The last reading is complete: shorter than the longest listing of the instance within a day, or it lists an id
 *    that we claimed after ABSENT-2. Earlier readings need not be complete.
 * ABSENT-4 No possibly own item stands in it behind the last preceding id: one that is unaccounted, of the attempt's kind
 *    or of a kind that we cannot read, whatever its body. An item without an id is unaccounted. Not possibly own: an id
 *    in a reading recorded before the claim, and an item whose chat is in the attempt's form and surely another.
 * ABSENT-5 No restart is known whose interval reaches beyond the claim, from its order or announcement to its end.
 * ABSENT-6 The conclusion is written at least six seconds after the response of the last reading, and ABSENT-5 is asked
 *    then: a restart is announced after it happened.
 * ABSENT-7 The conclusion is a compare-and-set on the attempt, after the accounted ids were read (RECONCILE-1).
 *
 * Why it proves: our bytes leave after the claim, so every id that precedes (PRECEDE-1) entered the queue before the
 * attempt did, if it ever did. Had the attempt entered before the gateway made a listing that shows a preceding id, it
 * would stand behind that id in it. Where no item behind can be it, it had not entered, so all that is listed precedes
 * too (PRECEDE-2). The last listing was made after the attempt was settled: what had not entered by then never will.
 * Nothing depends on the order or the overlap of the readings.
 */
import {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  type AttemptInDoubt,
  type RecordedReading,
  type ReadingEvidence,
} from './evidence.js';
import { isListedKind } from './queue-observation.js';
import { standings, type Standing } from './precede.js';

export interface AbsenceEvidence extends ReadingEvidence {
  /** Items in the longest listing of the instance within a day. */
  readonly longestListing: number;
}

/** Why absence is not proved: stable words for the evidence. */
export type NotAbsent =
  | 'kind_not_listed'
  | 'no_reading'
  | 'instance_restarted'
  | 'listing_incomplete'
  | 'nothing_precedes'
  | 'unaccounted_item_in_queue'
  | 'queue_out_of_order'
  | 'restart_wait';

/** A reading as the last one. What it shows is worked out once a condition asks for it. */
interface Candidate {
  readonly reading: RecordedReading;
  readonly standing: () => Standing;
}

/** One condition on a reading as the last one. All have to hold. */
export interface AbsenceCondition {
  readonly rule: string;
  readonly why: NotAbsent;
  holds(evidence: AbsenceEvidence, last: Candidate): boolean;
}

export const ABSENCE_CONDITIONS: readonly AbsenceCondition[] = [
  { rule: 'ABSENT-1', why: 'kind_not_listed', holds: ({ attempt }) => isListedKind(attempt.kind) },
  {
    rule: 'ABSENT-2',
    why: 'no_reading',
    holds: ({ attempt }, { reading }) => reading.begunAtMs >= decidableFrom(attempt),
  },
  { rule: 'ABSENT-5', why: 'instance_restarted', holds: ({ isRestarted }) => !isRestarted },
  { rule: 'PRECEDE-4', why: 'queue_out_of_order', holds: (_, { standing }) => !standing().isContradicted },
  { rule: 'ABSENT-4', why: 'unaccounted_item_in_queue', holds: (_, { standing }) => !standing().isBlocked },
  { rule: 'PRECEDE-3', why: 'nothing_precedes', holds: (_, { standing }) => standing().link.length > 0 },
  { rule: 'ABSENT-3', why: 'listing_incomplete', holds: (evidence, { reading }) => isComplete(evidence, reading) },
  {
    rule: 'ABSENT-6',
    why: 'restart_wait',
    holds: ({ nowMs }, { reading }) => nowMs >= reading.endedAtMs + RESTART_WAIT_MS,
  },
];

export type Absence =
  | {
      readonly kind: 'absent';
      /** The preceding id of the last reading, then the ids that link it to the claim. */
      readonly link: readonly string[];
      readonly reading: RecordedReading;
    }
  | { readonly kind: 'not_proved'; readonly why: NotAbsent; readonly askAgainAfterMs?: number };

/** @param conditions  tests leave one out, to see what it is for */
export function absence(
  evidence: AbsenceEvidence,
  conditions: readonly AbsenceCondition[] = ABSENCE_CONDITIONS,
): Absence {
  let furthest = -1;
  let waiting: RecordedReading | undefined;
  // From the newest on: each reading may be the last one, and an older one may prove what a newer cannot any more.
  for (const last of candidates(evidence)) {
    const failed = conditions.findIndex((condition) => !condition.holds(evidence, last));
    if (failed === -1) return { kind: 'absent', link: last.standing().link, reading: last.reading };
    if (failed > furthest) furthest = failed;
    if (conditions[failed]?.why === 'restart_wait') waiting = last.reading;
  }
  if (waiting !== undefined) {
    const askAgainAfterMs = waiting.endedAtMs + RESTART_WAIT_MS - evidence.nowMs;
    return { kind: 'not_proved', why: 'restart_wait', askAgainAfterMs };
  }
  const unlisted = isListedKind(evidence.attempt.kind) ? 'no_reading' : 'kind_not_listed';
  return { kind: 'not_proved', why: conditions[furthest]?.why ?? unlisted };
}

/** The readings recorded since the claim, the newest first. */
function candidates({ attempt, readings, accounted }: AbsenceEvidence): Candidate[] {
  let found: readonly Standing[] | undefined;
  const since = readings.filter(({ sequence }) => sequence > attempt.claimSequence);
  return since
    .map((reading, place) => ({
      reading,
      standing: () => (found ??= standings(attempt, readings, accounted))[place]!,
    }))
    .toReversed();
}

/** ABSENT-2. */
export function decidableFrom({ settledAtMs }: AttemptInDoubt): number {
  return settledAtMs + CLOCK_MARGIN_MS;
}

/** ABSENT-3. A listing that is cut at n items never shows fewer than n. */
function isComplete({ attempt, accounted, longestListing }: AbsenceEvidence, { items }: RecordedReading): boolean {
  if (items.length < longestListing) return true;
  return items.some(({ ids }) =>
    ids.some((id) => (accounted.get(id)?.accepted?.claimedAtMs ?? -Infinity) >= decidableFrom(attempt)),
  );
}
