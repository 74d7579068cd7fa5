import {
  AppError,
  type CancelResult,
  type EditId,
  type EditOutcome,
  type MessageId,
  type MessageSnapshot,
  isEditOutcome,
  present,
  type MessageState,
  messageUnknown,
} from '../contract/index.js';
import type { EditView, MessageView, Resolution } from '../ledger/index.js';
import type { Wait } from '../starter/index.js';
import type { RouteDependencies } from './route-dependencies.js';
import { type WaitUntil, waitUntil } from './waiting.js';

/**
 * The row; right after a start, the state that follows from the run. No row means that nothing was posted, since the
 * row is written before the first byte leaves. So `pending` is correct without asking a worker. A run in a later state
 * had a row, which was deleted because of its age (RETENTION-3).
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function findMessage({ ledger, runs, clock }: RouteDependencies, id: MessageId) {
  const row = await ledger.views.message(id, clock.nowMs());
  if (row !== undefined) return row;
  const run = await runs.find({ id });
  if (run === undefined) throw messageUnknown(id);
  // A worker may have written the row during the request to Temporal.
  const newRow = await ledger.views.message(id, clock.nowMs());
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

/** An edit in its current state. */
export type FoundEdit = EditView & { readonly messageId: MessageId };

export function editHasEnded(edit: FoundEdit): edit is FoundEdit & { readonly state: EditOutcome } {
  return isEditOutcome(edit.state);
}

/** How long a run may take to write its row. */
const ROW_WAIT_MS = 10_000;

/**
 * Edits a message and waits for a limited time for the outcome. The row is the request: it replaces the text of a
 * pending message at once, and the dispatcher edits a sent one.
 * @returns `isReplay`: true if the edit had ended before this request
 * @throws AppError MESSAGE_NOT_FOUND | EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE | IDEMPOTENCY_MISMATCH | TEMPORAL_UNAVAILABLE
 *   (only while the message has no row)
 */
export async function editMessage(
  dependencies: Pick<RouteDependencies, 'ledger' | 'runs' | 'clock' | 'bell' | 'wake'>,
  messageId: MessageId,
  { witness, ...edit }: { readonly editId: EditId; readonly text: string; /** Who asks. */ readonly witness: string },
  { timeoutMs, signal }: Wait,
) {
  const { ledger, runs, clock, bell, wake } = dependencies;
  const { editId } = edit;
  const known = await ledger.edits.known(editId, edit.text);
  if (known !== undefined && editHasEnded(known)) return { edit: known, isReplay: true };

  const row = (await view()) ?? (await untilWritten());
  await ledger.edits.open({ ...edit, messageId, witness, nowMs: clock.nowMs() });
  bell.ring(messageId);
  // With another text a pending message may no longer have to wait for an identical one.
  void wake(row.instance);
  const last = await waitUntil(bell, {
    id: messageId,
    read: existing,
    isDone: editHasEnded,
    timeoutMs,
    signal: signal ?? new AbortController().signal,
  });
  return { edit: last, isReplay: false };

  function view(): Promise<MessageView | undefined> {
    return ledger.views.message(messageId, clock.nowMs());
  }

  /** A message that was started through Temporal has a row once a worker has begun its run. */
  async function untilWritten(): Promise<MessageView> {
    await runs.waitFor(messageId, { state: 'pending', timeoutMs: 0 }, { timeoutMs: ROW_WAIT_MS });
    const written = await view();
    if (written === undefined) throw messageUnknown(messageId);
    return written;
  }

  async function existing(): Promise<FoundEdit> {
    const found = await ledger.edits.view(editId);
    if (found !== undefined) return found;
    throw new AppError(
      'EDIT_NOT_FOUND',
      `Edit ${editId} is no longer in the ledger. Request it again with a new Idempotency-Key.`,
    );
  }
}

/** A POST ends within the gateway's timeout. Then it is known whether the message was cancelled. */
export const POST_ENDS_WITHIN_MS = 20_000;

/**
 * Cancels in the ledger, since every claim checks the state there. A request that has left cannot be recalled, so this
 * waits for its end. The workflow cancels a message only if it has no row yet.
 * @throws AppError MESSAGE_NOT_FOUND | TEMPORAL_UNAVAILABLE (only while there is no row)
 */
export async function cancelMessage(
  dependencies: RouteDependencies,
  id: MessageId,
  { witness, ...wait }: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'> & { readonly witness: string },
): Promise<CancelResult> {
  const { ledger, clock, bell, wake } = dependencies;
  const { messages, views } = ledger;
  const row = (await views.message(id, clock.nowMs())) ?? (await cancelByRun(dependencies, id));
  if ('cancelled' in row) return row;
  let { state } = await messages.cancel(id, witness, clock.nowMs());
  bell.ring(id);
  // Messages that waited behind this one may be due now.
  void wake(row.instance);
  if (state === 'sending') {
    state = await waitUntil(bell, {
      id,
      read: async () => (await messages.snapshot(id))?.state ?? 'sending',
      isDone: (now) => now !== 'sending',
      ...wait,
    });
  }
  return { cancelled: state === 'cancelled', state };
}

async function cancelByRun({ ledger, runs, clock }: RouteDependencies, id: MessageId) {
  const outcome = await runs.cancel({ id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return error;
    throw error;
  });
  if (outcome !== 'gone' && !(outcome instanceof AppError)) return outcome;
  // A worker may have written the row during the request to Temporal.
  const row = await ledger.views.message(id, clock.nowMs());
  if (row !== undefined) return row;
  throw outcome === 'gone' ? messageUnknown(id) : outcome;
}

/**
 * Records an operator's resolution of an unknown or unresolved message. A message that was not accepted is pending
 * again and is dispatched. An ended campaign runs again for this recipient.
 * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (too early for `not_accepted`)
 */
export async function resolveMessage(
  dependencies: RouteDependencies,
  id: MessageId,
  resolution: Resolution,
): Promise<MessageSnapshot> {
  const { ledger, clock } = dependencies;
  return resolved(dependencies, await ledger.reconciling.resolve(id, resolution, clock.nowMs()));
}

/**
 * Decides an unknown or unresolved message by its witnesses, if they show its outcome (RECONCILE-4).
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function resolveByEvidence(dependencies: RouteDependencies, id: MessageId): Promise<MessageSnapshot> {
  return resolved(dependencies, await dependencies.decideByEvidence(id));
}

async function resolved({ ledger, clock, bell, wake }: RouteDependencies, snapshot: MessageSnapshot) {
  const { id, campaignId } = snapshot;
  if (campaignId !== undefined) await ledger.campaigns.endIfDone(campaignId, clock.nowMs());
  bell.ring(id);
  const row = await ledger.views.message(id, clock.nowMs());
  // Messages that waited behind this one may be due now, for either outcome.
  if (row !== undefined) void wake(row.instance);
  return campaignId === undefined ? snapshot : ((await ledger.messages.snapshot(id)) ?? snapshot);
}
