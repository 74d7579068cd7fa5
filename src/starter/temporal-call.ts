import { isGrpcServiceError, type Client } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { AppError } from '../contract/index.js';

export interface Wait {
  readonly timeoutMs: number;
  /** Ends the waiting early, e.g. because nothing listens any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface TemporalAccess {
  readonly client: Client;
  /** @default the queue of all everpost workers */
  readonly taskQueue?: string | undefined;
  /** How long one request to Temporal may take, milliseconds. @default 5000 */
  readonly temporalTimeoutMs?: number | undefined;
}

/** How long one request to Temporal may take by default, connecting included. */
export const TEMPORAL_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 5_000;

/** gRPC status codes as the protocol numbers them. */
const GRPC = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** What each code means for us. A code that is not named is a bug of ours. */
const MEANING: ReadonlyMap<number, 'away' | 'stuck' | 'setup'> = new Map([
  [GRPC.cancelled, 'away'],
  [GRPC.deadlineExceeded, 'away'],
  [GRPC.resourceExhausted, 'away'],
  // A query or an update of a run whose task no worker takes, or that fails in all that do.
  [GRPC.failedPrecondition, 'stuck'],
  [GRPC.aborted, 'away'],
  [GRPC.internal, 'away'],
  [GRPC.unavailable, 'away'],
  [GRPC.permissionDenied, 'setup'],
  [GRPC.unauthenticated, 'setup'],
]);

/**
 * Makes one request to Temporal. What a caller can act on (not found, already started, a failed update) passes through
 * as the SDK throws it.
 * @param what said in the error, e.g. `start of message msg_…`
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function callTemporal<T>(
  { client, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    // gRPC compares a deadline with the machine's own clock, so an injected one has no say here.
    return await client.withDeadline(Date.now() + temporalTimeoutMs, call);
  } catch (error) {
    throw asAppError(what, error);
  }
}

/** As {@link callTemporal}, for a request that also waits for a worker to take it, e.g. an update. */
export function callWorker<T>(access: TemporalAccess, what: string, call: () => Promise<T>): Promise<T> {
  const { temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  return callTemporal({ ...access, temporalTimeoutMs: 2 * temporalTimeoutMs }, what, call);
}

/** Gives a failed request to Temporal its code; anything that is no such failure is returned as it is. */
export function asAppError(what: string, error: unknown): unknown {
  if (error instanceof NamespaceNotFoundError) {
    return setupNeeded(what, `namespace ${error.namespace} does not exist`, error);
  }
  const grpc = grpcErrorIn(error);
  if (grpc === undefined) return error;
  if (grpc.code === GRPC.invalidArgument && /search attribute/i.test(grpc.details)) {
    return setupNeeded(what, 'a search attribute is not registered', error);
  }
  switch (MEANING.get(grpc.code)) {
    case 'away':
      return new AppError(
        'TEMPORAL_UNAVAILABLE',
        `Temporal did not answer the ${what} (gRPC ${grpc.code}). Check TEMPORAL_ADDRESS and that a worker runs, then ask again.`,
        { cause: error, retryAfterMs: RETRY_AFTER_MS },
      );
    case 'stuck':
      return new AppError(
        'TEMPORAL_UNAVAILABLE',
        `No worker can take the ${what} (gRPC ${grpc.code}): none runs, or the run's task fails in it. everpost doctor says which; then ask again.`,
        { cause: error, retryAfterMs: RETRY_AFTER_MS },
      );
    case 'setup':
      return setupNeeded(what, 'it refuses our credentials', error);
    case undefined:
      return error;
  }
}

function setupNeeded(what: string, why: string, cause: unknown): AppError {
  return new AppError('TEMPORAL_SETUP_NEEDED', `Temporal refused the ${what}: ${why}. Run: everpost doctor`, { cause });
}

function grpcErrorIn(error: unknown): { code: number; details: string } | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (isGrpcServiceError(inner)) return { code: inner.code, details: inner.details ?? '' };
  }
  return undefined;
}
