/**
 * Opens the edits of a campaign's amendments, which the dispatcher posts, and waits until all have ended.
 *
 * AMENDRUN-1 The activity has no state and reads what is left from the ledger, so two activities at once do no harm.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { accountsOf, type AmendInput } from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { existingCampaign } from './campaign-activities.js';
import { workerStopping } from './failures.js';

type AmendDependencies = Pick<ActivityDependencies, 'ledger' | 'clock' | 'wake'> & {
  /** @default 1,000 */
  readonly pollMs?: number;
};

const POLL_MS = 1_000;

export function amendCampaignActivity({ ledger, clock, wake, pollMs = POLL_MS }: AmendDependencies) {
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
