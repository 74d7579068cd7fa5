/**
 * The life of campaigns.
 *
 * CAMPAIGN-1 A campaign starts only once. Its start freezes the audience, and refuses an audience in which a recipient
 *    has no value for a variable.
 * CAMPAIGN-2 Pause and cancel are conditions of the claim, which locks the campaign's row. They lock the same row: once
 *    they return, no claim succeeds, and every earlier claim is visible.
 * CAMPAIGN-3 A recipient whose message was not posted ends cancelled at once. A message whose request has left is
 *    reconciled first, and ends cancelled if the gateway never accepted it.
 * CAMPAIGN-4 Every recipient reaches an end state before the campaign does. None is pending past the deadline; a
 *    message that is unresolved then stays unresolved. The campaign ends once no recipient is pending, sending or
 *    unknown, none is unresolved before the deadline, and no receipt is awaited.
 * CAMPAIGN-5 The totals always add up to the audience. They are counted again at the end, and a difference prevents the
 *    end.
 * CAMPAIGN-6 A retry includes only recipients who ended without the message, and keeps their evidence. A message with
 *    an unknown outcome is reconciled again; it is sent again only with `maySendTwice`.
 * CAMPAIGN-7 Every command may be repeated: a repeated change has no effect.
 * CAMPAIGN-8 An account of a campaign with too many failures is stopped, and a campaign whose last account is stopped
 *    pauses itself; both record why, and an operator resumes them. The newest outcomes of the account since its start, or
 *    since its last resume or retry, decide.
 * CAMPAIGN-9 Starting a campaign with a start time schedules it and freezes the audience; nothing is posted before that
 *    time. A start after the grace time is missed: the definition says whether the campaign still runs, is cancelled,
 *    or waits paused for an operator.
 */
