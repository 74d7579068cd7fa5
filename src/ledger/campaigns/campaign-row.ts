/** Reads and changes a campaign's row, and refuses what its state does not allow. */
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import {
  AppError,
  type CampaignId,
  CAMPAIGN_END_STATES,
  CAMPAIGN_STATES,
  campaignUnknown,
} from '../../contract/index.js';
import { type CampaignChange, type CampaignCommand, campaignEntry, inputInvalid } from '../../domain/index.js';
import { mayBeSent } from '../messages/may-be-sent.js';
import type { CampaignsTable } from '../storage/schema.js';
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
  throw campaignUnknown(id);
}

/** Changes a campaign's row, which is locked, and increases its version. */
export async function changeCampaign(tx: Tx, id: CampaignId, change: Updateable<CampaignsTable>): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set((is) => ({ ...change, version: is('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** States of a campaign that was started and has not ended. */
export const UNDER_WAY = CAMPAIGN_STATES.filter((state) => state !== 'draft' && !CAMPAIGN_END_STATES.includes(state));

export function hasEnded({ state }: Pick<CampaignRow, 'state'>): boolean {
  return CAMPAIGN_END_STATES.includes(state);
}

/** True if nothing may be posted any more: the campaign was cancelled, or its deadline has passed. */
export function isOver(row: Pick<CampaignRow, 'cancel_requested_at' | 'deadline_at'>, nowMs: number): boolean {
  return row.cancel_requested_at !== null || (row.deadline_at !== null && row.deadline_at.getTime() <= nowMs);
}

/** A retry may send it while it has recipients who did not get it. */
export function campaignMaySend(campaign: string): RawBuilder<boolean> {
  const c = sql.table(campaign);
  return sql`(${c}.recipients_removed_at is null and (${c}.state <> 'completed' or exists (
    select from messages m where m.campaign_id = ${c}.id and ${mayBeSent('m')})))`;
}

/** CAMPLIFE-1. @throws AppError CAMPAIGN_NOT_STARTED | CAMPAIGN_FROZEN | CAMPAIGN_ENDED | INPUT_INVALID */
export function permitted(row: CampaignRow, command: CampaignCommand): CampaignChange | 'same' | 'ignored' {
  const { id, state } = row;
  const entry = campaignEntry(command, state);
  if (typeof entry !== 'object' || !('refused' in entry)) return entry;
  const is = state === 'cancelling' ? 'is being cancelled' : hasEnded(row) ? `has ended: ${state}` : `is ${state}`;
  switch (entry.refused) {
    case 'CAMPAIGN_NOT_STARTED':
      throw new AppError(entry.refused, `Campaign ${id} was not started. Start it: everpost campaign start ${id}`);
    case 'CAMPAIGN_FROZEN':
      throw frozen(
        `Campaign ${id} ${is}, so its definition and its audience cannot change. Create a new campaign; or change what it sends: everpost campaign update ${id}`,
      );
    case 'INPUT_INVALID':
      throw inputInvalid(`The change of campaign ${id}`, [
        { path: 'startAt', message: `cannot change: the campaign ${is}` },
      ]);
    case 'CAMPAIGN_ENDED':
      throw new AppError(entry.refused, `Campaign ${id} ${is}. Retry its recipients: everpost campaign retry ${id}`);
  }
}

export function frozen(message: string): AppError {
  return new AppError('CAMPAIGN_FROZEN', message);
}

/** RETENTION-4. @throws AppError CAMPAIGN_RECIPIENTS_REMOVED */
export function refuseWithoutRecipients({
  id,
  recipients_removed_at,
}: Pick<CampaignRow, 'id' | 'recipients_removed_at'>): void {
  if (recipients_removed_at === null) return;
  throw new AppError(
    'CAMPAIGN_RECIPIENTS_REMOVED',
    `The recipients and messages of campaign ${id} were removed on ${recipients_removed_at.toISOString().slice(0, 10)}, because it ended longer ago than EVERPOST_MESSAGE_RETENTION. Its totals remain: everpost campaign show ${id}`,
  );
}

/** @throws AppError INPUT_INVALID if the deadline leaves no time */
export function refusePastDeadline(id: CampaignId, deadline: Date | null, nowMs: number): void {
  if (deadline === null || deadline.getTime() > nowMs) return;
  throw inputInvalid(`The deadline of campaign ${id}`, [
    { path: 'deadline', message: 'has passed, so no recipient would be posted to. Give a new deadline' },
  ]);
}
