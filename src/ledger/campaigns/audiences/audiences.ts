import { sql, type Insertable, type Selectable } from 'kysely';
import {
  AppError,
  type CampaignId,
  type CampaignState,
  type CampaignView,
  type Columns,
  type Recipient,
  type RejectedLine,
  type VerdictCounts,
} from '../../../contract/index.js';
import { contentsOf } from '../../../domain/index.js';
import { latestCommands, assertSameRequest, isSameHash } from '../../storage/commands.js';
import type { AudiencesTable, RecipientRejectsTable, RecipientsTable } from '../../storage/schema.js';
import { keyedHashOf } from '../../storage/keyed-hash.js';
import { type ListFilter, newestFirst, pageOf, cursorsByAge } from '../../storage/pages.js';
import { shown, jsonText } from '../../storage/statements.js';
import { LedgerPart, type Store, type Tx } from '../../storage/store.js';
import {
  changeCampaign,
  existingCampaign,
  lockCampaign,
  readCampaign,
  frozen,
  permitted,
  refuseWithoutRecipients,
  type CampaignRow,
} from '../campaign-row.js';
import type { Forecasts } from '../forecasts.js';
import { audienceView, campaignView } from '../campaign-view.js';
import { additionTo, copyEarlier, removeCorrected, type BegunAddition } from './additions.js';
import { addLines, discardAudiences, removeDiscarded, superseded } from './audience-rows.js';
import { columnsOf, missingValues, refuseProblems, refuseUnknownVariables, variableProblems } from './variables.js';
import { insertCampaign, redefine, type OpenCampaign } from './drafts.js';

const CURSORS = cursorsByAge('campaigns');
const SHOWN_COMMANDS = 20;
/** Each plan is removed by its own statements; the next round takes the rest. */
const PLANS_PER_ROUND = 100;

type AudienceRow = Selectable<AudiencesTable>;
type NewAudience = Insertable<AudiencesTable>;

/** A finished import, as known after its last line. */
export interface ImportedSource {
  /** Hash of all recipients and rejected lines; an import with the same hash changes nothing. */
  readonly hash: string;
  readonly lines: number;
  readonly verdicts: VerdictCounts;
  /** Undefined for a group, which has none. */
  readonly columns: Columns | undefined;
  /** The names of all columns of the rejected lines, in the order of the source. */
  readonly rejectColumns?: readonly string[];
  /** The country of most numbers. */
  readonly likelyCountry?: string | undefined;
}

/** `key`: of the recipient, as when it was imported. */
export type KnownRecipient = Recipient & { readonly key: string };

/** Campaigns before their start, and the recipients that are imported into them. */
export class Audiences extends LedgerPart {
  readonly #forecasts: Forecasts;

  constructor(store: Store, forecasts: Forecasts) {
    super(store);
    this.#forecasts = forecasts;
  }

