/**
 * The life of campaigns.
 *
 * CAMPAIGN-1 A campaign starts once, ever. Its start fixes the audience, and refuses one in which a recipient lacks a
 *    value of the message.
 * CAMPAIGN-2 Pause and cancel are conditions of the claim, which is made under the campaign's row. They take the same
 *    row: when they return no claim succeeds any more, and every one before them is visible.
 * CAMPAIGN-3 Who was cancelled before being posted to ends so at once. Whose request is out is still found out about,
 *    and ends cancelled where it turns out that the gateway never took it.
 * CAMPAIGN-4 Every recipient ends in a state of its own before the campaign does. None is left pending past the
 *    deadline; who is unresolved then stays unresolved. The campaign ends once no recipient is pending, sending or
 *    unknown, none is unresolved before the deadline, and no receipt is waited for.
 * CAMPAIGN-5 The totals add up to the audience at every moment, and at the end they are counted again: a difference
 *    keeps the campaign from ending.
 * CAMPAIGN-6 A retry touches only who ended without getting the message, and keeps what was known of them. A recipient
 *    whose outcome is unknown is asked about again; only a word that it may send twice plans them again.
 * CAMPAIGN-7 Each of these may be called again: what is already so stays as it is.
 * CAMPAIGN-8 A campaign whose messages do not arrive pauses itself, and says why; an operator resumes it. What
 *    decides are the outcomes in the rows, the newest first, since its start or since it was last resumed or retried.
 * CAMPAIGN-9 A campaign with a start time is scheduled by its start, which freezes the audience, and nothing is posted
 *    before that time. One that begins later than its grace time is missed: by its definition it runs all the same, is
 *    cancelled, or waits paused for an operator.
 */
import { sql, type Updateable } from 'kysely';
import { type CampaignId, type CampaignProgress, type CampaignState, type RetryRequest } from '../../contract/index.js';
import {
  beginCommand,
  commandResult,
  recordCommand,
  recordResult,
  type AskedCommand,
  type CommandKind,
} from '../commands.js';
import type { CampaignsTable } from '../schema.js';
import type { Store } from '../store.js';
import { pauseIfFailing } from './auto-pause.js';
import { cancelCampaign } from './cancel-campaign.js';
import type { ReportPage, Retried, UpdateCampaign } from './campaign-ledger.js';
import { existingCampaign, lockCampaign, readCampaign, type CampaignRow } from './campaign-row.js';
import { reportPage, type ReportRow } from './campaign-report.js';
import { progressOf } from './campaign-view.js';
import { changeCampaign, refuseDraft, refuseEnded } from './change-campaign.js';
import { changeWhatIsSent } from './change-what-is-sent.js';
import { retryCampaign } from './retry-campaign.js';
import { settleCampaign } from './settle-campaign.js';
import { beginScheduled, resumed, startCampaign } from './start-campaign.js';
import { countedTally, withoutOpenRecipients } from '../dispatch/campaign-counts.js';

/**
 * What becomes of a campaign as a whole. Each may be called again: what is already so is returned as it is. A command
 * that names itself (`asked`) takes effect once and never after a later one; without a name it is asked for now.
 * @throws AppError COMMAND_SUPERSEDED
 */
