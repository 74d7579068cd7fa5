import type {
  AppliedReceipt,
  Clock,
  InstanceDirectory,
  Log,
  MessageId,
  MessageSnapshot,
  ReachedFaultPoint,
} from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { IncomingMessage } from './read-notification.js';

export interface ReceiverOptions {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly reached?: ReachedFaultPoint | undefined;
  /** Called with the instance of each stored notification. */
  readonly onStored?: (instance: string) => void;
  /** Called when events were recorded. */
  readonly onEvents?: () => void;
  /** Called at once with each message that a notification changed. Must not throw. */
  readonly onChanged?: (id: MessageId) => void;
  /** Called with receipts that were applied to their messages. Must not throw. */
  readonly onReceipts?: ((applied: readonly AppliedReceipt[]) => void) | undefined;
  /** Called with a message whose outcome a notification has decided. Must not throw. */
  readonly onDecided?: ((id: MessageId) => void) | undefined;
  /** Called when an edit of the instance may be due. */
  readonly onEditsDue?: (instance: string) => void;
  // The callbacks below may wait only for the ledger. On LEDGER_UNAVAILABLE the receiver waits; any other error sets
  // the notification aside with its reason.
  /** Called when an instance can send again. */
  readonly onAuthorized?: (instance: string) => Promise<void>;
  /**
   * Called with each notification that changes no known message, and its arrival time, since it may be late evidence
   * for a message whose response was lost. Returns the message whose outcome it decided.
   */
  readonly lateEvidence?: (
    instance: string,
    body: unknown,
    receivedAtMs: number,
  ) => Promise<MessageSnapshot | undefined>;
  /**
   * Called with each incoming message at least once, and again by each replay of notifications. So its decisions must
   * depend only on the times of the message.
   */
  readonly incoming?: (message: IncomingMessage) => Promise<void>;
}
