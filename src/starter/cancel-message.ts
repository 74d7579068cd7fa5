import { AppError, type CancelResult, type MessageId } from '../contract/index.js';
import { messageUnknown } from './everpost.js';
import type { RouteDependencies } from './http/route-dependencies.js';
import { waitUntil } from './wait-until.js';

/** A POST ends within the gateway's timeout, and then it is known whether the message was cancelled. */
const POST_ENDS_WITHIN_MS = 20_000;

/**
 * Cancels in the ledger: being cancelled is a condition of every claim. A request that is out cannot be called back, so
 * its end is waited for. Only a message that a workflow was started for, and that has no row yet, is cancelled by the
 * workflow.
 * @throws AppError MESSAGE_NOT_FOUND | TEMPORAL_UNAVAILABLE (only while there is no row)
 */
export async function cancelMessage(
  dependencies: RouteDependencies,
  id: MessageId,
  { signal, witness }: { readonly signal: AbortSignal; readonly witness: string },
): Promise<CancelResult> {
  const { ledger, clock, bell, wake, signalRuns } = dependencies;
  const { messages } = ledger;
  const row = (await messages.view(id, clock.nowMs())) ?? (await cancelByRun(dependencies, id));
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
}

async function cancelByRun({ ledger, runs, clock }: RouteDependencies, id: MessageId) {
  const outcome = await runs.cancel({ id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return error;
    throw error;
  });
  if (outcome !== 'gone' && !(outcome instanceof AppError)) return outcome;
  // The row may have been written while the workflow was asked.
  const row = await ledger.messages.view(id, clock.nowMs());
  if (row !== undefined) return row;
  throw outcome === 'gone' ? messageUnknown(id) : outcome;
}
