import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  type CampaignAnswer,
  type CampaignId,
  type CampaignProgress,
  type ChangePace,
  type RetriedPeople,
  type RetryRequest,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** A POST usually ends within a second; it is looked for that often. */
const LOOK_MS = 100;

/** The steps of the workflow `campaign` besides feeding. Each may be tried again. */
export function campaignActivities({ ledger, clock }: Pick<ActivityDependencies, 'ledger' | 'clock'>) {
  const { campaigns } = ledger;

  /**
   * A POST under way when the claims were stopped cannot be called back. It has ended, or, where its worker died, can at least
   * not begin any more, once it can be judged.
   */
  async function oncePostsHaveEnded(campaignId: CampaignId, progress: CampaignProgress): Promise<CampaignAnswer> {
    for (;;) {
      const { posting, judgeAfterMs = 0, inQueue } = await campaigns.underWay(campaignId);
      const isOver = posting === 0 || judgeAfterMs <= clock.nowMs();
      if (isOver) return { progress: (await campaigns.progress(campaignId)) ?? progress, inGatewayQueue: inQueue };
      await delay(LOOK_MS);
    }
  }

  return {
    /** How a campaign stands that was started. @throws AppError CAMPAIGN_UNKNOWN | CAMPAIGN_NOT_STARTED */
    async openCampaign({ campaignId }: { campaignId: CampaignId }): Promise<CampaignProgress> {
      const progress = await campaigns.progress(campaignId);
      if (progress === undefined) {
        throw new AppError('CAMPAIGN_UNKNOWN', `Campaign ${campaignId} is not in the ledger. Check the id.`);
      }
      if (progress.state === 'draft') {
        const start = `everpost campaign start ${campaignId}`;
        throw new AppError('CAMPAIGN_NOT_STARTED', `Campaign ${campaignId} is a draft. Start it: ${start}`);
      }
      return progress;
    },

    /** Answers when no further POST can begin and those under way have ended. */
    async pauseCampaign({ campaignId }: { campaignId: CampaignId }): Promise<CampaignAnswer> {
      return oncePostsHaveEnded(campaignId, await campaigns.pause(campaignId, clock.nowMs()));
    },

    async resumeCampaign({ campaignId }: { campaignId: CampaignId }): Promise<CampaignAnswer> {
      const progress = await campaigns.resume(campaignId, clock.nowMs());
      return { progress, inGatewayQueue: (await campaigns.underWay(campaignId)).inQueue };
    },

    /** As {@link pauseCampaign}. */
    async cancelCampaign({
      campaignId,
      witness,
    }: {
      campaignId: CampaignId;
      witness: string;
    }): Promise<CampaignAnswer> {
      return oncePostsHaveEnded(campaignId, await campaigns.cancel(campaignId, witness, clock.nowMs()));
    },

    async changeCampaign({
      campaignId,
      ...change
    }: { campaignId: CampaignId } & ChangePace): Promise<CampaignProgress> {
      return campaigns.change(campaignId, change, clock.nowMs());
    },

    async retryCampaign({ campaignId, ...retry }: { campaignId: CampaignId } & RetryRequest): Promise<RetriedPeople> {
      return campaigns.retry(campaignId, retry, clock.nowMs());
    },
  };
}
