import { present } from './values/records.js';

/**
 * One error family for all modules, classified by what the caller does next.
 *
 * - `stop`  a retry cannot help: the input or the request is wrong.
 * - `wait`  nothing happened; retry later. Temporal schedules the retry.
 * - `ask`   the request may have taken effect; ask a witness, never repeat by guess.
 * - `human` fails until an operator repairs something; retried with an alarm.
 * - `bug`   an invariant is broken.
 *
 * Match on `code`: classes do not survive process borders, codes do. `docs/errors.md` describes each code.
 */
export const ErrorNext = { stop: 'stop', wait: 'wait', ask: 'ask', human: 'human', bug: 'bug' } as const;
export type ErrorNext = (typeof ErrorNext)[keyof typeof ErrorNext];

/** Default pause before a retry that needs a repair by an operator, unless the other side named a time. */
export const HUMAN_RETRY_MS = 30_000;

/** Every error code, and what the caller does next. */
export const ERROR_NEXT = {
  API_UNAUTHORIZED: 'stop',
  API_UNREACHABLE: 'wait',
  AUTHENTICATION_THROTTLED: 'wait',
  CAMPAIGN_EMPTY: 'stop',
  CAMPAIGN_ENDED: 'stop',
  CAMPAIGN_FROZEN: 'stop',
  CAMPAIGN_INCOMPLETE: 'stop',
  CAMPAIGN_NOT_STARTED: 'stop',
  CAMPAIGN_NOT_FOUND: 'stop',
  CAMPAIGN_RECIPIENTS_REMOVED: 'stop',
  CAMPAIGN_REJECTED_LINES: 'stop',
  CAMPAIGN_STOPPED: 'stop',
  COMMAND_SUPERSEDED: 'stop',
  CONFIG_INVALID: 'stop',
  DATA_DIR_IN_USE: 'stop',
  EDIT_NOT_POSSIBLE: 'stop',
  EDIT_NOT_TEXT: 'stop',
  EDIT_NOT_FOUND: 'stop',
  ENCRYPTION_KEY_MISSING: 'human',
  ERASURE_NOT_FOUND: 'stop',
  EVENT_ENDPOINT_NOT_FOUND: 'stop',
  EVENT_NOT_FOUND: 'stop',
  FILE_NOT_FOUND: 'stop',
  GATEWAY_RESPONSE_INVALID: 'ask',
  GATEWAY_RESPONSE_TOO_LARGE: 'ask',
  GATEWAY_BUSY: 'wait',
  GATEWAY_DEADLINE_PASSED: 'wait',
  GATEWAY_INSTANCE_DOWN: 'human',
  GATEWAY_NOT_ACCEPTED: 'wait',
  GATEWAY_OUTCOME_UNKNOWN: 'ask',
  GATEWAY_PLAN_LIMIT: 'human',
  GATEWAY_REJECTED: 'stop',
  GATEWAY_UNAUTHORIZED: 'human',
  GATEWAY_UNREACHABLE: 'wait',
  IDEMPOTENCY_MISMATCH: 'stop',
  ID_AMBIGUOUS: 'stop',
  IMPORT_SUPERSEDED: 'stop',
  INPUT_INVALID: 'stop',
  INPUT_TOO_LARGE: 'stop',
  INSTANCE_PAUSED: 'wait',
  INSTANCE_NOT_AUTHORIZED: 'stop',
  INSTANCE_NOT_FOUND: 'human',
  INTERNAL: 'bug',
  KEY_BUSY: 'wait',
  KEY_EXISTS: 'stop',
  KEY_FILES_LIMITED: 'stop',
  KEY_INSTANCES_LIMITED: 'stop',
  KEY_NOT_FOUND: 'stop',
  KEY_RATE_LIMITED: 'wait',
  KEY_SCOPE_MISSING: 'stop',
  LEDGER_NEWER: 'stop',
  LEDGER_OLDER: 'stop',
  LEDGER_UNAVAILABLE: 'wait',
  MEDIA_TYPE_UNSUPPORTED: 'stop',
  MESSAGE_ALREADY_STARTED: 'stop',
  MESSAGE_CLAIMED_ELSEWHERE: 'wait',
  MESSAGE_NOT_ADMITTED: 'wait',
  MESSAGE_OUTCOME_UNKNOWN: 'wait',
  MESSAGE_NOT_FOUND: 'stop',
  OPERATION_FAILED: 'stop',
  OPERATION_MAY_HAVE_HAPPENED: 'ask',
  OPERATION_NOT_FOUND: 'stop',
  PORT_IN_USE: 'stop',
  POSTS_UNDER_WAY: 'wait',
  POSSIBLE_OPT_OUT_ACCEPTED: 'stop',
  POSSIBLE_OPT_OUT_NOT_FOUND: 'stop',
  REPLAY_NOT_FOUND: 'stop',
  REQUEST_FORBIDDEN: 'stop',
  RESOLVE_NOT_POSSIBLE: 'stop',
  ROUTE_NOT_FOUND: 'stop',
  SCHEDULE_DELETED: 'stop',
  SCHEDULE_ENDED: 'stop',
  SCHEDULE_NOT_FOUND: 'stop',
  SCHEDULE_RUNS_OPEN: 'stop',
  SCHEDULE_RUN_FAILED: 'wait',
  SCHEDULE_RUN_WAITS: 'wait',
  TEMPLATE_DIFFERS: 'stop',
  TEMPLATE_NOT_APPROVED: 'wait',
  TEMPLATE_NOT_SUBMITTED: 'stop',
  TEMPLATE_OUTCOME_UNKNOWN: 'wait',
  TEMPLATE_UNDECIDED: 'wait',
  TEMPLATE_NOT_FOUND: 'stop',
  REQUEST_TIMED_OUT: 'ask',
  TEMPORAL_BINARY_MISSING: 'stop',
  TEMPORAL_SETUP_NEEDED: 'stop',
  TEMPORAL_UNAVAILABLE: 'wait',
  TOO_MANY_WAITS: 'wait',
  UPLOAD_NOT_POSSIBLE: 'stop',
  WEBHOOK_UNVERIFIED: 'stop',
  WORKER_NOT_READY: 'wait',
} as const satisfies Record<string, ErrorNext>;
export type ErrorCode = keyof typeof ERROR_NEXT;

