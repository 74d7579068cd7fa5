/**
 * The send protocol: the only way anything is put in front of a recipient.
 *
 *   pending ─claim─▶ sending ─200 with an id─▶ accepted
 *                       ├ refused by the gateway ─▶ rejected
 *                       ├ surely not accepted ─▶ pending, and Temporal tries again
 *                       └ anything else ─▶ unknown
 *
 * SEND-1 Intent first: the attempt, with its text and its deadline, is durable before the first byte leaves.
 * SEND-2 One claim at a time: only the claim's compare-and-set gives the right to post, and only once.
 * SEND-3 Bytes leave within the posting deadline or not at all; a successor reconciles an attempt only after
 *    deadline + HTTP timeout + settle, when nothing of it can still arrive.
 * SEND-4 An outcome is written to its attempt whatever its source, however late; one the ledger cannot take
 *    goes into the activity's result and is written by the workflow.
 * SEND-5 No POST follows an unknown one by guess: a row that is sending or unknown is never posted here.
 * SEND-6 Admission: a single message is claimed only while it can leave the gateway's queue in its time, and no pause
 *    stops its instance; until then it waits here.
 */
import { randomUUID } from 'node:crypto';
import {
  AppError,
  ErrorNext,
  type AttemptOutcome,
  type MessageId,
  type MessageSnapshot,
  type SendOperation,
  type SendResult,
} from '../contract/index.js';
import type { LateResponse } from '../gateway/index.js';
import type { ClaimedAttempt, ClaimResult } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { HUMAN_RETRY_MS } from './failures.js';
import { instancePaused, STATE_RETRY_MS } from './instance-state.js';
import { postMessage } from './post-message.js';
import { isTemplateInTheWay } from './templates/index.js';
import { untilRecorded } from './until-recorded.js';

/** An identical message's outcome is usually known within a second or two. */
const IDENTICAL_RETRY_MS = 2_000;
/** The next try looks at the template first, and knows better when it is worth while. */
const TEMPLATE_RETRY_MS = 2_000;
/** Between attempts that were surely not accepted, where no response named a time. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export type ProtocolDependencies = Pick<
  ActivityDependencies,
  'ledger' | 'gateway' | 'clock' | 'times' | 'worker' | 'notify' | 'stopping' | 'reached' | 'log'
> & {
  /**
   * SEND-6: throws AppError MESSAGE_NOT_ADMITTED or INSTANCE_PAUSED while the message has to wait. Absent: everything
   * is admitted.
   */
  readonly admit?: (messageId: MessageId) => Promise<void>;
};

/**
 * Posts one message if it is due, once, and writes down what became of it.
 * @param tries  how often it has been tried in a row, this time included; the pauses between tries grow with it
 * @returns what the ledger now says of the row, or the outcome that the ledger could not take
 * @throws AppError with `next` wait or human when the message was surely not accepted, or is another's turn: try again
 */
export async function sendMessageOfRow(
  deps: ProtocolDependencies,
  messageId: MessageId,
  tries = 1,
): Promise<SendResult> {
  deps.reached?.('claim.before');
  await deps.admit?.(messageId);
  const claim = await claimMessage(deps, messageId);
  switch (claim.kind) {
    case 'settled':
      return { kind: 'recorded', snapshot: claim.snapshot };
    case 'identical':
      throw new AppError(
        'MESSAGE_CLAIMED_ELSEWHERE',
        `Message ${messageId} waits: an equal message to the same chat (${claim.identical}) has no known outcome yet.`,
        { retryAfterMs: IDENTICAL_RETRY_MS },
      );
    case 'template':
      throw new AppError(
        'TEMPLATE_NOT_APPROVED',
        `Message ${messageId} waits: its template is not approved any more.`,
        { retryAfterMs: TEMPLATE_RETRY_MS },
      );
    case 'paused':
      throw instancePaused(messageId, claim.instance, claim.reasons);
    case 'away':
      throw new AppError('MESSAGE_NOT_ADMITTED', `Message ${messageId} waits here (instance ${claim.state}).`, {
        retryAfterMs: STATE_RETRY_MS,
      });
    case 'sending':
      return { kind: 'recorded', snapshot: await reconcileWhenDue(deps, messageId, claim.reconcileAfterMs) };
    case 'claimed':
      deps.reached?.('claim.after');
      return postAndRecord(deps, messageId, claim, tries);
  }
}

