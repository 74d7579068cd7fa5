import { activityInfo, heartbeat } from '@temporalio/activity';
import {
  AppError,
  ErrorNext,
  HUMAN_RETRY_MS,
  type ShiftInput,
  type ShiftReport,
  type UnrecordedOutcome,
  isRecord,
  present,
} from '../contract/index.js';
import type { Dispatcher, ShiftResult } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { retriedLater, stopsOf, workerStopping } from './failures.js';

/**
 * The Web UI shows the last heartbeat: the first soon, so that a short shift has one, the others rarely, since each costs
 * Temporal a write of about two milliseconds.
 */
const FIRST_HEARTBEAT_MS = 1_000;
const HEARTBEAT_EVERY_MS = 20_000;
/** The delay between tries if an instance accepts no messages and the shift names no time. */
const REFUSED_MS = 15_000;

/**
 * Serves an instance until no message is due, and returns the time of the next one. If the instance accepts no messages
 * or the worker stops, the try fails with the reason, and Temporal retries.
 */
export function dispatchActivity(
  deps: Pick<ActivityDependencies, 'worker' | 'processId' | 'stopping' | 'clock'> & {
    readonly ledger: { readonly dispatch: Pick<ActivityDependencies['ledger']['dispatch'], 'inUse'> };
  },
  dispatcher: Dispatcher,
): (input: ShiftInput) => Promise<ShiftReport> {
  return async ({ instance, shift: number, mark }) => {
    const { workflowExecution, attempt, base64TaskToken: taskToken, heartbeatDetails } = activityInfo();
    const show = (): void => heartbeat(dispatcher.view(instance));
    const first = setTimeout(show, FIRST_HEARTBEAT_MS);
    const others = setInterval(show, HEARTBEAT_EVERY_MS);
    try {
      const shift = {
        instance,
        try: { run: workflowExecution?.runId ?? '', shift: number, attempt },
        worker: deps.worker,
        ...present({ mark: laterMark(mark, heartbeatDetails) }),
        served: { process: deps.processId, taskToken },
      };
      return reportOf(instance, await dispatcher.run(shift, stopsOf(deps)), deps.clock.nowMs());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // An instance that was removed from the configuration may be added again. Its messages may expire meanwhile, and
      // what was posted ends without its shift: with nothing left to send, nothing waits for the instance.
      if (
        error.code === 'INSTANCE_NOT_FOUND' &&
        !(await deps.ledger.dispatch.inUse(deps.clock.nowMs())).has(instance)
      ) {
        return { ended: 'idle', unrecorded: [] };
      }
      if (error.next !== ErrorNext.stop) throw error;
      throw retriedLater(error.code, error.message, HUMAN_RETRY_MS);
    } finally {
      clearTimeout(first);
      clearInterval(others);
    }
  };
}

/**
 * The result includes outcomes that the ledger could not record, so that they are not lost. Without any, an instance that
 * accepts nothing, or a worker that stops, fails the try.
 */
function reportOf(instance: string, result: ShiftResult, nowMs: number): ShiftReport {
  const { ended, refusal, nextDueMs, waitingFor, mark, unrecorded } = result;
  if (unrecorded.length === 0 && ended === 'refused') {
    const code = refusal?.code ?? 'GATEWAY_NOT_ACCEPTED';
    // Without the gateway's text, which may repeat a message. The evidence of the message has it.
    const message = `Instance ${instance} accepts no messages: ${code}`;
    throw retriedLater(code, message, refusal?.retryAfterMs ?? REFUSED_MS);
  }
  if (unrecorded.length === 0 && ended === 'stopping') throw workerStopping(`serves ${instance}`);
  if (unrecorded.length === 0 && ended === 'ledger_unavailable') {
    throw new AppError('LEDGER_UNAVAILABLE', `Instance ${instance} sends nothing while the ledger is unavailable.`);
  }
  const wentBack = result.wentBack && { foundAt: result.wentBack.foundAt, unresolved: result.wentBack.unresolved };
  const nextDue =
    nextDueMs === undefined
      ? undefined
      : { at: new Date(nextDueMs).toISOString(), inMs: Math.max(0, nextDueMs - nowMs) };
  // Without the gateway's text, which may repeat the message.
  const shown = unrecorded.map((recorded): UnrecordedOutcome => {
    if (!('text' in recorded.outcome)) return recorded;
    const { text: _words, ...outcome } = recorded.outcome;
    return { ...recorded, outcome };
  });
  return { ended, unrecorded: shown, ...present({ nextDue, waitingFor, mark, wentBack }) };
}

/** RETURN-1: of the last shift, or of an earlier try of this one. */
function laterMark(ofLast: string | undefined, beat: unknown): string | undefined {
  const own = isRecord(beat) && typeof beat['mark'] === 'string' ? beat['mark'] : undefined;
  if (own === undefined || ofLast === undefined) return own ?? ofLast;
  return placeIn(own) >= placeIn(ofLast) ? own : ofLast;
}

function placeIn(mark: string): bigint {
  return BigInt(mark.split('/')[0] ?? '');
}
