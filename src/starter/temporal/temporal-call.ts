import {
  type Client,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  NamespaceNotFoundError,
  type SearchAttributePair,
  WorkflowNotFoundError,
  defaultPayloadConverter,
  defineSearchAttributeKey,
} from '@temporalio/common';
import {
  AppError,
  type LastRun,
  type LastRunWithId,
  type SearchAttributeValues,
  isErrorCode,
} from '../../contract/index.js';

export interface Wait {
  readonly timeoutMs: number;
  /** Ends the wait early, e.g. because no caller listens any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface TemporalAccess {
  readonly client: Client;
  /** @default the queue of all everpost workers */
  readonly taskQueue?: string | undefined;
  /** How long one request to Temporal may take, milliseconds. @default 5000 */
  readonly temporalTimeoutMs?: number | undefined;
}

/** Default timeout of one request to Temporal, including the connection. */
export const TEMPORAL_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 5_000;

/** gRPC status codes by the protocol's numbers. */
const GRPC = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The meaning of each code. A code that is not listed is a bug of everpost. */
const MEANING: ReadonlyMap<number, 'away' | 'stuck' | 'setup'> = new Map([
  [GRPC.cancelled, 'away'],
  [GRPC.deadlineExceeded, 'away'],
  [GRPC.resourceExhausted, 'away'],
  // A query or an update of a run whose task no worker takes, or that fails in every worker.
  [GRPC.failedPrecondition, 'stuck'],
  [GRPC.aborted, 'away'],
  [GRPC.internal, 'away'],
  [GRPC.unavailable, 'away'],
  [GRPC.permissionDenied, 'setup'],
  [GRPC.unauthenticated, 'setup'],
]);

/**
 * Makes one request to Temporal. Errors that a caller can act on (not found, already started, a failed update) are
 * thrown as the SDK throws them.
 * @param what names the request in the error, e.g. `start of message msg_…`
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function callTemporal<T>(
  { client, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    // gRPC compares a deadline with the machine's own clock, so an injected clock cannot be used here.
    return await client.withDeadline(Date.now() + temporalTimeoutMs, call);
  } catch (error) {
    throw asAppError(what, error);
  }
}

/** Like {@link callTemporal}, for a request that also waits for a worker, e.g. an update. */
export function callWorker<T>(access: TemporalAccess, what: string, call: () => Promise<T>): Promise<T> {
  const { temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  return callTemporal({ ...access, temporalTimeoutMs: 2 * temporalTimeoutMs }, what, call);
}

/** Gives a failed request to Temporal an error code. Other errors are returned unchanged. */
export function asAppError(what: string, error: unknown): unknown {
  if (error instanceof NamespaceNotFoundError) {
    return setupNeeded(what, `namespace ${error.namespace} does not exist`, error);
  }
  const grpc = causeIn(error, isGrpcServiceError);
  if (grpc === undefined) return error;
  const code: number = grpc.code;
  if (code === GRPC.invalidArgument && /search attribute/i.test(grpc.details)) {
    return setupNeeded(what, 'a search attribute is not registered', error);
  }
  const meaning = MEANING.get(code);
  if (meaning === undefined) return error;
  if (meaning === 'setup') return setupNeeded(what, 'it rejects our credentials', error);
  const message =
    meaning === 'away'
      ? `Temporal did not answer the ${what} (gRPC ${code}). Check TEMPORAL_ADDRESS and that a worker runs: everpost doctor. Then retry.`
      : `No worker can run the ${what} (gRPC ${code}): none is running, or the run's task fails in it. Find out which: everpost doctor. Then retry.`;
  return new AppError('TEMPORAL_UNAVAILABLE', message, { cause: error, retryAfterMs: RETRY_AFTER_MS });
}

function setupNeeded(what: string, why: string, cause: unknown): AppError {
  return new AppError(
    'TEMPORAL_SETUP_NEEDED',
    `Temporal rejected the ${what}: ${why}. Find the cause: everpost doctor`,
    { cause },
  );
}

/** The error or the first of its causes of this kind. */
function causeIn<Kind>(error: unknown, is: (inner: unknown) => inner is Kind): Kind | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (is(inner)) return inner;
  return undefined;
}

