import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  AppError,
  ErrorNext,
  HUMAN_RETRY_MS,
  type InstanceInput,
  type ShiftReport,
  type UnrecordedOutcome,
  present,
} from '../contract/index.js';
import type { Dispatcher, ShiftResult } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';

/**
 * Interval of heartbeats, for the Web UI, which shows the last one; far below the heartbeat timeout. Each costs
 * Temporal a write of about two milliseconds, so a worker of many instances sends fewer.
 */
const HEARTBEAT_EVERY_MS = 1_000;
const HEARTBEAT_OF_MANY_MS = 20_000;
const MANY = 50;
/** A worker that ends releases its instances at once. */
const HANDED_OVER_RETRY_MS = 100;
/** The pause between tries of an instance that accepts no messages, if the shift names no time. */
const REFUSED_MS = 15_000;

/**
 * Serves an instance until nothing is due, and returns when the next message is.
 *
 * Temporal retries it. If an instance accepts no messages, the try fails with the gateway's reason, so that the Web UI
 * shows reason, tries and next try. A worker that ends also fails the try, and another worker continues.
 */
export function dispatchActivity(
  deps: Pick<ActivityDependencies, 'worker' | 'processId' | 'stopping'>,
  dispatcher: Dispatcher,
): (input: InstanceInput) => Promise<ShiftReport> {
  let shifts = 0;
  return async ({ instance }) => {
    shifts += 1;
    const { scheduledTimestampMs: scheduledMs, attempt, base64TaskToken: taskToken } = activityInfo();
    const signals = [cancellationSignal(), ...(deps.stopping === undefined ? [] : [deps.stopping])];
    const timer = setInterval(
      () => {
        heartbeat(dispatcher.view(instance));
      },
      shifts > MANY ? HEARTBEAT_OF_MANY_MS : HEARTBEAT_EVERY_MS,
    );
    try {
      const shift = {
        instance,
        epoch: { scheduledMs, attempt },
        worker: deps.worker,
        served: { process: deps.processId, taskToken },
      };
      return reportOf(instance, await dispatcher.run(shift, AbortSignal.any(signals)));
    } catch (error) {
      // An instance that was removed from the configuration may be added again; its messages expire meanwhile.
      if (!(error instanceof AppError) || error.next !== ErrorNext.stop) throw error;
      throw retried(error.code, error.message, HUMAN_RETRY_MS);
    } finally {
      shifts -= 1;
      clearInterval(timer);
    }
  };
}

/** Outcomes that the ledger could not record are returned as the result, so that a failed try does not lose them. */
function reportOf(instance: string, result: ShiftResult): ShiftReport {
  const { ended, nextDueMs, waitingFor, unrecorded } = result;
  if (unrecorded.length === 0) throwIfRetried(instance, result);
  return { ended, unrecorded: unrecorded.map(withoutWords), ...present({ nextDueAtMs: nextDueMs, waitingFor }) };
}

/** The gateway's text may repeat the message. */
function withoutWords(recorded: UnrecordedOutcome): UnrecordedOutcome {
  if (!('text' in recorded.outcome)) return recorded;
  const { text: _words, ...outcome } = recorded.outcome;
  return { ...recorded, outcome };
}

function throwIfRetried(instance: string, { ended, refusal }: ShiftResult): void {
  switch (ended) {
    case 'refused': {
      const code = refusal?.code ?? 'GATEWAY_NOT_ACCEPTED';
      // The gateway's text may repeat a message. It is in the evidence of the rejected messages.
      throw retried(code, `Instance ${instance} takes nothing: ${code}`, refusal?.retryAfterMs ?? REFUSED_MS);
    }
    case 'stopping':
      throw retried('WORKER_STOPPING', `The worker ends; another one serves ${instance}.`, HANDED_OVER_RETRY_MS);
    case 'ledger_away':
      throw new AppError('LEDGER_UNAVAILABLE', `Nothing is sent through ${instance} while the ledger is away.`);
    case 'idle':
    case 'time':
    case 'superseded':
      return;
  }
}

/** A wait is normal for an instance and not logged as a failure. */
function retried(type: string, message: string, retryAfterMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: retryAfterMs,
  });
}
