import type {
  CampaignDefinition,
  CampaignId,
  CampaignLimits,
  CampaignProgress,
  CampaignState,
  CampaignWaiting,
  UpdatePace,
  ColumnFacts,
  ContentTemplate,
  LocalHours,
  EditState,
  MessageId,
  MessageState,
  Recipient,
  RejectedLine,
  RetryRequest,
  VerdictCounts,
} from '../../contract/index.js';
import type { AskedCommand, CommandKind, CommandView } from '../commands.js';
import type { MessageMilestones } from '../message-types.js';

export type { Recipient, RejectedLine, VerdictCounts } from '../../contract/index.js';

// ── definition and audience ─────────────────────────────────────────────────────────────────────────────────────────────

export interface OpenCampaign {
  readonly id: CampaignId;
  readonly requestHash: string;
  readonly definition: CampaignDefinition;
  readonly nowMs: number;
  /** Only made for a plan: it cannot be started, is in no list, and is removed at the latest then. */
  readonly planUntilMs?: number;
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

/** Definitions and audiences. Methods throw AppError LEDGER_UNAVAILABLE as all of the ledger's do. */
export interface AudienceLedger {
  /**
   * Writes the campaign unless it exists, as a draft.
   * @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash
   */
  open(input: OpenCampaign): Promise<{ readonly campaign: CampaignView; readonly isNew: boolean }>;
  /**
   * Writes the campaign, or gives a draft this definition in place of its own. Its audience stays, unless the verdicts
   * may be others now: with another instance or another default country it has to be imported again.
   * @throws AppError CAMPAIGN_FROZEN when it was started with another definition
   */
  define(input: OpenCampaign): Promise<{ readonly campaign: CampaignView; readonly isNew: boolean }>;
  view(id: CampaignId, nowMs: number): Promise<CampaignView | undefined>;
  /** Newest first, without those that were only made for a plan. */
  list(
    filter: {
      readonly instance?: string;
      /** Only of these. */
      readonly instances?: readonly string[];
      readonly state?: CampaignState;
      readonly cursor?: string;
      readonly limit?: number;
    },
    nowMs: number,
  ): Promise<{ readonly items: CampaignView[]; readonly cursor?: string }>;
  /**
   * Begins an import; what an earlier, unfinished one left is removed, and one still under way ends with
   * IMPORT_SUPERSEDED.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was started)
   */
  beginImport(id: CampaignId, nowMs: number): Promise<AudienceImport>;
  /**
   * Adds lines, in the order of the source. Of recipients with the same chat the first stays; the others become
   * `duplicate`.
   * @returns the lines of the duplicates
   * @throws AppError IMPORT_SUPERSEDED
   */
  addLines(
    audience: AudienceImport,
    recipients: readonly Recipient[],
    rejects: readonly RejectedLine[],
  ): Promise<{ readonly duplicates: readonly number[] }>;
  /**
   * The import becomes the audience, in one transaction; what it takes the place of is removed.
   * @throws AppError CAMPAIGN_FROZEN when the campaign was started meanwhile | IMPORT_SUPERSEDED
   */
  finishImport(
    id: CampaignId,
    audience: AudienceImport,
    source: ImportedSource,
    nowMs: number,
  ): Promise<FinishedImport>;
  /** Removes an import that will not be finished. */
  abandonImport(audience: AudienceImport): Promise<void>;
  /**
   * Removes a campaign that was only made for a plan, with its recipients.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was made for more)
   */
  removePlan(id: CampaignId): Promise<void>;
  /** Removes those whose time is over. @returns how many */
  removeOldPlans(nowMs: number): Promise<number>;
  /** Recipients of the audience by line, from after `afterLine`. @throws AppError CAMPAIGN_NOT_FOUND */
  recipients(id: CampaignId, afterLine: number, limit: number): Promise<Recipient[]>;
  /** @throws AppError CAMPAIGN_NOT_FOUND */
  rejects(id: CampaignId, afterLine: number, limit: number): Promise<RejectedLine[]>;
  /** Those of these variables for which a recipient has no value. @throws AppError CAMPAIGN_NOT_FOUND */
  missingValues(id: CampaignId, variables: readonly string[]): Promise<readonly MissingValue[]>;
}

// ── life ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface UpdateCampaign extends UpdatePace {
  /** For every recipient who was not posted to yet, but those whose own message was edited. */
  readonly content?: ContentTemplate;
  /** Null: whenever its instance sends. */
  readonly sendingWindows?: LocalHours | null;
  /** Null: none. */
  readonly limits?: CampaignLimits | null;
}

