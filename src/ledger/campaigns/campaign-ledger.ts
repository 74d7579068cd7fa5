import type {
  CampaignDefinition,
  CampaignId,
  CampaignLimits,
  CampaignProgress,
  CampaignState,
  UpdatePace,
  ColumnFacts,
  ContentTemplate,
  LocalHours,
  EditState,
  MessageId,
  MessageState,
  VerdictCounts,
} from '../../contract/index.js';
import type { CommandView } from '../commands.js';
import type { MessageMilestones } from '../messages/message-row.js';
import type { ListFilter } from '../storage/pages.js';

export type { Recipient, RejectedLine, VerdictCounts } from '../../contract/index.js';

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

export interface AudienceView {
  /** Lines of the source with anything on them, its head not counted; the verdicts add up to it. */
  readonly lines: number;
  readonly verdicts: VerdictCounts;
  /** ISO UTC. */
  readonly importedAt: string;
}

/** Everything the ledger knows of one campaign but its recipients. */
export interface CampaignView extends CampaignProgress {
  readonly definition: CampaignDefinition;
  /** What is sent now: the definition's, unless it was changed since. */
  readonly content: ContentTemplate;
  readonly contentVersion: number;
  /** As they are now. */
  readonly sendingWindows?: LocalHours;
  readonly limits?: CampaignLimits;
  readonly createdAt: string;
  readonly cancelRequestedAt?: string;
  /** RETENTION-4. */
  readonly recipientsRemovedAt?: string;
  /** Absent before the first import ended. */
  readonly imported?: AudienceView;
  /** An import that is under way, or was cut off: the next one removes it. */
  readonly importing?: { readonly lines: number; readonly begunAt: string };
  /** The latest ones, oldest first; absent in lists. */
  readonly commands?: readonly CommandView[];
}

/**
 * One import: its lines become the campaign's audience when it is finished, all at once, in place of the former one.
 */
export interface AudienceImport {
  readonly audienceNo: string;
}

export interface FinishedImport {
  readonly audience: AudienceView;
  /** True when the campaign had this very audience already: nothing was changed. */
  readonly unchanged: boolean;
}

/** What a finished import was, all of it known when its last line was read. */
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

export interface UpdateCampaign extends UpdatePace {
  /** For every recipient who was not posted to yet, but those whose own message was edited. */
  readonly content?: ContentTemplate;
  /** Null: whenever its instance sends. */
  readonly sendingWindows?: LocalHours | null;
  /** Null: none. */
  readonly limits?: CampaignLimits | null;
}

export interface Retried {
  /** How many recipients are sent to again. */
  readonly recipients: number;
  readonly progress: CampaignProgress;
}

export interface ReportPage {
  readonly states?: readonly MessageState[];
  readonly reason?: string;
  readonly afterLine: number;
  readonly limit: number;
}

/** One recipient of the audience, as the report shows them. Times are ISO UTC. */
export interface ReportRow extends MessageMilestones {
  readonly line: number;
  readonly messageId: MessageId;
  readonly chatId: string;
  readonly state: MessageState;
  readonly reason?: string;
  /** The gateway's own words. */
  readonly reasonText?: string;
  readonly idMessage?: string;
  readonly attempts: number;
  readonly endedAt?: string;
  /** The witness of the newest evidence and what it says, e.g. `receipt delivered`. */
  readonly evidence?: string;
  /** Version of the campaign's text that was posted; `own`: a text of this message alone. */
  readonly sentVersion?: string;
  /** Version of the text that the phone is known to show, the same or another by an edit. */
  readonly shownVersion?: string;
  /** How the newest edit of the message stands; `too_late` without one when an amendment could not reach it. */
  readonly editOutcome?: EditState;
  readonly editedAt?: string;
}
