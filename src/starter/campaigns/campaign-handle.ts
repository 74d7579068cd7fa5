import { randomUUID } from 'node:crypto';
import {
  AppError,
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  type CampaignResponse,
  type CampaignId,
  type PacedProgress,
  type RetriedRecipients,
} from '../../contract/index.js';
import type { CampaignHandle } from '../everpost-types.js';
import { campaignUpdateId } from '../ids.js';
import type { CampaignRuns } from './campaign-runs.js';

/** One round of waiting for an update; after it the same one is asked for again. */
const ROUND_MS = 60_000;

export function campaignHandle(campaigns: CampaignRuns, id: CampaignId): CampaignHandle {
  async function running<Result>(ask: () => Promise<Result | 'gone'>): Promise<Result> {
    const response = await ask();
    if (response === 'gone') throw campaignNotRunning(id);
    return response;
  }

  /**
   * A command that reaches the run only after a later one took effect is refused: it was asked without knowing of that
   * one.
   */
  async function update<Result>(name: string, what: readonly unknown[] = [], key: string = randomUUID()) {
    const updateId = campaignUpdateId(id, name, key);
    const { commandSequence: after } = await running(() => campaigns.progress(id));
    const args = [...what, { after }];
    for (;;) {
      const wish = { name, args, updateId };
      const response = await running(() => campaigns.update<Result>(id, wish, { timeoutMs: ROUND_MS }));
      if (response !== 'waiting') return response;
    }
  }

  return {
    id,
    progress: () => running(() => campaigns.progress(id)),
    plan: () => running(() => campaigns.plan(id)),
    pause: () => update<CampaignResponse>(CAMPAIGN_PAUSE_UPDATE),
    resume: () => update<CampaignResponse>(CAMPAIGN_RESUME_UPDATE),
    cancel: () => update<CampaignResponse>(CAMPAIGN_CANCEL_UPDATE),
    update: (change) => update<PacedProgress>(CAMPAIGN_UPDATE_UPDATE, [change]),
    retry: (retry, { key } = {}) => update<RetriedRecipients>(CAMPAIGN_RETRY_UPDATE, [retry], key),
  };
}

function campaignNotRunning(id: CampaignId): AppError {
  return new AppError(
    'CAMPAIGN_NOT_STARTED',
    `Campaign ${id} does not run. The HTTP API starts it, and tells of one that has ended: GET /v1/campaigns/${id}`,
  );
}
