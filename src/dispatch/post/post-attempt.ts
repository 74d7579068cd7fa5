import { AppError, ErrorNext, HUMAN_RETRY_MS, present } from '../../contract/index.js';
import type { AttemptOutcome, SendOperation } from '../../contract/index.js';
import type { LateResponse } from '../../gateway/index.js';
import type { DueAttempt } from '../../ledger/index.js';
import type { PostingDependencies } from '../dependencies.js';
import { postMessage } from './post-message.js';

/** The first pause after an attempt that was surely not accepted, if the gateway named no time. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** The error of any outcome other than `accepted`. */
  readonly error?: AppError;
  /** The pause that the gateway named or that the failure needs. Absent without one. */
  readonly askedMs?: number;
}

/**
 * Posts an attempt once; its claim is already durable. Never throws: every failure becomes an outcome.
 * @param onLate  called with the outcome of a response that arrives after the HTTP timeout
 */
export async function postAttempt(
  deps: PostingDependencies,
  attempt: DueAttempt,
  onLate: (outcome: AttemptOutcome) => void | Promise<void>,
): Promise<AttemptResult> {
  try {
    const revealed = deps.ledger.reveal(attempt);
    const posted = deps.withLink === undefined ? revealed : await deps.withLink(revealed);
    const { response, httpStatus } = await postMessage(deps.gateway, posted, {
      deadlineMs: attempt.postingDeadlineMs,
      listenMs: deps.timesOf(attempt.instance).settleTimeMs,
      onLate: (late) => passLate(late, onLate),
      onLeft: () => deps.reached?.('bytes.left'),
    });
    deps.reached?.('response.received');
    return { outcome: { kind: 'accepted', idMessage: response.idMessage, httpStatus } };
  } catch (error) {
    return failedAttempt(deps, attempt, error);
  }
}

async function failedAttempt(deps: PostingDependencies, attempt: DueAttempt, error: unknown): Promise<AttemptResult> {
  // An error that is not an AppError is a bug at an unknown point: bytes may have left.
  const failure =
    error instanceof AppError ? error : new AppError('INTERNAL', 'The send failed unexpectedly.', { cause: error });
  if (failure !== error) deps.log({ level: 'error', message: 'send failed unexpectedly', error });
  const known = failure.code === 'GATEWAY_REJECTED' ? await deps.explainRejection(attempt, failure) : failure;
  const outcome = outcomeOf(known);
  if (outcome.kind !== 'not_accepted') return { outcome, error: known };
  const askedMs = known.retryAfterMs ?? (known.next === ErrorNext.human ? HUMAN_RETRY_MS : undefined);
  const ownMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempt.tries - 1));
  // A gateway that answers 429 again and again is asked less and less, whatever it names.
  const retryAfterMs = known.httpStatus === 429 ? Math.max(askedMs ?? 0, ownMs) : (askedMs ?? ownMs);
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

/** The outcome of a failed POST; see `ErrorNext` for the meaning of each value. */
export function outcomeOf(error: AppError): AttemptOutcome {
  const facts = { code: error.code, ...present({ text: error.gatewayText, httpStatus: error.httpStatus }) };
  switch (error.next) {
    case ErrorNext.stop:
      return { kind: 'rejected', ...facts };
    case ErrorNext.wait:
    case ErrorNext.human:
      return { kind: 'not_accepted', ...facts };
    case ErrorNext.ask:
    case ErrorNext.bug:
      return { kind: 'unknown', ...facts, ...present({ connectionEnded: error.connectionEnded }) };
  }
}
