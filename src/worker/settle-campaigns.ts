import type { Clock } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { CampaignDrivers } from './campaign-sweeper.js';

const EVERY_MS = 2_000;

/**
 * Ends each campaign soon after its last recipient has ended, by a receipt or by an operator. The runs poll as well, but
 * rarely once a campaign has waited for long.
 */
export function settleCampaigns({
  campaigns,
  drivers,
  namespace,
  clock,
}: {
  readonly campaigns: Pick<Ledger['campaigns'], 'withoutOpenRecipients' | 'settle'>;
  readonly drivers: Pick<CampaignDrivers, 'notifyChanged'>;
  readonly namespace: string;
  readonly clock: Clock;
}): BackgroundJob {
  return {
    name: 'settle campaigns',
    everyMs: EVERY_MS,
    async round() {
      for (const id of await campaigns.withoutOpenRecipients(namespace)) {
        await campaigns.settle(id, clock.nowMs());
        await drivers.notifyChanged(id);
      }
    },
  };
}
