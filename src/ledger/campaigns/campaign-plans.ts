/** Campaigns that were only made for a plan of theirs, and are removed again. */
import { AppError, type CampaignId } from '../../contract/index.js';
import type { Store } from '../storage/store.js';
import { discardAudiences, removeDiscarded } from './audience-rows.js';
import { lockCampaign } from './campaign-row.js';

/** Each goes in statements of its own, and the next round takes what is left. */
const REMOVED_PER_ROUND = 100;

/**
 * Removes the campaign with all its recipients. Cut off on the way, it is finished by asking again.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was made for more than a plan)
 */
export async function removePlan(store: Store, id: CampaignId): Promise<void> {
  await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row.plan_until === null) {
      throw new AppError(
        'CAMPAIGN_FROZEN',
        `Campaign ${id} was not only made for a plan, and is kept. End it instead: everpost campaign cancel ${id}`,
      );
    }
    await tx.updateTable('campaigns').set({ audience_no: null, audience: 0 }).where('id', '=', id).execute();
    await discardAudiences(tx, id, []);
  });
  await removeDiscarded(store, id);
  // An import that began meanwhile keeps its campaign until the next round.
  await store.run((db) =>
    db
      .deleteFrom('campaigns')
      .where('id', '=', id)
      .where('plan_until', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('audiences').select('no').where('campaign_id', '=', id))),
      )
      .execute(),
  );
}

/** @returns how many were due, some of which others may have removed meanwhile */
export async function removeOldPlans(store: Store, nowMs: number): Promise<number> {
  const due = await store.run((db) =>
    db
      .selectFrom('campaigns')
      .select('id')
      .where('plan_until', '<=', new Date(nowMs))
      .orderBy('plan_until')
      .limit(REMOVED_PER_ROUND)
      .execute(),
  );
  for (const { id } of due) {
    try {
      await removePlan(store, id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_NOT_FOUND') throw error;
    }
  }
  return due.length;
}
