/** The facts that the rules use about an attempt, the gateway's queue and the ids in it. */
import type { MessageKind } from '../../contract/index.js';
import { comparableChat, type Observation } from './sameness.js';
import { fields, queueObservation, word } from './observations.js';

/** Twice the largest error of one worker's clock. */
export const CLOCK_MARGIN_MS = 500;
/** A restart is announced within five seconds; one second more for clocks. */
export const RESTART_WAIT_MS = 6_000;

/** A POST whose response is missing. */
export interface AttemptInDoubt {
  /** The claim's position in the ledger's sequence. */
  readonly claimSequence: number;
  readonly claimedAtMs: number;
  /**
   * When its request is accepted or never will be, by the clock of the worker that claimed it: loss of the connection +
   * settle time if the loss was seen, else claim + posting deadline + HTTP timeout + settle time.
   */
  readonly settledAtMs: number;
  readonly chatId?: string;
  readonly kind: MessageKind;
}

/** One item of a recorded reading. */
export interface ListedItem {
  /** One id; several for a forward; none if the gateway left it out. */
  readonly ids: readonly string[];
  readonly kind: Observation['kind'];
  /** In the form of {@link comparableChat}; empty if the gateway left it out. */
  readonly chat: string;
}

/** One reading of showMessagesQueue, as stored in the ledger. */
export interface RecordedReading {
  /** Its position in the ledger's sequence. */
  readonly sequence: number;
  /** By the clock of the worker that read: when the request began, and when its response had arrived. */
  readonly begunAtMs: number;
  readonly endedAtMs: number;
  /** In the order of the queue, oldest first. */
  readonly items: readonly ListedItem[];
}

/** An id that the ledger accounts for: a message of ours, an edit, or any other id with a known owner. */
export interface AccountedId {
  /** When its acceptance was stored, in the ledger's sequence; absent for ids of edits, which are never queued. */
  readonly acceptedSequence?: number;
  /** For an id from a response. An id adopted from a witness proves less, since it may be another sender's. */
  readonly accepted?: {
    readonly claimSequence: number;
    readonly claimedAtMs: number;
    /** When the response was recorded, by the clock of the worker. */
    readonly storedAtMs: number;
    readonly kind: MessageKind;
  };
}

/** @param item  one item of showMessagesQueue, unchanged */
export function listedItem(item: unknown): ListedItem {
  const { ids, kind } = queueObservation(item);
  return { ids, kind, chat: comparableChat(word(fields(fields(item)['body'])['chatId'])) };
}

/** The evidence for a proof of absence and for a presumption. */
export interface ReadingEvidence {
  readonly attempt: AttemptInDoubt;
  readonly nowMs: number;
  /** In the ledger's sequence: all stored readings, also those from before the claim. */
  readonly readings: readonly RecordedReading[];
  /** Ids that the readings list, and own ids accepted since the oldest reading. */
  readonly accounted: ReadonlyMap<string, AccountedId>;
  /** The result of ABSENT-5 at this time. */
  readonly isRestarted: boolean;
}
