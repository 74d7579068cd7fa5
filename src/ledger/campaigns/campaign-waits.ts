/** Activities of runs that wait until a campaign changes (AWAIT-1 to AWAIT-3), and what they show meanwhile. */
import { sql } from 'kysely';
import type { CampaignId } from '../../contract/index.js';
import { recordWait, type WaitingActivity } from '../messages/outbox.js';
import type { Store } from '../storage/store.js';
import { existingCampaign, hasEnded } from './campaign-row.js';

interface ChangeWait {
  readonly campaignId: CampaignId;
  /** The version that the run shows. */
  readonly shown: number;
  readonly activity: WaitingActivity;
  readonly nowMs: number;
}

/** An activity that waits for the campaign's next change. */
export interface CampaignWaitRow extends WaitingActivity {
  /** Differs for each wait. */
  readonly seq: string;
  readonly campaignId: CampaignId;
}

/**
 * AWAIT-1. Any other version ends the wait: after a restore of the ledger it may be lower. A campaign that has ended
 * waits for nothing.
 * @returns false if the wait is over already; true: its completion will come
 * @throws AppError CAMPAIGN_NOT_FOUND
 */
export function awaitChange(store: Store, wait: ChangeWait): Promise<boolean> {
  const { campaignId, shown } = wait;
  return store.transaction(async (tx) => {
    await sql`/* lock_awaited_campaign */
      select from campaigns where id = ${campaignId} for share`.execute(tx);
    const row = await existingCampaign(tx, campaignId);
    if (row.version !== shown || hasEnded(row)) return false;
    await recordWait(tx, wait);
    return true;
  });
}
