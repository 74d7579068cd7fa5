import { AppError, type Clock, type MessageId, type MessageRequest, type MessageState } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { messageId, requestHash } from './ids.js';
import { idempotencyMismatch, type MessageRuns } from './message-runs.js';
import { inputInvalid } from './read-input.js';
import { refuseUnusableTemplate } from './templates/usable-template.js';

export interface BegunMessage {
  readonly id: MessageId;
  readonly state: MessageState;
  /** True when an earlier request with the same key had begun it. */
  readonly isReplay: boolean;
}

export type BeginMessage = (request: MessageRequest, key: string) => Promise<BegunMessage>;

/**
 * Begins a message once for its key, also when Temporal has forgotten the run long ago: the ledger remembers.
 *
 * BEGIN-1 The key and the request's hash are durable before anything begins; another body under the key goes no
 *    further.
 * BEGIN-2 A row that is there answers. Otherwise the run is started; if there is one, it is of the same request.
 * BEGIN-3 Temporal is asked for a sign of life before the start. Without one nothing has begun, and 1 is taken back.
 *    When the start itself gets no response the outcome is unknown, so 1 stays, and the same request with the same key
 *    settles it.
 */
export function beginMessageWith(deps: { ledger: Ledger; runs: MessageRuns; clock: Clock }): BeginMessage {
  const { runs, clock } = deps;
  const { messages } = deps.ledger;

  return async (request, key) => {
    const id = messageId(request.instance, key);
    const hash = requestHash(request);
    await refusePastExpiry(id, request.expiresAt);

    const remembered = await messages.rememberRequest(id, hash, clock.nowMs());
    if (remembered === 'mismatch') throw idempotencyMismatch(id);
    const row = await messages.snapshot(id);
    if (row !== undefined) return { id, state: row.state, isReplay: true };

    const forget = async (error: unknown): Promise<never> => {
      if (remembered === 'new') await messages.forgetRequest(id);
      throw error;
    };
    await refuseUnusableTemplate(deps.ledger, request).catch(forget);
    await runs.reachable().catch(forget);
    const started = await runs.start(request, key).catch((error: unknown) => {
      const isUnanswered = error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE';
      return isUnanswered ? mayHaveBegun(id, error) : forget(error);
    });
    return { id, state: 'pending', isReplay: started === 'same' };
  };

  /** A message that is known already is answered, however late its request is repeated. */
  async function refusePastExpiry(id: MessageId, expiresAt: string | undefined): Promise<void> {
    if (expiresAt === undefined || Date.parse(expiresAt) > clock.nowMs()) return;
    if ((await messages.snapshot(id)) !== undefined || (await runs.find({ id })) !== undefined) return;
    throw inputInvalid('The message', [{ path: 'expiresAt', message: 'has passed' }]);
  }
}

function mayHaveBegun(id: MessageId, error: AppError): never {
  throw new AppError(
    error.code,
    `Temporal did not answer in time, so message ${id} may or may not have begun. Ask again with the same Idempotency-Key (this response's header has it), which begins it once.`,
    { cause: error, ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }) },
  );
}