/**
 * What becomes of a campaign as a whole. Each may be called again: what is already so is returned as it is. A command
 * that names itself (`asked`) takes effect once and never after a later one; without a name it is asked for now.
 * @throws AppError COMMAND_SUPERSEDED
 */
export interface CampaignLifeLedger {
  /** @param nowMs  for what it waits for. @default by this process's clock, as in the views */
  progress(id: CampaignId, nowMs: number): Promise<CampaignProgress | undefined>;
  /** As {@link progress}, but counts no recipient. */
  state(id: CampaignId): Promise<CampaignState | undefined>;
  /**
   * Draft → running, or scheduled where its start time is to come, once, ever: the audience is frozen. One that was
   * started before is returned as it is.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE (a variable is missing; with problems) |
   *   INPUT_INVALID (its start time or its deadline has passed)
   */
  start(id: CampaignId, namespace: string, nowMs: number): Promise<CampaignProgress>;
  /** As {@link start}, of a schedule's run: where its start was missed, its definition says what becomes of it. */
  startOccurrence(id: CampaignId, namespace: string, nowMs: number): Promise<CampaignProgress>;
  /** Scheduled → running once its start time has come, or, where that was missed, what its definition says. */
  beginScheduled(id: CampaignId, nowMs: number): Promise<CampaignProgress>;
  /**
   * From its return on no claim for this campaign succeeds. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_ENDED |
   * CAMPAIGN_NOT_STARTED
   */
  pause(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress>;
  /** Its automatic pause evaluates only outcomes that come after it. */
  resume(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress>;
  /**
   * Pauses a running campaign whose messages do not arrive, by its definition's automatic pause. @returns whether it
   * did
   */
  pauseIfFailing(id: CampaignId, nowMs: number): Promise<boolean>;
  /** As {@link pause}; every recipient pending ends `cancelled`. A draft ends at once. */
  cancel(id: CampaignId, witness: string, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress>;
  update(id: CampaignId, change: UpdateCampaign, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress>;
  /** Plans recipients again, also of a campaign that has ended, which then runs again. */
  retry(id: CampaignId, retry: RetryRequest, nowMs: number, asked?: AskedCommand): Promise<Retried>;
  /**
   * Records that a command was asked for, before it takes effect.
   * @returns its result, when it was asked for before and answered
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  ask(id: CampaignId, kind: CommandKind, asked: AskedCommand, nowMs: number): Promise<unknown>;
  /** What a command was answered; undefined while it was not. */
  resultOf(id: CampaignId, commandId: string): Promise<unknown>;
  /** The first result counts. @returns the one that counts */
  recordResult(id: CampaignId, commandId: string, result: unknown): Promise<unknown>;
  /** How many POSTs are under way, and until when the last can be. */
  underWay(
    id: CampaignId,
  ): Promise<{ readonly sending: number; readonly reconcileAfterMs?: number; readonly inQueue: number }>;
  /**
   * Ends what time has ended (past the deadline: pending → expired, unresolved ones end unresolved), and the campaign
   * itself once no recipient is open any more. The totals are checked against the audience in the same transaction: a
   * difference is a bug and throws.
   */
  settle(id: CampaignId, nowMs: number): Promise<CampaignProgress>;
  /**
   * What a started campaign waits for; undefined while it is dispatched. It is part of its progress.
   * @throws AppError CAMPAIGN_NOT_FOUND
   */
  whyWaiting(id: CampaignId, nowMs: number): Promise<CampaignWaiting | undefined>;
  /** Campaigns that should have a run in this namespace: scheduled, running, paused, cancelling. */
  unfinished(namespace: string): Promise<{ readonly id: CampaignId; readonly state: CampaignState }[]>;
  /** Campaigns without an open recipient: to be settled. */
  withoutOpenRecipients(namespace: string): Promise<CampaignId[]>;
  /** Running campaigns of this instance. */
  running(instance: string): Promise<CampaignId[]>;
  /** One page of the report, by line. */
  report(id: CampaignId, page: ReportPage): Promise<{ readonly items: ReportRow[]; readonly afterLine?: number }>;
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
