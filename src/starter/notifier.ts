import { hasOutcome } from '../contract/index.js';
import type { PendingSignal } from '../ledger/index.js';
import { messageRuns, type TemporalAccess } from './message-runs.js';

/**
 * Creates what tells the run of a message how the message is, by one request: the first outcome completes its send, and
 * what comes later is a signal. A run that has ended needs no telling.
 *
 * A send that has not begun reads the row itself, and removes the signal. Where the signal is still there at its second
 * try, the send had been completed before, and the run is signalled.
 * @returns a function that resolves to `later` when the run is not known to have been told; it throws AppError
 *   TEMPORAL_UNAVAILABLE: tell again then
 */
export function createNotifier(access: TemporalAccess): (signal: PendingSignal) => Promise<'told' | 'later'> {
  const runs = messageRuns(access);
  return async ({ snapshot, completesSend, tries }) => {
    if (completesSend && hasOutcome(snapshot.state)) {
      if (await runs.completeSend(snapshot)) return 'told';
      if (tries === 0) return 'later';
    }
    await runs.notifyChanged(snapshot);
    return 'told';
  };
}
