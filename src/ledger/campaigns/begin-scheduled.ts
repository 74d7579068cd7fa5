import { DEFAULT_MISSED_START, type CampaignId } from '../../contract/index.js';
import type { Store } from '../store.js';
import { cancelCampaign } from './cancel-campaign.js';
import { lockCampaign } from './campaign-row.js';
import { changeCampaign } from './change-campaign.js';
import { begun, isMissed } from './scheduled-start.js';

/** See {@link CampaignLifeLedger.beginScheduled}. Called again after an interruption it continues. */
export async function beginScheduled(store: Store, id: CampaignId, nowMs: number): Promise<void> {
  const isSkipped = await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row.state !== 'scheduled' || row.start_at === null || row.start_at.getTime() > nowMs) return false;
    const { missedStart = DEFAULT_MISSED_START } = row.definition;
    const missed = isMissed(row, nowMs) ? { start_missed_at: row.start_missed_at ?? new Date(nowMs) } : undefined;
    if (missed === undefined || missedStart === 'run') {
      await changeCampaign(tx, id, { ...begun(row, nowMs), ...missed });
      return false;
    }
    await changeCampaign(tx, id, {
      ...missed,
      ...(missedStart === 'hold' ? { state: 'paused' as const, paused_at: new Date(nowMs) } : {}),
    });
    return missedStart === 'skip';
  });
  if (isSkipped) await cancelCampaign(store, id, 'missed start', nowMs);
}
