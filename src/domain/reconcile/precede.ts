/**
 * What stood in the queue before an attempt could. The queue is first in, first out, so an attempt that entered it
 * stands behind every id that precedes it.
 *
 * PRECEDE-1 An id precedes the attempt if its acceptance was stored, or a reading that lists it was recorded, before the
 *    claim, by the ledger's sequence.
 * PRECEDE-2 In a reading that lists a preceding id, what stands before the last such id precedes the attempt too, and so
 *    does what follows it up to the first possibly own item (ABSENT-4).
 * PRECEDE-3 The last reading lists a preceding id. With no possibly own item behind the last one, the attempt had not
 *    entered the queue by then.
 * PRECEDE-4 No reading recorded since the claim contradicts first in, first out. By the ledger: where an own id is listed,
 *    each own id of a listed kind that was accepted after it, and stored before the reading began, is listed behind it.
 *    By the reading before, if it had ended: from the first id that both list, its rest is the beginning of this one.
 */
import {
  CLOCK_MARGIN_MS,
  type AccountedId,
  type AttemptInDoubt,
  type ListedItem,
  type RecordedReading,
} from './evidence.js';
import { isListedKind } from './queue-observation.js';
import { comparableChat, couldBe } from './sameness.js';

/** What one reading recorded since the claim shows of the attempt. */
export interface Standing {
  readonly reading: RecordedReading;
  /** The last preceding id that it lists, and the ids that link it to the claim; empty where it lists none. */
  readonly link: readonly string[];
  /** A possibly own item stands behind the last preceding id. */
  readonly isBlocked: boolean;
  /** This reading or one before it, since the claim, contradicts first in, first out. */
  readonly isContradicted: boolean;
}

type Accounted = ReadonlyMap<string, AccountedId>;

/** @param readings  in the ledger's sequence, those from before the claim included */
export function standings(
  attempt: AttemptInDoubt,
  readings: readonly RecordedReading[],
  accounted: Accounted,
): Standing[] {
  const seenBefore = idsSeenBefore(attempt.claimSequence, readings);
  const own = ownIds(accounted);
  /** Each id that precedes by a reading, and the id it does so by. */
  const linked = new Map<string, string>();
  const found: Standing[] = [];
  let isContradicted = false;
  for (const [at, reading] of readings.entries()) {
    if (reading.sequence <= attempt.claimSequence) continue;
    const listed = listedIds(reading);
    isContradicted ||=
      contradictsLedger(reading, listed, accounted, own) ||
      contradictsReading(reading, listed, at === 0 ? undefined : readings[at - 1]);
    let last: string | undefined;
    let firstOwn = reading.items.length;
    for (const [place, item] of reading.items.entries()) {
      const preceding = item.ids.find((id) => precedes(id));
      if (preceding !== undefined) {
        last = preceding;
        firstOwn = reading.items.length;
      } else if (firstOwn === reading.items.length && isPossiblyOwn(attempt, item, accounted, seenBefore)) {
        firstOwn = place;
      }
    }
    const isBlocked = firstOwn < reading.items.length;
    found.push({ reading, link: last === undefined ? [] : linkOf(last), isBlocked, isContradicted });
    if (last === undefined) continue;
    for (const [place, { ids }] of reading.items.entries()) {
      if (place < firstOwn) for (const id of ids) if (!precedes(id)) linked.set(id, last);
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
  const seen = new Set<string>();
  for (const { sequence, items } of readings) {
    if (sequence < claimSequence) for (const { ids } of items) for (const id of ids) seen.add(id);
  }
  return seen;
}

/** ABSENT-4: nothing rules out that this item is the attempt, whatever its body. */
export function isPossiblyOwn(
  { kind, chatId }: AttemptInDoubt,
  item: ListedItem,
  accounted: Accounted,
  seenBefore: ReadonlySet<string>,
): boolean {
  if (item.ids.length > 0 && item.ids.every((id) => accounted.has(id) || seenBefore.has(id))) return false;
  if (!couldBe(kind, { witness: 'showMessagesQueue', ids: item.ids, kind: item.kind })) return false;
  return !isSurelyAnotherChat(comparableChat(chatId), item.chat);
}

/** A gateway may insert digits behind the country code: these last ones it keeps. */
const LAST_DIGITS = 7;

/** Only chats in the same form are told apart: a gateway may show a chat in another form. */
export function isSurelyAnotherChat(one: string, other: string): boolean {
  if (one.endsWith('@g.us') && other.endsWith('@g.us')) return one !== other;
  const [ours, theirs] = [phoneDigits(one), phoneDigits(other)];
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

/** @param shown  where the gateway shows it; empty where it shows no chat */
export function isPossiblyInChat(chatId: string | undefined, shown: string): boolean {
  return !isSurelyAnotherChat(comparableChat(chatId), comparableChat(shown));
}

function phoneDigits(chat: string): string | undefined {
  return /^(\d{7,})@c\.us$/.exec(chat)?.[1]?.slice(-LAST_DIGITS);
}

interface OwnId {
  readonly id: string;
  readonly claimSequence: number;
  readonly storedAtMs: number;
}

/** Of listed kinds, from responses. */
function ownIds(accounted: Accounted): readonly OwnId[] {
  const own: OwnId[] = [];
  for (const [id, { accepted }] of accounted) {
    if (accepted !== undefined && isListedKind(accepted.kind)) own.push({ id, ...accepted });
  }
  return own;
}

function listedIds({ items }: RecordedReading): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const { ids } of items) for (const id of ids) listed.add(id);
  return listed;
}

/** PRECEDE-4 by the ledger. */
function contradictsLedger(
  { begunAtMs }: RecordedReading,
  listed: ReadonlySet<string>,
  accounted: Accounted,
  own: readonly OwnId[],
): boolean {
  let latestClaim = -Infinity;
  let earliestStored = Infinity;
  for (const id of listed) {
    const { acceptedSequence, accepted } = accounted.get(id) ?? {};
    if (acceptedSequence === undefined || accepted === undefined) continue;
    if (acceptedSequence < latestClaim) return true;
    latestClaim = Math.max(latestClaim, accepted.claimSequence);
    earliestStored = Math.min(earliestStored, acceptedSequence);
  }
  return own.some(
    ({ id, claimSequence, storedAtMs }) =>
      claimSequence > earliestStored && storedAtMs + CLOCK_MARGIN_MS <= begunAtMs && !listed.has(id),
  );
}

/** PRECEDE-4 by the reading before. */
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
    if (now === undefined || nameOf(now) !== nameOf(before.items[place]!)) return true;
  }
  return false;
}

function nameOf({ ids, kind, chat }: ListedItem): string {
  const [only, ...more] = ids;
  if (only === undefined) return `${kind} ${chat}`;
  return more.length === 0 ? only : ids.join(' ');
}
