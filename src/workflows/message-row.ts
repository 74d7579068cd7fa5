/** Rules for how long the run of a message stays open: pure functions of what it shows of the row, by its clock. */
import { isInPhase, type ShownMessage } from '../contract/index.js';

/** Whether the network has accepted the message, so that it can be edited. */
export function wasSent({ state }: ShownMessage): boolean {
  return isInPhase(state, 'taken');
}

/** Whether the wait for the message is over: it was sent, or nothing more is expected. */
export function isSentOrOver(row: ShownMessage): boolean {
  return wasSent(row) || row.hasEnded;
}

/** Until when the message can be edited, in milliseconds since the epoch; 0: it cannot. */
export function editableUntilMs(row: ShownMessage): number {
  if (!wasSent(row) || row.editableUntil === undefined) return 0;
  return Date.parse(row.editableUntil);
}

/** Whether no run is needed any more. */
export function isOver(row: ShownMessage, nowMs: number): boolean {
  return isSentOrOver(row) && editableUntilMs(row) <= nowMs;
}
