/**
 * How long a message's workflow stays open: pure rules over the row's snapshot, by the workflow's clock.
 */
import {
  RECEIPT_WAIT_MS,
  endedUnsent,
  isEditOutcome,
  isInPhase,
  type EditSnapshot,
  type MessageSnapshot,
} from '../contract/index.js';

/** True while receipts, late evidence or an operator may still change the row. */
export function isAwaited(row: MessageSnapshot): boolean {
  return !hasEnded(row) && !wasSent(row) && !endedWithoutReceipt(row);
}

/** True for an accepted message whose receipts are no longer waited for: it stays accepted, with a reason. */
function endedWithoutReceipt(row: MessageSnapshot): boolean {
  return row.state === 'accepted' && row.reason !== undefined;
}

/** True once the network took the message, so that it can be edited. */
export function wasSent(row: MessageSnapshot): boolean {
  return isInPhase(row.state, 'taken');
}

/** True when nothing more will happen to the message itself. */
export function hasEnded(row: MessageSnapshot): boolean {
  return endedUnsent(row.state);
}

/**
 * Until when the workflow waits for receipts, late evidence and edits, in milliseconds since the epoch.
 * Sent: until its edit window closes. Accepted: until the gateway's queue has surely forgotten it. Unknown or
 * unresolved: as long after its expiry, since late evidence may still come. Ended: no longer.
 */
export function openUntilMs(row: MessageSnapshot): number {
  if (hasEnded(row) || endedWithoutReceipt(row)) return 0;
  if (wasSent(row)) return row.editableUntil === undefined ? 0 : Date.parse(row.editableUntil);
  return Date.parse(row.acceptedAt ?? row.expiresAt) + RECEIPT_WAIT_MS;
}

export function isSettled(edit: EditSnapshot): boolean {
  return isEditOutcome(edit.state);
}

/** Edits of one message are serial: true when every edit asked for before this one has ended. */
export function isFirstUnsettled(row: MessageSnapshot, edit: EditSnapshot): boolean {
  return row.edits.find((other) => !isSettled(other))?.id === edit.id;
}
