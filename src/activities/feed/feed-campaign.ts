/**
 * One poll of a campaign's feeding: finds out what is open, and puts as many recipients into the instance's queue as
 * there is space.
 *
 *   settle what is open → may the instance be fed? → take the turn → how deep is the queue? → claim a batch, post it,
 *   again
 *
 * It may take several rounds while the next is only seconds away. What stands in the way ends the poll and is said in
 * the campaign's row; the next poll goes on by itself.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, withPace, type CampaignId, type FeedResult } from '../../contract/index.js';
import type { ProtocolDependencies } from '../send-protocol.js';
import { createFeedRound, type FeedDependencies, type RoundResult } from './feed-round.js';
import { recordOrKeep, type Nerve, type Unrecorded } from './post-batch.js';

/** A poll goes on while its next round is so near. */
const STAY_MS = 5_000;
const FEED_FOR_MS = 15_000;
const SOONEST_POLL_MS = 100;
/** Where nothing tells that the way is free again: others use the same queue. */
const LATEST_POLL_MS = 60_000;

/**
 * @returns an activity: what the campaign is after the poll, and when it is worth polling again. Counts only.
 * The activity throws AppError CAMPAIGN_NOT_FOUND, LEDGER_UNAVAILABLE
 */
export function feedActivity(deps: ProtocolDependencies, dependencies: FeedDependencies) {
  const { ledger, clock, times } = deps;
  const feedRound = createFeedRound(deps, dependencies);
  /** Outcomes that the ledger could not take when they came; a worker that ends leaves them to the witnesses. */
  let unrecorded: Unrecorded[] = [];

  async function writeUnrecorded(): Promise<void> {
    const late = unrecorded;
    unrecorded = [];
    for (const one of late) if ((await recordOrKeep(deps, one)) === undefined) unrecorded.push(one);
  }

  async function result(id: CampaignId, last: RoundResult, fed: number, notAccepted: number): Promise<FeedResult> {
    await ledger.campaigns.setWaiting(id, last.waiting, clock.nowMs());
    const progress = withPace(await ledger.campaigns.settle(id, clock.nowMs()), clock.nowMs());
    // At the deadline who is left expires; after the expected end the run would show one that has passed.
    const untilMs = (at = ''): number => {
      const leftMs = Date.parse(at) - clock.nowMs();
      return leftMs > 0 ? leftMs : Infinity;
    };
    const latestMs = Math.min(
      last.latestPollMs ?? LATEST_POLL_MS,
      untilMs(progress.deadlineAt),
      untilMs(progress.etaAt),
    );
    const nextPollMs = Math.ceil(Math.max(SOONEST_POLL_MS, Math.min(latestMs, last.nextPollMs)));
    return { progress, fed, notAccepted, nextPollMs };
  }

  /** @param cancelled  of the activity; the worker's own end comes before it */
  return async ({ campaignId }: { readonly campaignId: CampaignId }, cancelled?: AbortSignal): Promise<FeedResult> => {
    const campaign = await ledger.campaigns.progress(campaignId);
    if (campaign === undefined) {
      throw new AppError('CAMPAIGN_NOT_FOUND', `Campaign ${campaignId} is not in the ledger. Check the id.`);
    }
    const nerve: Nerve = { atOnce: 1, unknown: 0 };
    const untilMs = performance.now() + (times.feedForMs ?? FEED_FOR_MS);
    let [fed, notAccepted] = [0, 0];
    for (;;) {
      await writeUnrecorded();
      const round = await feedRound(campaign, nerve);
      fed += round.fed;
      notAccepted += round.notAccepted;
      unrecorded.push(...round.unrecorded);
      // Whether that is the end, the ledger says.
      const isOver =
        round.isAllFed === true || round.nextPollMs > STAY_MS || performance.now() + round.nextPollMs >= untilMs;
      if (isOver || cancelled?.aborted === true || deps.stopping?.aborted === true)
        return result(campaignId, round, fed, notAccepted);
      await pause(round.nextPollMs, deps.stopping);
    }
  };
}

/** Ends early when the signal comes. */
async function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(forMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
