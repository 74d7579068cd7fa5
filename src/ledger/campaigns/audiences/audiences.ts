import {
  AppError,
  type CampaignId,
  type CampaignView,
  type ColumnFacts,
  type Recipient,
  type RejectedLine,
  type VerdictCounts,
} from '../../../contract/index.js';
import { latestCommands, assertSameRequest } from '../../commands.js';
import { LedgerPart, type Db } from '../../storage/store.js';
import {
  addLines,
  discardAudiences,
  removeDiscarded,
  superseded,
  missingValues,
  type MissingValue,
} from './audience-rows.js';
import { insertCampaign, redefine, type OpenCampaign } from './drafts.js';
import {
  existingCampaign,
  lockCampaign,
  readCampaign,
  type CampaignRow,
  refuseWithoutRecipients,
} from '../campaign-row.js';
import { audienceView, type AudienceView, type CampaignFilter, campaignView, listCampaigns } from '../campaign-view.js';
import { shown, jsonText } from '../../storage/statements.js';

const SHOWN_COMMANDS = 20;
/** Each plan is removed by its own statements; the next round takes the rest. */
const PLANS_PER_ROUND = 100;

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

/** Campaigns before their start, and the recipients that are imported into them. */
export class Audiences extends LedgerPart {
  /**
   * Writes the campaign unless it exists, as a draft.
   * @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash
   */
  async open(input: OpenCampaign): Promise<{ campaign: CampaignView; isNew: boolean }> {
    return this.database.run(async (db) => {
      const isNew = await insertCampaign(db, input);
      const row = await existingCampaign(db, input.id);
      assertSameRequest(
        row.request_hash === input.requestHash && row.plan_until === null,
        `Campaign ${input.id} was created by another request. Choose another id; or change the draft: PUT /v1/campaigns/${input.id}`,
      );
      return { campaign: await campaignView(db, row, input.nowMs), isNew };
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
      if ((row.plan_until === null) !== (input.planUntilMs === undefined)) throw idTaken(id);
      if (row.request_hash === input.requestHash) return false;
      if (row.state !== 'draft') throw frozen(id);
      await redefine(tx, row, input);
      return false;
    });
    await removeDiscarded(this.database, id);
    const campaign = await this.database.run(async (db) =>
      campaignView(db, await existingCampaign(db, id), input.nowMs),
    );
    return { campaign, isNew };
  }

  async view(id: CampaignId, nowMs: number): Promise<CampaignView | undefined> {
    return this.database.run(async (db) => {
      const row = await readCampaign(db, id);
      if (row === undefined) return undefined;
      const commands = await latestCommands(db, `campaign:${id}`, SHOWN_COMMANDS);
      return { ...(await campaignView(db, row, nowMs)), ...(commands.length === 0 ? {} : { commands }) };
    });
  }

  /** Newest first, without campaigns that exist only for a plan. */
  async list(filter: CampaignFilter, nowMs: number): Promise<{ items: CampaignView[]; cursor?: string }> {
    return this.database.run((db) => listCampaigns(db, filter, nowMs));
  }

