import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { AppError, type InstanceInput, type ShiftReport } from '../contract/index.js';
import type { Dispatcher, ShiftResult } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** Well below the heartbeat timeout of 4 s: a worker that misses it has lost its instances. */
const HEARTBEAT_EVERY_MS = 1_000;
/** A worker that ends hands its instances over at once. */
const HANDED_OVER_RETRY_MS = 100;

/**
 * Serves an instance until nothing is due, and says when something is.
 *
 * What Temporal retries it by: an instance that takes nothing fails the try with the gateway's reason, so that the Web
 * UI shows reason, tries and next try; a worker that ends fails it too, and another one goes on.
 */
export function dispatchActivity(
  deps: Pick<ActivityDependencies, 'worker' | 'stopping'>,
  dispatcher: Dispatcher,
): (input: InstanceInput) => Promise<ShiftReport> {
  return async ({ instance }) => {
    const { scheduledTimestampMs: scheduledMs, attempt } = activityInfo();
    const signals = [cancellationSignal(), ...(deps.stopping === undefined ? [] : [deps.stopping])];
    const timer = setInterval(() => {
      heartbeat(dispatcher.view(instance));
    }, HEARTBEAT_EVERY_MS);
    try {
      const shift = { instance, epoch: { scheduledMs, attempt }, worker: deps.worker };
      return reportOf(instance, await dispatcher.run(shift, AbortSignal.any(signals)));
    } finally {
      clearInterval(timer);
    }
  };
}

/** Outcomes that are not recorded are the result, so that no failed try loses them. */
function reportOf(instance: string, result: ShiftResult): ShiftReport {
  const { ended, nextDueMs, unrecorded } = result;
  if (unrecorded.length === 0) throwIfRetried(instance, result);
  return { ended, unrecorded, ...(nextDueMs === undefined ? {} : { nextDueAtMs: nextDueMs }) };
}

function throwIfRetried(instance: string, { ended, refusal }: ShiftResult): void {
  switch (ended) {
    case 'refused': {
      const words = refusal?.text === undefined ? '' : `: ${refusal.text}`;
      throw retried(
        refusal?.code ?? 'GATEWAY_NOT_ACCEPTED',
        `Instance ${instance} takes nothing${words}`,
        refusal?.retryAfterMs,
      );
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

/** Waiting is the normal life of an instance, not a failure to be alarmed about. */
function retried(type: string, message: string, retryAfterMs = 0): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    category: ApplicationFailureCategory.BENIGN,
    ...(retryAfterMs > 0 ? { nextRetryDelay: retryAfterMs } : {}),
  });
}
