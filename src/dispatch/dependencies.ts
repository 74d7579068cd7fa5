import type {
  AppError,
  CampaignId,
  Clock,
  InstanceDirectory,
  MessageId,
  MessageSnapshot,
  ReachedFaultPoint,
} from '../contract/index.js';
import type { Gateway, OperationResponse } from '../gateway/index.js';
import type { ClaimedAttempt, Ledger } from '../ledger/index.js';
import type { Timers } from './timers.js';

/** Times are the clock's, around the request. */
export interface Listing {
  readonly items: OperationResponse<'showMessagesQueue'>;
  readonly begunAtMs: number;
  readonly readAtMs: number;
}

export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;

export interface PostingDependencies {
  readonly gateway: Gateway;
  readonly times: { readonly settleTimeMs: number };
  /** Says why the gateway rejected an attempt, where it knows better than the response does. */
  explainRejection(attempt: ClaimedAttempt, error: AppError): Promise<AppError>;
  /** Gives the attempt of a stored file the gateway's link to it. Absent: there are no stored files. */
  readonly withLink?: (attempt: ClaimedAttempt) => Promise<ClaimedAttempt>;
  readonly reached?: ReachedFaultPoint | undefined;
  readonly log: Log;
}

export interface DispatcherDependencies extends PostingDependencies {
  readonly ledger: Ledger['dispatch'];
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly times: {
    readonly postingDeadlineMs: number;
    readonly gatewayTimeoutMs: number;
    readonly settleTimeMs: number;
  };
  /**
   * Asks the witnesses of a message with an unknown outcome.
   * @returns what the row says once that is decided, or an operator has to decide it
   * @throws AppError MESSAGE_OUTCOME_UNKNOWN with the time after which to ask again
   */
  reconcile(messageId: MessageId): Promise<MessageSnapshot>;
  /** Pauses a campaign of which too many messages were refused. */
  pauseIfFailing(campaignId: CampaignId): Promise<boolean>;
  /** Given the messages whose outcomes the ledger has now. */
  recorded?(messageIds: readonly MessageId[]): void;
  /** Given each listing of a queue: it is evidence for messages with an unknown outcome. */
  listed?(instance: string, listing: Listing): Promise<void>;
}
