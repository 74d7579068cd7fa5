import type { Clock } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 10 * 60_000;

/** Removes campaigns that were made for a plan by a command that was cut off before it could remove them. */
export function removePlans(dependencies: {
  readonly audiences: Pick<Ledger['audiences'], 'removeOldPlans'>;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { audiences, clock, log } = dependencies;
  return {
    name: 'remove plans',
    everyMs: EVERY_MS,
    async round() {
      const removed = await audiences.removeOldPlans(clock.nowMs());
      if (removed > 0)
        log({ level: 'info', message: 'campaigns that were only made for a plan were removed', removed });
    },
  };
}
