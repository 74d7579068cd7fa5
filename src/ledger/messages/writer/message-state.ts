/**
 * How receipts change a message's state: only forward, in any order of arrival. Pure rules; `test/ledger` tests every
 * order of arrival.
 */
import type { Selectable } from 'kysely';
import { endedUnsent, type StateIn } from '../../../contract/index.js';
import { stateAfter } from '../../../domain/index.js';
import type { MessagesTable } from '../../storage/schema.js';

export type ReceiptStatus = StateIn<'taken' | 'undeliverable'>;

const TIMES = ['sent_at', 'sent_seen_at', 'delivered_at', 'delivered_seen_at', 'read_at', 'read_seen_at'] as const;

/** When a message reached each state, by the receipts so far. */
export type Progress = Pick<Selectable<MessagesTable>, 'state' | (typeof TIMES)[number]>;

/**
 * Adds one receipt to the known times. Each time is the earliest one that any receipt gives. A delivery implies that
 * the message was sent before, and a read receipt that it was delivered, so our own times never decrease.
 */
export function withReceipt(before: Progress, status: ReceiptStatus, at: Date, seenAt: Date): Progress {
  const isRead = status === 'read';
  const wasDelivered = isRead || status === 'delivered';
  const wasSent = wasDelivered || status === 'sent';
  return {
    state: stateAfter(before.state, status),
    sent_at: earliest(before.sent_at, wasSent, at),
    sent_seen_at: earliest(before.sent_seen_at, wasSent, seenAt),
    delivered_at: earliest(before.delivered_at, status === 'delivered', at),
    delivered_seen_at: earliest(before.delivered_seen_at, wasDelivered, seenAt),
    read_at: earliest(before.read_at, isRead, at),
    read_seen_at: earliest(before.read_seen_at, isRead, seenAt),
  };
}

/** The columns of a message's row that receipts change. */
export type Standing = Progress & Pick<Selectable<MessagesTable>, 'reason' | 'reason_text' | 'ended_at'>;

/** See {@link Messages} LEDGER-6. */
export function afterStatus(
  before: Standing,
  receipt: { readonly status: ReceiptStatus; readonly atMs: number; readonly description?: string },
  nowMs: number,
): Standing {
  const { status, atMs, description } = receipt;
  const progress = withReceipt(before, status, new Date(atMs), new Date(nowMs));
  const { reason, reason_text, ended_at } = before;
  if (progress.state === before.state) return { ...progress, reason, reason_text, ended_at };
  if (endedUnsent(progress.state)) {
    return { ...progress, reason: status, reason_text: description ?? null, ended_at: new Date(nowMs) };
  }
  const wasGivenUp =
    endedUnsent(before.state) || before.state === 'unresolved' || (before.state === 'accepted' && ended_at !== null);
  return { ...progress, ...(wasGivenUp ? NOT_ENDED : { reason, reason_text, ended_at }) };
}

const NOT_ENDED = { reason: null, reason_text: null, ended_at: null };

/** True if a receipt showed nothing new: reason and end change only with the state. */
export function isSameProgress(before: Progress, after: Progress): boolean {
  return before.state === after.state && TIMES.every((time) => before[time]?.getTime() === after[time]?.getTime());
}

/** @param isReported  whether the receipt gives this time */
function earliest(known: Date | null, isReported: boolean, reported: Date): Date | null {
  return !isReported || (known !== null && known <= reported) ? known : reported;
}
