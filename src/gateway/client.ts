import {
  AppError,
  type Clock,
  type ClockOffset,
  type ErrorCode,
  type InstanceDirectory,
  type OperationName,
  type InstanceConfig,
  type TraceContext,
  type Tracing,
  present,
} from '../contract/index.js';
import { isAllowed } from '../domain/index.js';
import { type OperationResponse, type OperationRequest, contractOf } from './operations/index.js';
import { type RateGate, createRateGate } from './rate-gate.js';
import { checkRequest } from './check-request.js';
import { createConnections, deadlineAt, type Deadline, exchange, type Responded, type Outcome } from './exchange.js';
import { failed, responseOf, retryAfterMs, type Call } from './read-outcome.js';
import { wireRequest } from './wire-request.js';

export interface GatewayOptions {
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** @default a gate in memory with a rate limit bucket for each instance and operation */
  readonly gate?: RateGate;
  /** Milliseconds from the first byte of the request to the end of the response. @default 15000 */
  readonly gatewayTimeoutMs?: number;
  /** Milliseconds to get a new or an idle connection. @default 5000 */
  readonly connectTimeoutMs?: number;
  /** A larger response is not read. @default 16 MiB */
  readonly maxResponseBytes?: number;
  /** Called after each response with a Date header, which measures the gateway's clock. */
  readonly onClock?: (instance: string, offset: ClockOffset) => void;
  /** Called when a call ends, with `ok` or the code of its error. */
  readonly onCalled?: (instance: string, operation: OperationName, outcome: ErrorCode | 'ok') => void;
  /** Called when an exchange ends, with its duration, which excludes the wait for the rate limit. */
  readonly onExchanged?: (operation: OperationName, durationMs: number) => void;
  /** Absent: no traces. */
  readonly tracing?: Tracing | undefined;
  readonly log?: (entry: GatewayLogEntry) => void;
}

/** A log line about one request. It contains no URL, no token, no chat and no text. */
export type GatewayLogEntry = {
  readonly level: 'debug' | 'warn';
  readonly message: `gateway ${'responded' | 'failed' | 'responded late' | 'late response ignored' | 'onlooker failed'}`;
  readonly instance: string;
  readonly operation: OperationName;
  readonly durationMs?: number;
  readonly httpStatus?: number;
  readonly code?: string;
};

export interface CallOptions<Name extends OperationName = OperationName> {
  /**
   * The time after which no byte may leave, in milliseconds since the epoch by `clock`. The monotonic clock keeps it
   * too. A later request is surely not sent: GATEWAY_DEADLINE_PASSED.
   */
  readonly deadlineMs?: number;
  /** Milliseconds for which the response to a timed-out POST is still awaited. @default 0 */
  readonly listenMs?: number;
  /** Called with a response in that time. Its errors are logged and not rethrown. */
  readonly onLate?: (late: LateResponse<Name>) => void | Promise<void>;
  /**
   * Aborted when no caller waits for the response any more. The request is then aborted, and ends as not sent or as
   * lost.
   */
  readonly stop?: AbortSignal;
  /** Called when the request was written to the socket. */
  readonly onLeft?: () => void;
  /** The parent of the request's span. @default it has no span */
  readonly trace?: TraceContext;
}

export interface GatewayResponse<Name extends OperationName> {
  readonly response: OperationResponse<Name>;
  readonly httpStatus: number;
}

export type LateResponse<Name extends OperationName> = GatewayResponse<Name> | { readonly error: AppError };

export interface Gateway {
  /**
   * Sends a request once. A 200 to a send only means that the gateway's queue has accepted the message.
   * @param instance  the name in the directory
   * @throws AppError, grouped by `next`: `stop` INPUT_INVALID, INPUT_TOO_LARGE, INSTANCE_NOT_FOUND, GATEWAY_REJECTED;
   *   `wait` GATEWAY_BUSY, GATEWAY_UNREACHABLE, GATEWAY_DEADLINE_PASSED, GATEWAY_NOT_ACCEPTED (surely not accepted);
   *   `ask` GATEWAY_OUTCOME_UNKNOWN, GATEWAY_RESPONSE_INVALID, GATEWAY_RESPONSE_TOO_LARGE (may have been accepted);
   *   `human` GATEWAY_UNAUTHORIZED, GATEWAY_INSTANCE_DOWN, GATEWAY_PLAN_LIMIT
   */
  call<Name extends OperationName>(
    instance: string,
    name: Name,
    request: OperationRequest<Name>,
    options?: CallOptions<Name>,
  ): Promise<GatewayResponse<Name>>;
  /**
   * Checks a request without sending it, with the gateway's texts if it has them.
   * @throws AppError INPUT_INVALID or INPUT_TOO_LARGE with all problems at once
   */
  check<Name extends OperationName>(
    name: Name,
    request: unknown,
  ): { request: OperationRequest<Name>; warnings: string[] };
  /**
   * Whether the instance has the operation, by its `capabilities`.
   * @throws AppError INSTANCE_NOT_FOUND
   */
  offers(instance: string, name: OperationName): boolean;
  /**
   * Ends all requests at once: those that wait as not sent, those under way as unknown. Late responses are ignored.
   * Call it when the work is done.
   */
  close(): Promise<void>;
}