  /**
   * Writes the campaign unless it exists, as a draft.
   * @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash
   */
  async open(input: OpenCampaign): Promise<{ campaign: CampaignView; isNew: boolean }> {
    const isNew = await this.database.transaction((tx) => insertCampaign(tx, input));
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, input.id);
      assertSameRequest(
        (await isSameHash(db, row.request_hash, input.requestHash)) && row.plan_until === null,
        `Campaign ${input.id} was created by another request. Choose another id; or change the draft: PUT /v1/campaigns/${input.id}`,
      );
      return { campaign: await campaignView(db, this.#forecasts, row, input.nowMs), isNew };
    });
  }

  /**
   * Writes the campaign, or replaces the definition of a draft. Its audience stays unless verdicts may have changed:
   * after a change of the instance or default country the recipients have to be imported again.
   * @throws AppError CAMPAIGN_FROZEN when it was started with another definition
   */
  async define(input: OpenCampaign): Promise<{ campaign: CampaignView; isNew: boolean }> {
    const { id } = input;
    const isNew = await this.database.transaction(async (tx) => {
      if (await insertCampaign(tx, input)) return true;
      const row = await lockCampaign(tx, id);
      if ((row.plan_until === null) !== (input.planUntilMs === undefined)) {
        throw frozen(
          `Campaign ${id} exists: a campaign and one that is only for a plan cannot have the same id. Choose another id.`,
        );
      }
      if (await isSameHash(tx, row.request_hash, input.requestHash)) return false;
      permitted(row, 'define');
      await redefine(tx, row, input);
      return false;
    });
    await removeDiscarded(this.database, id);
    return this.database.run(async (db) => {
      const campaign = await campaignView(db, this.#forecasts, await existingCampaign(db, id), input.nowMs);
      return { campaign, isNew };
    });
  }

  view(id: CampaignId, nowMs: number) {
    return this.database.run(async (db) => {
      const row = await readCampaign(db, id);
      if (row === undefined) return undefined;
      const commands = await latestCommands(db, `campaign:${id}`, SHOWN_COMMANDS);
      const view: CampaignView = await campaignView(db, this.#forecasts, row, nowMs);
      return commands.length === 0 ? view : { ...view, commands };
    });
  }

  /** A page of campaigns, newest first, without campaigns that exist only for a plan. */
  async list(filter: ListFilter & { readonly state?: CampaignState }, nowMs: number) {
    const { instance, instances, state, ...page } = filter;
    return this.database.run(async (db) => {
      const all = db.selectFrom('campaigns').selectAll().where('plan_until', 'is', null);
      let query = newestFirst(all, page, { instance: 'instance', time: 'created_at', id: 'id', cursors: CURSORS });
      // One of its accounts is the one asked for, and a limited key may see all of them (ACCESS-2).
      const ofIt = sql`select from campaign_accounts a where a.campaign_id = campaigns.id`;
      if (instance !== undefined) query = query.where(sql<boolean>`exists (${ofIt} and a.instance = ${instance})`);
      if (instances !== undefined)
        query = query.where(sql<boolean>`not exists (${ofIt} and a.instance <> all(${instances}::text[]))`);
      if (state !== undefined) query = query.where('state', '=', state);
      const { items: rows, ...rest } = pageOf(
        await query.execute(),
        page.limit,
        (row) => row,
        ({ created_at, id }) => CURSORS.write(created_at, id),
      );
      const items: CampaignView[] = [];
      for (const row of rows) items.push(await campaignView(db, this.#forecasts, row, nowMs));
      return { ...rest, items };
    });
  }

  /**
   * Begins an import. Rows of an earlier, unfinished import are removed, and an import under way ends with
   * IMPORT_SUPERSEDED. When the import is finished, its lines replace the former audience at once.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was started)
   */
  async beginImport(id: CampaignId, nowMs: number): Promise<string> {
    return String((await this.#begin(id, { campaign_id: id, begun_at: new Date(nowMs) })).no);
  }

  /**
   * As {@link beginImport}, for a source that is added to the audience: the new audience begins with all lines of the
   * current one.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN | CAMPAIGN_EMPTY (nothing was imported) | IMPORT_SUPERSEDED
   */
  async beginAddition(id: CampaignId, nowMs: number): Promise<BegunAddition> {
    const row = await this.#begin(id, async (tx, audienceNo) => {
      return { campaign_id: id, begun_at: new Date(nowMs), ...(await additionTo(tx, id, audienceNo)) };
    });
    return copyEarlier(this.database, row);
  }

  async #begin(
    id: CampaignId,
    begun: NewAudience | ((tx: Tx, audienceNo: CampaignRow['audience_no']) => Promise<NewAudience>),
  ): Promise<AudienceRow> {
    const row = await this.database.transaction(async (tx) => {
      const { audience_no } = await lockDraft(tx, id);
      const values = typeof begun === 'function' ? await begun(tx, audience_no) : begun;
      await discardAudiences(tx, id, audience_no);
      return tx.insertInto('audiences').values(values).returningAll().executeTakeFirstOrThrow();
    });
    await removeDiscarded(this.database, id);
    return row;
  }

  /**
   * Adds lines, in the order of the source. Of lines with the same recipient the first stays; later ones become
   * `duplicate`.
   * @returns the duplicates
   * @throws AppError IMPORT_SUPERSEDED
   */
  readonly addLines = this.statement(addLines);

  /**
   * Removes rejected lines of an earlier source that a line of an addition corrects.
   * @returns the verdicts of the removed lines
   */
  readonly removeCorrected = this.statement(removeCorrected);

  /**
   * Makes the import the audience in one transaction and removes the former audience. `unchanged`: the campaign had
   * the same audience, or the added source, and nothing was changed.
   * @throws AppError CAMPAIGN_FROZEN when the campaign was started meanwhile | CAMPAIGN_INCOMPLETE (a variable has no
   *   column) | IMPORT_SUPERSEDED
   */
  async finishImport(id: CampaignId, audienceNo: string, source: ImportedSource, nowMs: number) {
    const { lines, verdicts, columns, rejectColumns = [], likelyCountry = null } = source;
    const finished = await this.database.transaction(async (tx) => {
      const { audience_no, ...row } = await lockDraft(tx, id);
      const hash = await keyedHashOf(tx, source.hash);
      // Without recipients nothing would be sent, and the start says so.
      if (verdicts.accepted > 0) refuseProblems(id, variableProblems(columns, contentsOf(row)));
      const [before, begun] = [await audienceOf(tx, audience_no), await audienceOf(tx, audienceNo)];
      if (begun === undefined || begun.discarded) throw superseded();
      const isAddition = begun.adds_to !== null;
      if (isAddition && String(begun.adds_to) !== String(audience_no)) throw superseded();
      if (before !== undefined && isSameAudience(before, hash, isAddition)) {
        await discardAudiences(tx, id, audience_no);
        return { audience: audienceView(before), unchanged: true };
      }
      if (begun.lines !== lines) {
        throw new Error(`Campaign ${id}: the import has ${lines} lines, but ${begun.lines} were written`);
      }
      const additions = isAddition ? [...begun.additions, { afterLine: begun.after_line, hash }] : [];
      const imported = await tx
        .updateTable('audiences')
        .set({
          source_hash: isAddition ? begun.source_hash : hash,
          additions: jsonText(additions),
          verdicts: jsonText(verdicts),
          columns: columns === undefined ? null : jsonText(columns),
          reject_columns: jsonText(rejectColumns),
          likely_country: likelyCountry,
          finished_at: new Date(nowMs),
        })
        .where('no', '=', audienceNo)
        .returningAll()
        .executeTakeFirstOrThrow();
      await discardAudiences(tx, id, audienceNo);
      await changeCampaign(tx, id, { audience_no: audienceNo, audience: verdicts.accepted });
      return { audience: audienceView(imported), unchanged: false };
    });
    await removeDiscarded(this.database, id);
    return finished;
  }

  /** Removes an import that will not be finished. */
  async abandonImport(audienceNo: string): Promise<void> {
    const abandoned = await this.database.rows(sql<{ campaign_id: CampaignId }>`
      update audiences set discarded = true where no = ${audienceNo} and finished_at is null returning campaign_id`);
    for (const { campaign_id } of abandoned) await removeDiscarded(this.database, campaign_id);
  }

  /**
   * Removes a campaign that exists only for a plan, with its recipients. After an interruption another call finishes
   * the removal.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was made for more)
   */
  async removePlan(id: CampaignId): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      permitted(row, 'delete');
      if (row.plan_until === null) {
        throw frozen(
          `Campaign ${id} is not only for a plan, and is not removed. Cancel it: everpost campaign cancel ${id}`,
        );
      }
      await changeCampaign(tx, id, { audience_no: null, audience: 0 });
      await discardAudiences(tx, id, null);
    });
    await removeDiscarded(this.database, id);
    // An import that began meanwhile keeps its campaign until the next call.
    await this.database.rows(sql`
      delete from campaigns where id = ${id} and plan_until is not null
        and not exists (select from audiences where campaign_id = ${id})`);
  }

  /**
   * Removes plan-only campaigns that are due. @returns how many, including those that another worker removed meanwhile
   */
  async removeOldPlans(nowMs: number): Promise<number> {
    const due = await this.database.rows(sql<{ id: CampaignId }>`
      select id from campaigns where plan_until <= ${new Date(nowMs)} order by plan_until limit ${PLANS_PER_ROUND}`);
    for (const { id } of due) {
      try {
        await this.removePlan(id);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_NOT_FOUND') throw error;
      }
    }
    return due.length;
  }

  /** Recipients of the audience by line, from after `afterLine`. @throws AppError CAMPAIGN_NOT_FOUND */
  async recipients(id: CampaignId, afterLine: number, limit: number): Promise<KnownRecipient[]> {
    const rows = await this.database.rows(sql<Selectable<RecipientsTable>>`
      select * from recipients where audience_no = ${await this.#audienceNoOf(id)} and line > ${afterLine}
      order by line limit ${limit}`);
    return rows.map((row) => ({
      ...shown(row, 'line', 'chat_id', 'values', 'timezone'),
      key: row.key ?? row.chat_id,
    }));
  }

  /** The names of all columns of the rejected lines, in the order of the source. @throws AppError CAMPAIGN_NOT_FOUND */
  async rejectColumns(id: CampaignId): Promise<readonly string[]> {
    const [row] = await this.database.rows(sql<Pick<AudienceRow, 'reject_columns'>>`
      select reject_columns from audiences where no = ${await this.#audienceNoOf(id)}`);
    return row?.reject_columns ?? [];
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND */
  async rejects(id: CampaignId, afterLine: number, limit: number): Promise<RejectedLine[]> {
    const rows = await this.database.rows(sql<Selectable<RecipientRejectsTable>>`
      select * from recipient_rejects
      where audience_no = ${await this.#audienceNoOf(id)} and line > ${afterLine} order by line limit ${limit}`);
    return rows.map((row) => ({
      ...shown(row, 'line', 'value', 'columns', 'chat_id', 'duplicate_of'),
      reason: row.reason as RejectedLine['reason'],
    }));
  }

  /** Of every content that the campaign may send. @throws AppError CAMPAIGN_NOT_FOUND */
  variableProblems(id: CampaignId) {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      return variableProblems(await columnsOf(db, row), contentsOf(row));
    });
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE */
  refuseUnknownVariables(id: CampaignId): Promise<void> {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      return refuseUnknownVariables(db, row, contentsOf(row));
    });
  }

  /** The given variables that have no value for some recipient. @throws AppError CAMPAIGN_NOT_FOUND */
  readonly missingValues = this.statement(missingValues);

  /** Null if nothing was imported: no row has that number. */
  async #audienceNoOf(id: CampaignId) {
    const campaign = await this.database.run((db) => existingCampaign(db, id));
    refuseWithoutRecipients(campaign);
    return campaign.audience_no;
  }
}

async function audienceOf(tx: Tx, no: CampaignRow['audience_no']): Promise<AudienceRow | undefined> {
  return no === null
    ? undefined
    : tx.selectFrom('audiences').selectAll().where('no', '=', no).forUpdate().executeTakeFirst();
}

/** An added source is part of the audience already if it was the first or a later one. */
function isSameAudience({ source_hash, additions }: AudienceRow, hash: string, isAddition: boolean): boolean {
  const added = additions.map((addition) => addition.hash);
  return isAddition ? [source_hash, ...added].includes(hash) : source_hash === hash && added.length === 0;
}

async function lockDraft(tx: Tx, id: CampaignId): Promise<CampaignRow> {
  const row = await lockCampaign(tx, id);
  permitted(row, 'define');
  return row;
}
