/**
 * Amendments: a new text for all recipients of a campaign, also for those who have an older one.
 *
 * AMEND-1 An amendment is a version of the campaign's text. Once it has begun, no older text is posted; a recipient who
 *    has one, or may still get one, gets an edit (EDITROW-1 to EDITROW-6).
 * AMEND-2 Only rows decide which message gets an edit: it has an older version, and was not sent more than the edit
 *    window before the start. An amendment can therefore be interrupted and continued at any point.
 * AMEND-3 The newer of two amendments wins: waiting edits of the older one end as superseded.
 * AMEND-4 A message that was edited itself keeps its text.
 * AMEND-5 An amendment ends once every edit has ended. Then the recipients are counted from their rows by the text that
 *    they saw; the amendment ends only if the counts add up to the audience.
 * AMEND-6 Amendments of one instance share its rate of edits: each turn goes to the edit that ORDER-1 and ORDER-2 name.
 * AMEND-7 While an amendment runs, it is computed from the edits that are left how many can still be made in time, since a
 *    pause, a slow gateway or another amendment may have taken turns.
 * AMEND-8 After an amendment with `stop` its text is only for recipients who have an older one: a retry needs another
 *    text, and a message that turns out never to have been accepted ends cancelled.
 */
import { sql, type Selectable } from 'kysely';
import {
  AppError,
  present,
  type Amendment,
  type AmendmentPlan,
  type AmendRequest,
  type CampaignId,
  type ContentTemplate,
} from '../../../contract/index.js';
import { contentsOf, type SentContents } from '../../../domain/index.js';
import { beginCommand, tookEffect, type AskedCommand } from '../../storage/commands.js';
import { endOlder } from '../../messages/edits/edits.js';
import { recipientMessageIdOf } from '../../messages/recipient-row.js';
import { TextPart } from '../../sensitive/texts.js';
import { retryingTransaction, type Db, type Tx } from '../../storage/store.js';
import type { AmendmentsTable } from '../../storage/schema.js';
import { shown, jsonText } from '../../storage/statements.js';
import { EDITS_UNDER_WAY, stateList } from '../../storage/state-lists.js';
import { countsAfter, countsNow, expectedEdits, planAmendment } from './amendment-counts.js';
import { candidates, EFFECTIVE, openEditsOf, textOf } from './amendment-edits.js';
import { cancelRest, markRequestsUnderWay, stopCampaign } from '../steering/end-campaign.js';
import {
  existingCampaign,
  lockCampaign,
  type CampaignRow,
  changeCampaign,
  isOver,
  permitted,
} from '../campaign-row.js';
import { refuseMissingValues } from '../audiences/variables.js';

type AmendmentRow = Selectable<AmendmentsTable>;
type At = Parameters<typeof planAmendment>[3];

/** A recipient who was posted to, or may have been, and the text that the recipient has. */
interface PostedText {
  readonly line: number;
  /** `own`: the recipient's message was edited by itself. */
  readonly text: 'current' | 'former' | 'own';
}

/** Edits opened in one transaction. */
const OPENED_AT_ONCE = 100;

