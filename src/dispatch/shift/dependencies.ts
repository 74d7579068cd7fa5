import {
  type AppError,
  type AttemptOutcome,
  type CampaignId,
  type Clock,
  type InstanceDirectory,
  type MessageId,
  type MessageSnapshot,
  type ReachedFaultPoint,
  type Log,
  type Tracing,
} from '../../contract/index.js';
import type { SendTimes } from '../../domain/index.js';
import type { Gateway, OperationResponse } from '../../gateway/index.js';
import type { ClaimedAttempt, DueAttempt, Ledger } from '../../ledger/index.js';
import type { Timers } from './timers.js';

export interface PostingDependencies {
  readonly gateway: Gateway;
  readonly ledger: Pick<Ledger['dispatch'], 'reveal'>;
  readonly timesOf: (instance: string) => SendTimes;
  /** Returns a more exact error than the gateway's response to a rejected send, if it is known. */
  explainRejection(attempt: ClaimedAttempt, error: AppError): Promise<AppError>;
  /** Replaces the stored file of an attempt by the gateway's link to it. Absent if there are no stored files. */
  readonly withLink?: (attempt: ClaimedAttempt) => Promise<ClaimedAttempt>;
  readonly reached?: ReachedFaultPoint | undefined;
  /** Absent: no traces. */
  readonly tracing?: Tracing | undefined;
  readonly log: Log;
}

export interface DispatcherDependencies extends PostingDependencies {
  readonly ledger: Ledger['dispatch'];
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How long to wait for the notification of an accepted edit before the journal is read. */
  readonly editConfirmTimeoutMs: number;
  /**
   * Polls the witnesses of a message with an unknown outcome.
   * @returns the row when the outcome is decided, or must be resolved by an operator
   * @throws AppError MESSAGE_OUTCOME_UNKNOWN with the time of the next poll
   */
  reconcile(messageId: MessageId): Promise<MessageSnapshot>;
  /** Pauses a campaign with too many rejected messages. */
  pauseIfFailing(campaignId: CampaignId): Promise<unknown>;
  /** Called when an instance that another process may serve has new messages of a campaign. */
  wakeElsewhere?(instance: string): void;
  /** Called with each outcome of an attempt, before it is recorded. */
  onOutcome?(attempt: DueAttempt, outcome: AttemptOutcome): void;
  /** Called with the messages whose outcomes were just recorded. */
  recorded?(messageIds: readonly MessageId[]): void;
  /** Called with the messages whose acceptance was just recorded. */
  accepted?(messageIds: readonly MessageId[]): void;
  /**
   * Called with each listing of a queue, which is evidence for unknown outcomes. The times are before and after the
   * request, by the injected clock.
   */
  listed?(
    instance: string,
    listing: { items: OperationResponse<'showMessagesQueue'>; begunAtMs: number; readAtMs: number },
  ): Promise<void>;
}
