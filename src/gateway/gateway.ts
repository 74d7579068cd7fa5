import type { AppError, Clock, ClockOffset, ErrorCode, InstanceDirectory, OperationName } from '../contract/index.js';
import type { OperationResponse, OperationRequest } from './operations/index.js';
import type { RateGate } from './rate-gate.js';

export interface GatewayOptions {
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** @default a gate in memory, one rate limit bucket for each instance and operation */
  readonly gate?: RateGate;
  /** From a request's leaving to the end of the response's body, milliseconds. @default 15000 */
  readonly gatewayTimeoutMs?: number;
  /** For getting a connection, a new one or a free one, milliseconds. @default 5000 */
  readonly connectTimeoutMs?: number;
  /** Called after each response with a Date header: what it says about the gateway's clock. */
  readonly onClock?: (instance: string, offset: ClockOffset) => void;
  /** Called when a call ends, with `ok` or the code of its error. */
  readonly onCalled?: (instance: string, operation: OperationName, outcome: ErrorCode | 'ok') => void;
  /** Called when an exchange ends, with its duration: waiting for a rate limit is not in it. */
  readonly onExchanged?: (operation: OperationName, durationMs: number) => void;
  readonly log?: (entry: GatewayLogEntry) => void;
}

/** One line about one request. Holds no URL, no token, no chat and no text. */
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
   * Milliseconds since the Unix epoch by the gateway's `clock`; also kept by the monotonic clock from the call on.
   * Bytes that would leave later do not: GATEWAY_DEADLINE_PASSED, surely not sent.
   */
  readonly deadlineMs?: number;
  /** A timed-out POST is still listened to for so many milliseconds. @default 0 */
  readonly listenMs?: number;
  /** Called with a response that comes in that time. Its errors are logged, never rethrown. */
  readonly onLate?: (late: LateResponse<Name>) => void | Promise<void>;
  /**
   * Aborted when no caller waits for the response any more: the request is broken off, and ends as not sent or as lost.
   */
  readonly stop?: AbortSignal;
  /** Called once the request has been given to the socket. */
  readonly onLeft?: () => void;
}

export interface GatewayResponse<Name extends OperationName> {
  readonly response: OperationResponse<Name>;
  readonly httpStatus: number;
}

export type LateResponse<Name extends OperationName> = GatewayResponse<Name> | { readonly error: AppError };

export interface Gateway {
  /**
   * Sends one request, once. A 200 to a send means accepted into the gateway's queue, no more.
   * @param instance  name in the directory
   * @throws AppError by what to do next: `stop` INPUT_INVALID, INPUT_TOO_LARGE, INSTANCE_NOT_FOUND, GATEWAY_REJECTED;
   *   `wait` GATEWAY_BUSY, GATEWAY_UNREACHABLE, GATEWAY_DEADLINE_PASSED, GATEWAY_NOT_ACCEPTED (surely not accepted);
   *   `ask` GATEWAY_OUTCOME_UNKNOWN, GATEWAY_RESPONSE_INVALID (may have been accepted);
   *   `human` GATEWAY_UNAUTHORIZED, GATEWAY_INSTANCE_DOWN, GATEWAY_PLAN_LIMIT
   */
  call<Name extends OperationName>(
    instance: string,
    name: Name,
    request: OperationRequest<Name>,
    options?: CallOptions<Name>,
  ): Promise<GatewayResponse<Name>>;
  /**
   * Checks a request without sending it, in the gateway's own words where it has them.
   * @throws AppError INPUT_INVALID or INPUT_TOO_LARGE with all problems at once
   */
  check<Name extends OperationName>(
    name: Name,
    request: unknown,
  ): { request: OperationRequest<Name>; warnings: string[] };
  /**
   * Whether the instance has the operation, as far as its `capabilities` say.
   * @throws AppError INSTANCE_NOT_FOUND
   */
  offers(instance: string, name: OperationName): boolean;
  /**
   * Ends at once: requests that wait end as not sent, those under way as unknown; late responses are not received any
   * more. So call it when the work is done.
   */
  close(): Promise<void>;
}
