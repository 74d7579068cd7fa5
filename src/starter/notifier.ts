import { mayHaveRun, type MessageSnapshot } from '../contract/index.js';
import type { ChangeBell } from './change-bell.js';
import { messageRuns, type TemporalAccess } from './message-runs.js';

/**
 * Makes what the receiver and the worker tell of a changed message: those who wait for it in this process look at once,
 * and its run learns what the ledger says. A run that has ended needs no telling.
 * @returns a function that throws AppError TEMPORAL_UNAVAILABLE; tell again then
 */
export function createNotifier(
  options: TemporalAccess & { readonly bell?: ChangeBell },
): (snapshot: MessageSnapshot) => Promise<void> {
  const runs = messageRuns(options);
  return async (snapshot) => {
    options.bell?.ring(snapshot.id);
    if (mayHaveRun(snapshot)) await runs.notifyChanged(snapshot);
  };
}
