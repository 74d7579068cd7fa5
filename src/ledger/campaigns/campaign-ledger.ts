import type {
  CampaignDefinition,
  CampaignId,
  CampaignProgress,
  CampaignState,
  ColumnFacts,
  VerdictCounts,
} from '../../contract/index.js';
import type { audienceSchema, Shape } from '../../contract/schemas.js';
import type { ListFilter } from '../storage/pages.js';

export type { CampaignView, Recipient, RejectedLine, UpdateCampaign, VerdictCounts } from '../../contract/index.js';
export type { ReportPage, ReportRow } from './campaign-report.js';

export interface OpenCampaign {
  readonly id: CampaignId;
  readonly requestHash: string;
  readonly definition: CampaignDefinition;
  readonly nowMs: number;
  /** Only made for a plan: it cannot be started, is in no list, and is removed at the latest then. */
  readonly planUntilMs?: number;
}

export interface CampaignFilter extends ListFilter {
  readonly state?: CampaignState;
}

export type AudienceView = Shape<typeof audienceSchema>;

/**
 * One import: its lines become the campaign's audience when it is finished, all at once, in place of the former one.
 */
export interface AudienceImport {
  readonly audienceNo: string;
}

export interface FinishedImport {
  readonly audience: AudienceView;
  /** True when the campaign had the same audience already, and nothing was changed. */
  readonly unchanged: boolean;
}

/** A finished import, as known after its last line. */
export interface ImportedSource {
  /** Hash of all recipients and rejected lines: an import with the same result changes nothing. */
  readonly hash: string;
  readonly lines: number;
  readonly verdicts: VerdictCounts;
  /** By the names of columns. */
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

export interface MissingValue {
  readonly variable: string;
  /** How many recipients lack it. */
  readonly recipients: number;
  readonly firstLine: number;
}

export interface Retried {
  /** How many recipients are sent to again. */
  readonly recipients: number;
  readonly progress: CampaignProgress;
}
