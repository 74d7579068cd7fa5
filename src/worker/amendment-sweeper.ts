import type { CampaignId } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

export interface AmendmentSweeperDependencies {
  readonly amendments: Pick<Ledger['amendments'], 'open'>;
  /** Does nothing for a campaign whose amendment is being worked on. */
  readonly start: (id: CampaignId) => Promise<void>;
  readonly log: Log;
}

/** An edit can be posted for 15 minutes: an amendment that nothing works on is found soon. */
const EVERY_MS = 10_000;

/** Starts the activity of amendments that have not ended: Temporal was away, was restored, or lost it. */
export function amendmentSweeper({ amendments, start, log }: AmendmentSweeperDependencies): BackgroundJob {
  return {
    name: 'sweep amendments',
    everyMs: EVERY_MS,
    async round() {
      for (const id of await amendments.open()) {
        await start(id).catch((error: unknown) => {
          log({ level: 'warn', message: 'an amendment could not be started; retried automatically', id, error });
        });
      }
    },
  };
}
