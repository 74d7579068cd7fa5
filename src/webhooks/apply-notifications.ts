import { AppError, ErrorNext, type Clock, type InstanceDirectory, type MessageSnapshot } from '../contract/index.js';
import type { Ledger, StoredNotification } from '../ledger/index.js';
import { recipientOf } from './inbox.js';
import type { IncomingMessage } from './incoming-message.js';
import { readNotification, type Reading } from './read-notification.js';

export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;

/** Whom stored notifications are told. What throws an error to wait for is told again later; any other is kept as failed. */
export interface Listeners {
  /** Told of each message that a notification is about. */
  readonly notify: (snapshot: MessageSnapshot) => Promise<void>;
  /**
   * Told of each notification that moves no message by itself, with the time when it came; it may be late evidence for one
   * whose answer was lost. Returns the message that it settled.
   */
  readonly lateEvidence?: (
    instance: string,
    body: unknown,
    receivedAtMs: number,
  ) => Promise<MessageSnapshot | undefined>;
  /**
   * Told of each message that somebody wrote to the account: at least once, and again, however much later, when notifications
   * are replayed. Whatever it decides must therefore follow from the message's own time.
   */
  readonly incoming?: (message: IncomingMessage) => Promise<void>;
}

export interface ApplierParts extends Listeners {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes what stored notifications say true in the ledger, and tells whom it concerns. Doing it again changes nothing. */
export interface Applier {
  /** Those of many that only take a message on its way, all at once. @returns their ids; the others are left alone */
  applyOrdinary(batch: readonly StoredNotification[]): Promise<ReadonlySet<string>>;
  /**
   * @returns what became of it, a stable word
   * @throws AppError that is to be waited for; any other error is this notification's alone, and its outcome
   */
  apply(notification: StoredNotification): Promise<string>;
}

export function createApplier(parts: ApplierParts): Applier {
  const { ledger, instances, clock, notify, lateEvidence, incoming, log } = parts;

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
        await tellLateEvidence(notification);
        return `noted: ${reading.what}`;
      case 'receipt': {
        const { receipt } = reading;
        const changed = await ledger.receipts.apply(instance, receipt, clock.nowMs());
        if (changed !== undefined) await notify(changed);
        if (receipt.kind === 'remark') await tellLateEvidence(notification);
        return changed === undefined ? 'parked' : 'applied';
      }
    }
  }

  async function tellLateEvidence({ instance, body, receivedAt }: StoredNotification): Promise<void> {
    const settled = await lateEvidence?.(instance, body, Date.parse(receivedAt));
    if (settled !== undefined) await notify(settled);
  }

  /** @returns whether the listener took it; one that it chokes on is tried again by itself alone */
  async function isTold(snapshot: MessageSnapshot): Promise<boolean> {
    try {
      await notify(snapshot);
      return true;
    } catch (error) {
      if (isToBeWaitedFor(error)) throw error;
      return false;
    }
  }

  /** @throws what is to be waited for */
  function failed({ id, instance }: StoredNotification, error: unknown): string {
    if (isToBeWaitedFor(error)) throw error;
    const code = codeOf(error);
    log({ level: 'error', message: 'A notification cannot be applied; it is kept', notification: id, instance, code });
    return `failed: ${code}`;
  }

  return {
    async applyOrdinary(batch) {
      const receipts = batch.flatMap((notification) => {
        const reading = read(notification);
        const { id, instance } = notification;
        return reading.kind === 'receipt' ? [{ id, instance, receipt: reading.receipt }] : [];
      });
      const applied = await ledger.receipts.applyOrdinary(receipts, clock.nowMs());
      const told = new Set<MessageSnapshot>();
      for (const snapshot of new Set(applied.values())) if (await isTold(snapshot)) told.add(snapshot);
      return new Set([...applied].flatMap(([id, snapshot]) => (told.has(snapshot) ? [id] : [])));
    },

    async apply(notification) {
      // Its beginning is there for a person to read.
      if (notification.oddity === 'cut') return 'ignored: cut';
      try {
        // Only what was told counts as applied: after a failure here all of it happens again, to the same end.
        return await applyReading(read(notification), notification);
      } catch (error) {
        return failed(notification, error);
      }
    },
  };
}

function isToBeWaitedFor(error: unknown): boolean {
  return error instanceof AppError && error.next === ErrorNext.wait;
}

export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
}
