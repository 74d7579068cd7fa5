import {
  AppError,
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_CHANGE_UPDATE,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  type CampaignAnswer,
  type CampaignId,
  type CampaignProgress,
  type Clock,
  type RetriedPeople,
  type RetryRequest,
} from '../../contract/index.js';
import type { ChangeCampaign, Ledger } from '../../ledger/index.js';
import type { ChangeBell } from '../change-bell.js';
import { campaignUpdateId } from '../ids.js';
import type { Wait } from '../message-runs.js';
import { waitUntil } from '../wait-until.js';
import type { CampaignRuns, CampaignUpdate } from './campaign-runs.js';
import { campaignUnknown } from './campaigns.js';

/** A wish about a campaign: under the same key it is granted once. */
export interface Wish extends Wait {
  readonly key: string;
}

/** `waiting`: it is taken, and not done yet; ask again with the same key. */
export type Granted<Answer> = Answer | 'waiting';

/**
 * Starts campaigns and steers those that run. What stops them is a condition of the ledger's, so it also holds while Temporal
 * is away: then the ledger is asked itself, and the run hears of it later.
 */
export interface CampaignSteering {
  /**
   * Starts a campaign once, ever.
   * @throws AppError CAMPAIGN_UNKNOWN | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE | TEMPORAL_UNAVAILABLE (nothing was begun)
   */
  start(id: CampaignId): Promise<{ readonly isReplay: boolean }>;
  /** Answers once no further send can begin and those under way have ended. @throws AppError CAMPAIGN_UNKNOWN | CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED */
  pause(id: CampaignId, wish: Wish): Promise<Granted<CampaignAnswer>>;
  resume(id: CampaignId, wish: Wish): Promise<Granted<CampaignAnswer>>;
  /** As {@link pause}. */
  cancel(id: CampaignId, wish: Wish): Promise<Granted<CampaignAnswer>>;
  /** @throws AppError CAMPAIGN_UNKNOWN | CAMPAIGN_INCOMPLETE | INPUT_INVALID */
  change(id: CampaignId, change: ChangeCampaign, wish: Wish): Promise<Granted<CampaignProgress>>;
  /** @throws AppError CAMPAIGN_UNKNOWN | CAMPAIGN_NOT_STARTED | INPUT_INVALID (the deadline has passed) */
  retry(id: CampaignId, retry: RetryRequest, wish: Wish): Promise<Granted<RetriedPeople>>;
}

export interface SteeringParts {
  readonly ledger: Ledger;
  readonly runs: CampaignRuns;
  readonly clock: Clock;
  readonly bell: ChangeBell;
  /** Resolves when Temporal answers. */
  readonly reachable: () => Promise<void>;
}

export function createCampaignSteering({ ledger, runs, clock, bell, reachable }: SteeringParts): CampaignSteering {
  const { campaigns } = ledger;

  async function known(id: CampaignId): Promise<CampaignProgress> {
    return (await campaigns.progress(id)) ?? campaignUnknown(id);
  }

  /** Through the run, so that its history shows who asked for what; itself in the ledger where there is none to ask. */
  async function grant<Answer>(
    id: CampaignId,
    update: Omit<CampaignUpdate, 'updateId'> & { readonly needsRun: (progress: CampaignProgress) => boolean },
    { key, ...wait }: Wish,
    itself: () => Promise<Answer>,
  ): Promise<Granted<Answer>> {
    const progress = await known(id);
    if (!update.needsRun(progress)) return itself();
    const updateId = campaignUpdateId(id, update.name, key);
    const answer = await runs.updateWithStart<Answer>(progress, { ...update, updateId }, wait).catch(unlessAway);
    bell.ring(id);
    return answer === 'gone' ? itself() : answer;
  }

  /** The sweeper gives a campaign without a run one. */
  async function wake(id: CampaignId): Promise<void> {
    bell.ring(id);
    await runs.tellChanged(id).catch(unlessAway);
  }

  async function stopped(id: CampaignId, { timeoutMs, signal }: Wish): Promise<Granted<CampaignAnswer>> {
    await wake(id);
    const isOver = ({ posting, judgeAfterMs = 0 }: { readonly posting: number; readonly judgeAfterMs?: number }) =>
      posting === 0 || judgeAfterMs <= clock.nowMs();
    const read = () => campaigns.underWay(id);
    const left = signal ?? new AbortController().signal;
    const underWay = await waitUntil(bell, { id, read, isDone: isOver, timeoutMs, signal: left });
    return isOver(underWay) ? { progress: await known(id), inGatewayQueue: underWay.inQueue } : 'waiting';
  }

  return {
    async start(id) {
      const before = await known(id);
      if (before.state !== 'draft') {
        if (!hasEnded(before)) await runs.goOn(before).catch(unlessAway);
        return { isReplay: true };
      }
      await reachable();
      const started = await campaigns.start(id, runs.namespace, clock.nowMs());
      // From here on it is durable: should the run not begin now, the sweeper begins it.
      await runs.goOn(started).catch(unlessAway);
      bell.ring(id);
      return { isReplay: false };
    },

    pause: (id, wish) =>
      grant(id, { name: CAMPAIGN_PAUSE_UPDATE, args: [], needsRun: isOpen }, wish, async () => {
        await campaigns.pause(id, clock.nowMs());
        return stopped(id, wish);
      }),

    resume: (id, wish) =>
      grant(id, { name: CAMPAIGN_RESUME_UPDATE, args: [], needsRun: isOpen }, wish, async () => {
        const progress = await campaigns.resume(id, clock.nowMs());
        await wake(id);
        return { progress, inGatewayQueue: (await campaigns.underWay(id)).inQueue };
      }),

    cancel: (id, wish) =>
      grant(id, { name: CAMPAIGN_CANCEL_UPDATE, args: [], needsRun: isOpen }, wish, async () => {
        await campaigns.cancel(id, 'request', clock.nowMs());
        return stopped(id, wish);
      }),

    change: (id, change, wish) => {
      // A text must not enter a history.
      const needsRun = (progress: CampaignProgress): boolean => isOpen(progress) && change.content === undefined;
      const args = [change] as const;
      return grant(id, { name: CAMPAIGN_CHANGE_UPDATE, args, needsRun }, wish, async () => {
        const progress = await campaigns.change(id, change, clock.nowMs());
        await wake(id);
        return progress;
      });
    },

    retry: (id, retry, wish) => {
      const needsRun = ({ state }: CampaignProgress): boolean => state !== 'draft';
      return grant(id, { name: CAMPAIGN_RETRY_UPDATE, args: [retry], needsRun }, wish, async () => {
        const people = await campaigns.retry(id, retry, clock.nowMs());
        await wake(id);
        return people;
      });
    },
  };
}

function hasEnded({ state }: CampaignProgress): boolean {
  return CAMPAIGN_END_STATES.includes(state);
}

function isOpen(progress: CampaignProgress): boolean {
  return progress.state !== 'draft' && !hasEnded(progress);
}

/** With Temporal away, or no worker there, nobody can be asked. */
function unlessAway(error: unknown): 'gone' {
  if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return 'gone';
  throw error;
}
