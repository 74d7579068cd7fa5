import {
  AppError,
  ErrorNext,
  gatewayTimeMs,
  groupBy,
  isEditOutcome,
  type AppliedReceipt,
  type MessageId,
} from '../contract/index.js';
import { isPauseState, isSendingState } from '../domain/index.js';
import {
  subjectOf,
  type Applied,
  type AppliedTogether,
  type StoredNotification,
  type StoredReceipt,
} from '../ledger/index.js';
import { recipientOf } from './inbox.js';
import type { ReceiverOptions } from './options.js';
import { type Notification, parseNotification, readNotification, type Reading } from './read-notification.js';

/** A stored notification, parsed. */
export interface ReadNotification {
  readonly notification: StoredNotification;
  readonly parsed: Notification | undefined;
  readonly reading: Reading;
  /** The message of a receipt. Receipts of one message are applied in order. */
  readonly subject?: string;
}

/**
 * Applies stored notifications to the ledger. A repeated application changes nothing.
 */
export function createApplier(options: ReceiverOptions) {
  const { ledger, instances, clock, onChanged, onDecided, onEditsDue, lateEvidence, incoming, log } = options;

  async function applyReading({ notification, parsed, reading }: ReadNotification): Promise<string> {
    switch (reading.kind) {
      case 'ignored':
        return `ignored: ${reading.why}`;
      case 'incoming':
        await incoming?.(reading.message);
        return 'incoming';
      case 'noted':
        await applyNoted(notification, parsed);
        return `noted: ${reading.what}`;
      case 'receipt': {
        const { receipt } = reading;
        const changed = await ledger.receipts.apply(notification.instance, receipt, clock.nowMs());
        if (changed !== undefined) passOn([changed.id]);
        const hasEdit = changed?.edits.some(({ state }) => !isEditOutcome(state)) ?? false;
        if (hasEdit || receipt.kind === 'edited') onEditsDue?.(notification.instance);
        if (receipt.kind === 'remark') await applyNoted(notification, parsed);
        return changed === undefined ? 'parked' : 'applied';
      }
    }
  }

  async function applyNoted({ instance, body, receivedAt }: StoredNotification, parsed?: Notification): Promise<void> {
    const receivedAtMs = Date.parse(receivedAt);
    if (parsed !== undefined) await applyAccountChange(options, instance, parsed, receivedAtMs);
    const decided = await lateEvidence?.(instance, body, receivedAtMs);
    if (decided === undefined) return;
    passOn([decided.id]);
    onDecided?.(decided.id);
  }

  /** Passes on changed messages. */
  function passOn(changed: readonly MessageId[]): void {
    for (const id of changed) onChanged?.(id);
  }

  /** @throws the error if the receiver has to wait and retry */
  function setAside({ id, instance }: StoredNotification, error: unknown): Applied {
    if (isToBeWaitedFor(error)) throw error;
    const code = failureName(error);
    log({
      level: 'error',
      message: 'A notification could not be applied and was set aside. Apply it again: everpost notification replay',
      notification: id,
      instance,
      code,
      error,
    });
    // The message of a foreign error may contain a text or a number, so only its kind is shown.
    const bug = `${code}: this is a bug, not your input. Report it with the error in the log.`;
    return { outcome: `failed: ${code}`, problem: error instanceof AppError ? error.message : bug };
  }

  /** RECEIPT-2: halves a batch that the ledger rejects, until only the faulty notifications are left. */
  async function applyMessages(messages: readonly (readonly StoredReceipt[])[]): Promise<AppliedTogether['outcomes']> {
    try {
      const { outcomes, changed } = await ledger.receipts.applyTogether(messages.flat(), clock.nowMs());
      passOn(changed);
      return outcomes;
    } catch (error) {
      if (isToBeWaitedFor(error)) throw error;
      log({ level: 'warn', message: 'Receipts could not be applied together; retried in smaller batches', error });
    }
    if (messages.length === 1) return new Map();
    const half = Math.ceil(messages.length / 2);
    return new Map([...(await applyMessages(messages.slice(0, half))), ...(await applyMessages(messages.slice(half)))]);
  }

  return {
    read(notification: StoredNotification): ReadNotification {
      const { instance, body, receivedAt } = notification;
      const parsed = parseNotification(body);
      const reading = readNotification(parsed, Date.parse(receivedAt), recipientOf(instances, instance));
      if (reading.kind !== 'receipt') return { notification, parsed, reading };
      return { notification, parsed, reading, subject: JSON.stringify([instance, subjectOf(reading.receipt)]) };
    },

    /**
     * Applies the receipts of a batch that can share a commit, and marks them as applied.
     * @returns `applied`: not parked; `left`: to be applied one by one; `busy`: to be read again, since their messages are changing
     * @throws AppError if the receiver has to wait and retry
     */
    async applyTogether(batch: readonly ReadNotification[]): Promise<{
      readonly applied: readonly ReadNotification[];
      readonly left: readonly ReadNotification[];
      readonly busy: readonly ReadNotification[];
    }> {
      const messages = [
        ...groupBy(
          batch.flatMap(({ notification: { id, instance }, reading, subject }) =>
            reading.kind === 'receipt' ? [{ id, instance, receipt: reading.receipt, subject }] : [],
          ),
          ({ subject }) => subject,
        ).values(),
      ];
      const outcomes = messages.length === 0 ? new Map<string, string>() : await applyMessages(messages);
      return {
        applied: batch.filter(({ notification: { id } }) => outcomes.get(id) === 'applied'),
        left: batch.filter(({ notification: { id } }) => !outcomes.has(id)),
        busy: batch.filter(({ notification: { id } }) => outcomes.get(id) === 'busy'),
      };
    },

    /**
     * @returns the outcome
     * @throws AppError if the receiver has to wait and retry; any other error is the outcome of this notification
     */
    async apply(read: ReadNotification): Promise<Applied> {
      // Its beginning is stored for an operator to read.
      if (read.notification.oddity === 'cut') return { outcome: 'ignored: cut' };
      try {
        return { outcome: await applyReading(read) };
      } catch (error) {
        return setAside(read.notification, error);
      }
    },
  };
}