import { sql } from 'kysely';
import {
  present,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
  type RetryRequest,
  type UpdateCampaign,
} from '../../../contract/index.js';
import { type CampaignChange, type CampaignCommand, campaignEntry, inputInvalid } from '../../../domain/index.js';
import {
  beginCommand,
  commandResult,
  recordCommand,
  recordResult,
  type AskedCommand,
  type CommandKind,
} from '../../storage/commands.js';
import { LedgerPart, retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { pauseIfFailing } from './auto-pause.js';
import { beginCampaign, type BeginOptions } from './begin-campaign.js';
import { cancelRest, endCampaignIfDone, stopCampaign } from './end-campaign.js';
import { accountRows, listed, takeIn } from '../campaign-accounts.js';
import {
  existingCampaign,
  lockCampaign,
  readCampaign,
  type CampaignRow,
  UNDER_WAY,
  changeCampaign,
  hasEnded,
  permitted,
  refuseWithoutRecipients,
} from '../campaign-row.js';
import { recordWait, type WaitingActivity } from '../../messages/outbox.js';
import { reportPage } from '../campaign-report.js';
import { summaryPart } from '../campaign-summary.js';
import { progressOf } from '../campaign-view.js';
import { campaignsBeside, FORECAST_IN_RESPONSE, notHeldOut, recipientsToPost, type Forecasts } from '../forecasts.js';
import { changeWhatIsSent } from './change-what-is-sent.js';
import { retryCampaign } from './retry-campaign.js';
import { watchAccounts } from './watch-accounts.js';
import { campaignsToEnd, countedTally, countsOfRunning, foldCounts } from '../campaign-tally.js';

/** A campaign that was started and has not ended. */
export interface UnfinishedCampaign {
  readonly id: CampaignId;
  /** Whether the activity of a run waits for its next change. */
  readonly isAwaited: boolean;
}

/** An activity that waits for the campaign's next change. */
export interface CampaignWaitRow extends WaitingActivity {
  /** Differs for each wait. */
  readonly seq: string;
  readonly campaignId: CampaignId;
}

/**
 * Commands on a whole campaign, and its progress. A command with an id (`asked`) takes effect once, and never after a
 * later command; a command without an id counts as requested now.
 * @throws AppError COMMAND_SUPERSEDED
 */
export class CampaignLife extends LedgerPart {
  readonly #forecasts: Forecasts;

  constructor(store: Store, forecasts: Forecasts) {
    super(store);
    this.#forecasts = forecasts;
  }

  /** @param forecastUpTo  of more pending recipients, only a forecast that is kept is shown (ETA-4) @default no limit */
  async progress(id: CampaignId, nowMs: number, forecastUpTo?: number): Promise<CampaignProgress | undefined> {
    return this.database.run(async (db) => {
      const row = await readCampaign(db, id);
      return row && progressOf(db, this.#forecasts, row, nowMs, forecastUpTo);
    });
  }

  /** As {@link progress}, but does not count recipients. */
  async state(id: CampaignId): Promise<CampaignState | undefined> {
    return (await this.database.run((db) => readCampaign(db, id)))?.state;
  }

  /**
   * Draft → running, or scheduled if its start time is in the future; freezes the audience. Happens only once: a
   * started campaign is returned unchanged.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_ENDED (it was cancelled) | CAMPAIGN_INCOMPLETE (a
   *   variable is missing; with problems) | CAMPAIGN_REJECTED_LINES (more than 5 % of the lines were rejected; with
   *   problems) | INPUT_INVALID (its start time or its deadline has passed)
   */
  async start(
    id: CampaignId,
    namespace: string,
    nowMs: number,
    options: Pick<BeginOptions, 'acceptRejected' | 'requestedBy'> = {},
  ): Promise<CampaignProgress> {
    return this.#begin(id, 'start', { ...options, by: 'request', namespace, nowMs });
  }

  /** Scheduled → running once its start time has passed; the definition decides about a missed start. */
  async beginScheduled(id: CampaignId, nowMs: number): Promise<CampaignProgress> {
    return this.#begin(id, 'startTimeCame', { by: 'time', nowMs });
  }

  async #begin(id: CampaignId, command: 'start' | 'startTimeCame', options: BeginOptions): Promise<CampaignProgress> {
    await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (typeof permitted(row, command) !== 'object') return;
      const { requestedBy, nowMs } = options;
      if (requestedBy !== undefined) {
        await beginCommand(tx, row, 'start', { id: 'start', requestedBy }, { isAlreadySo: false, nowMs });
      }
      await beginCampaign(tx, row, options);
    });
    return this.#progress(id, options.nowMs);
  }

  /**
   * Once it returns, no claim for this campaign succeeds. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_ENDED |
   * CAMPAIGN_NOT_STARTED
   */
  pause(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    const paused = { state: 'paused', paused_at: new Date(nowMs), pause_text: null } as const;
    return this.#steer(id, 'pause', nowMs, asked, (tx) => changeCampaign(tx, id, paused));
  }

  /** The automatic pause then evaluates only later outcomes. A campaign that has not begun begins. */
  resume(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    const reset = { auto_pause_from: new Date(nowMs), paused_at: null, pause_text: null };
    return this.#steer(id, 'resume', nowMs, asked, (tx, row) => beginCampaign(tx, row, { by: 'again', nowMs }, reset));
  }

  /**
   * Lets one account send again that the automatic pause has stopped, and a paused campaign run with it.
   * @throws AppError INPUT_INVALID (the campaign has no such account) | as {@link resume}
   */
  async resumeAccount(
    id: CampaignId,
    instance: string,
    nowMs: number,
    asked?: AskedCommand,
  ): Promise<CampaignProgress> {
    await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      const accounts = await accountRows(tx, id);
      const known = listed(accounts);
      if (!known.includes(instance)) {
        const message = `is ${instance}, which is no account of the campaign. Its accounts: ${known.join(', ')}`;
        throw inputInvalid(`The resume of campaign ${id}`, [{ path: 'instance', message }]);
      }
      const isIn = accounts.some((account) => account.instance === instance && account.out_at === null);
      const isAlreadySo = isIn && row.state === 'running';
      const { isNew } = await beginCommand(tx, row, 'resume', asked, { isAlreadySo, nowMs });
      if (!isNew) return;
      const entry = permitted(row, 'resume');
      await takeIn(tx, id, { instance, why: ['too_many_failures'], nowMs });
      if (typeof entry !== 'object') return changeCampaign(tx, id, {});
      await beginCampaign(tx, row, { by: 'again', nowMs }, { paused_at: null, pause_text: null });
    });
    return this.#progress(id, nowMs);
  }

  /** Running campaigns with several accounts, which have to be watched. */
  async withPools(): Promise<CampaignId[]> {
    const rows = await this.database.rows(sql<{ id: CampaignId }>`/* campaigns_with_pools */
      select c.id from campaigns c where c.state = 'running' and (
        select count(*) from campaign_accounts a where a.campaign_id = c.id and a.out_why is distinct from 'removed') > 1
      order by c.id`);
    return rows.map(({ id }) => id);
  }

  /** See {@link watchAccounts}. */
  readonly watchAccounts = watchAccounts.bind(undefined, this.database);

  /** Pauses a running campaign with too many failures, by its definition's automatic pause. */
  readonly pauseIfFailing = pauseIfFailing.bind(undefined, this.database);

  /**
   * As {@link pause}; also ends every pending recipient `cancelled` (CAMPAIGN-3). A draft ends at once. After the first
   * transaction nothing is claimed; pending messages end in batches.
   */
  async cancel(id: CampaignId, witness: string, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    const isDone = await retryingTransaction(this.database, async (tx) => {
      const { row, entry } = await beginSteering(tx, id, 'cancel', asked, nowMs);
      return typeof entry !== 'object' || stopCampaign(tx, row, witness, new Date(nowMs));
    });
    if (!isDone) await cancelRest(this.database, id, witness, nowMs);
    return this.#progress(id, nowMs);
  }

  async update(id: CampaignId, change: UpdateCampaign, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    await changeWhatIsSent(this.database, id, change, nowMs, asked);
    return this.#progress(id, nowMs);
  }

  /** Makes recipients pending again. An ended campaign runs again. @returns how many, and the progress */
  async retry(id: CampaignId, retry: RetryRequest, nowMs: number, asked?: AskedCommand) {
    const recipients = await retryCampaign(this.database, id, retry, nowMs, asked);
    return { recipients, progress: await this.#progress(id, nowMs) };
  }

  /**
   * Records a requested command before it takes effect.
   * @returns its result, if it was requested and finished before
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  async ask(id: CampaignId, kind: CommandKind, asked: AskedCommand, nowMs: number): Promise<unknown> {
    const { result } = await this.database.run((db) => recordCommand(db, `campaign:${id}`, kind, asked, nowMs));
    return result ?? undefined;
  }

  /** The recorded result of a command, if there is one. */
  resultOf(id: CampaignId, commandId: string): Promise<unknown> {
    return this.database.run((db) => commandResult(db, `campaign:${id}`, commandId));
  }

  /** Records the first result only. @returns the recorded one */
  recordResult(id: CampaignId, commandId: string, result: unknown): Promise<unknown> {
    return this.database.run((db) => recordResult(db, `campaign:${id}`, commandId, result));
  }

  /**
   * How many POSTs are under way, and when the last one can be reconciled.
   * @param of  `removed`: only those of accounts that the campaign has no more
   */
  underWay(id: CampaignId, of: 'all' | 'removed' = 'all') {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      const { rows } = await sql<{ sending: number; reconcile_after: Date | null }>`/* campaign_under_way */
        select count(*)::integer as sending, max(a.reconcile_after) as reconcile_after
        from attempts a join messages m on m.id = a.message_id
        where a.instance = any(array(
            select p.instance from campaign_accounts p
            where p.campaign_id = ${id} and (${of}::text = 'all' or p.out_why = 'removed'))) and a.identical_hash is not null and a.outcome is null
          and m.campaign_id = ${id} and m.state = 'sending'`.execute(db);
      const { sending = 0, reconcile_after } = rows[0] ?? {};
      const { withoutReceipt: inQueue } = await countedTally(db, row);
      return { sending, inQueue, ...present({ reconcileAfterMs: reconcile_after?.getTime() }) };
    });
  }

  /** CAMPAIGN-4, CAMPAIGN-5. @throws AppError INTERNAL if the totals do not add up */
  readonly endIfDone = endCampaignIfDone.bind(undefined, this.database);

  /** Campaigns that should have a workflow run in this namespace. */
  unfinished(namespace: string): Promise<UnfinishedCampaign[]> {
    return this.database.rows(sql`
      select id, exists (select from outbox o where o.campaign_id = c.id) as "isAwaited" from campaigns c
      where state = any(${UNDER_WAY}::text[]) and (namespace is null or namespace = ${namespace}) order by id`);
  }

  /** Campaigns that {@link endIfDone} has to end. */
  readonly toEnd = this.statement(campaignsToEnd);

  /** Scheduled campaigns whose start time has come. */
  async toBegin(namespace: string, nowMs: number): Promise<CampaignId[]> {
    const rows = await this.database.rows(sql<{ id: CampaignId }>`/* campaigns_to_begin */
      select id from campaigns where state = 'scheduled' and start_at <= ${new Date(nowMs)}::timestamptz
        and (namespace is null or namespace = ${namespace}) order by start_at, id`);
    return rows.map(({ id }) => id);
  }

  /** The recipients of a started campaign that were not posted to, for a plan. @throws AppError CAMPAIGN_NOT_FOUND */
  recipientsToPost(id: CampaignId) {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      return recipientsToPost(db, row, notHeldOut(row, (await countedTally(db, row)).pending));
    });
  }

  /** See {@link campaignsBeside}. */
  beside(id: CampaignId) {
    return this.database.run((db) => campaignsBeside(db, { id }));
  }

  readonly countsOfRunning = this.statement(countsOfRunning);

  /** Keeps the cost of summing its counts bounded. */
  readonly foldCounts = this.statement(foldCounts);

  /**
   * AWAIT-1. Any other version than the one that the run shows ends the wait: after a restore of the ledger it may be
   * lower. A campaign that has ended waits for nothing.
   * @returns the campaign if the wait is over; undefined: its completion will come
   * @throws AppError CAMPAIGN_NOT_FOUND
   */
  async awaitChange(wait: {
    readonly campaignId: CampaignId;
    readonly shown: number;
    readonly activity: WaitingActivity;
    readonly nowMs: number;
  }): Promise<CampaignProgress | undefined> {
    const { campaignId: id, shown, nowMs } = wait;
    const isAwaited = await this.database.transaction(async (tx) => {
      await sql`/* lock_awaited_campaign */
      select from campaigns where id = ${id} for share`.execute(tx);
      const row = await existingCampaign(tx, id);
      if (row.version !== shown || hasEnded(row)) return false;
      await recordWait(tx, wait);
      return true;
    });
    return isAwaited ? undefined : this.#progress(id, nowMs, Infinity);
  }

  /** Activities of runs that wait for a change; none has ended their wait yet. */
  waits(): Promise<CampaignWaitRow[]> {
    return this.database.rows(sql`/* campaign_waits */
      select seq::text as seq, campaign_id as "campaignId", workflow_id as "workflowId", run_id as "runId", activity_id as "activityId"
      from outbox where campaign_id is not null and reached_at is null order by outbox.seq`);
  }

  /** One page of the report, by line. */
  readonly report = this.statement(reportPage);

  /** Counts the next lines of the audience for a summary. */
  readonly summaryPart = this.statement(summaryPart);

  /** The names of the recipients' own columns, in the order of the source, then those that only an addition has. */
  recipientColumns(id: CampaignId): Promise<readonly string[]> {
    return this.database.run(async (db) => {
      const campaign = await existingCampaign(db, id);
      refuseWithoutRecipients(campaign);
      const { rows } = await sql<{ name: string }>`
        select c.value ->> 'name' as name from audiences a, json_each(a.columns) c
        where a.no = ${campaign.audience_no}`.execute(db);
      return rows.map(({ name }) => name);
    });
  }

  async #steer(
    id: CampaignId,
    command: 'pause' | 'resume',
    nowMs: number,
    asked: AskedCommand | undefined,
    apply: (tx: Tx, row: CampaignRow) => Promise<void>,
  ): Promise<CampaignProgress> {
    await this.database.transaction(async (tx) => {
      const { row, entry } = await beginSteering(tx, id, command, asked, nowMs);
      if (typeof entry === 'object') await apply(tx, row);
    });
    return this.#progress(id, nowMs);
  }

  /** Read after the lock is released. */
  async #progress(id: CampaignId, nowMs: number, forecastUpTo = FORECAST_IN_RESPONSE): Promise<CampaignProgress> {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      return progressOf(db, this.#forecasts, row, nowMs, forecastUpTo);
    });
  }
}

/**
 * Locks the campaign's row, and lets an operator's command take effect in this transaction if the campaign's state
 * allows it.
 * @returns `entry` is `same`: it changes nothing, or took effect before
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED | COMMAND_SUPERSEDED |
 *   IDEMPOTENCY_MISMATCH
 */
async function beginSteering(
  tx: Tx,
  id: CampaignId,
  command: CampaignCommand & CommandKind,
  asked: AskedCommand | undefined,
  nowMs: number,
): Promise<{ readonly row: CampaignRow; readonly entry: CampaignChange | 'same' | 'ignored' }> {
  const row = await lockCampaign(tx, id);
  const isAlreadySo = campaignEntry(command, row.state) === 'same';
  const { isNew } = await beginCommand(tx, row, command, asked, { isAlreadySo, nowMs });
  return { row, entry: isNew ? permitted(row, command) : 'same' };
}