async function claimMessage(deps: ProtocolDependencies, id: MessageId): Promise<ClaimResult> {
  const claim = { id, token: randomUUID(), ...claimTimes(deps) };
  // The same token again returns the same attempt, so a commit whose response was lost is looked up (SEND-2).
  return untilRecorded(() => deps.ledger.messages.claim(claim));
}

/** SEND-3, for a claim made now. */
export function claimTimes({ clock, times, worker }: ProtocolDependencies) {
  const nowMs = clock.nowMs();
  const postingDeadlineMs = nowMs + times.postingDeadlineMs;
  const reconcileAfterMs = postingDeadlineMs + times.gatewayTimeoutMs + times.settleTimeMs;
  return { worker, postingDeadlineMs, reconcileAfterMs, nowMs };
}

async function reconcileWhenDue(
  deps: ProtocolDependencies,
  id: MessageId,
  reconcileAfterMs: number,
): Promise<MessageSnapshot> {
  const waitMs = reconcileAfterMs - deps.clock.nowMs();
  if (waitMs > 0) {
    throw new AppError(
      'MESSAGE_CLAIMED_ELSEWHERE',
      `Message ${id} is being posted by another attempt; it can be reconciled in ${Math.ceil(waitMs / 1000)} s.`,
      { retryAfterMs: waitMs },
    );
  }
  return deps.ledger.messages.reconcileAbandoned(id, deps.clock.nowMs());
}

async function postAndRecord(
  deps: ProtocolDependencies,
  messageId: MessageId,
  { attempt, version }: Extract<ClaimResult, { kind: 'claimed' }>,
  tries: number,
): Promise<SendResult> {
  const { outcome, error, snapshot } = await postClaimed(deps, messageId, attempt, tries);
  if (snapshot === undefined) return { kind: 'unrecorded', token: attempt.token, outcome };
  if (outcome.kind === 'not_accepted' && snapshot.state === 'pending') {
    await notifyEdits(deps, snapshot, version + 1);
    throw tryAgain(error, outcome.retryAfterMs, snapshot, deps.clock.nowMs());
  }
  return { kind: 'recorded', snapshot };
}

/**
 * An edit that came while the POST was under way is done by its refusal. This try ends in an error, which carries no
 * snapshot, and the next may be far away: a caller that waits for the edit is notified now. Only then: each notice is a
 * signal in the run's history, and a day without a phone has many tries.
 * @param expectedVersion  of the row when nothing but the refusal was written since the claim
 */
async function notifyEdits(
  deps: ProtocolDependencies,
  snapshot: MessageSnapshot,
  expectedVersion: number,
): Promise<void> {
  if (snapshot.edits.length === 0 || snapshot.version === expectedVersion) return;
  try {
    await deps.notify(snapshot);
  } catch (error) {
    // The ledger has it all the same, and the next try's result tells it.
    deps.log({ level: 'warn', message: 'the run could not be told of its edits', messageId: snapshot.id, error });
  }
}

/** What became of one claimed attempt. */
export interface Posted {
  readonly outcome: AttemptOutcome;
  /** Why it was not accepted. */
  readonly error?: AppError;
  /** What the ledger now says; absent where it could not take the outcome. */
  readonly snapshot?: MessageSnapshot;
}

/**
 * Posts an attempt whose claim is durable, once, and writes down what became of it. Never throws: every failure is an
 * outcome.
 * @param tries  how often the message has been tried in a row, this time included
 */
export async function postClaimed(
  deps: ProtocolDependencies,
  messageId: MessageId,
  attempt: ClaimedAttempt,
  tries: number,
): Promise<Posted> {
  const posted = await post(deps, attempt, tries);
  const { outcome } = posted;
  try {
    const snapshot = await untilRecorded(() =>
      deps.ledger.messages.recordOutcome(attempt.token, outcome, deps.clock.nowMs()),
    );
    deps.reached?.('outcome.stored');
    return { ...posted, snapshot };
  } catch (error) {
    deps.log({ level: 'warn', message: 'outcome not recorded yet', messageId, outcome: outcome.kind, error });
    return posted;
  }
}