/** Temporal's protocol numbers. Every other status is an end state, too. */
const STATUS: ReadonlyMap<number, RunDescription['status']> = new Map([
  [1, 'running'],
  // Paused.
  [8, 'running'],
  [4, 'cancelled'],
  [5, 'terminated'],
]);

interface RunDescription {
  readonly runId: string;
  readonly status: 'running' | 'terminated' | 'cancelled' | 'ended';
  readonly startedAtMs: number;
  /** The value of a search attribute, or its only one. */
  attribute(name: string): string | undefined;
}

/**
 * The last run of a workflow id. Undefined if there is none. The memo is not read: another client may have encrypted it
 * with a key that is not configured here, and the SDK's own description then fails.
 */
export async function describeRun(client: Client, workflowId: string): Promise<RunDescription | undefined> {
  const { namespace } = client.options;
  try {
    const { workflowExecutionInfo: info } = await client.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    const fields = info?.searchAttributes?.indexedFields ?? {};
    return {
      runId: info?.execution?.runId ?? '',
      status: STATUS.get(info?.status ?? 0) ?? 'ended',
      startedAtMs: Number(info?.startTime?.seconds ?? 0) * 1_000 + (info?.startTime?.nanos ?? 0) / 1e6,
      // Search attributes are never encrypted.
      attribute(name) {
        const payload = fields[name];
        const value: unknown = payload && defaultPayloadConverter.fromPayload(payload);
        const [word] = Array.isArray(value) ? (value as unknown[]) : [value];
        return typeof word === 'string' ? word : undefined;
      },
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Temporal's error of a request that names no open run, or none at all. */
export function isNotFound(error: unknown): boolean {
  const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
  return code === GRPC.notFound;
}

/** The status of the last run of a workflow id. @throws AppError TEMPORAL_UNAVAILABLE */
export async function lastRunOf(access: TemporalAccess, workflowId: string): Promise<LastRun> {
  return (await lastRunWithId(access, workflowId)).status;
}

/** As {@link lastRunOf}, with its id. */
export async function lastRunWithId(access: TemporalAccess, workflowId: string): Promise<LastRunWithId> {
  const what = `description of ${workflowId}`;
  const found = await callTemporal(access, what, () => describeRun(access.client, workflowId));
  return found === undefined ? { status: 'none' } : { status: found.status, runId: found.runId };
}

/** The server's error for an update whose run ended before the update did. */
const RUN_ENDED_FIRST = 'AcceptedUpdateCompletedWorkflow';

/**
 * The run's response, or `gone` if no run is open.
 * @throws AppError with the code by which the run, or an activity that it called, rejected an update
 */
export async function unlessGone<T>(call: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'gone';
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    // The run's own rejection, or that of an activity that it called.
    const failure = causeIn(error.cause, (inner) => inner instanceof ApplicationFailure);
    if (failure === undefined) throw error;
    const { type, message } = failure;
    if (type === RUN_ENDED_FIRST) return 'gone';
    throw isErrorCode(type) ? new AppError(type, message, { cause: error }) : error;
  }
}

/**
 * Sends an update to a run, waits until a worker accepts it, and then waits for its result.
 * @returns `waiting` if the run has accepted the update and not finished it in time, `gone` if no run is open
 */
export function updateResult<Result>(
  access: TemporalAccess,
  what: string,
  { timeoutMs, signal }: Wait,
  begin: () => Promise<{ result(): Promise<Result> }>,
): Promise<Result | 'waiting' | 'gone'> {
  return unlessGone(async () => {
    const { client } = access;
    const update = await callWorker(access, what, begin);
    const result = (): Promise<Result> => client.withDeadline(Date.now() + timeoutMs, () => update.result());
    try {
      return await (signal === undefined ? result() : client.withAbortSignal(signal, result));
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'waiting';
      throw error;
    }
  });
}

/** Search attributes of a run, by their names. Temporal's Web UI shows them in clear text: no phone number, no text. */
export function searchAttributes({ EverpostInstance: instances, ...words }: SearchAttributeValues) {
  const pairs: SearchAttributePair[] = Object.entries(words).map(([name, value]) => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  }));
  if (instances !== undefined) {
    pairs.push({ key: defineSearchAttributeKey('EverpostInstance', 'KEYWORD_LIST'), value: [...instances] });
  }
  return pairs;
}
