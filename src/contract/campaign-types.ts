/** Types of campaigns that follow from the schemas of the edges. */
import type { ContentTemplate } from './campaign.js';
import type { CampaignId } from './ids.js';
import type { Priority } from './message.js';
import type {
  campaignDefinitionSchema,
  campaignResponseSchema,
  campaignViewFields,
  paceFields,
  progressFields,
  retriedSchema,
  retryCampaignSchema,
  Shape,
  ShapeOf,
  updateCampaignSchema,
  waitingSchema,
} from './schemas.js';

/** A campaign as its author asks for it, before any recipient was imported. Times are ISO UTC. */
export type CampaignDefinition = Shape<typeof campaignDefinitionSchema> & { readonly content: ContentTemplate };

/** Why nothing of a campaign that was started is sent at the moment. Its code is a stable word; its text has no personal data. */
export type CampaignWaiting = Shape<typeof waitingSchema>;

export type CampaignProgress = ShapeOf<typeof progressFields> & {
  readonly id: CampaignId;
  readonly priority: Priority;
};
/** Everything the ledger knows of one campaign but its recipients. */
export type CampaignView = CampaignProgress &
  ShapeOf<typeof campaignViewFields> & {
    readonly definition: CampaignDefinition;
    readonly content: ContentTemplate;
  };

export type CampaignPace = ShapeOf<typeof paceFields>;
export type PacedProgress<Progress extends CampaignProgress = CampaignProgress> = Progress & CampaignPace;

/** Input of the workflow `campaign`: which one. Everything else is the row's. */
export interface CampaignInput {
  readonly campaignId: CampaignId;
  /** How it stood when the run began; everpost itself gives it. @default read from the row */
  readonly progress?: CampaignProgress;
}

/** How a campaign stands, and how long until it is worth looking again. */
export interface FollowedCampaign {
  readonly progress: CampaignProgress;
  readonly nextPollMs: number;
}

export type RetryRequest = Shape<typeof retryCampaignSchema>;

/** Response of the update `retry`. */
export type RetriedRecipients = Shape<typeof retriedSchema> & { readonly progress: PacedProgress };

/** Input of the update `change`. A new text goes by the HTTP API: texts never enter Temporal. */
export type UpdatePace = Pick<UpdateCampaign, 'name' | 'startAt' | 'highWater' | 'deadline'>;

/** `content`: for every recipient who was not posted to yet, but those whose own message was edited. */
export type UpdateCampaign = Shape<typeof updateCampaignSchema> & { readonly content?: ContentTemplate };

/** Response of the updates `pause`, `resume` and `cancel`, given when it is true. */
export type CampaignResponse = Shape<typeof campaignResponseSchema> & { readonly progress: PacedProgress };
