import type { Clock } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 60 * 60_000;

/** Deletes what is no longer needed; docs/guarantees.md lists every table with what bounds it. */
export function removeOld(dependencies: {
  readonly retention: Ledger['retention'];
  readonly audit: Pick<Ledger['audit'], 'removeOld'>;
  /** How long records of finished work are kept. */
  readonly keptForMs: number;
  readonly auditKeptForMs: number;
  /** Undefined: forever. */
  readonly messagesKeptForMs: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { retention, audit, keptForMs, auditKeptForMs, messagesKeptForMs, clock, log } = dependencies;
  return {
    name: 'remove old records',
    everyMs: EVERY_MS,
    async round() {
      const nowMs = clock.nowMs();
      const removed = await retention.removeOld({ nowMs, keptSinceMs: nowMs - keptForMs });
      const entries = await audit.removeOld(nowMs - auditKeptForMs);
      log({ level: 'debug', message: 'old records were deleted', ...removed, audit: entries });
      if (messagesKeptForMs === undefined) return;
      const old = await retention.removeMessages({ nowMs, keptSinceMs: nowMs - messagesKeptForMs });
      if (old.messages + old.campaigns > 0) {
        log({ level: 'info', message: 'messages that ended long ago were deleted', ...old });
      }
    },
  };
}
