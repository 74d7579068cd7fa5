import {
  AppError,
  CAMPAIGN_END_STATES,
  isPause,
  withPace,
  type CampaignId,
  type CampaignProgress,
  type FollowedCampaign,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';

const SOONEST_MS = 1_000;
/**
 * What the run shows of a campaign that is being sent. Its end is signalled, and failures pause it meanwhile: a poll, which costs
 * Temporal and the worker some 50 ms of processor time, is for the Web UI alone.
 */
const SHOWN_EVERY_MS = { least: 30_000, most: 2 * 60_000 };
/** All running campaigns together are polled once in this time at most, so that hundreds of them take nothing from sending. */
const POLLED_EVERY_MS = 2_000;
/** Poll interval for open recipients; a command wakes the run earlier. */
const PAUSED_MS = 30 * 60_000;
const LATEST_RECEIPT_MS = 5 * 60_000;
/** How many polls between now and the expected end. */
const LOOKS = 10;

/** @returns an activity: settles the campaign, and returns its progress and the next poll */
export function followCampaignActivity({
  ledger,
  clock,
  wake,
}: Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'>) {
  return async ({ campaignId }: { readonly campaignId: CampaignId }): Promise<FollowedCampaign> => {
    const known = await ledger.campaigns.progress(campaignId, clock.nowMs());
    if (known === undefined) {
      throw new AppError('CAMPAIGN_NOT_FOUND', `Campaign ${campaignId} is not in the ledger. Check the id.`);
    }
    if (known.state === 'scheduled') {
      const { state } = await ledger.campaigns.beginScheduled(campaignId, clock.nowMs());
      if (state === 'running') wake(known.instance);
    }
    if (known.state === 'running') await ledger.campaigns.pauseIfFailing(campaignId, clock.nowMs());
    const progress = await ledger.campaigns.settle(campaignId, clock.nowMs());
    const leastMs = POLLED_EVERY_MS * (await ledger.campaigns.countRunning());
    return { progress, nextPollMs: nextPollMs(progress, leastMs, clock.nowMs()) };
  };
}

/** More often towards its end, rarely while only receipts can change it; never long after a time that it waits for. */
function nextPollMs(progress: CampaignProgress, leastMs: number, nowMs: number): number {
  const { state, waiting, counts, deadlineAt, startAt } = progress;
  if (CAMPAIGN_END_STATES.includes(state)) return 0;
  const untilMs = (at: string): number => Math.max(SOONEST_MS, Date.parse(at) - nowMs);
  const latestMs = deadlineAt === undefined || counts.pending === 0 ? Infinity : untilMs(deadlineAt);
  return Math.min(latestMs, wishMs());

  function wishMs(): number {
    if (state === 'scheduled' && startAt !== undefined) return untilMs(startAt);
    if (state === 'paused' || (waiting !== undefined && isPause(waiting))) return PAUSED_MS;
    // A change of its settings wakes the run.
    if (waiting?.until !== undefined) return untilMs(waiting.until);
    const sinceMs = waiting === undefined ? 0 : nowMs - Date.parse(waiting.since);
    if (counts.pending + counts.sending === 0)
      return Math.max(leastMs, Math.min(LATEST_RECEIPT_MS, Math.max(SHOWN_EVERY_MS.least, sinceMs / 4)));
    const { etaAt } = withPace(progress, nowMs);
    const stepMs = etaAt === undefined ? sinceMs / 4 : (Date.parse(etaAt) - nowMs) / LOOKS;
    return Math.max(leastMs, Math.min(SHOWN_EVERY_MS.most, Math.max(SHOWN_EVERY_MS.least, stepMs)));
  }
}