  /**
   * Begins an import. Rows of an earlier, unfinished import are removed, and an import under way ends with
   * IMPORT_SUPERSEDED.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was started)
   */
  async beginImport(id: CampaignId, nowMs: number): Promise<AudienceImport> {
    const audienceNo = await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (row.state !== 'draft') throw frozen(id);
      await discardAudiences(tx, id, [row.audience_no]);
      const { no } = await tx
        .insertInto('audiences')
        .values({ campaign_id: id, begun_at: new Date(nowMs) })
        .returning('no')
        .executeTakeFirstOrThrow();
      return String(no);
    });
    await removeDiscarded(this.database, id);
    return { audienceNo };
  }

  /**
   * Adds lines, in the order of the source. The first recipient with a chat stays; later ones become `duplicate`.
   * @returns the lines of the duplicates
   * @throws AppError IMPORT_SUPERSEDED
   */
  async addLines(
    { audienceNo }: AudienceImport,
    recipients: readonly Recipient[],
    rejects: readonly RejectedLine[],
  ): Promise<{ duplicates: readonly number[] }> {
    return this.database.run(async (db) => ({ duplicates: await addLines(db, audienceNo, recipients, rejects) }));
  }

  /**
   * Makes the import the audience in one transaction and removes the former audience.
   * @throws AppError CAMPAIGN_FROZEN when the campaign was started meanwhile | IMPORT_SUPERSEDED
   */
  async finishImport(
    id: CampaignId,
    { audienceNo }: AudienceImport,
    source: ImportedSource,
    nowMs: number,
  ): Promise<FinishedImport> {
    const finished = await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (row.state !== 'draft') throw frozen(id);
      const before = await readAudience(tx, row.audience_no);
      if (before?.source_hash === source.hash) {
        await discardAudiences(tx, id, [before.no]);
        return { audience: audienceView(before), unchanged: true };
      }
      const imported = await tx
        .updateTable('audiences')
        .set({
          source_hash: source.hash,
          verdicts: jsonText(source.verdicts),
          columns: jsonText(source.columns),
          finished_at: new Date(nowMs),
        })
        .where('no', '=', audienceNo)
        .where('discarded', '=', false)
        .returningAll()
        .executeTakeFirst();
      if (imported === undefined) throw superseded();
      const { verdicts, lines } = source;
      if (imported.lines !== lines) {
        throw new Error(`Campaign ${id}: the import has ${lines} lines, but ${imported.lines} were written`);
      }
      await discardAudiences(tx, id, [audienceNo]);
      await tx
        .updateTable('campaigns')
        .set((is) => ({ audience_no: audienceNo, audience: verdicts.accepted, version: is('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
      return { audience: audienceView(imported), unchanged: false };
    });
    await removeDiscarded(this.database, id);
    return finished;
  }

  /** Removes an import that will not be finished. */
  async abandonImport({ audienceNo }: AudienceImport): Promise<void> {
    const abandoned = await this.database.run((db) =>
      db
        .updateTable('audiences')
        .set({ discarded: true })
        .where('no', '=', audienceNo)
        .where('finished_at', 'is', null)
        .returning('campaign_id')
        .executeTakeFirst(),
    );
    if (abandoned !== undefined) await removeDiscarded(this.database, abandoned.campaign_id);
  }

  /**
   * Removes a campaign that exists only for a plan, with its recipients. After an interruption another call finishes
   * the removal.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN (it was made for more)
   */
  async removePlan(id: CampaignId): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (row.plan_until === null) throw notOnlyForPlan(id);
      await tx.updateTable('campaigns').set({ audience_no: null, audience: 0 }).where('id', '=', id).execute();
      await discardAudiences(tx, id, []);
    });
    await removeDiscarded(this.database, id);
    // An import that began meanwhile keeps its campaign until the next call.
    await this.database.run((db) =>
      db
        .deleteFrom('campaigns')
        .where('id', '=', id)
        .where('plan_until', 'is not', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('audiences').select('no').where('campaign_id', '=', id))),
        )
        .execute(),
    );
  }

  /**
   * Removes plan-only campaigns that are due. @returns how many, including those that another worker removed meanwhile
   */
  async removeOldPlans(nowMs: number): Promise<number> {
    const due = await this.database.run((db) =>
      db
        .selectFrom('campaigns')
        .select('id')
        .where('plan_until', '<=', new Date(nowMs))
        .orderBy('plan_until')
        .limit(PLANS_PER_ROUND)
        .execute(),
    );
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
  async recipients(id: CampaignId, afterLine: number, limit: number): Promise<Recipient[]> {
    return this.database.run(async (db) => {
      const rows = await db
        .selectFrom('recipients')
        .selectAll()
        .where('audience_no', '=', await audienceNoOf(db, id))
        .where('line', '>', afterLine)
        .orderBy('line')
        .limit(limit)
        .execute();
      return rows.map((row) => shown(row, 'line', 'chat_id', 'values', 'timezone'));
    });
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND */
  async rejects(id: CampaignId, afterLine: number, limit: number): Promise<RejectedLine[]> {
    return this.database.run(async (db) => {
      const rows = await db
        .selectFrom('recipient_rejects')
        .select(['line', 'reason', 'value'])
        .where('audience_no', '=', await audienceNoOf(db, id))
        .where('line', '>', afterLine)
        .orderBy('line')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, reason: row.reason as RejectedLine['reason'] }));
    });
  }

  /** The given variables that have no value for some recipient. @throws AppError CAMPAIGN_NOT_FOUND */
  missingValues(id: CampaignId, variables: readonly string[]): Promise<readonly MissingValue[]> {
    return this.database.run((db) => missingValues(db, id, variables));
  }
}

function frozen(id: CampaignId): AppError {
  return new AppError(
    'CAMPAIGN_FROZEN',
    `Campaign ${id} was started, so its definition and its audience cannot change. Create a new campaign; or change text and high water mark: everpost campaign update ${id}`,
  );
}

function idTaken(id: CampaignId): AppError {
  return new AppError(
    'CAMPAIGN_FROZEN',
    `Campaign ${id} exists: a campaign and one that is only for a plan cannot have the same id. Choose another id.`,
  );
}

function notOnlyForPlan(id: CampaignId): AppError {
  return new AppError(
    'CAMPAIGN_FROZEN',
    `Campaign ${id} is not only for a plan, and is not removed. Cancel it: everpost campaign cancel ${id}`,
  );
}

async function readAudience(db: Db, no: CampaignRow['audience_no']) {
  if (no === null) return undefined;
  return db.selectFrom('audiences').selectAll().where('no', '=', no).executeTakeFirst();
}

/** Zero if nothing was imported; no audience has that number. */
async function audienceNoOf(db: Db, id: CampaignId): Promise<string | number | bigint> {
  const campaign = await existingCampaign(db, id);
  refuseWithoutRecipients(campaign);
  return campaign.audience_no ?? 0;
}
