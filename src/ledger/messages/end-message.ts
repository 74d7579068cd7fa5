import { type MessageId, present, QUEUE_RETENTION_MS, RECEIPT_WAIT_MS } from '../../contract/index.js';
import { sql } from 'kysely';
import { EXPIRED_UNPOSTED } from './end-reasons.js';
import { wasNeverAuthorized } from '../instances/instance-states.js';
import { expiresAt } from './message-row.js';
import type { Tx } from '../storage/store.js';
import { type Moved, moveMessages, oneMessage, type Which } from './writer/move-messages.js';

/** Ends those of the messages that are pending past their expiry. */
export function expirePending(tx: Tx, which: Which, nowMs: number): Promise<Moved[]> {
  const isOver = sql`${which.where} and ${expiresAt('m')} <= ${new Date(nowMs)}::timestamptz`;
  const end = { reason: EXPIRED_UNPOSTED, reason_text: null, witness: 'clock', nowMs };
  return moveMessages(tx, 'expired', { ...which, where: isOver }, end);
}

/** Stable words for the end of an accepted message without a receipt. */
const NEVER_AUTHORIZED = 'never_authorized';
const LEFT_QUEUE_NO_RECEIPT = 'left_queue_no_receipt';

/** True if the message `m` is no longer in the gateway's queue, and the time for late receipts has passed. */
export function isReceiptOverdue(nowMs: number) {
  return sql<boolean>`m.state = 'accepted' and m.ended_at is null
    and m.accepted_at <= ${new Date(nowMs - RECEIPT_WAIT_MS)}::timestamptz`;
}

/**
 * Ends the wait for a first receipt. If the instance was never authorized in that time, nothing left the queue and the
 * message expired in it: `expired`. Otherwise the message may have been sent: it stays `accepted`.
 * @param journal  the response of the gateway's journal, for the evidence
 */
export async function endWithoutReceipt(
  tx: Tx,
  id: MessageId,
  journal: string | undefined,
  nowMs: number,
): Promise<Moved[]> {
  const { rows } = await sql<{ instance: string; accepted_at: Date }>`
    select m.instance, m.accepted_at from messages m
    where m.id = ${id} and ${isReceiptOverdue(nowMs)} for no key update`.execute(tx);
  const [row] = rows;
  if (row === undefined) return [];
  const acceptedMs = row.accepted_at.getTime();
  const untilMs = acceptedMs + QUEUE_RETENTION_MS;
  const [acceptedAt, keptUntil] = [acceptedMs, untilMs].map((ms) => new Date(ms).toISOString());
  const detail = { acceptedAt, keptUntil, ...present({ journal }) };
  if (await wasNeverAuthorized(tx, row.instance, acceptedMs, untilMs)) {
    const end = { reason: NEVER_AUTHORIZED, reason_text: null, witness: 'getStateInstance', detail, nowMs };
    return moveMessages(tx, 'neverAuthorized', oneMessage(id), end);
  }
  const end = { reason: LEFT_QUEUE_NO_RECEIPT, witness: 'clock', detail, nowMs };
  return moveMessages(tx, 'leftQueue', oneMessage(id), end);
}
