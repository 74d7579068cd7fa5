import {
  AppError,
  ErrorNext,
  HUMAN_RETRY_MS,
  present,
  SEND_OPERATION,
  type AttemptOutcome,
  type OpenSpan,
  type SendOperation,
  type SpanFacts,
} from '../../contract/index.js';
import { asOperation, typingMsOf } from '../../domain/index.js';
import type { OperationRequest } from '../../gateway/index.js';
import type { ClaimedAttempt, DueAttempt } from '../../ledger/index.js';
import type { ActiveShift } from '../shift/active-shift.js';
import type { DispatcherDependencies, PostingDependencies } from '../shift/dependencies.js';
import type { KeptOutcomes } from './kept-outcomes.js';

export interface EndedAttempt {
  readonly due: DueAttempt;
  readonly outcome: AttemptOutcome;
  /** Whether the shift that posted the attempt has ended or counts the outcome as unknown. */
  readonly isLate: boolean;
}

/** Posts claimed attempts and keeps their outcomes for the next tick. */
export class Poster {
  readonly #deps: DispatcherDependencies;
  readonly #outcomes: KeptOutcomes;
  readonly #ended: (ended: EndedAttempt) => void;

  /** @param ended  called after each outcome */
  constructor(deps: DispatcherDependencies, outcomes: KeptOutcomes, ended: (ended: EndedAttempt) => void) {
    this.#deps = deps;
    this.#outcomes = outcomes;
    this.#ended = ended;
  }

  /** Posts a durable claim, or returns it if it may no longer be posted (TICKER-2). */
  postOrReturn(active: ActiveShift, due: DueAttempt, claimedAtMs: number): void {
    const nowMs = this.#deps.timers.nowMs();
    const span = beginSpan(this.#deps, due, nowMs - claimedAtMs);
    if (active.canPost(due, nowMs)) {
      active.inFlight.add(due, claimedAtMs);
      active.queue.typing(typingMsOf(due.content), nowMs);
      void this.#post(active, due, span);
      return;
    }
    const retryAfterMs = active.caution.waitFor(SEND_OPERATION[due.content.kind], nowMs);
    const outcome: AttemptOutcome = { kind: 'not_accepted', code: 'MESSAGE_NOT_ADMITTED', retryAfterMs };
    span?.end(factsOf(outcome));
    this.#keep(active, due, outcome);
  }

  async #post(active: ActiveShift, due: DueAttempt, span: OpenSpan | undefined): Promise<void> {
    let result: AttemptResult;
    try {
      const attempt = span === undefined ? due : { ...due, ...present({ trace: span.context }) };
      result = await postAttempt(this.#deps, attempt, (late) => {
        this.#late(active, due, late);
      });
    } catch (error) {
      this.#deps.log({ level: 'error', message: 'send failed unexpectedly', messageId: due.messageId, error });
      result = { outcome: { kind: 'unknown', code: error instanceof AppError ? error.code : 'INTERNAL' } };
    }
    const { outcome, askedMs } = result;
    span?.end(factsOf(outcome));
    active.posted(due, outcome, this.#deps.timers.nowMs(), askedMs);
    if (active.inFlight.size > 0) this.#deps.reached?.('rows.between');
    this.#keep(active, due, outcome);
  }

  /**
   * Keeps the outcome of a response that came after the timeout. The shift has counted it as unknown, or has ended.
   */
  #late(active: ActiveShift, due: DueAttempt, outcome: AttemptOutcome): void {
    if (outcome.kind === 'accepted') active.queue.accepted(due.content.kind, this.#deps.timers.nowMs());
    const { instance, messageId, trace: parent } = due;
    const facts = { instance, messageId, ...factsOf(outcome) };
    if (parent !== undefined) this.#deps.tracing?.begin('reconcile', facts, { parent }).end();
    this.#keep(undefined, due, outcome);
  }

  #keep(owner: ActiveShift | undefined, due: DueAttempt, outcome: AttemptOutcome): void {
    const { token, messageId } = due;
    this.#deps.onOutcome?.(due, outcome);
    const kept = { messageId, outcome: { token, outcome, atMs: this.#deps.clock.nowMs() } };
    this.#outcomes.add(owner === undefined ? kept : { ...kept, owner });
    const isLate = outcome.kind !== 'unknown' && (owner === undefined || owner.end !== undefined);
    this.#ended({ due, outcome, isLate });
  }
}

/** Of an attempt that was just claimed. @param claimMs  how long its claim has taken */
function beginSpan({ tracing, clock }: DispatcherDependencies, due: DueAttempt, claimMs: number): OpenSpan | undefined {
  const { instance, messageId, campaignId, tries: attempt, trace: parent } = due;
  if (tracing === undefined || parent === undefined) return undefined;
  const nowMs = clock.nowMs();
  const atMs = nowMs - claimMs;
  const facts = { instance, messageId, campaignId, attempt };
  const span = tracing.begin('send', facts, { parent, atMs });
  tracing.begin('claim', { instance, messageId }, { parent: span.context, atMs }).end({}, nowMs);
  return span;
}

/** How the span of an attempt ends. */
export function factsOf(outcome: AttemptOutcome): SpanFacts {
  return { outcome: outcome.kind, code: outcome.kind === 'accepted' ? undefined : outcome.code };
}

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
    const { operation, request } = requestOf(posted);
    const { response, httpStatus } = await deps.gateway.call(attempt.instance, operation, request, {
      deadlineMs: attempt.postingDeadlineMs,
      ...present({ trace: attempt.trace }),
      listenMs: deps.timesOf(attempt.instance).settleTimeMs,
      onLate: (late) => {
        const outcome: AttemptOutcome =
          'error' in late
            ? outcomeOf(late.error)
            : { kind: 'accepted', idMessage: late.response.idMessage, httpStatus: late.httpStatus };
        if (outcome.kind !== 'unknown') return onLate(outcome);
      },
      onLeft: () => deps.reached?.('bytes.left'),
    });
    deps.reached?.('response.received');
    return { outcome: { kind: 'accepted', idMessage: response.idMessage, httpStatus } };
  } catch (error) {
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

/**
 * The gateway operation that sends this kind of content. All fields except `kind` are passed unchanged; absent fields
 * stay absent. A message may be checked before the template's id is known: the name passes the same checks.
 * @throws AppError INPUT_INVALID if the chat is missing
 */
export function requestOf({ chatId, content, templateId }: Pick<ClaimedAttempt, 'chatId' | 'content' | 'templateId'>) {
  const { operation, request } = asOperation(chatId, content);
  return { operation, request: { ...request, ...present({ templateId }) } as OperationRequest<SendOperation> };
}
