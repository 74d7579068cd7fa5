import { AppError, ErrorNext, HUMAN_RETRY_MS, present } from '../contract/index.js';
import type { AttemptOutcome, SendOperation } from '../contract/index.js';
import type { LateResponse } from '../gateway/index.js';
import type { ClaimedAttempt } from '../ledger/index.js';
import type { PostingDependencies } from './dependencies.js';
import { postMessage } from './post-message.js';

/** Between attempts that were surely not accepted, where the gateway named no time. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** Why it was not accepted. */
  readonly error?: AppError;
  /** The pause that the gateway named, or that its refusal needs; absent: none. */
  readonly askedMs?: number;
}

/**
 * Posts an attempt whose claim is durable, once. Never throws: every failure is an outcome.
 * @param tries  how often the message was tried in a row, this time included; the pauses between tries grow with it
 * @param onLate  called with the outcome that a response proves after the HTTP timeout
 */
export async function postAttempt(
  deps: PostingDependencies,
  attempt: ClaimedAttempt,
  tries: number,
  onLate: (outcome: AttemptOutcome) => void | Promise<void>,
): Promise<AttemptResult> {
  try {
    const posted = deps.withLink === undefined ? attempt : await deps.withLink(attempt);
    const { response, httpStatus } = await postMessage(deps.gateway, posted, {
      deadlineMs: attempt.postingDeadlineMs,
      listenMs: deps.times.settleTimeMs,
      onLate: (late) => passLate(late, onLate),
      onLeft: () => deps.reached?.('bytes.left'),
    });
    deps.reached?.('response.received');
    return { outcome: { kind: 'accepted', idMessage: response.idMessage, httpStatus } };
  } catch (error) {
    return failedAttempt(deps, attempt, tries, error);
  }
}

async function failedAttempt(
  deps: PostingDependencies,
  attempt: ClaimedAttempt,
  tries: number,
  error: unknown,
): Promise<AttemptResult> {
  // Anything that is no AppError is a bug of ours at an unknown moment: bytes may have left.
  const failure =
    error instanceof AppError ? error : new AppError('INTERNAL', 'The send failed unexpectedly.', { cause: error });
  if (failure !== error) deps.log({ level: 'error', message: 'send failed unexpectedly', error });
  const known = failure.code === 'GATEWAY_REJECTED' ? await deps.explainRejection(attempt, failure) : failure;
  const outcome = outcomeOf(known);
  const isRetried = outcome.kind === 'not_accepted';
  if (!isRetried) return { outcome, error: known };
  const askedMs = known.retryAfterMs ?? (known.next === ErrorNext.human ? HUMAN_RETRY_MS : undefined);
  const retryAfterMs = askedMs ?? Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (tries - 1));
  return { outcome: { ...outcome, retryAfterMs }, error: known, ...present({ askedMs }) };
}

function passLate(
  late: LateResponse<SendOperation>,
  onLate: (outcome: AttemptOutcome) => void | Promise<void>,
): void | Promise<void> {
  const outcome: AttemptOutcome =
    'error' in late
      ? outcomeOf(late.error)
      : { kind: 'accepted', idMessage: late.response.idMessage, httpStatus: late.httpStatus };
  if (outcome.kind !== 'unknown') return onLate(outcome);
}

/** Which outcome a failed POST has: see `ErrorNext` for what each word means. */
export function outcomeOf(error: AppError): AttemptOutcome {
  const facts = {
    code: error.code,
    ...present({ text: error.gatewayText, httpStatus: error.httpStatus }),
  };
  switch (error.next) {
    case ErrorNext.stop:
      return { kind: 'rejected', ...facts };
    case ErrorNext.wait:
    case ErrorNext.human:
      return { kind: 'not_accepted', ...facts };
    case ErrorNext.ask:
    case ErrorNext.bug:
      return { kind: 'unknown', ...facts, ...(error.connectionEnded === true ? { connectionEnded: true } : {}) };
  }
}
