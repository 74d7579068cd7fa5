import {
  AppError,
  ErrorNext,
  type Clock,
  type MessageId,
  type MessageRequest,
  type MessageState,
} from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { messageId, requestHash } from './ids.js';
import { idempotencyMismatch, type MessageRuns } from './message-runs.js';
import { inputInvalid } from './read-input.js';
import { surelyNotReached } from './temporal-call.js';

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
 * 1. The key and the request's hash are durable before anything begins; another body under the key goes no further.
 * 2. A row that is there answers. Otherwise the run is started; if there is one, it is of the same request.
 * 3. When the start surely did not reach Temporal, 1 is taken back. When that cannot be known, it stays, and the same
 *    request with the same key settles it.
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

    const requestedAt = new Date(clock.nowMs()).toISOString();
    try {
      const started = await runs.start({ id, requestedAt, requestHash: hash, request });
      return { id, state: 'planned', isReplay: started === 'same' };
    } catch (error) {
      const nothingBegan = surelyNotReached(error) || (error instanceof AppError && error.next === ErrorNext.stop);
      if (!nothingBegan) throw mayHaveBegun(id, error);
      if (remembered === 'new') await messages.forgetRequest(id);
      throw error;
    }
  };

  /** A message that is known already is answered, however late its request is repeated. */
  async function refusePastExpiry(id: MessageId, expiresAt: string | undefined): Promise<void> {
    if (expiresAt === undefined || Date.parse(expiresAt) > clock.nowMs()) return;
    if ((await messages.snapshot(id)) !== undefined || (await runs.find(id)) !== undefined) return;
    throw inputInvalid('The message', [{ path: 'expiresAt', message: 'has passed' }]);
  }
}

function mayHaveBegun(id: MessageId, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'TEMPORAL_UNAVAILABLE') return error;
  return new AppError(
    error.code,
    `Temporal did not answer in time, so message ${id} may or may not have begun. Ask again with the same Idempotency-Key (given in this answer's header), which begins it once.`,
    { cause: error, ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }) },
  );
}
