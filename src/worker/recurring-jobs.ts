import type { Clock, RecurringJob } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

export interface RecurringJobsDependencies {
  readonly account: Pick<Ledger['account'], 'due'>;
  /** Does nothing for a job that is under way. */
  readonly start: (job: RecurringJob) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 5_000;

/** Starts the runs of recurring jobs that are due. */
export function startRecurringJobs({ account, start, clock, log }: RecurringJobsDependencies): BackgroundJob {
  return {
    name: 'start recurring jobs',
    everyMs: EVERY_MS,
    async round() {
      for (const job of await account.due(clock.nowMs())) {
        await start(job).catch((error: unknown) => {
          log({ level: 'warn', message: 'a recurring job could not be started; tried again', job: job.id, error });
        });
      }
    },
  };
}
