import { hasOutcome } from '../contract/index.js';
import type { PendingSignal } from '../ledger/index.js';
import { messageRuns } from './message-runs.js';
import { type TemporalAccess } from './temporal-call.js';

/**
 * Signals the run of a message, by one request: the first outcome completes its send, what comes later is a signal. A run
 * that has ended is not signalled.
 *
 * A send that has not begun reads the row itself, and removes the signal. Where the signal is still there at its second
 * try, the send had been completed before, and the run is signalled.
 * @returns a function that resolves to `later` when the send may not have begun; it throws AppError
 *   TEMPORAL_UNAVAILABLE: retry then
 */
export function createNotifier(access: TemporalAccess): (signal: PendingSignal) => Promise<'signalled' | 'later'> {
  const runs = messageRuns(access);
  return async ({ snapshot, completesSend, tries }) => {
    if (completesSend && hasOutcome(snapshot.state)) {
      if (await runs.completeSend(snapshot)) return 'signalled';
      if (tries === 0) return 'later';
    }
    await runs.notifyChanged(snapshot);
    return 'signalled';
  };
}
