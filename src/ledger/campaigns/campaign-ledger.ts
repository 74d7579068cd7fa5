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
  /** Exists only for a plan: it cannot be started, is not listed, and is removed by this time. */
  readonly planUntilMs?: number;
}

export interface CampaignFilter extends ListFilter {
  readonly state?: CampaignState;
}

export type AudienceView = Shape<typeof audienceSchema>;

/** One import. When it is finished, its lines replace the campaign's former audience at once. */
export interface AudienceImport {
  readonly audienceNo: string;
}

export interface FinishedImport {
  readonly audience: AudienceView;
  /** True if the campaign already had the same audience; nothing was changed. */
  readonly unchanged: boolean;
}

/** A finished import, as known after its last line. */
export interface ImportedSource {
  /** Hash of all recipients and rejected lines; an import with the same hash changes nothing. */
  readonly hash: string;
  readonly lines: number;
  readonly verdicts: VerdictCounts;
  /** By column name. */
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

export interface MissingValue {
  readonly variable: string;
  /** How many recipients have no value. */
  readonly recipients: number;
  readonly firstLine: number;
}

export interface Retried {
  /** How many recipients are retried. */
  readonly recipients: number;
  readonly progress: CampaignProgress;
}
