import type { CampaignId } from '../../../contract/index.js';
import { type CampaignChange, type CampaignCommand, campaignEntry } from '../../../domain/index.js';
import { beginCommand, type AskedCommand, type CommandKind } from '../../commands.js';
import type { Tx } from '../../storage/store.js';
import { type CampaignRow, lockCampaign, permitted } from '../campaign-row.js';

export interface BegunSteering {
  readonly row: CampaignRow;
  /** `same`: it changes nothing, or took effect before. */
  readonly entry: CampaignChange | 'same' | 'ignored';
}

/**
 * Locks the campaign's row, and lets an operator's command take effect in this transaction if the campaign's state
 * allows it.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED | COMMAND_SUPERSEDED |
 *   IDEMPOTENCY_MISMATCH
 */
export async function beginSteering(
  tx: Tx,
  id: CampaignId,
  command: CampaignCommand & CommandKind,
  asked: AskedCommand | undefined,
  nowMs: number,
): Promise<BegunSteering> {
  const row = await lockCampaign(tx, id);
  const isAlreadySo = campaignEntry(command, row.state) === 'same';
  const { isNew } = await beginCommand(tx, row, command, asked, { isAlreadySo, nowMs });
  return { row, entry: isNew ? permitted(row, command) : 'same' };
}
