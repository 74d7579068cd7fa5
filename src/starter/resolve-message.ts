import type { CampaignId, Clock, MessageId, MessageSnapshot } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { CampaignRuns } from './campaigns/campaign-runs.js';
import type { MessageRuns } from './message-runs.js';

export type ResolveMessage = (id: MessageId, outcome: 'accepted' | 'not_accepted') => Promise<MessageSnapshot>;

/**
 * Takes an operator's decision for a message that is unknown or unresolved, and tells its run, so that one that was not
 * sent is posted again. Where its run has ended, a new one goes on from the row. A campaign's recipients are posted to
 * by the campaign, which runs again for it, should it have ended.
 * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (too early for `not_accepted`)
 *   | TEMPORAL_UNAVAILABLE (the word is taken; give it again, so that the run hears of it)
 */
export function resolveMessageWith(deps: {
  ledger: Ledger;
  runs: MessageRuns;
  campaignRuns: Pick<CampaignRuns, 'continueRun' | 'notifyChanged'>;
  clock: Clock;
}): ResolveMessage {
  const { ledger, runs, campaignRuns, clock } = deps;

  return async (id, outcome) => {
    const snapshot = await ledger.reconciling.resolve(id, outcome, clock.nowMs());
    if (snapshot.campaignId !== undefined) {
      await continueCampaign(snapshot.campaignId);
      return (await ledger.messages.snapshot(id)) ?? snapshot;
    }
    const run = await runs.find(snapshot);
    if (run?.isRunning === true) await runs.notifyChanged(snapshot);
    else if (snapshot.state === 'pending') await continueRun(id);
    return snapshot;
  };

  async function continueCampaign(id: CampaignId): Promise<void> {
    const progress = await ledger.campaigns.settle(id, clock.nowMs());
    if (progress.endedAt !== undefined) return;
    await campaignRuns.continueRun(progress);
    await campaignRuns.notifyChanged(id);
  }

  async function continueRun(id: MessageId): Promise<void> {
    const row = await ledger.messages.view(id);
    if (row !== undefined) await runs.continueRun({ id, instance: row.instance, kind: row.content.kind });
  }
}
