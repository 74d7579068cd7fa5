/**
 * Feeding: how recipients of campaigns get into an instance's queue.
 *
 * FEED-1 One feeds at a time. A campaign feeds an instance only while it holds the instance's feeding turn. Each turn
 *    has a new epoch; a claim under an older one, or after the turn's time, takes nothing. A dead holder's turn runs
 *    out.
 * FEED-2 Whose turn it is: of the campaigns that are running and hungry (they asked lately, or said when they would
 *    ask) the one of the highest priority, among equals the one fed longest ago.
 * FEED-3 One item for those below. While a higher priority keeps the queue full, those below it have one item in the
 *    queue between them, in turn: they neither starve nor come before it. The higher one leaves space for it.
 * FEED-4 A claim is one statement under the campaign's row lock: the campaign is running, has the content the text was
 *    made from, is not past its deadline; its instance is not paused and is not known to be away; the recipient is not
 *    posted to, not cancelled, not edited meanwhile, and has no identical message. When a pause has been committed no
 *    claim succeeds, and every claim before it is visible.
 * FEED-5 Intent first, for the whole batch: what the claim returns is durable. Claiming the same batch again gives the
 *    same attempts, so that a commit whose response was lost is looked up.
 * FEED-6 A recipient who is on a line up to `fed_line` has a row in `messages`. A recipient whose content breaks a
 *    limit gets one too, `rejected`, and is never posted to.
 * FEED-7 A recipient asked for by id before that gets the row then; which of the two comes first makes no difference.
 * FEED-8 A recipient who is on the suppression list when the claim's statement begins gets a row too, `suppressed` with
 *    the entry as evidence, and is never posted to.
 */
import type {
  PauseReason,
  CampaignId,
  ContentTemplate,
  MessageContent,
  MessageId,
  Priority,
  RecipientValues,
} from '../../contract/index.js';
import type { ClaimedAttempt } from '../ledger.js';
import type { QueueEstimate } from './queue-estimate.js';

export interface TakeTurn {
  readonly campaignId: CampaignId;
  /** The turn runs out after so long, unless it is taken again. */
  readonly forMs: number;
  /** A campaign that is refused counts as hungry for so long after the time it was told to come again. */
  readonly patienceMs: number;
  readonly nowMs: number;
}

/** The right to feed. */
export interface FeedingTurn {
  readonly instance: string;
  readonly campaignId: CampaignId;
  readonly epoch: string;
  readonly priority: Priority;
  /** No further item is put into a queue that holds so many. */
  readonly ceiling: number;
  /** Fed only when the queue is down to this, so that each turn fills as much as the next. */
  readonly floor: number;
  /** How many may be put in during this turn. */
  readonly most: number;
  /** True when it feeds the item that is kept for those below (FEED-3). */
  readonly isKeptItem: boolean;
}

export type TurnResponse =
  | { readonly granted: true; readonly turn: FeedingTurn }
  /** It is another's turn (`FEEDING_TURN`), or the campaign is not running (`NOT_RUNNING`). */
  | { readonly granted: false; readonly why: 'FEEDING_TURN' | 'NOT_RUNNING'; readonly retryAfterMs: number };

/** A recipient to be posted to. */
export interface FeedRecipient {
  readonly messageId: MessageId;
  readonly line: number;
  readonly chatId: string;
  readonly values: RecipientValues;
  /** Of those that have a row already. */
  readonly row?: {
    readonly version: number;
    /**
     * Set when this is what is posted: the recipient's own edited text, or one made from the campaign's present
     * content.
     */
    readonly content?: MessageContent;
    /** True when the message was edited by itself: no change of the campaign's content concerns it. */
    readonly isOwnText: boolean;
    /** Attempts so far. */
    readonly attempts: number;
  };
}

export interface NextRecipients {
  readonly recipients: readonly FeedRecipient[];
  readonly content: ContentTemplate;
  readonly contentVersion: number;
  /** Once these are claimed, every recipient up to this line has a row. */
  readonly throughLine: number;
  /** True when there is a recipient behind, also when all in this part were settled by themselves. */
  readonly isMore: boolean;
  /**
   * Where no recipient is due: whether a recipient waits for another try, and when the first may, milliseconds since
   * the epoch.
   */
  readonly later?: { readonly atMs?: number };
}

/** One recipient of a batch: what to post, or which limit it breaks. */
export interface BatchEntry {
  readonly recipient: FeedRecipient;
  /** Made again for each try; names the attempt. */
  readonly token: string;
  readonly content: MessageContent;
  /** The limit that the content breaks, in the gateway's words: the recipient is rejected. */
  readonly problem?: string;
}