export class Amendments extends TextPart {
  /**
   * The result of an amendment that began now.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | EDIT_NOT_TEXT
   */
  plan(id: CampaignId, text: string, at: At): Promise<AmendmentPlan> {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      return planAmendment(db, row, newVersion(row, text), at);
    });
  }

  /**
   * Once it returns, no older text is posted; with `stop` nothing is posted at all.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_INCOMPLETE | EDIT_NOT_TEXT |
   *   COMMAND_SUPERSEDED
   */
  async begin(id: CampaignId, request: AmendRequest, at: At, asked?: AskedCommand): Promise<Amendment> {
    const { content } = await this.database.run(async (db) =>
      amendedContents(await existingCampaign(db, id), request.text),
    );
    if (asked === undefined || !(await this.database.run((db) => tookEffect(db, `campaign:${id}`, asked.id)))) {
      await this.database.run(async (db) =>
        refuseMissingValues(db, await existingCampaign(db, id), [{ path: 'content', content }]),
      );
    }
    const begun = await retryingTransaction(this.database, (tx) => begin(tx, id, request, at, asked));
    if (!begun.isStopped) await cancelRest(this.database, id, 'amendment', at.nowMs);
    return this.database.run(async (db) => amendmentView(db, await existingCampaign(db, id), begun.amendment, at));
  }

  /** The amendments of a campaign, newest first. */
  async list(id: CampaignId, at: At): Promise<Amendment[]> {
    return this.database.run(async (db) => {
      const row = await existingCampaign(db, id);
      const amendments = await amendmentsOf(db, id).execute();
      return Promise.all(amendments.map((amendment, i) => amendmentView(db, row, amendment, at, amendments[i - 1])));
    });
  }

  /** Of the recipients on these lines; those who were not posted to are omitted. */
  postedTexts(id: CampaignId, lines: readonly number[]): Promise<PostedText[]> {
    return this.database.run(async (db) => {
      const { key, content_version } = await existingCampaign(db, id);
      const ids = sql`select ${recipientMessageIdOf(key, sql`l.line`)} from unnest(${lines}::integer[]) as l(line)`;
      const { rows } = await sql<PostedText>`
        select m.line, case
            when (e.id is not null and e.campaign_id is null) or m.content_version is null then 'own'
            when coalesce(e.content_version, m.content_version) < ${content_version} then 'former'
            else 'current' end as text
        from messages m left join lateral (
          select e.id, e.campaign_id, e.content_version from edits e
          where e.message_id = m.id and e.state in ${EFFECTIVE} order by e.seq desc limit 1) e on true
        where m.id in (${ids}) and m.state not in ${stateList('pending', 'undeliverable', 'unsent')}`.execute(db);
      return rows;
    });
  }

  /** Campaigns with an amendment that has not ended. */
  async open(): Promise<CampaignId[]> {
    const rows = await this.database.rows(sql<Pick<AmendmentRow, 'campaign_id'>>`
      select distinct campaign_id from amendments where ended_at is null`);
    return rows.map(({ campaign_id }) => campaign_id);
  }

  /**
   * Opens an edit for every recipient who has, or may get, an older text. The dispatcher posts it.
   * @returns whether it opened any
   */
  async openEdits(id: CampaignId, nowMs: number): Promise<boolean> {
    const found = await this.database.run(async (db) => {
      const amendment = await amendmentsOf(db, id).where('opened_at', 'is', null).executeTakeFirst();
      return amendment && { amendment, ids: await candidates(db, amendment) };
    });
    if (found === undefined) return false;
    const { amendment, ids } = found;
    for (let from = 0; from < ids.length; from += OPENED_AT_ONCE) {
      const part = ids.slice(from, from + OPENED_AT_ONCE);
      await retryingTransaction(this.database, (tx) => openEditsOf(tx, amendment, part, this.texts, nowMs));
    }
    await this.database.rows(sql`
      update amendments set opened_at = ${new Date(nowMs)} where ${isThis(amendment)} and opened_at is null`);
    return ids.length > 0;
  }

  /** Ends the amendments that have nothing left to do. @returns whether one remains */
  async endIfDone(id: CampaignId, nowMs: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      const open = await amendmentsOf(tx, id).where('ended_at', 'is', null).execute();
      let isLeft = false;
      for (const amendment of open) isLeft = !(await endIfDone(tx, row, amendment, nowMs)) || isLeft;
      return isLeft;
    });
  }
}

/** The text replaces that of every variant. @throws AppError CAMPAIGN_NOT_STARTED | EDIT_NOT_TEXT */
function amendedContents(row: CampaignRow, text: string): Pick<SentContents, 'content' | 'variants'> {
  permitted(row, 'amend');
  const other = contentsOf(row).find(({ content }) => content.kind !== 'text');
  if (other === undefined) {
    const { content, variants } = row;
    const amended = variants?.map((variant) => ({ ...variant, content: { ...variant.content, text } })) ?? null;
    return { content: { ...content, text }, variants: amended };
  }
  throw new AppError(
    'EDIT_NOT_TEXT',
    `Campaign ${row.id} sends a ${other.content.kind}: only a text can be edited. Change what is not posted yet: everpost campaign update ${row.id} --content`,
  );
}

function newVersion(row: CampaignRow, text: string): number {
  const { content, variants } = row;
  const isSame = jsonText(amendedContents(row, text)) === jsonText({ content, variants });
  return isSame ? row.content_version : row.content_version + 1;
}

/** The texts of variants follow their names. */
function textsBefore({ content, variants }: CampaignRow): ContentTemplate {
  if (variants === null) return content;
  return { ...content, text: variants.map((variant) => `${variant.name}: ${textOf(variant.content)}`).join('\n') };
}

