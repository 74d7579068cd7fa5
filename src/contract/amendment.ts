import type { CampaignId } from './ids.js';

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

/** What is asked for: a text for all recipients, also for those who have an older one. */
export interface AmendRequest {
  /** The whole new text, with variables. */
  readonly text: string;
  /** Cancels the recipients who were not posted to. @default false */
  readonly stop?: boolean;
}

/** What an amendment could do now for each recipient. All but `reachable` and `seconds` add up to the audience. */
export interface AmendmentPlan {
  readonly audience: number;
  /** Sent with an older text less than 15 minutes ago. */
  readonly editable: number;
  /** Of these, as many as can be edited before their 15 minutes are over. */
  readonly reachable: number;
  /** Posted and not sent yet: edited as soon as they are sent. */
  readonly underWay: number;
  /** Sent with an older text more than 15 minutes ago. */
  readonly tooLate: number;
  /** Not posted: get the new text, or are cancelled. */
  readonly unsent: number;
  /** Posted with this text already. */
  readonly newText: number;
  /** Their own message was edited by itself, which an amendment leaves as it is. */
  readonly ownText: number;
  /** Ended without being sent. */
  readonly notSent: number;
  /** It could not be determined whether they were sent anything. */
  readonly unresolved: number;
  /** How long the reachable edits take. */
  readonly seconds: number;
}

/** What the recipients saw. They add up to the audience. */
export interface AmendmentCounts {
  /** Saw an older text, which now shows as the new one. */
  readonly edited: number;
  /** An edit is still to be made or to be confirmed. */
  readonly pending: number;
  /** Saw an older text; the edit was posted, and no sign of success or refusal came. */
  readonly unconfirmed: number;
  /** Saw an older text; the gateway refused the edit. */
  readonly refused: number;
  /** Saw an older text; the 15 minutes were over. */
  readonly tooLate: number;
  /** Accepted by the gateway with an older text, and never seen sent. */
  readonly notPossible: number;
  /** A newer amendment took the place of the edit. */
  readonly superseded: number;
  /** Only the new text was posted. */
  readonly newText: number;
  readonly unsent: number;
  readonly ownText: number;
  readonly notSent: number;
  readonly unresolved: number;
}

/** An amendment of a campaign. A campaign has one at most for each version of its text. */
export interface Amendment {
  /** Of the campaign's text: `shownVersion` of the report names it. */
  readonly contentVersion: number;
  readonly text: string;
  readonly textBefore: string;
  readonly stop: boolean;
  /** `replaced`: a newer amendment has taken its place. */
  readonly state: 'running' | 'ended' | 'replaced';
  readonly begunAt: string;
  readonly endedAt?: string;
  readonly before: AmendmentPlan;
  readonly counts: AmendmentCounts;
}