/** A status and an edited text have a span in the trace of their message. */
export function appliedReceipt({ notification, reading }: ReadNotification): readonly AppliedReceipt[] {
  if (reading.kind !== 'receipt' || reading.receipt.kind === 'remark') return [];
  const { receipt } = reading;
  const status = receipt.kind === 'edited' ? 'edited' : receipt.status;
  const { instance, receivedAt } = notification;
  const receivedAtMs = Date.parse(receivedAt);
  return [{ instance, idMessage: subjectOf(receipt), status, atMs: receipt.atMs, receivedAtMs }];
}

/** Nothing of a notification is lost: it is applied once the ledger, or the key of its hashes (SECRET-2), is back. */
function isToBeWaitedFor(error: unknown): boolean {
  return error instanceof AppError && (error.next === ErrorNext.wait || error.code === 'ENCRYPTION_KEY_MISSING');
}

export function failureName(error: unknown): string {
  return error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
}

/**
 * A notification that arrives within this time of its date has the time of its arrival, an older one that of its date.
 */
const FRESH_MS = 60_000;

/**
 * Records the account's state and connection from a notification, and pauses the instance if a message failed because
 * of a yellow card. Ignores other notifications. A repeated notification has no further effect.
 */
export async function applyAccountChange(
  { ledger, onAuthorized }: Pick<ReceiverOptions, 'ledger' | 'onAuthorized'>,
  instance: string,
  notification: Notification,
  receivedAtMs: number,
): Promise<void> {
  const { typeWebhook: witness, stateInstance: state, statusInstance, status: reason = '', timestamp } = notification;
  const atMs = async () => {
    const gatewayMs = gatewayTimeMs(timestamp, receivedAtMs);
    if (gatewayMs === undefined) return receivedAtMs;
    // The gateway gives whole seconds, so the state began at the end of that second at the latest.
    const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
    const latestMs = gatewayMs + 999 - (offset?.lowestMs ?? 0);
    return latestMs > receivedAtMs - FRESH_MS ? receivedAtMs : latestMs;
  };
  if (witness === 'stateInstanceChanged' && state !== undefined) {
    await ledger.instanceStates.record({ instance, state, atMs: await atMs(), witness });
    if (isSendingState(state)) await onAuthorized?.(instance);
  } else if (witness === 'statusInstanceChanged' && statusInstance !== undefined) {
    await ledger.instances.recordConnection({ instance, status: statusInstance, atMs: await atMs() });
  } else if (witness === 'outgoingMessageStatus' && isPauseState(reason)) {
    // The account's state prevented a message.
    await ledger.instances.pause({ instance, reason, atMs: await atMs(), witness });
  }
}
