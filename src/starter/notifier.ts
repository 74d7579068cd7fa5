import { hasOutcome, type MessageSnapshot } from '../contract/index.js';
import { messageRuns, type TemporalAccess } from './message-runs.js';

/**
 * Makes what tells the run of a message what the ledger says: its send is completed, or, when that was done before, it
 * is signalled. A run that has ended needs no telling.
 * @returns a function that throws AppError TEMPORAL_UNAVAILABLE; tell again then
 */
export function createNotifier(access: TemporalAccess): (snapshot: MessageSnapshot) => Promise<void> {
  const runs = messageRuns(access);
  return async (snapshot) => {
    const isCompleted = hasOutcome(snapshot.state) && (await runs.completeSend(snapshot));
    if (!isCompleted) await runs.notifyChanged(snapshot);
  };
}
