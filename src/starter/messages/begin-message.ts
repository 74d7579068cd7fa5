import { MessageWorkflows, postingTimes, type MessageRequest } from '../../contract/index.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { messageId, requestHash } from '../ids.js';
import { inputInvalid } from '../../domain/index.js';
import { refuseUnusableFile, refuseUnusableTemplate } from './usable-content.js';

export interface AskedFor {
  /** The Idempotency-Key. */
  readonly key: string;
  /** The caller. */
  readonly witness: string;
}

/**
 * Begins a message once for its key. Needs only the ledger: while Temporal is unavailable, messages are accepted and
 * sent later.
 *
 * BEGIN-1 The message has begun when its row is committed, and not before. The row also stores the request: the same
 *    key with another body is rejected.
 * BEGIN-2 The row answers a repeated request, also after the message's expiry or a change of its template.
 * BEGIN-3 The instance is woken after the commit, and the response does not wait for it. The workflow of the message is
 *    started from the row if the instance's messages have workflows.
 * @returns `isReplay`: true if an earlier request with the same key began the message
 * @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH | LEDGER_UNAVAILABLE (retry with the same key)
 */
export async function beginMessage(
  { ledger, instances, clock, wake, load }: Pick<RouteDependencies, 'ledger' | 'instances' | 'clock' | 'wake' | 'load'>,
  request: MessageRequest,
  { key, witness }: AskedFor,
) {
  const { messages } = ledger;
  const id = messageId(request.instance, key);
  const nowMs = clock.nowMs();
  const times = postingTimes(request, nowMs);
  const isLate = times.expiresAtMs <= nowMs;
  // A new message that may be rejected needs a lookup first, since a repeated one is not rejected. All others are
  // written at once.
  const { content } = request;
  const namesStored = content.kind === 'template' || (content.kind === 'file' && content.fileId !== undefined);
  const mayBeRefused = isLate || namesStored;
  if (mayBeRefused && (await messages.snapshot(id)) === undefined) {
    if (isLate) throw inputInvalid('The message', [{ path: 'expiresAt', message: 'has passed' }]);
    await refuseUnusableTemplate(ledger, request);
    await refuseUnusableFile({ ledger, instances }, 'The message', request, times.expiresAtMs);
  }
  const run = instances.get(request.instance).messageWorkflows === MessageWorkflows.on_demand ? 'none' : 'wanted';
  const row = {
    id,
    requestHash: requestHash(request),
    request,
    ...times,
    run,
    requestedBy: witness,
    nowMs,
  } as const;
  const { snapshot, isNew } = await messages.begin(row);
  load?.count();
  const { state } = snapshot;
  if (state === 'pending') void wake(request.instance);
  return { id, state, isReplay: !isNew };
}

export type BegunMessage = Awaited<ReturnType<typeof beginMessage>>;
