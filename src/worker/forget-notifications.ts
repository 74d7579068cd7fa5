import type { Clock } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 60 * 60_000;

/** Deletes notifications that were applied, and events with their deliveries, once they are older than their retention. */
export function forgetNotifications(dependencies: {
  readonly notifications: Pick<Ledger['notifications'], 'forget'>;
  readonly events: Pick<Ledger['events'], 'forget'>;
  /** Also how far back a replay can go. */
  readonly keptForMs: number;
  readonly eventsKeptForMs: number;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { notifications, events, keptForMs, eventsKeptForMs, clock, log } = dependencies;
  return {
    name: 'forget notifications',
    everyMs: EVERY_MS,
    async round() {
      const nowMs = clock.nowMs();
      const forgotten = {
        notifications: await notifications.forget(nowMs - keptForMs),
        events: await events.forget(nowMs - eventsKeptForMs),
      };
      log({ level: 'debug', message: 'old notifications and events were deleted', ...forgotten });
    },
  };
}
