import type { MessageId, StateIn } from '../contract/index.js';
import { endWaitingEdits } from './edit-row.js';
import { changeMessage } from './message-row.js';
import type { Tx } from './store.js';

/** Ends a message that no recipient gets, and with it the edits that wait for it to be sent. */
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
