import type { CampaignId } from './ids.js';
import type { amendCampaignSchema, amendmentPlanSchema, amendmentSchema, Shape } from './schemas.js';

/** The activity that posts the edits of a campaign's amendments. */
export const AMEND_ACTIVITY = 'amendCampaign';

export function amendActivityId(id: CampaignId): string {
  return `amend:${id}`;
}

export interface AmendInput {
  readonly campaignId: CampaignId;
}

/** Edits of an instance a second, unless its `rateLimits` say otherwise. */
export const EDITS_PER_SECOND = 1;

/** What is asked for: a whole new text with variables, also for those who have an older one. */
export type AmendRequest = Shape<typeof amendCampaignSchema>;

/** What an amendment could do now for each recipient. All but `reachable` and `seconds` add up to the audience. */
export type AmendmentPlan = Shape<typeof amendmentPlanSchema>;

/** An amendment of a campaign. A campaign has one at most for each version of its text. */
export type Amendment = Shape<typeof amendmentSchema>;

/** What the recipients saw. They add up to the audience. */
export type AmendmentCounts = Amendment['counts'];
