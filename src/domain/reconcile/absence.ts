/**
 * Proves that an attempt never entered the gateway's queue. Any item that may be the attempt prevents the proof, since
 * a wrong proof sends a message twice. Events that are both in the ledger are ordered by its sequence. All others are
 * ordered by clock, with a margin.
 *
 * ABSENT-1 The queue lists the attempt's kind.
 * ABSENT-2 The last reading began after the attempt was settled, with the margin for clocks.
 * ABSENT-3 The last reading is complete: shorter than the longest listing of the instance within a day, or it lists an
 *    id that we claimed after ABSENT-2. Earlier readings need not be complete.
 * ABSENT-4 The last reading lists no possible item behind the last preceding id. An item is possible, so that it may be
 *    the attempt, if it is unaccounted and of the attempt's kind or of an unreadable kind, whatever its body. An item
 *    without an id is unaccounted. Two items are never possible: one whose id is in a reading recorded before the
 *    claim, and one whose chat has the form of the attempt's chat and surely differs from it. A lid is never surely
 *    another chat, even if it is known to belong to another recipient: that knowledge may be out of date.
 * ABSENT-5 No known restart ends after the claim. A restart lasts from its order or announcement to its end.
 * ABSENT-6 A restart is announced up to five seconds late. So the conclusion waits six seconds after the response of
 *    the last reading, and then ABSENT-5 is checked.
 * ABSENT-7 The conclusion is a compare-and-set on the attempt, after the accounted ids were read (RECONCILE-1).
 *
 * The proof:
 *
 * 1. The bytes of the attempt leave after the claim, so every id that precedes (PRECEDE-1) entered the queue before the
 *    attempt could.
 * 2. If the attempt enters before the gateway makes a listing with a preceding id, the listing shows the attempt behind
 *    that id.
 * 3. If no item behind that id can be the attempt, the attempt had not entered, so all listed items precede too
 *    (PRECEDE-2).
 * 4. The last listing is made after the attempt was settled. If the attempt has not entered by then, it never enters.
 *
 * The proof does not depend on the order or the overlap of the readings.
 */
import {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  type AbsenceEvidence,
  type AccountedId,
  type AttemptInDoubt,
  type ListedItem,
  type RecordedReading,
} from './evidence.js';
import { isListedKind } from './observations.js';
import { chatKey } from '../comparable.js';
import { couldBe } from './sameness.js';

/** Why absence is not proved, as stable codes in the evidence. */
export type NotAbsent =
  | 'kind_not_listed'
  | 'no_reading'
  | 'instance_restarted'
  | 'listing_incomplete'
  | 'nothing_precedes'
  | 'unaccounted_item_in_queue'
  | 'queue_out_of_order'
  | 'restart_wait';

/** A condition on a candidate for the last reading. All conditions must hold. */
export interface AbsenceCondition {
  readonly rule: string;
  readonly why: NotAbsent;
  /** @param precedence  of this reading; it is computed only when a condition needs it */
  holds(evidence: AbsenceEvidence, reading: RecordedReading, precedence: () => Precedence): boolean;
}

export const ABSENCE_CONDITIONS: readonly AbsenceCondition[] = [
  { rule: 'ABSENT-1', why: 'kind_not_listed', holds: ({ attempt }) => isListedKind(attempt.content.kind) },
  { rule: 'ABSENT-2', why: 'no_reading', holds: ({ attempt }, { begunAtMs }) => begunAtMs >= decidableFrom(attempt) },
  { rule: 'ABSENT-5', why: 'instance_restarted', holds: ({ isRestarted }) => !isRestarted },
  { rule: 'PRECEDE-4', why: 'queue_out_of_order', holds: (_, _reading, precedence) => !precedence().isContradicted },
  { rule: 'ABSENT-4', why: 'unaccounted_item_in_queue', holds: (_, _reading, precedence) => !precedence().isBlocked },
  { rule: 'PRECEDE-3', why: 'nothing_precedes', holds: (_, _reading, precedence) => precedence().link.length > 0 },
  { rule: 'ABSENT-3', why: 'listing_incomplete', holds: isComplete },
  { rule: 'ABSENT-6', why: 'restart_wait', holds: ({ nowMs }, { endedAtMs }) => nowMs >= endedAtMs + RESTART_WAIT_MS },
];

type Absence =
  | {
      readonly kind: 'absent';
      /** The preceding id of the last reading, followed by the ids that link it to the claim. */
      readonly link: readonly string[];
      readonly reading: RecordedReading;
    }
  | { readonly kind: 'not_proved'; readonly why: NotAbsent; readonly nextPollAfterMs?: number };

