import { present } from '../../contract/index.js';
import type { Selectable } from 'kysely';
import { newestFirst, pageOf, pageSizeOf } from '../storage/pages.js';
import { iso } from '../storage/statements.js';
import type { AudiencesTable } from '../schema.js';
import type { Db } from '../storage/store.js';
import type { AudienceView, CampaignFilter, CampaignView, VerdictCounts } from './campaign-ledger.js';
import { progressOf } from './campaign-progress.js';
import { type CampaignRow } from './campaign-row.js';

export type AudienceRow = Selectable<AudiencesTable>;

export async function campaignView(db: Db, row: CampaignRow, nowMs: number): Promise<CampaignView> {
  const audiences = await db
    .selectFrom('audiences')
    .selectAll()
    .where('campaign_id', '=', row.id)
    .where('discarded', '=', false)
    .execute();
  const current = audiences.find(({ no }) => String(no) === String(row.audience_no));
  const underWay = audiences.find(({ finished_at }) => finished_at === null);
  return {
    ...(await progressOf(db, row, nowMs)),
    definition: row.definition,
    content: row.content,
    contentVersion: row.content_version,
    createdAt: row.created_at.toISOString(),
    ...present({
      sendingWindows: row.sending_windows,
      limits: row.limits,
      cancelRequestedAt: iso(row.cancel_requested_at),
      recipientsRemovedAt: iso(row.recipients_removed_at),
      imported: current && audienceView(current),
      importing: underWay && { lines: underWay.lines, begunAt: underWay.begun_at.toISOString() },
    }),
  };
}

/** @param row of an import that has finished */
export function audienceView({ lines, verdicts, finished_at, begun_at }: AudienceRow): AudienceView {
  return { lines, verdicts: verdicts as VerdictCounts, importedAt: (finished_at ?? begun_at).toISOString() };
}

/** A page of campaigns, newest first. */
export async function listCampaigns(
  db: Db,
  filter: CampaignFilter,
  nowMs: number,
): Promise<{ items: CampaignView[]; cursor?: string }> {
  const all = db.selectFrom('campaigns').selectAll().where('plan_until', 'is', null);
  let query = newestFirst(all, filter, { instance: 'instance', time: 'created_at', id: 'id' });
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  const rows = await query.execute();
  const page = pageOf(
    rows,
    pageSizeOf(filter.limit),
    (row) => row,
    ({ created_at, id }) => ({ createdAt: created_at, id }),
  );
  const items: CampaignView[] = [];
  for (const row of page.items) items.push(await campaignView(db, row, nowMs));
  return { ...page, items };
}
