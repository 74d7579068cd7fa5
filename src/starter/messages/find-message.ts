import { present, type MessageId, type MessageState } from '../../contract/index.js';
import { messageUnknown } from '../everpost.js';
import type { RouteDependencies } from '../http/route-dependencies.js';

/**
 * The row; right after a start, the state that follows from the run. No row means that nothing was posted, since the
 * row is written before the first byte leaves. So `pending` is correct without asking a worker. A run in a later state
 * had a row, which was deleted because of its age (RETENTION-3).
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function findMessage({ ledger, runs, clock }: RouteDependencies, id: MessageId) {
  const row = await ledger.messages.view(id, clock.nowMs());
  if (row !== undefined) return row;
  const run = await runs.find({ id });
  if (run === undefined) throw messageUnknown(id);
  // A worker may have written the row during the request to Temporal.
  const newRow = await ledger.messages.view(id, clock.nowMs());
  if (newRow !== undefined) return newRow;
  if ((run.shownState ?? 'pending') !== 'pending') throw messageUnknown(id);
  const state: MessageState = run.isRunning ? 'pending' : 'cancelled';
  return {
    id,
    state,
    ...(run.isRunning ? {} : { reason: 'run_ended_before_its_row' }),
    ...present({ instance: run.instance, kind: run.kind }),
    createdAt: run.startedAt,
    evidence: [],
    attempts: [],
    edits: [],
  };
}

export type FoundMessage = Awaited<ReturnType<typeof findMessage>>;