/** @param conditions  tests omit one to show its purpose */
export function absence(
  evidence: AbsenceEvidence,
  conditions: readonly AbsenceCondition[] = ABSENCE_CONDITIONS,
): Absence {
  let found: readonly Precedence[] | undefined;
  let furthest = -1;
  let waiting: RecordedReading | undefined;
  const since = evidence.readings.filter(({ sequence }) => sequence > evidence.attempt.claimSequence);
  // Any reading may be the last one, the newest first: an older reading may still prove absence if a newer one cannot.
  for (let place = since.length - 1; place >= 0; place -= 1) {
    const reading = since[place]!;
    const precedence = () => (found ??= precedenceByReading(evidence))[place]!;
    const failed = conditions.findIndex((condition) => !condition.holds(evidence, reading, precedence));
    if (failed === -1) return { kind: 'absent', link: precedence().link, reading };
    if (failed > furthest) furthest = failed;
    if (conditions[failed]?.why === 'restart_wait') waiting = reading;
  }
  if (waiting !== undefined) {
    const nextPollAfterMs = waiting.endedAtMs + RESTART_WAIT_MS - evidence.nowMs;
    return { kind: 'not_proved', why: 'restart_wait', nextPollAfterMs };
  }
  const unlisted = isListedKind(evidence.attempt.content.kind) ? 'no_reading' : 'kind_not_listed';
  return { kind: 'not_proved', why: conditions[furthest]?.why ?? unlisted };
}

/** ABSENT-2: the earliest time at which the last reading may begin. */
export function decidableFrom({ settledAtMs }: AttemptInDoubt): number {
  return settledAtMs + CLOCK_MARGIN_MS;
}

/** ABSENT-3: a listing that is truncated at n items never shows fewer than n. */
function isComplete({ attempt, accounted, longestListing }: AbsenceEvidence, { items }: RecordedReading): boolean {
  if (items.length < longestListing) return true;
  return items.some(({ ids }) =>
    ids.some((id) => (accounted.get(id)?.byResponse?.claimedAtMs ?? -Infinity) >= decidableFrom(attempt)),
  );
}

/**
 * Finds the items that entered the queue before the attempt could. The queue is first in, first out, so an attempt in
 * the queue is behind every id that precedes it.
 *
 * PRECEDE-1 An id precedes the attempt if its acceptance was stored, or a reading that lists it was recorded, before
 *    the claim, by the ledger's sequence.
 * PRECEDE-2 In a reading that lists a preceding id, all items before the last such id also precede the attempt, and so
 *    do the items behind it up to the first possible item (ABSENT-4).
 * PRECEDE-3 The last reading lists a preceding id. If no possible item is behind the last such id, the attempt had
 *    not entered the queue before that reading.
 * PRECEDE-4 No reading recorded since the claim contradicts first in, first out. By the ledger: if an own id is listed,
 *    then each own id of a listed kind that was accepted after it, and stored before the reading began, is listed
 *    behind it. By the earlier reading, if it had ended before: from the first id that both list, the rest of the
 *    earlier listing is the beginning of this one.
 */

/** What one reading recorded since the claim shows about the ids that precede the attempt. */
interface Precedence {
  /** The last preceding id that it lists, and the ids that link it to the claim. Empty if it lists none. */
  readonly link: readonly string[];
  /** Whether a possible item is behind the last preceding id. */
  readonly isBlocked: boolean;
  /** Whether this reading, or an earlier one since the claim, contradicts first in, first out. */
  readonly isContradicted: boolean;
}

type Accounted = AbsenceEvidence['accounted'];

/** For each reading recorded since the claim, in their order. */
function precedenceByReading({ attempt, readings, accounted }: AbsenceEvidence): Precedence[] {
  const seenBefore = idsSeenBefore(attempt.claimSequence, readings);
  const own = [...accounted].flatMap(([id, { byResponse }]) =>
    byResponse !== undefined && isListedKind(byResponse.kind) ? [{ id, ...byResponse }] : [],
  );
  /** Each id that precedes because of a reading, with the preceding id that shows it. */
  const linked = new Map<string, string>();
  const found: Precedence[] = [];
  let isContradicted = false;
  for (const [at, reading] of readings.entries()) {
    if (reading.sequence <= attempt.claimSequence) continue;
    const listed = new Set(reading.items.flatMap(({ ids }) => ids));
    isContradicted ||=
      contradictsLedger(reading, listed, accounted, own) ||
      contradictsReading(reading, listed, at === 0 ? undefined : readings[at - 1]);
    let last: string | undefined;
    let firstPossible = reading.items.length;
    for (const [place, item] of reading.items.entries()) {
      const preceding = item.ids.find((id) => precedes(id));
      if (preceding !== undefined) {
        last = preceding;
        firstPossible = reading.items.length;
      } else if (firstPossible === reading.items.length && isPossibleItem(attempt, item, accounted, seenBefore)) {
        firstPossible = place;
      }
    }
    const isBlocked = firstPossible < reading.items.length;
    found.push({ link: last === undefined ? [] : linkOf(last), isBlocked, isContradicted });
    if (last === undefined) continue;
    for (const [place, { ids }] of reading.items.entries()) {
      if (place < firstPossible) for (const id of ids) if (!precedes(id)) linked.set(id, last);
    }
  }
  return found;

  function precedes(id: string): boolean {
    const stored = accounted.get(id)?.acceptedSequence ?? Infinity;
    return stored < attempt.claimSequence || seenBefore.has(id) || linked.has(id);
  }

  function linkOf(id: string): string[] {
    const link = [id];
    for (let by = linked.get(id); by !== undefined; by = linked.get(by)) link.push(by);
    return link;
  }
}