export class CampaignLife {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param nowMs  for what it waits for. @default by this process's clock, as in the views */
  async progress(id: CampaignId, nowMs: number): Promise<CampaignProgress | undefined> {
    return this.#store.run(async (db) => {
      const row = await readCampaign(db, id);
      return row && progressOf(db, row, nowMs);
    });
  }

  /** As {@link progress}, but counts no recipient. */
  async state(id: CampaignId): Promise<CampaignState | undefined> {
    return (await this.#store.run((db) => readCampaign(db, id)))?.state;
  }

  /**
   * Draft → running, or scheduled where its start time is to come, once, ever: the audience is frozen. One that was
   * started before is returned as it is.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE (a variable is missing; with problems) |
   *   INPUT_INVALID (its start time or its deadline has passed)
   */
  async start(id: CampaignId, namespace: string, nowMs: number): Promise<CampaignProgress> {
    await startCampaign(this.#store, { id, namespace, nowMs, mayBeMissed: false });
    return this.#progress(id, nowMs);
  }

  /** As {@link start}, of a schedule's run: where its start was missed, its definition says what becomes of it. */
  async startOccurrence(id: CampaignId, namespace: string, nowMs: number): Promise<CampaignProgress> {
    await startCampaign(this.#store, { id, namespace, nowMs, mayBeMissed: true });
    return this.beginScheduled(id, nowMs);
  }

  /** Scheduled → running once its start time has come, or, where that was missed, what its definition says. */
  async beginScheduled(id: CampaignId, nowMs: number): Promise<CampaignProgress> {
    await beginScheduled(this.#store, id, nowMs);
    return this.#progress(id, nowMs);
  }

  /**
   * From its return on no claim for this campaign succeeds. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_ENDED |
   * CAMPAIGN_NOT_STARTED
   */
  pause(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    const paused = { state: 'paused', paused_at: new Date(nowMs), pause_text: null } as const;
    return this.#change(id, 'pause', ['paused'], () => paused, { nowMs, asked });
  }

  /** Its automatic pause evaluates only outcomes that come after it. */
  resume(id: CampaignId, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    const reset = { auto_pause_from: new Date(nowMs), paused_at: null, pause_text: null };
    const change = (row: CampaignRow) => ({ ...resumed(row, nowMs), ...reset });
    return this.#change(id, 'resume', ['running', 'scheduled'], change, { nowMs, asked });
  }

  /**
   * Pauses a running campaign whose messages do not arrive, by its definition's automatic pause. @returns whether it
   * did
   */
  pauseIfFailing(id: CampaignId, nowMs: number): Promise<boolean> {
    return pauseIfFailing(this.#store, id, nowMs);
  }

  /** As {@link pause}; every recipient pending ends `cancelled`. A draft ends at once. */
  async cancel(id: CampaignId, witness: string, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    await cancelCampaign(this.#store, id, witness, nowMs, asked);
    return this.#progress(id, nowMs);
  }

  async update(id: CampaignId, change: UpdateCampaign, nowMs: number, asked?: AskedCommand): Promise<CampaignProgress> {
    await changeWhatIsSent(this.#store, id, change, { nowMs, asked });
    return this.#progress(id, nowMs);
  }

  /** Plans recipients again, also of a campaign that has ended, which then runs again. */
  async retry(id: CampaignId, retry: RetryRequest, nowMs: number, asked?: AskedCommand): Promise<Retried> {
    const recipients = await retryCampaign(this.#store, id, retry, { nowMs, asked });
    return { recipients, progress: await this.#progress(id, nowMs) };
  }

  /**
   * Records that a command was asked for, before it takes effect.
   * @returns its result, when it was asked for before and answered
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  async ask(id: CampaignId, kind: CommandKind, asked: AskedCommand, nowMs: number): Promise<unknown> {
    const { result } = await this.#store.run((db) => recordCommand(db, `campaign:${id}`, kind, asked, nowMs));
    return result ?? undefined;
  }

  /** What a command was answered; undefined while it was not. */
  resultOf(id: CampaignId, commandId: string): Promise<unknown> {
    return this.#store.run((db) => commandResult(db, `campaign:${id}`, commandId));
  }

  /** The first result counts. @returns the one that counts */
  recordResult(id: CampaignId, commandId: string, result: unknown): Promise<unknown> {
    return this.#store.run((db) => recordResult(db, `campaign:${id}`, commandId, result));
  }

  /** How many POSTs are under way, and until when the last can be. */
  underWay(id: CampaignId): Promise<{ sending: number; reconcileAfterMs?: number; inQueue: number }> {
    return this.#store.run(async (db) => {
      const row = await existingCampaign(db, id);
      const { rows } = await sql<{ sending: number; reconcile_after: Date | null }>`/* campaign_under_way */
        select count(*)::integer as sending, max(a.reconcile_after) as reconcile_after
        from attempts a join messages m on m.id = a.message_id
        where a.instance = ${row.instance} and a.identical_hash is not null and a.outcome is null
          and m.campaign_id = ${id} and m.state = 'sending'`.execute(db);
      const { sending = 0, reconcile_after = null } = rows[0] ?? {};
      const { withoutReceipt: inQueue } = await countedTally(db, row);
      return { sending, inQueue, ...(reconcile_after === null ? {} : { reconcileAfterMs: reconcile_after.getTime() }) };
    });
  }

  /**
   * Ends what time has ended (past the deadline: pending → expired, unresolved ones end unresolved), and the campaign
   * itself once no recipient is open any more. The totals are checked against the audience in the same transaction: a
   * difference is a bug and throws.
   */
  settle(id: CampaignId, nowMs: number): Promise<CampaignProgress> {
    return settleCampaign(this.#store, id, nowMs);
  }

  /** Campaigns that should have a run in this namespace: scheduled, running, paused, cancelling. */
  unfinished(namespace: string): Promise<{ id: CampaignId; state: CampaignState }[]> {
    return this.#store.run((db) =>
      db
        .selectFrom('campaigns')
        .select(['id', 'state'])
        .where('state', 'in', ['scheduled', 'running', 'paused', 'cancelling'])
        .where(({ or, eb }) => or([eb('namespace', 'is', null), eb('namespace', '=', namespace)]))
        .orderBy('id')
        .execute(),
    );
  }

  /** Campaigns without an open recipient: to be settled. */
  withoutOpenRecipients(namespace: string): Promise<CampaignId[]> {
    return this.#store.run((db) => withoutOpenRecipients(db, namespace));
  }

  /** Running campaigns of this instance. */
  async running(instance: string): Promise<CampaignId[]> {
    const rows = await this.#store.run((db) =>
      db.selectFrom('campaigns').select('id').where('instance', '=', instance).where('state', '=', 'running').execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** One page of the report, by line. */
  report(id: CampaignId, page: ReportPage): Promise<{ items: ReportRow[]; afterLine?: number }> {
    return this.#store.run((db) => reportPage(db, id, page));
  }

  /** @param alreadySo  states in which the command changes nothing */
  async #change(
    id: CampaignId,
    kind: CommandKind,
    alreadySo: readonly CampaignState[],
    change: (row: CampaignRow) => Updateable<CampaignsTable>,
    { nowMs, asked }: { readonly nowMs: number; readonly asked: AskedCommand | undefined },
  ): Promise<CampaignProgress> {
    await this.#store.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      const isAlreadySo = alreadySo.includes(row.state);
      const { isNew } = await beginCommand(tx, row, kind, asked, { isAlreadySo, nowMs });
      if (!isNew) return;
      refuseDraft(row);
      refuseEnded(row);
      if (!isAlreadySo) await changeCampaign(tx, id, change(row));
    });
    return this.#progress(id, nowMs);
  }

  /** Read after the lock is gone. */
  async #progress(id: CampaignId, nowMs: number): Promise<CampaignProgress> {
    return this.#store.run(async (db) => progressOf(db, await existingCampaign(db, id), nowMs));
  }
}
