/**
 * Which id is the attempt's. Strict: a wrong yes gives a message the id of another one.
 *
 * ADOPT-1 The id is not accounted for.
 * ADOPT-2 Kind, chat and body equal the attempt's.
 * ADOPT-3 It is not older than the claim, by the gateway's clock and the lower end of its interval.
 * ADOPT-4 No reading that was recorded before the claim lists it.
 */
import type { ClockOffset, MessageContent } from '../../contract/index.js';
import { CLOCK_MARGIN_MS, type AccountedId } from './evidence.js';
import { comparableOfAttempt, isSame, type ComparableMessage, type Observation, type Witness } from './sameness.js';

export interface AdoptionEvidence {
  readonly attempt: {
    readonly claimedAtMs: number;
    readonly chatId?: string;
    /** The attempt's own, not the row's: that may have changed since. */
    readonly content: MessageContent;
  };
  /** What the queue, journals and stored notifications show; the first that fits is taken. */
  readonly observations: readonly Observation[];
  readonly accounted: ReadonlyMap<string, AccountedId>;
  /** Ids that a reading recorded before the claim lists. */
  readonly seenBefore: ReadonlySet<string>;
  /** Of a forward, how its copy has to look; absent where no witness has shown the message it is a copy of. */
  readonly copy?: ComparableMessage;
  /** How far the gateway's clock is ahead of ours. @default UNMEASURED */
  readonly gatewayOffset?: ClockOffset;
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
