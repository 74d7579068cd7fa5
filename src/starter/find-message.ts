import { present, type MessageId, type MessageState } from '../contract/index.js';
import type { MessageView } from '../ledger/index.js';
import { messageUnknown } from './everpost.js';
import type { RouteDependencies } from './http/route-dependencies.js';

/** A message whose row is not written yet, as far as Temporal knows it. */
export interface RowlessMessage {
  readonly id: MessageId;
  readonly state: MessageState;
  readonly instance?: string;
  readonly kind?: string;
  readonly reason?: string;
  readonly createdAt: string;
  readonly evidence: readonly [];
  readonly attempts: readonly [];
  readonly edits: readonly [];
}

export type FoundMessage = MessageView | RowlessMessage;

/**
 * The row, or, right after a start, what the run is known to be. No row means that nothing was ever posted: the row
 * comes before the first byte, so `pending` is correct without asking a worker. A run that shows what became of its row
 * had one: it was deleted for its age (RETENTION-3).
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function findMessage({ ledger, runs, clock }: RouteDependencies, id: MessageId): Promise<FoundMessage> {
  const row = await ledger.messages.view(id, clock.nowMs());
  if (row !== undefined) return row;
  const run = await runs.find({ id });
  if (run === undefined) throw messageUnknown(id);
  // The row may have been written while Temporal was asked.
  const newRow = await ledger.messages.view(id, clock.nowMs());
  if (newRow !== undefined) return newRow;
  if ((run.shownState ?? 'pending') !== 'pending') throw messageUnknown(id);
  return {
    id,
    ...(run.isRunning ? { state: 'pending' } : { state: 'cancelled', reason: 'run_ended_before_its_row' }),
    ...present({ instance: run.instance, kind: run.kind }),
    createdAt: run.startedAt,
    evidence: [],
    attempts: [],
    edits: [],
  };
}
