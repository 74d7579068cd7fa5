/**
 * Decides which id belongs to an attempt. The rules are strict, since a wrong match gives a message the id of another
 * one.
 *
 * ADOPT-1 The id is not accounted for.
 * ADOPT-2 Kind, recipient and body equal the attempt's. Recipients are compared by their key, so every form of a chat id
 *    counts, and a lid that is known to belong to a number has the key of that number. The ledger never has two messages
 *    in flight that are identical by this key, so an id that fits one attempt fits no other.
 * ADOPT-3 The observation is not older than the claim, by the lower end of the interval of the gateway's clock.
 * ADOPT-4 No reading that was recorded before the claim lists the id. The last one before it suffices: what an earlier one
 *    alone lists had left the queue before the claim, so ADOPT-3 excludes it.
 * ADOPT-5 A message that differs only in its chat, where one of both is a lid without a known owner, is a possible
 *    match. It is never adopted: a lid may be anyone's. An operator sees it and may give its id to the message. That
 *    teaches nothing about the lid: an operator who errs once must not change who later messages belong to.
 */
import type { ClockOffset } from '../../contract/index.js';
import { CLOCK_MARGIN_MS, type AccountedId, type AttemptInDoubt } from './evidence.js';
import type { ComparableMessage } from '../comparable.js';
import { type Observation, type Witness, comparableOfAttempt, isSame } from './sameness.js';

/** The recipient's key of each lid whose owner is known. */
export type KnownLids = ReadonlyMap<string, string>;

/** A message that may be the attempt's, in a chat that may be the recipient's. */
export interface PossibleMatch {
  readonly idMessage: string;
  readonly chatId: string;
  readonly witness: Witness;
}

/** What witnesses show about the instance's messages. */
export interface SeenMessages {
  /**
   * Observations from this poll's reading of the queue, from journals and from stored notifications, in this order,
   * oldest first.
   */
  readonly observations: readonly Observation[];
  /** For a forward: the expected form of its copy. Absent if no witness has shown the forwarded message. */
  readonly copy?: ComparableMessage;
  /** The owners of the lids among the chats. @default none is known */
  readonly lids?: KnownLids;
  /** The offset of the gateway's clock from ours. @default within a second */
  readonly gatewayOffset?: ClockOffset;
}

interface AdoptionEvidence extends SeenMessages {
  readonly attempt: Pick<AttemptInDoubt, 'claimedAtMs' | 'chatId' | 'content'>;
  readonly accounted: ReadonlyMap<string, AccountedId>;
  /** The ids in readings recorded before the claim. */
  readonly seenBefore: ReadonlySet<string>;
}

/** The assumed offset of a gateway's clock before its first response. */
const UNMEASURED: ClockOffset = { lowestMs: -1_000, highestMs: 1_000 };
/** Added to the times of witnesses, which are rounded down to whole seconds. */
const LATEST_IN_SECOND_MS = 999;
/** More than a few do not help an operator. */
export const MOST_POSSIBLE_MATCHES = 5;

export function adoption(
  evidence: AdoptionEvidence,
): { readonly idMessage: string; readonly witness: Witness } | undefined {
  const ours = formsOf(evidence);
  const found = unaccounted(evidence).find(({ shown }) => ours.some((one) => isSame(one, shown)));
  return found && { idMessage: found.idMessage, witness: found.witness };
}

/** ADOPT-5 */
export function possibleMatches(evidence: AdoptionEvidence): readonly PossibleMatch[] {
  const ours = formsOf(evidence);
  return unaccounted(evidence)
    .filter(({ shown }) =>
      ours.some((one) => {
        // A number and a lid without a known owner, in either order, may be one recipient.
        const [number, lid] = one.chat.endsWith('@lid') ? [shown.chat, one.chat] : [one.chat, shown.chat];
        return number.endsWith('@c.us') && lid.endsWith('@lid') && isSame({ ...one, chat: shown.chat }, shown);
      }),
    )
    .map(({ idMessage, shown, witness }) => ({ idMessage, chatId: shown.chat, witness }))
    .filter(({ idMessage }, place, all) => place === all.findIndex((one) => one.idMessage === idMessage))
    .slice(0, MOST_POSSIBLE_MATCHES);
}

/** The attempt, and for a forward the copy that it leaves. */
function formsOf({ attempt, copy, lids }: AdoptionEvidence): ComparableMessage[] {
  const posted = comparableOfAttempt(attempt.chatId, attempt.content);
  return (copy === undefined ? [posted] : [posted, copy]).map((one) => withOwner(one, lids));
}

/** The observed messages that ADOPT-1, ADOPT-3 and ADOPT-4 permit. */
function unaccounted({
  attempt,
  observations,
  accounted,
  seenBefore,
  gatewayOffset = UNMEASURED,
  lids,
}: AdoptionEvidence) {
  // Only an id that is surely older than our claim is excluded, so the lower end is the safe one.
  const claimedThereMs = attempt.claimedAtMs + gatewayOffset.lowestMs - CLOCK_MARGIN_MS;
  return observations.flatMap(({ witness, ids, comparable, atMs }) => {
    const [idMessage, ...more] = ids;
    if (idMessage === undefined || more.length > 0 || accounted.has(idMessage) || seenBefore.has(idMessage)) return [];
    const isOlder = atMs !== undefined && atMs + LATEST_IN_SECOND_MS < claimedThereMs;
    return comparable === undefined || isOlder ? [] : [{ idMessage, witness, shown: withOwner(comparable, lids) }];
  });
}

function withOwner(message: ComparableMessage, lids: KnownLids | undefined): ComparableMessage {
  return { ...message, chat: lids?.get(message.chat) ?? message.chat };
}
