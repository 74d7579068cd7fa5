/** The facts about an attempt, the gateway's queue and its ids that the rules use. */
import type { MessageContent, MessageKind } from '../../contract/index.js';
import type { Observation } from './sameness.js';

/** Twice the largest error of a worker's clock. */
export const CLOCK_MARGIN_MS = 500;
/** A restart is announced within five seconds. One second is added for clocks. */
export const RESTART_WAIT_MS = 6_000;

/** A POST whose response is missing. */
export interface AttemptInDoubt {
  /** The position of the claim in the ledger's sequence. */
  readonly claimSequence: number;
  readonly claimedAtMs: number;
  /**
   * When the attempt is settled, by the clock of the worker that claimed it: loss of the connection + settle time if
   * the loss was seen, else claim + posting deadline + HTTP timeout + settle time.
   */
  readonly settledAtMs: number;
  readonly chatId?: string;
  /** The content of the attempt. The content of the row may have changed since. */
  readonly content: MessageContent;
}

/** One item of a recorded reading. */
export interface ListedItem extends Pick<Observation, 'ids' | 'kind'> {
  /** The chat in the form of `chatKey`. Empty if the gateway omits it. */
  readonly chat: string;
}

/** One reading of showMessagesQueue, as stored in the ledger. */
export interface RecordedReading {
  /** The position of the reading in the ledger's sequence. */
  readonly sequence: number;
  /** When the request began and when its response had arrived, by the clock of the reading worker. */
  readonly begunAtMs: number;
  readonly endedAtMs: number;
  /** The items in the order of the queue, oldest first. */
  readonly items: readonly ListedItem[];
}

/** An id that the ledger accounts for: of an own message, of an edit, or of another known owner. */
export interface AccountedId {
  /** When the acceptance was stored, in the ledger's sequence. Absent for ids of edits, which are never queued. */
  readonly acceptedSequence?: number;
  /** Present for an id from a response. An id adopted from a witness proves less, since another sender may own it. */
  readonly byResponse?: {
    readonly claimSequence: number;
    readonly claimedAtMs: number;
    /** When the response was recorded, by the worker's clock. */
    readonly storedAtMs: number;
    readonly kind: MessageKind;
  };
}

/** The evidence for a proof of absence. */
export interface AbsenceEvidence {
  readonly attempt: AttemptInDoubt;
  readonly nowMs: number;
  /** All stored readings in the ledger's sequence, including those before the claim. */
  readonly readings: readonly RecordedReading[];
  /** The ids in the readings, and own ids accepted since the oldest reading. */
  readonly accounted: ReadonlyMap<string, AccountedId>;
  /** Whether a restart may have ended after the claim (ABSENT-5). */
  readonly isRestarted: boolean;
  /** The number of items in the longest listing of the instance within a day. */
  readonly longestListing: number;
}
