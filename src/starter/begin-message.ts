import {
  MessageWorkflows,
  postingTimes,
  type Clock,
  type InstanceDirectory,
  type MessageId,
  type MessageRequest,
  type MessageState,
} from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { messageId, requestHash } from './ids.js';
import type { LoadMeter } from './load-meter.js';
import { inputInvalid } from '../domain/index.js';
import { refuseUnusableTemplate } from './templates/usable-template.js';
import type { WakeInstance } from './wake-instance.js';

export interface BegunMessage {
  readonly id: MessageId;
  readonly state: MessageState;
  /** True when an earlier request with the same key had begun it. */
  readonly isReplay: boolean;
}

export interface BeginMessageDependencies {
  readonly ledger: Pick<Ledger, 'messages' | 'templates'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly wake: WakeInstance;
  /** Counts each message that is begun. */
  readonly load?: Pick<LoadMeter, 'count'> | undefined;
}

/** @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH | LEDGER_UNAVAILABLE (ask again with the same key) */
export type BeginMessage = (request: MessageRequest, asked: AskedFor) => Promise<BegunMessage>;

export interface AskedFor {
  /** The Idempotency-Key. */
  readonly key: string;
  /** Who asks. */
  readonly witness: string;
}

/**
 * Begins a message once for its key. Only the ledger is asked: while Temporal is away, sending is delayed and nothing is
 * refused.
 *
 * BEGIN-1 The message has begun when its row is committed, and not before. The row also remembers the request: the same
 *    key with another body goes no further.
 * BEGIN-2 A request that is repeated is answered from its row, also after its expiry, and whatever became of its
 *    template since.
 * BEGIN-3 The instance is woken after the commit, and the response does not wait for it. The workflow of the message is
 *    started from the row, where the instance has one for each.
 */
export function beginMessageWith(dependencies: BeginMessageDependencies): BeginMessage {
  const { ledger, instances, clock, wake, load } = dependencies;
  const { messages } = ledger;

  return async (request, { key, witness }) => {
    const id = messageId(request.instance, key);
    const nowMs = clock.nowMs();
    const times = postingTimes(request, nowMs);
    const isLate = times.expiresAtMs <= nowMs;
    // What can be refused is refused only where it is new; everything else needs no look before it is written.
    const mayBeRefused = isLate || request.content.kind === 'template';
    if (mayBeRefused && (await messages.snapshot(id)) === undefined) {
      if (isLate) throw inputInvalid('The message', [{ path: 'expiresAt', message: 'has passed' }]);
      await refuseUnusableTemplate(ledger, request);
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
  };
}
