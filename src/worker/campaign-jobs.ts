/**
 * Background jobs for campaigns. What they change in a campaign's row also completes the activity of its run.
 *
 * CAMPJOB-1 A campaign that fails for its own reason is logged, and delays no other one.
 * CAMPJOB-2 The automatic pause reads the newest outcomes of a campaign whose number of failures has risen, by whichever
 *    message ended: a rejection, a receipt, a proof. It reads them after each outcome while there are too few to decide.
 * CAMPJOB-3 Counts are shown between changes as heartbeats of the pending activity, which write no event: at most two in
 *    a round, the campaign that was read longest ago first, and only if they differ from what is shown.
 */
import {
  accountsOf,
  type CampaignId,
  type CampaignProgress,
  type InstanceDirectory,
  type Log,
} from '../contract/index.js';
import type { CampaignWaitRow, RunningCounts } from '../ledger/index.js';
import { byItself, type BackgroundJob, type JobDependencies } from './background-job.js';

interface CampaignJobDependencies extends JobDependencies {
  /** Only campaigns whose runs belong to this namespace. */
  readonly namespace: string;
}

/** Begins scheduled campaigns when their start time comes. */
export function beginCampaigns(
  { ledger, namespace, clock, log }: CampaignJobDependencies,
  wake: (instance: string) => void,
): BackgroundJob {
  const { campaigns } = ledger;
  return {
    name: 'begin campaigns',
    everyMs: 1_000,
    inEveryWorker: true,
    async round() {
      await forEachCampaign(log, await campaigns.toBegin(namespace, clock.nowMs()), async (id) => {
        const progress = await campaigns.beginScheduled(id, clock.nowMs());
        if (progress.state === 'running') for (const instance of accountsOf(progress)) wake(instance);
      });
    },
  };
}

/**
 * Takes accounts that cannot send out of their campaigns' pools, and in again; the pools' accounts send the rest. Spreads
 * messages again whose account would need much longer for them than another one.
 */
export function watchPools(
  { ledger, instances, clock, log }: CampaignJobDependencies & { readonly instances: InstanceDirectory },
  wake: (instance: string) => void,
): BackgroundJob {
  const { campaigns, dispatch } = ledger;
  return {
    name: 'watch pools',
    everyMs: 2_000,
    async round() {
      await forEachCampaign(log, await campaigns.withPools(), async (id) => {
        const changed = await campaigns.watchAccounts(id, instances.names(), clock.nowMs());
        const spread = await dispatch.spreadTail(id, clock.nowMs());
        for (const instance of new Set([...changed, ...spread])) wake(instance);
      });
    },
  };
}

/** Ends each campaign soon after its last recipient has ended, or when it is past its deadline or was cancelled. */
export function endCampaigns({ ledger, namespace, clock, log }: CampaignJobDependencies): BackgroundJob {
  const { campaigns } = ledger;
  return {
    name: 'end campaigns',
    everyMs: 2_000,
    async round() {
      const ids = await campaigns.toEnd(namespace, clock.nowMs());
      await forEachCampaign(log, ids, (id) => campaigns.endIfDone(id, clock.nowMs()));
    },
  };
}

/** Pauses campaigns with too many failures (CAMPAIGN-8), and keeps the sums of counts short. */
export function checkRunningCampaigns({ ledger, namespace, clock, log }: CampaignJobDependencies): BackgroundJob {
  const { campaigns } = ledger;
  let checked = new Map<CampaignId, Pick<RunningCounts, 'missed' | 'outcomes'> & { readonly areTooFew: boolean }>();
  const isDue = ({ id, missed, outcomes }: RunningCounts): boolean => {
    const last = checked.get(id) ?? { missed: 0, outcomes: 0, areTooFew: false };
    return missed > last.missed || (last.areTooFew && outcomes > last.outcomes);
  };
  return {
    name: 'check running campaigns',
    everyMs: 2_000,
    async round() {
      const running = await campaigns.countsOfRunning(namespace);
      const due = running.filter(isDue);
      // A retry lowers the number of failures.
      checked = new Map(
        running.map(({ id, missed, outcomes }) => [
          id,
          { missed, outcomes, areTooFew: checked.get(id)?.areTooFew ?? false },
        ]),
      );
      // One that could not be checked is checked again in the next round.
      for (const { id } of due) checked.delete(id);
      await forEachCampaign(log, due, async ({ id, missed, outcomes }) => {
        const check = await campaigns.pauseIfFailing(id, clock.nowMs());
        checked.set(id, { missed, outcomes, areTooFew: check === 'too_few' });
      });
      const many = running.filter(({ areMany }) => areMany).map(({ id }) => id);
      if (many.length > 0) await campaigns.foldCounts(many);
    },
  };
}

/** How many campaigns are read in a round: a heartbeat costs Temporal 14 ms of processor time. */
const SHOWN_AT_ONCE = 2;

/** Shows the counts of running campaigns in Temporal's Web UI (CAMPJOB-3). */
export function showCampaigns(
  { ledger, clock }: JobDependencies,
  show: (waiting: CampaignWaitRow, shown: ReturnType<typeof shownCounts>) => Promise<void>,
): BackgroundJob {
  /** What each wait shows, the one that was read longest ago first. */
  const shown = new Map<string, string>();
  return {
    name: 'show campaigns',
    everyMs: 1_000,
    async round() {
      const waits = new Map((await ledger.campaigns.waits()).map((wait) => [wait.seq, wait]));
      for (const seq of shown.keys()) if (!waits.has(seq)) shown.delete(seq);
      const fresh = [...waits.keys()].filter((seq) => !shown.has(seq));
      for (const seq of [...fresh, ...shown.keys()].slice(0, SHOWN_AT_ONCE)) {
        const wait = waits.get(seq);
        const progress = wait && (await ledger.campaigns.progress(wait.campaignId, clock.nowMs()));
        if (wait === undefined || progress === undefined) continue;
        const counts = shownCounts(progress);
        const text = JSON.stringify(counts);
        const before = shown.get(seq) ?? '';
        // Also one that cannot be shown waits for its next turn.
        shown.delete(seq);
        shown.set(seq, before);
        if (before !== text) await show(wait, counts);
        shown.set(seq, text);
      }
    },
  };
}

/** What a run shows of a campaign between its changes. */
function shownCounts({ counts, waiting }: CampaignProgress) {
  const posted = Object.fromEntries(Object.entries(counts).filter(([, recipients]) => recipients > 0));
  if (waiting === undefined) return { counts: posted };
  const { code, until } = waiting;
  return { counts: posted, waiting: { code, ...(until === undefined ? {} : { until }) } };
}

/** CAMPJOB-1. @throws an error that concerns all campaigns */
async function forEachCampaign<Item extends CampaignId | { readonly id: CampaignId }>(
  log: Log,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const idsOf = (item: Item) => ({ campaignId: typeof item === 'string' ? item : item.id });
  const acting = byItself(log, idsOf, act);
  for (const item of items) await acting(item);
}
