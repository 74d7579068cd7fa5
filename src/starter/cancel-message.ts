import { AppError, type CancelResult, type Clock, type MessageId } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { CampaignRuns } from './campaigns/campaign-runs.js';
import { messageUnknown } from './everpost.js';
import type { MessageRuns } from './message-runs.js';

export type CancelMessage = (id: MessageId) => Promise<CancelResult>;

/**
 * Cancels through the message's run, which also ends its waiting. Where no run answers, because it has ended or no
 * worker is there, the row is enough: being cancelled is a condition of every claim. A campaign's recipients have no
 * run that sends.
 * @throws AppError MESSAGE_NOT_FOUND, TEMPORAL_UNAVAILABLE (only while there is no row either)
 */
export function cancelMessageWith(deps: {
  ledger: Ledger;
  runs: MessageRuns;
  campaignRuns: Pick<CampaignRuns, 'notifyChanged'>;
  clock: Clock;
}): CancelMessage {
  const { ledger, runs, campaignRuns, clock } = deps;

  return async (id) => {
    const known = await ledger.messages.snapshot(id);
    const campaignId = known?.campaignId;
    if (campaignId !== undefined) {
      const { state } = await ledger.messages.cancel(id, 'request', clock.nowMs());
      // It may have been the last one. Without word of it the campaign's run looks by itself.
      await campaignRuns.notifyChanged(campaignId).catch(unlessAway);
      return { cancelled: state === 'cancelled', state };
    }
    const outcome = await runs.cancel(known ?? { id }).catch(unlessAway);
    if (outcome !== 'gone' && !(outcome instanceof AppError)) return outcome;
    if ((await ledger.messages.snapshot(id)) === undefined) {
      throw outcome === 'gone' ? messageUnknown(id) : outcome;
    }
    const { state } = await ledger.messages.cancel(id, 'request', clock.nowMs());
    return { cancelled: state === 'cancelled', state };
  };
}

function unlessAway(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return error;
  throw error;
}
