import { AppError, ErrorNext, type Clock, type InstanceDirectory, type MessageSnapshot } from '../contract/index.js';
import type { Applied, Ledger, StoredNotification, StoredReceipt } from '../ledger/index.js';
import { recipientOf } from './inbox.js';
import type { IncomingMessage } from './incoming-message.js';
import { readNotification, type Reading } from './read-notification.js';

export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;

/**
 * What stored notifications are passed to. All of it writes to the ledger and waits for nothing else. A
 * LEDGER_UNAVAILABLE is waited for; any other error sets the notification aside with its reason.
 */
export interface Listeners {
  /** Called with each message that a notification changed, at once. Must not throw. */
  readonly onChanged?: (snapshot: MessageSnapshot) => void;
  /**
   * Called with each notification that moves no message by itself, and the time when it came; it may be late evidence
   * for one whose response was lost. Returns the message that it settled.
   */
  readonly lateEvidence?: (
    instance: string,
    body: unknown,
    receivedAtMs: number,
  ) => Promise<MessageSnapshot | undefined>;
  /**
   * Called with each message that was written to the account: at least once, and again, however much later, when
   * notifications are replayed. What it decides must therefore follow from the message's own times.
   */
  readonly incoming?: (message: IncomingMessage) => Promise<void>;
}

export interface ApplierDependencies extends Listeners {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a signal was recorded. */
  readonly onSignalOwed: () => void;
}

/**
 * Writes what stored notifications say to the ledger, and records which runs are to be signalled. Applying one again
 * changes nothing.
 */
export interface Applier {
  /**
   * Those of many that only move a message forward, all at once. @returns their ids; the others are left for
   * {@link apply}
   */
  applyOrdinary(batch: readonly StoredNotification[]): Promise<ReadonlySet<string>>;
  /**
   * @returns what became of it
   * @throws AppError that is to be waited for; any other error is the outcome of this notification alone
   */
  apply(notification: StoredNotification): Promise<Applied>;
}

export function createApplier(dependencies: ApplierDependencies): Applier {
  const { ledger, instances, clock, onChanged, lateEvidence, incoming, log, onSignalOwed } = dependencies;

  function read({ instance, body, receivedAt }: StoredNotification): Reading {
    return readNotification(body, Date.parse(receivedAt), recipientOf(instances, instance));
  }

  async function applyReading(reading: Reading, notification: StoredNotification): Promise<string> {
    const { instance } = notification;
    switch (reading.kind) {
      case 'ignored':
        return `ignored: ${reading.why}`;
      case 'incoming':
        await incoming?.(reading.message);
        return 'incoming';
      case 'noted':
        await applyLateEvidence(notification);
        return `noted: ${reading.what}`;
      case 'receipt': {
        const { receipt } = reading;
        const changed = await ledger.receipts.apply(instance, receipt, clock.nowMs());
        if (changed !== undefined) passOn([changed]);
        if (receipt.kind === 'remark') await applyLateEvidence(notification);
        return changed === undefined ? 'parked' : 'applied';
      }
    }
  }

  async function applyLateEvidence({ instance, body, receivedAt }: StoredNotification): Promise<void> {
    const settled = await lateEvidence?.(instance, body, Date.parse(receivedAt));
    if (settled !== undefined) passOn([settled]);
  }

  /** The ledger recorded with each change whether a run has to be told of it. */
  function passOn(changed: readonly MessageSnapshot[]): void {
    if (changed.length > 0) onSignalOwed();
    for (const snapshot of changed) onChanged?.(snapshot);
  }

  /** @throws what is to be waited for */
  function setAside({ id, instance }: StoredNotification, error: unknown): Applied {
    if (isToBeWaitedFor(error)) throw error;
    log({
      level: 'error',
      message: 'A notification could not be applied and was set aside. Apply it again: everpost notification replay',
      notification: id,
      instance,
      code: codeOf(error),
      error,
    });
    return { outcome: `failed: ${codeOf(error)}`, problem: problemOf(error) };
  }

  function receiptsIn(batch: readonly StoredNotification[]): StoredReceipt[] {
    return batch.flatMap((notification) => {
      const reading = read(notification);
      const { id, instance } = notification;
      return reading.kind === 'receipt' ? [{ id, instance, receipt: reading.receipt }] : [];
    });
  }

  return {
    async applyOrdinary(batch) {
      try {
        const applied = await ledger.receipts.applyOrdinary(receiptsIn(batch), clock.nowMs());
        passOn([...new Set(applied.values())]);
        return new Set(applied.keys());
      } catch (error) {
        if (isToBeWaitedFor(error)) throw error;
        // Which of them it is shows when each is applied by itself.
        log({ level: 'warn', message: 'Receipts could not be applied together; each is applied by itself', error });
        return new Set();
      }
    },

    async apply(notification) {
      // Its beginning is there for an operator to read.
      if (notification.oddity === 'cut') return { outcome: 'ignored: cut' };
      try {
        return { outcome: await applyReading(read(notification), notification) };
      } catch (error) {
        return setAside(notification, error);
      }
    },
  };
}

export function isToBeWaitedFor(error: unknown): boolean {
  return error instanceof AppError && error.next === ErrorNext.wait;
}

export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
}

/** For an operator. The words of an error that is not ours may quote a text or a number, so its kind has to do. */
export function problemOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return `${codeOf(error)}: this is a bug, not your input. Report it with the error in the log.`;
}
