import { AppError, type CancelResult, type Clock, type MessageId } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { ChangeBell } from './change-bell.js';
import { messageUnknown } from './everpost.js';
import type { MessageRuns } from './message-runs.js';
import { waitUntil } from './wait-until.js';
import type { WakeInstance } from './wake-instance.js';

export type CancelMessage = (
  id: MessageId,
  how: { readonly signal: AbortSignal; readonly witness: string },
) => Promise<CancelResult>;

/** A POST ends within the gateway's timeout, and then it is known whether the message was cancelled. */
const POST_ENDS_WITHIN_MS = 20_000;

/**
 * Cancels in the ledger: being cancelled is a condition of every claim. A request that is out cannot be called back, so
 * its end is waited for. Only a message that a workflow was started for, and that has no row yet, is cancelled by the
 * workflow.
 * @throws AppError MESSAGE_NOT_FOUND | TEMPORAL_UNAVAILABLE (only while there is no row)
 */
export function cancelMessageWith(deps: {
  ledger: Pick<Ledger, 'messages'>;
  runs: Pick<MessageRuns, 'cancel'>;
  clock: Clock;
  bell: ChangeBell;
  wake: WakeInstance;
  /** Signals the runs that wait for what has changed in the ledger. */
  signalRuns: () => void;
}): CancelMessage {
  const { runs, clock, bell, wake, signalRuns } = deps;
  const { messages } = deps.ledger;

  return async (id, { signal, witness }) => {
    const row = (await messages.view(id, clock.nowMs())) ?? (await cancelByRun(id));
    if ('cancelled' in row) return row;
    const asked = await messages.cancel(id, witness, clock.nowMs());
    bell.ring(id);
    signalRuns();
    // What waited behind this message may be due now.
    void wake(row.instance);
    const { state } =
      asked.state !== 'sending'
        ? asked
        : await waitUntil(bell, {
            id,
            read: async () => (await messages.snapshot(id)) ?? asked,
            isDone: (snapshot) => snapshot.state !== 'sending',
            timeoutMs: POST_ENDS_WITHIN_MS,
            signal,
          });
    return { cancelled: state === 'cancelled', state };
  };

  async function cancelByRun(id: MessageId) {
    const outcome = await runs.cancel({ id }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return error;
      throw error;
    });
    if (outcome !== 'gone' && !(outcome instanceof AppError)) return outcome;
    // The row may have been written while the workflow was asked.
    const row = await messages.view(id, clock.nowMs());
    if (row !== undefined) return row;
    throw outcome === 'gone' ? messageUnknown(id) : outcome;
  }
}
