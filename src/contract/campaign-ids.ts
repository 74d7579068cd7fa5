import type { CampaignId, MessageId } from './ids.js';
import { SHORT_ID_CHARACTERS, fromBase32, toBase32 } from './short-id.js';

const CAMPAIGN_WORKFLOW_PREFIX = 'campaign:';
const MESSAGE_ID = /^msg_([0-9a-z]{6})([0-9a-z]{10})$/;

export function campaignWorkflowId(id: CampaignId): string {
  return `${CAMPAIGN_WORKFLOW_PREFIX}${id}`;
}

/** The inverse of {@link campaignWorkflowId}. */
export function campaignIdOfWorkflow(workflowId: string): CampaignId | undefined {
  return workflowId.startsWith(CAMPAIGN_WORKFLOW_PREFIX)
    ? (workflowId.slice(CAMPAIGN_WORKFLOW_PREFIX.length) as CampaignId)
    : undefined;
}

export function isCampaignId(word: string): word is CampaignId {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(word);
}

/** Of a line in a message id: 30 bits, six characters. The rest of the id is the campaign's key. */
const LINE_CHARACTERS = 6;
export const CAMPAIGN_KEY_CHARACTERS = SHORT_ID_CHARACTERS - LINE_CHARACTERS;
/** A file of recipients has no more lines than message ids can name. */
export const LARGEST_LINE = 2 ** 30 - 1;

/**
 * The id of the message to one recipient of a campaign: the number of the recipient's line, exclusive-or a number of
 * the campaign's, and the campaign's key. So ids of one campaign differ from their first characters on, and neighbours
 * stay neighbours in an index. It has the shape of every message id, shows no phone number, and is known before the row
 * is written.
 */
export function recipientMessageId(campaignKey: string, line: number): MessageId {
  return `msg_${toBase32(line ^ recipientMask(campaignKey), LINE_CHARACTERS)}${campaignKey}` as MessageId;
}

/** What {@link recipientMessageId} was made from, if it was: whether there is such a campaign, the ledger knows. */
export function recipientOfMessageId(
  id: MessageId,
): { readonly campaignKey: string; readonly line: number } | undefined {
  const [, front = '', campaignKey = ''] = MESSAGE_ID.exec(id) ?? [];
  const masked = fromBase32(front);
  if (campaignKey === '' || masked === undefined) return undefined;
  return { campaignKey, line: masked ^ recipientMask(campaignKey) };
}

/**
 * Of the characters of the key that stand last: the first ones follow the line in the id, so the beginning holds both.
 */
export function recipientMask(campaignKey: string): number {
  return fromBase32(campaignKey.slice(-LINE_CHARACTERS)) ?? 0;
}
