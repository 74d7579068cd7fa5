import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  accountsOf,
  type AmendInput,
  type CampaignResponse,
  type CampaignId,
  type CampaignProgress,
  type UpdatePace,
  type RetriedRecipients,
  type RetryRequest,
  type SendCampaignInput,
  type SteerInput,
  campaignUnknown,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { workerStopping } from './failures.js';
import { completedLater, type RunningActivity } from './message-activities.js';

const AMENDMENT_POLL_MS = 1_000;
/** The poll interval for a POST under way, which usually ends within a second. */
const POLL_MS = 100;

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function existingCampaign(
  { ledger, clock }: Pick<ActivityDependencies, 'ledger' | 'clock'>,
  id: CampaignId,
): Promise<CampaignProgress> {
  const progress = await ledger.campaigns.progress(id, clock.nowMs());
  if (progress === undefined) throw campaignUnknown(id);
  return progress;
}

/** The steps and commands of the workflow `campaign`. Each one may be retried. */
export function campaignActivities(deps: Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'>) {
  const { clock, wake } = deps;
  const { campaigns } = deps.ledger;

  /**
   * Waits for the POSTs that were under way when the claims stopped, which cannot be recalled. Each has ended, or can
   * no longer begin, when it can be reconciled.
   */
  async function oncePostsHaveEnded(campaignId: CampaignId, progress: CampaignProgress): Promise<CampaignResponse> {
    for (;;) {
      const { sending, reconcileAfterMs = 0, inQueue } = await campaigns.underWay(campaignId);
      if (sending === 0 || reconcileAfterMs <= clock.nowMs()) {
        const latest = (await campaigns.progress(campaignId, clock.nowMs())) ?? progress;
        return { progress: latest, inGatewayQueue: inQueue };
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

    /** Waits until the campaign differs from what the run shows. The dispatchers of the instances send the messages. */
    async sendCampaign(input: SendCampaignInput, activity: RunningActivity): Promise<CampaignProgress> {
      return (await campaigns.awaitChange({ ...input, activity, nowMs: clock.nowMs() })) ?? completedLater();
    },

    readCampaign: ({ campaignId }: { campaignId: CampaignId }): Promise<CampaignProgress> =>
      existingCampaign(deps, campaignId),

    /** Returns when no further POST can begin and those under way have ended. */
    pauseCampaign: once(async ({ campaignId, command }: SteerInput) =>
      oncePostsHaveEnded(campaignId, await campaigns.pause(campaignId, clock.nowMs(), command)),
    ),

    resumeCampaign: once(async ({ campaignId, command }: SteerInput): Promise<CampaignResponse> => {
      const progress = await campaigns.resume(campaignId, clock.nowMs(), command);
      accountsOf(progress).forEach(wake);
      return { progress, inGatewayQueue: (await campaigns.underWay(campaignId)).inQueue };
    }),

    /** Returns under the same condition as `pauseCampaign`. */
    cancelCampaign: once(async ({ campaignId, command, witness }: SteerInput & { readonly witness: string }) =>
      oncePostsHaveEnded(campaignId, await campaigns.cancel(campaignId, witness, clock.nowMs(), command)),
    ),

    updateCampaign: once(async ({ campaignId, command, ...change }: SteerInput & UpdatePace) => {
      const progress = await campaigns.update(campaignId, change, clock.nowMs(), command);
      accountsOf(progress).forEach(wake);
      return progress;
    }),

    retryCampaign: once(
      async ({ campaignId, command, ...retry }: SteerInput & RetryRequest): Promise<RetriedRecipients> => {
        const { recipients, progress } = await campaigns.retry(campaignId, retry, clock.nowMs(), command);
        accountsOf(progress).forEach(wake);
        return { recipients, progress };
      },
    ),
  };
}

/**
 * Opens the edits of a campaign's amendments, which the dispatcher posts, and waits until all have ended.
 *
 * AMENDRUN-1 The activity has no state and reads what is left from the ledger, so two activities at once do no harm.
 */
export function amendCampaignActivity({
  ledger,
  clock,
  wake,
  pollMs = AMENDMENT_POLL_MS,
}: Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'> & { readonly pollMs?: number }) {
  return async ({ campaignId }: AmendInput, stops: AbortSignal): Promise<void> => {
    const senders = accountsOf(await existingCampaign({ ledger, clock }, campaignId));
    for (;;) {
      if (await ledger.amendments.openEdits(campaignId, clock.nowMs())) senders.forEach(wake);
      if (!(await ledger.amendments.endIfDone(campaignId, clock.nowMs()))) return;
      await delay(pollMs, undefined, { signal: stops }).catch(() => undefined);
      if (stops.aborted) throw workerStopping(`amends ${campaignId}`);
    }
  };
}