/** One problem of one field. `path` is written as in the input, e.g. `content.text` or `buttons[0].url`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  /** How long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** All problems of the input, if there can be several. */
  readonly problems?: readonly Problem[];
  /** The ids that the given one may stand for. */
  readonly candidates?: readonly string[];
  /** The gateway's text, without secrets. */
  readonly gatewayText?: string;
  /** The HTTP status that caused the error, if any. */
  readonly httpStatus?: number;
  /**
   * Only for a lost response: the connection is known to have ended, so no bytes of the request are still on their way.
   */
  readonly connectionEnded?: true;
}

/**
 * @param code  a stable word for the failure
 * @param message  what failed, for which id, and why; then what to do. Never contains a token, URL, phone number or
 *   message text.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly next: ErrorNext;
  readonly retryAfterMs?: number;
  readonly problems?: readonly Problem[];
  readonly candidates?: readonly string[];
  readonly gatewayText?: string;
  readonly httpStatus?: number;
  readonly connectionEnded?: true;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.next = ERROR_NEXT[code];
    const { cause: _, ...facts } = options;
    Object.assign(this, present(facts));
  }
}

/** @param otherPort  how an operator chooses another port */
export function portInUse(who: string, address: string, otherPort: string, cause: unknown): AppError {
  return new AppError(
    'PORT_IN_USE',
    `${who} cannot listen on ${address}: another program uses the port. Stop that program, or choose another port (${otherPort}).`,
    { cause },
  );
}

export function isErrorCode(word: unknown): word is ErrorCode {
  return typeof word === 'string' && Object.hasOwn(ERROR_NEXT, word);
}

/** The code of an error, e.g. of Node (`ENOENT`) or PostgreSQL (`23505`). */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
