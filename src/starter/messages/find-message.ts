import { present, type MessageId, type MessageState } from '../../contract/index.js';
import { messageUnknown } from '../everpost.js';
import type { RouteDependencies } from '../http/route-dependencies.js';

/**
 * The row, or, right after a start, what the run is known to be. No row means that nothing was ever posted: the row
 * comes before the first byte, so `pending` is correct without asking a worker. A run that shows a later state had a
 * row: it was deleted for its age (RETENTION-3).
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function findMessage({ ledger, runs, clock }: RouteDependencies, id: MessageId) {
  const row = await ledger.messages.view(id, clock.nowMs());
  if (row !== undefined) return row;
  const run = await runs.find({ id });
  if (run === undefined) throw messageUnknown(id);
  // The row may have been written while Temporal was asked.
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
