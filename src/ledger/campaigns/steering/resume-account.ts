import type { AppError, CampaignId } from '../../../contract/index.js';
import { inputInvalid } from '../../../domain/index.js';
import { beginCommand, type AskedCommand } from '../../commands.js';
import type { Tx } from '../../storage/store.js';
import { accountRows, listed, takeIn } from '../campaign-accounts.js';
import { changeCampaign, lockCampaign, permitted } from '../campaign-row.js';
import { beginCampaign } from './begin-campaign.js';

/** See `CampaignLife.resumeAccount`. An account that is in stays so. */
export async function resumeAccount(
  tx: Tx,
  id: CampaignId,
  instance: string,
  nowMs: number,
  asked: AskedCommand | undefined,
): Promise<void> {
  const row = await lockCampaign(tx, id);
  const accounts = await accountRows(tx, id);
  if (!listed(accounts).includes(instance)) throw noSuchAccount(id, instance, listed(accounts));
  const isIn = accounts.some((account) => account.instance === instance && account.out_at === null);
  const isAlreadySo = isIn && row.state === 'running';
  const { isNew } = await beginCommand(tx, row, 'resume', asked, { isAlreadySo, nowMs });
  if (!isNew) return;
  const entry = permitted(row, 'resume');
  await takeIn(tx, id, { instance, why: ['too_many_failures'], nowMs });
  if (typeof entry === 'object')
    await beginCampaign(tx, row, { by: 'again', nowMs }, { paused_at: null, pause_text: null });
  else await changeCampaign(tx, id, {});
}

function noSuchAccount(id: CampaignId, instance: string, known: readonly string[]): AppError {
  const message = `is ${instance}, which is no account of the campaign. Its accounts: ${known.join(', ')}`;
  return inputInvalid(`The resume of campaign ${id}`, [{ path: 'instance', message }]);
}
