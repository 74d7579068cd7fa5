import { present } from './records.js';

/**
 * One error family for every module, classified by what the caller does next.
 *
 * - `stop`  repeating cannot help: the input or the request is wrong.
 * - `wait`  surely nothing happened; try again later, Temporal owns the waiting.
 * - `ask`   something may have happened; ask a witness, never repeat by guess.
 * - `human` works again once an operator repaired something; keeps waiting with an alarm.
 * - `bug`   an invariant is broken.
 *
 * Match on `code`: classes do not survive process borders, codes do. `docs/errors.md` describes each one.
 */
export const ErrorNext = { stop: 'stop', wait: 'wait', ask: 'ask', human: 'human', bug: 'bug' } as const;
export type ErrorNext = (typeof ErrorNext)[keyof typeof ErrorNext];

/** How long to wait with what an operator has to repair, unless the other side named a time. */
export const HUMAN_RETRY_MS = 30_000;

/** Every code there is, with the one thing that follows from it. */
export const ERROR_NEXT = {
  API_UNAUTHORIZED: 'stop',
  API_UNREACHABLE: 'wait',
  CAMPAIGN_EMPTY: 'stop',
  CAMPAIGN_ENDED: 'stop',
  CAMPAIGN_FROZEN: 'stop',
  CAMPAIGN_INCOMPLETE: 'stop',
  CAMPAIGN_NOT_STARTED: 'stop',
  CAMPAIGN_NOT_FOUND: 'stop',
  CAMPAIGN_RECIPIENTS_REMOVED: 'stop',
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
  KEY_EXISTS: 'stop',
  KEY_INSTANCES_LIMITED: 'stop',
  KEY_NOT_FOUND: 'stop',
  KEY_RATE_LIMITED: 'wait',
  KEY_SCOPE_MISSING: 'stop',
  LEDGER_NEWER: 'stop',
  LEDGER_UNAVAILABLE: 'wait',
  MESSAGE_ALREADY_STARTED: 'stop',
  MESSAGE_CLAIMED_ELSEWHERE: 'wait',
  MESSAGE_NOT_ADMITTED: 'wait',
  MESSAGE_OUTCOME_UNKNOWN: 'wait',
  MESSAGE_NOT_FOUND: 'stop',
  OPERATION_FAILED: 'stop',
  OPERATION_MAY_HAVE_HAPPENED: 'ask',
  OPERATION_NOT_FOUND: 'stop',
  PORT_IN_USE: 'stop',
  REPLAY_NOT_FOUND: 'stop',
  REQUEST_FORBIDDEN: 'stop',
  RESOLVE_NOT_POSSIBLE: 'stop',
  ROUTE_NOT_FOUND: 'stop',
  SCHEDULE_DELETED: 'stop',
  SCHEDULE_NOT_FOUND: 'stop',
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
  TOO_MANY_WAITING: 'wait',
  UPLOAD_NOT_POSSIBLE: 'stop',
  WEBHOOK_UNVERIFIED: 'stop',
} as const satisfies Record<string, ErrorNext>;
export type ErrorCode = keyof typeof ERROR_NEXT;

/** One thing wrong with one field: `path` as a reader would write it, e.g. `content.text` or `buttons[0].url`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  /** How long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** All problems found at once, where there can be several. */
  readonly problems?: readonly Problem[];
  /** The ids that the given one may stand for. */
  readonly candidates?: readonly string[];
  /** The gateway's own words, already free of secrets. */
  readonly gatewayText?: string;
  /** The HTTP status that led to this, where there was one. */
  readonly httpStatus?: number;
  /** On a lost response: the connection was seen to end, so nothing of the request is under way to the gateway. */
  readonly connectionEnded?: true;
}

/**
 * @param code     what went wrong, a stable word
 * @param message  what failed, for which id: why. What to do. Never a token, URL, phone number or message text.
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

export function isErrorCode(word: unknown): word is ErrorCode {
  return typeof word === 'string' && Object.hasOwn(ERROR_NEXT, word);
}
