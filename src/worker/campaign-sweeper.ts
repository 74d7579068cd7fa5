import type { CampaignId, CampaignProgress, CampaignState, Clock, LastRun } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** The runs of campaigns, as far as sweeping needs them. */
export interface CampaignDrivers {
  /** The status of the last run, and the campaign's state that the run has. */
  lastRun(id: CampaignId): Promise<{ readonly run: LastRun; readonly knownState?: string }>;
  /** Starts a run that continues from the row, also after one that has ended; does nothing while one is open. */
  continueRun(progress: CampaignProgress): Promise<void>;
  /** An open run reads the ledger now. */
  notifyChanged(id: CampaignId): Promise<void>;
}

export interface CampaignSweeperDependencies {
  readonly campaigns: Pick<Ledger['campaigns'], 'unfinished' | 'cancel' | 'progress'>;
  readonly drivers: CampaignDrivers;
  /** Only campaigns whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;

/**
 * Ensures that every campaign that has not ended has a run: Temporal may have been restored from a backup or lost. A run
 * that an operator terminated cancels its campaign; while outcomes of posted messages are unknown, it still has a run.
 * A run that missed a pause or a resume, since Temporal was away then, is notified.
 */
export function campaignSweeper({
  campaigns,
  drivers,
  namespace,
  clock,
  log,
}: CampaignSweeperDependencies): BackgroundJob {
  async function sweep(id: CampaignId, state: CampaignState): Promise<void> {
    const { run: last, knownState } = await drivers.lastRun(id);
    if (last === 'running') return knownState === state ? undefined : drivers.notifyChanged(id);
    if (last === 'terminated' || last === 'cancelled') {
      await campaigns.cancel(id, `workflow ${last}`, clock.nowMs());
      log({ level: 'info', message: 'a campaign was cancelled with its run', campaign: id, run: last });
    }
    const progress = await campaigns.progress(id, clock.nowMs());
    if (progress === undefined) return;
    await drivers.continueRun(progress);
    log({ level: 'warn', message: 'a campaign without a run has one again', campaign: id, run: last });
  }

  return {
    name: 'sweep campaigns',
    everyMs: EVERY_MS,
    async round() {
      for (const { id, state } of await campaigns.unfinished(namespace)) await sweep(id, state);
    },
  };
}
