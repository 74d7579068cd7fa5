import { AppError, isCampaignId, type CampaignId, type MessageId } from '../../../contract/index.js';
import { campaignUnknown } from '../../campaigns/campaigns.js';
import type { RouteDependencies } from '../route-dependencies.js';

type Finding = Pick<RouteDependencies, 'findId'>;

/** Also by its beginning. @throws AppError MESSAGE_NOT_FOUND | ID_AMBIGUOUS */
export async function foundMessageId(given: string, { findId }: Finding): Promise<MessageId> {
  const id = await findId.message(given);
  if (id !== undefined) return id;
  throw new AppError(
    'MESSAGE_NOT_FOUND',
    'No message has this id, or an id that begins with it; a beginning has at least 4 characters. List messages: everpost message list',
  );
}

/** Also by its beginning: for what only reads. @throws AppError CAMPAIGN_NOT_FOUND | ID_AMBIGUOUS */
export async function foundCampaignId(given: string, { findId }: Finding): Promise<CampaignId> {
  return wholeCampaignId(await findId.campaign(given));
}

/** As it was given: what changes a campaign takes its whole id. @throws AppError CAMPAIGN_NOT_FOUND */
export function wholeCampaignId(given: string): CampaignId {
  return isCampaignId(given) ? given : campaignUnknown('of this id');
}
