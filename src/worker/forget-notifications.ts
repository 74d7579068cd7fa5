import type { Clock } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 60 * 60_000;

/** Deletes notifications that were applied, and callbacks that ended, once they are older than the retention. */
export function forgetNotifications(dependencies: {
  readonly notifications: Pick<Ledger['notifications'], 'forget'>;
  readonly callbacks: Pick<Ledger['callbacks'], 'forget'>;
  /** Also how far back a replay can go. */
  readonly keptForMs: number;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { notifications, callbacks, keptForMs, clock, log } = dependencies;
  return {
    name: 'forget notifications',
    everyMs: EVERY_MS,
    async round() {
      const beforeMs = clock.nowMs() - keptForMs;
      const forgotten = {
        notifications: await notifications.forget(beforeMs),
        callbacks: await callbacks.forget(beforeMs),
      };
      log({ level: 'debug', message: 'old notifications and callbacks were deleted', ...forgotten });
    },
  };
}
