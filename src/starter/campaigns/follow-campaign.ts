import { CAMPAIGN_END_STATES, type CampaignProgress } from '../../contract/index.js';
import type { Log } from '../log.js';
import type { CampaignRuns } from './campaign-runs.js';

/**
 * Makes the run of a campaign follow what has changed in the ledger, and begins one where none is open. Nothing waits
 * for it, and it never throws: the sweeper begins a run that is missing, and a run polls by itself.
 */
export type FollowCampaign = (progress: CampaignProgress) => Promise<void>;

export function followCampaignWith({
  runs,
  log,
}: {
  readonly runs: Pick<CampaignRuns, 'continueRun' | 'notifyChanged'>;
  readonly log: Log;
}): FollowCampaign {
  return async (progress) => {
    const { id, state } = progress;
    if (state === 'draft') return;
    try {
      if (!CAMPAIGN_END_STATES.includes(state)) await runs.continueRun(progress);
      await runs.notifyChanged(id);
    } catch (error) {
      log({ level: 'warn', message: 'The run of a campaign was not notified; it polls by itself', id, error });
    }
  };
}
