/** A question about one attempt, and what readings of the queue can say about it. */
import {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  type AccountedId,
  type ListedItem,
  type DecisionInput,
  type RecordedReading,
} from '../../src/domain/index.js';
import { RECIPIENT, SENT_AT } from './witnesses.js';

export const TEXT = { kind: 'text', text: 'Your table is ready' } as const;
export const CLAIMED_AT = SENT_AT * 1000;
export const RECONCILE_AFTER = CLAIMED_AT + 35_000;
export const SETTLED = CLAIMED_AT + 16_000;
export const DECIDABLE_FROM = SETTLED + CLOCK_MARGIN_MS;
export const CLAIM_SEQUENCE = 100;
/** Long enough after the earliest possible reading. */
export const NOW = DECIDABLE_FROM + 100 + RESTART_WAIT_MS;

/** Items of other chats, so that only the tested condition applies. */
export function item(id: string, changes: Partial<ListedItem> = {}): ListedItem {
  return { ids: [id], kind: 'text', chat: RECIPIENT, ...changes };
}

export function reading(items: readonly ListedItem[], changes: Partial<RecordedReading> = {}): RecordedReading {
  return { sequence: 200, begunAtMs: DECIDABLE_FROM, endedAtMs: DECIDABLE_FROM + 100, items, ...changes };
}

export function accepted(sequence: number, claimSequence = sequence - 1, atMs = CLAIMED_AT): AccountedId {
  return {
    acceptedSequence: sequence,
    byResponse: { claimSequence, claimedAtMs: atMs, storedAtMs: atMs, kind: 'text' },
  };
}

export const OLDER = { OLDER: accepted(CLAIM_SEQUENCE - 1) };

export type Changes = Partial<Omit<DecisionInput, 'accounted'>> & { known?: Record<string, AccountedId> };

export function aQuestion({ known = OLDER, ...rest }: Changes = {}): DecisionInput {
  return {
    attempt: {
      claimSequence: CLAIM_SEQUENCE,
      claimedAtMs: CLAIMED_AT,
      settledAtMs: SETTLED,
      reconcileAfterMs: RECONCILE_AFTER,
      chatId: RECIPIENT,
      content: TEXT,
    },
    nowMs: NOW,
    readings: [],
    longestListing: 10,
    observations: [],
    accounted: new Map(Object.entries(known)),
    isRestarted: false,
    ...rest,
  };
}
