import type { Selectable } from 'kysely';
import { AppError, type CampaignId } from '../../contract/index.js';
import type { CampaignsTable } from '../schema.js';
import type { Db, Tx } from '../storage/store.js';

export type CampaignRow = Selectable<CampaignsTable>;

export async function readCampaign(db: Db, id: CampaignId): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function existingCampaign(db: Db, id: CampaignId): Promise<CampaignRow> {
  return (await readCampaign(db, id)) ?? campaignNotFound(id);
}

/**
 * Reads and locks the row until the transaction ends. A claim for the campaign holds a shared lock on it, so earlier
 * claims are visible and no later claim succeeds.
 * @throws AppError CAMPAIGN_NOT_FOUND
 */
export async function lockCampaign(tx: Tx, id: CampaignId): Promise<CampaignRow> {
  const row = await tx.selectFrom('campaigns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? campaignNotFound(id);
}

function campaignNotFound(id: CampaignId): never {
  throw new AppError(
    'CAMPAIGN_NOT_FOUND',
    `Campaign ${id} is not in the ledger. List campaigns: everpost campaign list`,
  );
}