/** How long until the next attempt, where there is to be one: told to the row and to Temporal alike. */
function pauseAfter({ next, retryAfterMs }: AppError, tries: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return next === ErrorNext.human ? HUMAN_RETRY_MS : Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (tries - 1));
}

/**
 * Posts the attempt and says in the ledger's words what became of it. Never throws: every failure is an outcome
 * (SEND-4).
 */
async function post(
  deps: ProtocolDependencies,
  attempt: ClaimedAttempt,
  tries: number,
): Promise<{ outcome: AttemptOutcome; error?: AppError }> {
  try {
    const { response, httpStatus } = await postMessage(deps.gateway, attempt, {
      deadlineMs: attempt.postingDeadlineMs,
      listenMs: deps.times.settleTimeMs,
      onLate: (late) => void recordLate(deps, attempt, late),
      onLeft: () => deps.reached?.('bytes.left'),
    });
    deps.reached?.('response.received');
    return { outcome: { kind: 'accepted', idMessage: response.idMessage, httpStatus } };
  } catch (error) {
    // Anything that is no AppError is a bug of ours at an unknown moment: bytes may have left.
    const failure =
      error instanceof AppError ? error : new AppError('INTERNAL', 'The send failed unexpectedly.', { cause: error });
    if (failure !== error) deps.log({ level: 'error', message: 'send failed unexpectedly', error });
    const known = await unlessTemplateIsInTheWay(deps, attempt, failure);
    const outcome = outcomeOf(known);
    const isTriedAgain = outcome.kind === 'not_accepted';
    return { outcome: isTriedAgain ? { ...outcome, retryAfterMs: pauseAfter(known, tries) } : outcome, error: known };
  }
}

/** What is refused because its template was paused a moment ago is not refused for good. */
async function unlessTemplateIsInTheWay(
  deps: ProtocolDependencies,
  { instance, content }: ClaimedAttempt,
  refusal: AppError,
): Promise<AppError> {
  const { code, gatewayText, httpStatus } = refusal;
  if (code !== 'GATEWAY_REJECTED' || !(await isTemplateInTheWay(deps, instance, content, gatewayText))) return refusal;
  return new AppError('TEMPLATE_NOT_APPROVED', 'The gateway refused it, and its template is not approved any more.', {
    cause: refusal,
    ...(gatewayText === undefined ? {} : { gatewayText }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
  });
}

/** Which outcome a failed POST has: see `ErrorNext` for what each word means. */
export function outcomeOf(error: AppError): AttemptOutcome {
  const facts = {
    code: error.code,
    ...(error.gatewayText === undefined ? {} : { text: error.gatewayText }),
    ...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
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

/** A response that came after the timeout still decides what is true (SEND-4). */
async function recordLate(
  deps: ProtocolDependencies,
  attempt: ClaimedAttempt,
  late: LateResponse<SendOperation>,
): Promise<void> {
  const outcome: AttemptOutcome =
    'error' in late
      ? outcomeOf(late.error)
      : { kind: 'accepted', idMessage: late.response.idMessage, httpStatus: late.httpStatus };
  if (outcome.kind === 'unknown') return;
  try {
    const snapshot = await untilRecorded(() =>
      deps.ledger.messages.recordOutcome(attempt.token, outcome, deps.clock.nowMs()),
    );
    await deps.notify(snapshot);
  } catch (error) {
    deps.log({ level: 'warn', message: 'late response could not be recorded', outcome: outcome.kind, error });
  }
}

/** The error for Temporal to retry on, its delay never reaching past the message's expiry. */
function tryAgain(
  error: AppError | undefined,
  retryAfterMs: number | undefined,
  snapshot: MessageSnapshot,
  nowMs: number,
): AppError {
  const cause = error ?? new AppError('GATEWAY_NOT_ACCEPTED', 'The gateway did not accept the message.');
  if (retryAfterMs === undefined) return cause;
  const untilExpiryMs = Math.max(1_000, Date.parse(snapshot.expiresAt) - nowMs);
  return new AppError(cause.code, cause.message, { cause, retryAfterMs: Math.min(retryAfterMs, untilExpiryMs) });
}
