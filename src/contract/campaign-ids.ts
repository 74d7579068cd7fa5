import type { CampaignId } from './campaign.js';
import type { MessageId } from './message.js';

const CAMPAIGN_WORKFLOW_PREFIX = 'campaign:';

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

/**
 * The id of the message to one person of a campaign: a campaign's key, which is 32 hex digits, and the number of the
 * person's line. It has the shape of every message id, shows no phone number, and is known before the row is written.
 */
export function recipientMessageId(campaignKey: string, line: number): MessageId {
  return `msg_${campaignKey}${line.toString(16).padStart(8, '0')}` as MessageId;
}

/** What {@link recipientMessageId} was made from, if it was: whether there is such a campaign, the ledger knows. */
export function recipientOfMessageId(id: MessageId): { readonly campaignKey: string; readonly line: number } {
  return { campaignKey: id.slice(4, 36), line: Number.parseInt(id.slice(36), 16) };
}
