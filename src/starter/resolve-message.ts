import type { Clock, MessageId, MessageSnapshot } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { FollowCampaign } from './campaigns/follow-campaign.js';
import type { ChangeBell } from './change-bell.js';
import type { WakeInstance } from './wake-instance.js';

export type ResolveMessage = (
  id: MessageId,
  resolution: { readonly outcome: 'accepted' | 'not_accepted'; readonly witness: string },
) => Promise<MessageSnapshot>;

/**
 * Records an operator's decision on a message that is unknown or unresolved. One that was not accepted is pending again
 * and dispatched. A campaign that had ended runs again for its recipient.
 * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (too early for `not_accepted`)
 */
export function resolveMessageWith(deps: {
  ledger: Pick<Ledger, 'messages' | 'reconciling' | 'campaigns'>;
  clock: Clock;
  bell: ChangeBell;
  wake: WakeInstance;
  /** Signals the runs that wait for what has changed in the ledger. */
  signalRuns: () => void;
  followCampaign: FollowCampaign;
}): ResolveMessage {
  const { ledger, clock, bell, wake, signalRuns, followCampaign } = deps;

  return async (id, resolution) => {
    const snapshot = await ledger.reconciling.resolve(id, resolution, clock.nowMs());
    const { campaignId } = snapshot;
    if (campaignId !== undefined) void followCampaign(await ledger.campaigns.settle(campaignId, clock.nowMs()));
    bell.ring(id);
    signalRuns();
    const row = await ledger.messages.view(id, clock.nowMs());
    // What waited behind this message may be due now, whatever the decision.
    if (row !== undefined) void wake(row.instance);
    return campaignId === undefined ? snapshot : ((await ledger.messages.snapshot(id)) ?? snapshot);
  };
}
