import type { MessageId, MessageSnapshot } from '../../contract/index.js';

/** A run that has not been signalled yet. */
export interface PendingSignal {
  /** The message as it is now. */
  readonly snapshot: MessageSnapshot;
  /** Whether the run waits in its send, unless that has not begun: then it reads the row itself. */
  readonly completesSend: boolean;
  /** How often the signal was put off. */
  readonly tries: number;
}

/**
 * Signals to the runs of messages whose rows changed, recorded by a trigger in the transaction of the change: writing an
 * outcome or a receipt waits for the ledger alone, and a process that ends in between loses no signal. One message has
 * one signal, for its newest version.
 */
export interface SignalLedger {
  /** Those that are due, the oldest first. No other process gets them for so long. */
  claim(due: { readonly nowMs: number; readonly forMs: number; readonly limit: number }): Promise<PendingSignal[]>;
  /** These were claimed and not sent: they are due again. */
  release(ids: readonly MessageId[], nowMs: number): Promise<void>;
  /** The runs know these snapshots. A message that changed since keeps its signal. */
  sent(snapshots: readonly MessageSnapshot[]): Promise<void>;
  /** One is tried again at that time, for a reason of its own. */
  putOff(id: MessageId, problem: string, nextTryAtMs: number): Promise<void>;
}