const GATEWAY_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The listing of a queue with thirty thousand items. To parse it takes a quarter of a second. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** For a longer wait the caller repeats the call, so that no worker slot is blocked. */
const MAX_GATE_WAIT_MS = 10_000;
/** The pause after a 429 without Retry-After, since rates are counted per second. */
const BUSY_PAUSE_MS = 1_000;

/** The precision of a Date header. */
const DATE_PRECISION_MS = 1_000;

type Log = (fact: Pick<GatewayLogEntry, 'level' | 'message' | 'httpStatus' | 'code'>) => void;

export function createGateway(options: GatewayOptions): Gateway {
  const { instances, clock, gatewayTimeoutMs = GATEWAY_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const { maxResponseBytes = MAX_RESPONSE_BYTES, gate = createRateGate() } = options;
  const connections = createConnections(connectTimeoutMs);

  /** Waits for the rate limit and makes the exchange. An error thrown here means that nothing was sent. */
  async function send(
    call: Call,
    deadline: Deadline,
    { listenMs = 0, onLeft, stop, trace }: Pick<CallOptions, 'listenMs' | 'onLeft' | 'stop' | 'trace'>,
  ): Promise<Outcome> {
    const { instance, operation } = call;
    if (!offersOperation(instance, operation)) {
      throw new AppError(
        'INPUT_INVALID',
        `Instance ${instance.name} does not have ${operation}: its capabilities do not list it. Use another instance or add it to the instances file.`,
      );
    }
    const { request } = checkRequest(operation, call.request);
    allowRecipients(instance, operation, request);
    const wire = wireRequest(instance, operation, request);
    await awaitTurn(call, deadline);
    const limits = {
      deadline,
      connectTimeoutMs,
      responseTimeoutMs: gatewayTimeoutMs + (contractOf(operation).holdsMs?.(request) ?? 0),
      // Only a POST awaits a late response. A reading is retried.
      listenMs: wire.verb === 'POST' ? listenMs : 0,
      maxResponseBytes,
      stop,
    };
    const begunAtMs = performance.now();
    // Of the address only its host: the path contains the token.
    const { hostname: host, port, protocol } = new URL(wire.origin);
    const at = { method: wire.verb, host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
    const span =
      trace && options.tracing?.begin('post', { instance: instance.name, operation, ...at }, { parent: trace });
    const outcome = await exchange(connections.to(wire.origin), wire, limits, clock, onLeft);
    if (outcome.kind === 'responded') {
      const { httpStatus } = outcome;
      span?.end({ httpStatus, code: httpStatus < 400 ? undefined : String(httpStatus) });
    } else {
      span?.end({ code: outcome.why });
    }
    options.onExchanged?.(operation, performance.now() - begunAtMs);
    return outcome;
  }

  async function awaitTurn(call: Call, deadline: Deadline): Promise<void> {
    const { instance, operation } = call;
    if (deadline.passed()) throw failed(call, 'deadline', { detail: 'before it began' });
    const perSecond = instance.rateLimits?.[operation] ?? contractOf(operation).perSecond;
    const remainingMs = deadline.remainingMs();
    try {
      await gate.acquire(instance.name, operation, perSecond, Math.min(remainingMs, MAX_GATE_WAIT_MS));
    } catch (error) {
      const tooLate = error instanceof AppError && error.code === 'GATEWAY_BUSY' && remainingMs < MAX_GATE_WAIT_MS;
      if (!tooLate) throw error;
      throw failed(call, 'deadline', { detail: 'its turn comes later', waitMs: error.retryAfterMs });
    }
  }

  function read(call: Call, responded: Responded, log: Log) {
    const { httpStatus } = responded;
    try {
      heed(call, responded);
    } catch {
      // An error of an observer must not lose the response, which may be the only proof that a message was accepted.
      log({ level: 'warn', message: 'gateway onlooker failed', httpStatus });
    }
    return { response: responseOf(call, responded, clock.nowMs()), httpStatus };
  }

  /** Uses the headers of every response: the gateway's clock and a Retry-After. */
  function heed({ instance, operation }: Call, responded: Responded): void {
    const { httpStatus, headers } = responded;
    if (httpStatus === 429) {
      const waitMs = retryAfterMs(headers['retry-after'], headers['date'], clock.nowMs());
      gate.block(instance.name, operation, waitMs ?? BUSY_PAUSE_MS);
    }
    // The gateway wrote the Date header after the request left and before the headers arrived. So a long poll gives a
    // wide interval, but never a wrong one. If our clock was set back meanwhile, nothing is measured.
    const { leftAtMs, respondedAtMs } = responded;
    const dateMs = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(dateMs) || respondedAtMs < leftAtMs) return;
    const highestMs = dateMs + DATE_PRECISION_MS - leftAtMs;
    options.onClock?.(instance.name, { lowestMs: dateMs - respondedAtMs, highestMs });
  }

  async function passLate(
    call: Call,
    late: Promise<Responded | undefined>,
    onLate: NonNullable<CallOptions<never>['onLate']>,
    log: Log,
  ): Promise<void> {
    const responded = await late;
    if (responded === undefined) return;
    const { httpStatus } = responded;
    log({ level: 'warn', message: 'gateway responded late', httpStatus });
    try {
      await onLate(readLate(call, responded, log));
    } catch {
      // The call has returned, so an error has no caller.
      log({ level: 'warn', message: 'gateway late response ignored', httpStatus });
    }
  }

  function readLate(call: Call, responded: Responded, log: Log) {
    try {
      return read(call, responded, log) as GatewayResponse<never>;
    } catch (error) {
      if (error instanceof AppError) return { error };
      throw error;
    }
  }

  async function callOnce(
    instanceName: string,
    operation: OperationName,
    request: unknown,
    { deadlineMs, listenMs = 0, onLate, ...waiting }: CallOptions<never> = {},
  ) {
    const call: Call = { instance: instances.get(instanceName), operation, request };
    const startedAtMs = performance.now();
    const log: Log = (fact) => {
      const durationMs = Math.round(performance.now() - startedAtMs);
      options.log?.({ ...fact, instance: instanceName, operation, durationMs });
    };
    try {
      const listening = { ...waiting, listenMs: onLate === undefined ? 0 : listenMs };
      const outcome = await send(call, deadlineAt(deadlineMs, clock), listening);
      const { kind } = outcome;
      if (kind === 'not_sent') throw failed(call, outcome.why, { detail: outcome.detail });
      if (kind === 'lost') {
        const { why, detail, late } = outcome;
        if (late !== undefined && onLate !== undefined) void passLate(call, late, onLate, log);
        const failure = why === 'too_large' ? 'too large' : 'lost';
        throw failed(call, failure, { detail, connectionEnded: late === undefined ? true : undefined });
      }
      const response = read(call, outcome, log);
      log({ level: 'debug', message: 'gateway responded', httpStatus: response.httpStatus });
      options.onCalled?.(instanceName, operation, 'ok');
      return response;
    } catch (error) {
      if (error instanceof AppError) {
        const { code, httpStatus } = error;
        options.onCalled?.(instanceName, operation, code);
        const level = waiting.stop?.aborted === true ? 'debug' : 'warn';
        log({ level, message: 'gateway failed', code, ...present({ httpStatus }) });
      }
      throw error;
    }
  }

  return {
    // The contract of the operation reads each response as this type.
    call: callOnce as Gateway['call'],
    check: checkRequest,
    offers: (instance, name) => offersOperation(instances.get(instance), name),
    async close() {
      gate.close();
      await connections.close();
    },
  };
}

function offersOperation({ capabilities }: InstanceConfig, name: OperationName): boolean {
  return capabilities === undefined || capabilities.includes(name);
}

/**
 * Protects real recipients from staging: an instance with `allowedRecipients` sends only to the listed recipients, under
 * any of their chat ids.
 * @throws AppError INPUT_INVALID, without the chat id
 */
function allowRecipients(instance: InstanceConfig, name: OperationName, request: unknown): void {
  const { allowedRecipients } = instance;
  const reached = contractOf(name).reaches?.(request);
  if (allowedRecipients === undefined || reached === undefined) return;
  if (reached !== 'everyone' && reached.every((chat) => isAllowed(allowedRecipients, chat))) return;
  throw new AppError(
    'INPUT_INVALID',
    `${name} was not sent: allowedRecipients of instance ${instance.name} does not list ${reached === 'everyone' ? 'all contacts' : 'this chat'}. Add it to allowedRecipients in the instances file, or send to a listed chat.`,
  );
}