export interface ClaimBatch {
  readonly turn: FeedingTurn;
  readonly contentVersion: number;
  readonly throughLine: number;
  /** Every recipient of {@link NextRecipients}. */
  readonly entries: readonly BatchEntry[];
  readonly worker: string;
  readonly postingDeadlineMs: number;
  readonly reconcileAfterMs: number;
  readonly nowMs: number;
}

export interface ClaimedRecipient {
  readonly messageId: MessageId;
  readonly attempt: ClaimedAttempt;
  /** This attempt's number, from 1. */
  readonly tries: number;
}

export interface ClaimedBatch {
  readonly claimed: readonly ClaimedRecipient[];
  readonly rejected: number;
  /** On the suppression list. */
  readonly suppressed: number;
  /** False when the whole batch was refused: not running, other content, another's turn, past the deadline. */
  readonly isOpen: boolean;
}

/** What of a campaign is still to be found out. */
export interface OpenRecipients {
  /** Sending for so long that it can be reconciled. */
  readonly abandoned: readonly MessageId[];
  /** Sending, and not to be reconciled yet: when the first can be, milliseconds since the epoch. */
  readonly nextReconcileMs?: number;
  readonly unknown: readonly MessageId[];
  /** Accepted and not heard of for so long that its end can be written. */
  readonly unheard: readonly MessageId[];
}

export interface FeedingLedger {
  /** FEED-1 to FEED-3. The same campaign may take its own turn again; a campaign that held it then has lost it. */
  take(input: TakeTurn): Promise<TurnResponse>;
  /**
   * Gives the turn back, and says until when the campaign counts as hungry; does nothing to a turn that is another's by
   * now.
   * @param keptForMs  when the item that was kept for those below leaves the queue, if one was fed
   */
  leave(
    turn: FeedingTurn,
    after: { readonly hungryForMs: number; readonly keptForMs?: number; readonly nowMs: number },
  ): Promise<void>;
  /**
   * Whom to post to next: those whose next try is due, lower lines first, then those who have no row yet. Reads only.
   */
  next(campaignId: CampaignId, limit: number, nowMs: number): Promise<NextRecipients>;
  /** FEED-4 to FEED-6, FEED-8. */
  claim(batch: ClaimBatch): Promise<ClaimedBatch>;
  open(campaignId: CampaignId, nowMs: number): Promise<OpenRecipients>;
  /** Unresolved recipients after this line, for inspection at late evidence. */
  unresolved(
    campaignId: CampaignId,
    afterLine: number,
    limit: number,
  ): Promise<{ messageId: MessageId; line: number }[]>;
  /** How many messages of the instance have an unknown outcome, counted up to `most`. */
  unknownOutcomes(instance: string, most: number): Promise<number>;
}

export interface QueueReadingTaken {
  readonly instance: string;
  readonly depth: number;
  /** When its request was begun. */
  readonly begunAtMs: number;
  readonly readAtMs: number;
}

/** What is known of instances' queues, for all who share a ledger. */
export interface QueueLedger {
  view(instance: string, nowMs: number): Promise<QueueEstimate>;
  /** Keeps a reading, and learns from it how fast the queue is released. An older one than is known changes nothing. */
  recordReading(reading: QueueReadingTaken): Promise<void>;
  recordUnreadable(instance: string, nowMs: number): Promise<void>;
  /** What the account's settings say; kept until something is seen. */
  startInterval(instance: string, intervalMs: number): Promise<void>;
  /**
   * What a message's admission depends on; undefined when its row is not pending, is a campaign's, or its chat is on
   * the suppression list.
   */
  admission(id: MessageId, nowMs: number): Promise<AdmissionFacts | undefined>;
  /** The message waits here, and why; the same reason again keeps its `since`. */
  wait(id: MessageId, wait: AdmissionWait, nowMs: number): Promise<void>;
  /** It waits no longer. */
  admit(id: MessageId): Promise<void>;
}

export interface AdmissionFacts {
  readonly instance: string;
  readonly priority: Priority;
  readonly requestedAtMs: number;
  readonly expiresAtMs: number;
  /** True when it waits already. */
  readonly isWaiting: boolean;
  /**
   * Messages of the instance that wait for the queue and come before this one: of higher priority, or as high and
   * older.
   */
  readonly before: number;
  readonly queue: QueueEstimate;
  readonly instanceState?: { readonly state: string; readonly seenAtMs: number };
  /** That are on. */
  readonly pauses: readonly PauseReason[];
}

export interface AdmissionWait {
  readonly what: 'queue' | 'authorization';
  readonly text: string;
  readonly retryAfterMs: number;
}
