import { type MessageId, present, QUEUE_RETENTION_MS, RECEIPT_WAIT_MS, type StateIn } from '../../contract/index.js';
import { wasNeverAuthorized } from '../instances/instance-states.js';
import type { Tx } from '../storage/store.js';
import { endWaitingEdits } from './edit-row.js';
import { addEvidence, changeMessage, type MessageRow } from './message-row.js';

/** Ends a message that no recipient gets, and the edits that wait for it to be sent. */
export async function endMessage(
  tx: Tx,
  id: MessageId,
  end: {
    readonly state: StateIn<'undeliverable' | 'unsent'>;
    readonly reason: string;
    readonly reasonText?: string | undefined;
    readonly nowMs: number;
  },
): Promise<void> {
  const { state, reason, reasonText, nowMs } = end;
  await changeMessage(tx, id, { state, reason, reason_text: reasonText ?? null, ended_at: new Date(nowMs) });
  await endWaitingEdits(tx, id, 'not_possible', `message_${state}`, nowMs);
}

/** Stable words for the end of an accepted message without a receipt. */
const NEVER_AUTHORIZED = 'never_authorized';
const LEFT_QUEUE_NO_RECEIPT = 'left_queue_no_receipt';

/** True if an accepted message is no longer in the gateway's queue, and the time for late receipts has passed. */
export function isPastReceipts({ state, accepted_at, ended_at }: MessageRow, nowMs: number): boolean {
  if (state !== 'accepted' || accepted_at === null || ended_at !== null) return false;
  return accepted_at.getTime() + RECEIPT_WAIT_MS <= nowMs;
}

/**
 * Ends the wait for a first receipt. If the instance was never authorized in that time, nothing left the queue and the
 * message expired in it: `expired`. Otherwise the message may have been sent: it stays `accepted`.
 * @param journal  the response of the gateway's journal, for the evidence
 */
export async function endWithoutReceipt(
  tx: Tx,
  row: MessageRow,
  journal: string | undefined,
  nowMs: number,
): Promise<void> {
  const acceptedMs = row.accepted_at?.getTime() ?? nowMs;
  const untilMs = acceptedMs + QUEUE_RETENTION_MS;
  const neverAuthorized = await wasNeverAuthorized(tx, row.instance, acceptedMs, untilMs);
  const reason = neverAuthorized ? NEVER_AUTHORIZED : LEFT_QUEUE_NO_RECEIPT;
  if (neverAuthorized) await endMessage(tx, row.id, { state: 'expired', reason, nowMs });
  else await changeMessage(tx, row.id, { reason, ended_at: new Date(nowMs) });
  const witness = neverAuthorized ? 'getStateInstance' : 'clock';
  const [acceptedAt, keptUntil] = [acceptedMs, untilMs].map((ms) => new Date(ms).toISOString());
  const detail = { acceptedAt, keptUntil, ...present({ journal }) };
  await addEvidence(tx, { messageId: row.id, fact: reason, witness, what: reason, detail, nowMs });
}
