import type { MessageId, MessageSnapshot } from '../contract/index.js';
import type { RouteDependencies } from './http/route-dependencies.js';

/**
 * Records an operator's decision on a message that is unknown or unresolved. One that was not accepted is pending again
 * and dispatched. A campaign that had ended runs again for its recipient.
 * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (too early for `not_accepted`)
 */
export async function resolveMessage(
  { ledger, clock, bell, wake, signalRuns, followCampaign }: RouteDependencies,
  id: MessageId,
  resolution: { readonly outcome: 'accepted' | 'not_accepted'; readonly witness: string },
): Promise<MessageSnapshot> {
  const snapshot = await ledger.reconciling.resolve(id, resolution, clock.nowMs());
  const { campaignId } = snapshot;
  if (campaignId !== undefined) void followCampaign(await ledger.campaigns.settle(campaignId, clock.nowMs()));
  bell.ring(id);
  signalRuns();
  const row = await ledger.messages.view(id, clock.nowMs());
  // What waited behind this message may be due now, whatever the decision.
  if (row !== undefined) void wake(row.instance);
  return campaignId === undefined ? snapshot : ((await ledger.messages.snapshot(id)) ?? snapshot);
}