async function begin(
  tx: Tx,
  id: CampaignId,
  { text, stop = false }: AmendRequest,
  at: At,
  asked: AskedCommand | undefined,
) {
  const row = await lockCampaign(tx, id);
  const version = newVersion(row, text);
  const { isNew } = await beginCommand(tx, row, 'amend', asked, { isAlreadySo: false, nowMs: at.nowMs });
  const now = new Date(at.nowMs);
  if (isNew) {
    const amended = amendedContents(row, text);
    const content = jsonText(amended.content);
    const variants = amended.variants && jsonText(amended.variants);
    const counts = await planAmendment(tx, row, version, at);
    if (version !== row.content_version) await changeCampaign(tx, id, { content, variants, content_version: version });
    // AMEND-3. Edits that an older amendment has posted are still confirmed; it opens no more edits.
    await sql`
      update amendments set opened_at = ${now}
      where campaign_id = ${id} and content_version < ${version} and opened_at is null`.execute(tx);
    const older = sql`e.campaign_id = ${id} and e.content_version < ${version} and e.state in ${EDITS_UNDER_WAY}`;
    await endOlder(tx, older, at.nowMs, 'newer_amendment');
    await tx
      .insertInto('amendments')
      .values({
        campaign_id: id,
        content_version: version,
        content,
        content_before: version === row.content_version ? content : jsonText(textsBefore(row)),
        stop,
        begun_at: now,
        counts_before: jsonText(counts),
      })
      .onConflict((conflict) => conflict.columns(['campaign_id', 'content_version']).doUpdateSet({ stop }))
      .execute();
  }
  const entry = permitted(row, stop ? 'amendAndStop' : 'amend');
  const isStopping = isNew && typeof entry === 'object' && entry.to !== undefined;
  const isStopped = !isStopping || (await stopCampaign(tx, row, 'amendment', now));
  // AMEND-8 where it has ended: an operator may find that an unresolved message was never accepted.
  if (isNew && stop && !isStopping) await markRequestsUnderWay(tx, row, 'amendment', now);
  return { amendment: await amendmentsOf(tx, id).executeTakeFirstOrThrow(), isStopped };
}

/** Newest first. */
function amendmentsOf(db: Db, id: CampaignId) {
  return db.selectFrom('amendments').selectAll().where('campaign_id', '=', id).orderBy('content_version', 'desc');
}

function isThis({ campaign_id, content_version }: AmendmentRow) {
  return sql`campaign_id = ${campaign_id} and content_version = ${content_version}`;
}

/** AMEND-5. @returns whether it has ended */
async function endIfDone(tx: Tx, row: CampaignRow, amendment: AmendmentRow, nowMs: number): Promise<boolean> {
  if (amendment.opened_at === null) return false;
  const unfinished = await sql`
    select from edits where ${isThis(amendment)} and state in ${EDITS_UNDER_WAY} limit 1`.execute(tx);
  if (unfinished.rows.length > 0) return false;
  const counts = await countsAfter(tx, row, amendment);
  // A stopped campaign ends in batches, which may not be finished.
  if (amendment.stop && counts.unsent > 0 && isOver(row, nowMs)) return false;
  await sql`
    update amendments set ended_at = ${new Date(nowMs)}, counts_after = ${jsonText(counts)}::json
    where ${isThis(amendment)}`.execute(tx);
  return true;
}

async function amendmentView(
  db: Db,
  row: CampaignRow,
  amendment: AmendmentRow,
  at: At,
  newer?: AmendmentRow,
): Promise<Amendment> {
  const { content, content_before, ended_at, counts_before, counts_after } = amendment;
  const isReplaced = newer !== undefined && (ended_at === null || ended_at >= newer.begun_at);
  const counts = (counts_after as Amendment['counts'] | null) ?? (await countsNow(db, row, amendment));
  const isEditing = !isReplaced && ended_at === null && amendment.opened_at !== null;
  return {
    ...shown(amendment, 'content_version', 'stop', 'begun_at', 'ended_at'),
    text: textOf(content),
    textBefore: textOf(content_before),
    state: isReplaced ? 'replaced' : ended_at === null ? 'running' : 'ended',
    before: counts_before as AmendmentPlan,
    counts,
    ...present({ expected: isEditing ? await expectedEdits(db, row, amendment, { ...at, counts }) : undefined }),
  };
}
