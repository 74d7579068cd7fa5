import type { CampaignLifeLedger } from '../../ledger/index.js';
import type { TemporalAccess } from '../message-runs.js';
import { campaignRuns } from './campaign-runs.js';

/**
 * Makes what the receiver tells of an instance that can send again: its campaigns look at once.
 * @returns a function that throws AppError TEMPORAL_UNAVAILABLE; tell again then
 */
export function createCampaignWaker(
  options: TemporalAccess & { readonly campaigns: Pick<CampaignLifeLedger, 'running'> },
): (instance: string) => Promise<void> {
  const runs = campaignRuns(options);
  return async (instance) => {
    for (const id of await options.campaigns.running(instance)) await runs.tellChanged(id);
  };
}