export function idsSeenBefore(claimSequence: number, readings: readonly RecordedReading[]): ReadonlySet<string> {
  const before = readings.filter(({ sequence }) => sequence < claimSequence);
  return new Set(before.flatMap(({ items }) => items.flatMap(({ ids }) => ids)));
}

/** ABSENT-4: whether this item may be the attempt. Its body is ignored. */
export function isPossibleItem(
  { content, chatId }: AttemptInDoubt,
  item: ListedItem,
  accounted: Accounted,
  seenBefore: ReadonlySet<string>,
): boolean {
  if (item.ids.length > 0 && item.ids.every((id) => accounted.has(id) || seenBefore.has(id))) return false;
  if (!couldBe(content.kind, { witness: 'showMessagesQueue', ids: item.ids, kind: item.kind })) return false;
  return !isSurelyAnotherChat(chatKey(chatId), item.chat);
}

/** A gateway may insert digits after the country code, but keeps at least this number of last digits. */
const LAST_DIGITS = 7;

/** Whether two chats surely differ. Chats of different forms may be equal, since a gateway may change the form. */
export function isSurelyAnotherChat(one: string, other: string): boolean {
  if (one.endsWith('@g.us') && other.endsWith('@g.us')) return one !== other;
  const [ours, theirs] = [phoneDigits(one), phoneDigits(other)];
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

/** @param shown  the chat that the gateway shows; empty if it shows none */
export function isPossiblyInChat(chatId: string | undefined, shown: string): boolean {
  return !isSurelyAnotherChat(chatKey(chatId), chatKey(shown));
}

function phoneDigits(chat: string): string | undefined {
  return /^(\d{7,})@c\.us$/.exec(chat)?.[1]?.slice(-LAST_DIGITS);
}

/** PRECEDE-4, by the ledger. @param own  the ids of listed kinds that come from responses */
function contradictsLedger(
  { begunAtMs }: RecordedReading,
  listed: ReadonlySet<string>,
  accounted: Accounted,
  own: readonly (NonNullable<AccountedId['byResponse']> & { readonly id: string })[],
): boolean {
  let latestClaim = -Infinity;
  let earliestStored = Infinity;
  for (const id of listed) {
    const { acceptedSequence, byResponse } = accounted.get(id) ?? {};
    if (acceptedSequence === undefined || byResponse === undefined) continue;
    if (acceptedSequence < latestClaim) return true;
    latestClaim = Math.max(latestClaim, byResponse.claimSequence);
    earliestStored = Math.min(earliestStored, acceptedSequence);
  }
  return own.some(
    ({ id, claimSequence, storedAtMs }) =>
      claimSequence > earliestStored && storedAtMs + CLOCK_MARGIN_MS <= begunAtMs && !listed.has(id),
  );
}

/** PRECEDE-4, by the earlier reading. */
function contradictsReading(
  reading: RecordedReading,
  listed: ReadonlySet<string>,
  before: RecordedReading | undefined,
): boolean {
  if (before === undefined || before.endedAtMs > reading.begunAtMs) return false;
  const first = before.items.findIndex(({ ids }) => ids.some((id) => listed.has(id)));
  if (first === -1) return false;
  for (let place = first; place < before.items.length; place += 1) {
    const now = reading.items[place - first];
    if (now === undefined || identityOf(now) !== identityOf(before.items[place]!)) return true;
  }
  return false;
}

function identityOf({ ids, kind, chat }: ListedItem): string {
  const [only, ...more] = ids;
  if (only === undefined) return `${kind} ${chat}`;
  return more.length === 0 ? only : ids.join(' ');
}
