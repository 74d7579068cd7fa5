import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  withPace,
  type CampaignResponse,
  type CampaignId,
  type CampaignProgress,
  type PacedProgress,
  type UpdatePace,
  type RetriedRecipients,
  type RetryRequest,
  type SteerInput,
  CAMPAIGN_END_STATES,
  isPause,
  type FollowedCampaign,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** The poll interval for a POST under way, which usually ends within a second. */
const POLL_MS = 100;

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function existingCampaign(
  { ledger, clock }: Pick<ActivityDependencies, 'ledger' | 'clock'>,
  id: CampaignId,
): Promise<CampaignProgress> {
  const progress = await ledger.campaigns.progress(id, clock.nowMs());
  if (progress !== undefined) return progress;
  throw new AppError('CAMPAIGN_NOT_FOUND', `Campaign ${id} is not in the ledger. Check the id.`);
}

/** The commands of the workflow `campaign`. Each one may be retried. */
export function campaignActivities(deps: Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'>) {
  const { clock, wake } = deps;
  const { campaigns } = deps.ledger;
  const paced = (progress: CampaignProgress): PacedProgress => withPace(progress, clock.nowMs());

  /**
   * Waits for the POSTs that were under way when the claims stopped, which cannot be recalled. Each has ended, or can
   * no longer begin, when it can be reconciled.
   */
  async function oncePostsHaveEnded(campaignId: CampaignId, progress: CampaignProgress): Promise<CampaignResponse> {
    for (;;) {
      const { sending, reconcileAfterMs = 0, inQueue } = await campaigns.underWay(campaignId);
      if (sending === 0 || reconcileAfterMs <= clock.nowMs()) {
        const latest = (await campaigns.progress(campaignId, clock.nowMs())) ?? progress;
        return { progress: paced(latest), inGatewayQueue: inQueue };
      }
      await delay(POLL_MS);
    }
  }

  /** Applies a command once. A repeated command gets the same response. */
  function once<Input extends SteerInput, Result>(apply: (input: Input) => Promise<Result>) {
    return async (input: Input): Promise<Result> => {
      const { campaignId, command } = input;
      if (command === undefined) return apply(input);
      const before = await campaigns.resultOf(campaignId, command.id);
      if (before !== undefined) return before as Result;
      return (await campaigns.recordResult(campaignId, command.id, await apply(input))) as Result;
    };
  }

  return {
    /** Returns the progress of a started campaign. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED */
    async openCampaign({ campaignId }: { campaignId: CampaignId }): Promise<CampaignProgress> {
      const progress = await existingCampaign(deps, campaignId);
      if (progress.state !== 'draft') return progress;
      const start = `everpost campaign start ${campaignId}`;
      throw new AppError('CAMPAIGN_NOT_STARTED', `Campaign ${campaignId} is a draft. Start it: ${start}`);
    },

    /** Returns when no further POST can begin and those under way have ended. */
    pauseCampaign: once(async ({ campaignId, command }: SteerInput) =>
      oncePostsHaveEnded(campaignId, await campaigns.pause(campaignId, clock.nowMs(), command)),
    ),

    resumeCampaign: once(async ({ campaignId, command }: SteerInput): Promise<CampaignResponse> => {
      const progress = await campaigns.resume(campaignId, clock.nowMs(), command);
      wake(progress.instance);
      return { progress: paced(progress), inGatewayQueue: (await campaigns.underWay(campaignId)).inQueue };
    }),

    /** Returns under the same condition as `pauseCampaign`. */
    cancelCampaign: once(async ({ campaignId, command, witness }: SteerInput & { readonly witness: string }) =>
      oncePostsHaveEnded(campaignId, await campaigns.cancel(campaignId, witness, clock.nowMs(), command)),
    ),

    updateCampaign: once(async ({ campaignId, command, ...change }: SteerInput & UpdatePace) => {
      const progress = await campaigns.update(campaignId, change, clock.nowMs(), command);
      wake(progress.instance);
      return paced(progress);
    }),

    retryCampaign: once(
      async ({ campaignId, command, ...retry }: SteerInput & RetryRequest): Promise<RetriedRecipients> => {
        const { recipients, progress } = await campaigns.retry(campaignId, retry, clock.nowMs(), command);
        wake(progress.instance);
        return { recipients, progress: paced(progress) };
      },
    ),
  };
}

const SOONEST_MS = 1_000;
/**
 * How often a run polls a campaign that is being sent. The poll only serves the Web UI, and costs Temporal and the
 * worker about 50 ms of processor time.
 */
const SHOWN_EVERY_MS = { least: 30_000, most: 2 * 60_000 };
/**
 * The least time between two polls of all running campaigns together, so that hundreds of campaigns do not slow
 * sending.
 */
const POLLED_EVERY_MS = 2_000;
/** The poll interval of a paused campaign. A command wakes the run earlier. */
const PAUSED_MS = 30 * 60_000;
const LATEST_RECEIPT_MS = 5 * 60_000;
/** How many polls there are until the expected end. */
const POLLS_UNTIL_END = 10;

/** @returns an activity that ends the campaign if it is done, and returns its progress and the time of the next poll */
export function followCampaignActivity(deps: Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'>) {
  const { clock } = deps;
  const { campaigns } = deps.ledger;
  return async ({ campaignId }: { readonly campaignId: CampaignId }): Promise<FollowedCampaign> => {
    const known = await existingCampaign(deps, campaignId);
    if (known.state === 'scheduled') {
      const { state } = await campaigns.beginScheduled(campaignId, clock.nowMs());
      if (state === 'running') deps.wake(known.instance);
    }
    if (known.state === 'running') await campaigns.pauseIfFailing(campaignId, clock.nowMs());
    const progress = await campaigns.endIfDone(campaignId, clock.nowMs());
    const leastMs = POLLED_EVERY_MS * (await campaigns.countRunning());
    return { progress, nextPollMs: nextPollMs(progress, leastMs, clock.nowMs()) };
  };
}

/**
 * The time until the next poll: short towards the end, long while only receipts can change the campaign, and never far
 * beyond a time that the campaign waits for.
 */
function nextPollMs(progress: CampaignProgress, leastMs: number, nowMs: number): number {
  const { state, waiting, counts, deadlineAt, startAt } = progress;
  if (CAMPAIGN_END_STATES.includes(state)) return 0;
  const untilMs = (at: string): number => Math.max(SOONEST_MS, Date.parse(at) - nowMs);
  const latestMs = deadlineAt === undefined || counts.pending === 0 ? Infinity : untilMs(deadlineAt);
  return Math.min(latestMs, wishMs());

  function wishMs(): number {
    if (state === 'scheduled' && startAt !== undefined) return untilMs(startAt);
    if (state === 'paused' || (waiting !== undefined && isPause(waiting))) return PAUSED_MS;
    // A change of the campaign's settings wakes the run.
    if (waiting?.until !== undefined) return untilMs(waiting.until);
    const sinceMs = waiting === undefined ? 0 : nowMs - Date.parse(waiting.since);
    if (counts.pending + counts.sending === 0)
      return Math.max(leastMs, Math.min(LATEST_RECEIPT_MS, Math.max(SHOWN_EVERY_MS.least, sinceMs / 4)));
    const { etaAt } = withPace(progress, nowMs);
    const stepMs = etaAt === undefined ? sinceMs / 4 : (Date.parse(etaAt) - nowMs) / POLLS_UNTIL_END;
    return Math.max(leastMs, Math.min(SHOWN_EVERY_MS.most, Math.max(SHOWN_EVERY_MS.least, stepMs)));
  }
}
