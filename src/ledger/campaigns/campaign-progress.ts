/** Reading a campaign's row, and what it says to operators and workflows. */
import type { Selectable } from 'kysely';
import { AppError, type CampaignId, type CampaignProgress, type Priority, present } from '../../contract/index.js';
import { iso } from '../iso.js';
import type { CampaignsTable } from '../schema.js';
import type { Db, Tx } from '../store.js';
import { countedTally } from '../dispatch/campaign-counts.js';
import { dispatcherView } from '../dispatch/served.js';
import type { Tally } from './campaign-tally.js';
import { whyWaiting } from './why-waiting.js';

export type CampaignRow = Selectable<CampaignsTable>;

export async function readCampaign(db: Db, id: CampaignId): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function existingCampaign(db: Db, id: CampaignId): Promise<CampaignRow> {
  return (await readCampaign(db, id)) ?? campaignNotFound(id);
}

/**
 * The row, kept from changing until the transaction ends. A claim for the campaign holds the same row shared, so what
 * was claimed before is visible, and nothing is claimed after.
 * @throws AppError CAMPAIGN_NOT_FOUND
 */
export async function lockCampaign(tx: Tx, id: CampaignId): Promise<CampaignRow> {
  const row = await tx.selectFrom('campaigns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? campaignNotFound(id);
}

function campaignNotFound(id: CampaignId): never {
  throw new AppError('CAMPAIGN_NOT_FOUND', `Campaign ${id} is not in the ledger. Check the id: everpost campaign list`);
}

/** @param tally  of this very row, where it was added up just now */
export async function progressOf(db: Db, row: CampaignRow, nowMs: number, tally?: Tally): Promise<CampaignProgress> {
  const counted = tally ?? (await countedTally(db, row));
  const { depth, depthReadAt, releaseIntervalMs } = await dispatcherView(db, row.instance);
  return {
    id: row.id,
    version: row.version,
    commandSequence: Number(row.command_asked),
    instance: row.instance,
    state: row.state,
    priority: row.priority as Priority,
    audience: row.audience,
    counts: counted.counts,
    highWater: row.high_water,
    ...present({
      name: row.name,
      depth,
      queueReadAt: depthReadAt,
      releaseIntervalMs,
      startAt: iso(row.start_at),
      startMissedAt: iso(row.start_missed_at),
      startedAt: iso(row.started_at),
      endedAt: iso(row.ended_at),
      deadlineAt: iso(row.deadline_at),
      waiting: await whyWaiting(db, row, counted, nowMs),
    }),
  };
}
