import { MESSAGE_STATES, zeroOfEach, type CampaignId, type CampaignProgress } from '../../src/contract/index.js';

export const NO_RECIPIENTS = zeroOfEach(MESSAGE_STATES);

/** The progress of a running campaign, with the share that is done. */
export function aProgress(change: Partial<CampaignProgress> = {}): CampaignProgress {
  const facts = {
    id: 'sale' as CampaignId,
    version: 1,
    commandSequence: 0,
    instance: 'main',
    state: 'running',
    priority: 'normal',
    audience: 200,
    counts: { ...NO_RECIPIENTS, pending: 200 },
    replied: 0,
    optedOut: 0,
    highWater: 12,
    timezone: 'UTC',
    ...change,
  } as const;
  const done = facts.audience - facts.counts.pending;
  return { ...facts, done, donePercent: facts.audience === 0 ? 0 : Math.floor((done / facts.audience) * 100) };
}
