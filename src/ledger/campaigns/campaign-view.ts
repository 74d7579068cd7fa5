/** Views of a campaign's row for operators and workflows. */
import {
  RECIPIENT_VERDICTS,
  present,
  rejectedOf,
  remediesFor,
  zeroOfEach,
  type CampaignProgress,
  type CampaignState,
  type CampaignView,
  type Priority,
} from '../../contract/index.js';
import { timezoneOfCampaign } from '../../domain/index.js';
import type { audienceSchema, Shape } from '../../contract/schemas.js';
import type { Selectable } from 'kysely';
import { countedTally, responsesTo } from './campaign-tally.js';
import { dispatcherView } from '../instances/dispatcher-view.js';
import { type ListFilter, newestFirst, pageOf, cursorsByAge } from '../storage/pages.js';
import type { AudiencesTable } from '../schema.js';
import { shown } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import type { CampaignRow } from './campaign-row.js';
import type { Forecasts } from './forecasts.js';
import { variantsOf } from './variant-results.js';
import { whyWaiting } from './why-waiting.js';

export interface CampaignFilter extends ListFilter {
  readonly state?: CampaignState;
}

export type AudienceView = Shape<typeof audienceSchema>;

/** Not in a transaction: a forecast takes a while. */
export async function progressOf(
  db: Db,
  forecasts: Forecasts,
  row: CampaignRow,
  nowMs: number,
): Promise<CampaignProgress> {
  const tally = await countedTally(db, row);
  const { counts, pending } = tally;
  const dispatcher = await dispatcherView(db, row.instance);
  const { reading, releaseIntervalMs } = dispatcher;
  const waiting = await whyWaiting(db, row, tally, nowMs);
  return {
    ...shown(row, 'id', 'version', 'name', 'instance', 'state', 'audience', 'high_water'),
    ...shown(row, 'start_at', 'start_missed_at', 'started_at', 'ended_at', 'deadline_at'),
    commandSequence: Number(row.command_asked),
    priority: row.priority as Priority,
    counts,
    ...(await responsesTo(db, row.id)),
    timezone: timezoneOfCampaign(row.sending_windows ?? undefined, dispatcher.settings ?? {}),
    ...doneOf(row.audience, pending),
    ...present({
      depth: reading?.items,
      queueReadAt: reading?.at,
      releaseIntervalMs,
      perMinute: releaseIntervalMs && perMinuteOf(releaseIntervalMs),
      waiting,
    }),
    ...(await forecasts.eta({ row, pending, waiting, dispatcher }, nowMs)),
  };
}

function doneOf(audience: number, pending: number) {
  const done = audience - pending;
  return { done, donePercent: audience === 0 ? 0 : Math.floor((done / audience) * 100) };
}

function perMinuteOf(intervalMs: number): number {
  const perMinute = 60_000 / Math.max(1, intervalMs);
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute);
}

export async function campaignView(
  db: Db,
  forecasts: Forecasts,
  row: CampaignRow,
  nowMs: number,
): Promise<CampaignView> {
  const audiences = await db
    .selectFrom('audiences')
    .selectAll()
    .where('campaign_id', '=', row.id)
    .where('discarded', '=', false)
    .execute();
  const current = audiences.find(({ no }) => String(no) === String(row.audience_no));
  const underWay = audiences.find(({ finished_at }) => finished_at === null);
  return {
    ...(await progressOf(db, forecasts, row, nowMs)),
    ...shown(row, 'definition', 'content', 'content_version', 'sending_windows', 'limits', 'created_at'),
    ...shown(row, 'cancel_requested_at', 'recipients_removed_at'),
    ...(await variantsOf(db, row)),
    ...present({
      imported: current && audienceView(current),
      importing: underWay && shown(underWay, 'lines', 'begun_at'),
    }),
  };
}

/** @param row  of a finished import */
export function audienceView(row: Selectable<AudiencesTable>): AudienceView {
  const { lines, likely_country, additions, finished_at, begun_at } = row;
  const verdicts = row.verdicts ?? zeroOfEach(RECIPIENT_VERDICTS);
  return {
    lines,
    verdicts,
    rejected: rejectedOf(verdicts).rejected,
    remedies: remediesFor(verdicts, likely_country ?? undefined),
    additions: additions.length,
    importedAt: (finished_at ?? begun_at).toISOString(),
  };
}

const CURSORS = cursorsByAge('campaigns');

/** A page of campaigns, newest first, without campaigns that exist only for a plan. */
export async function listCampaigns(db: Db, forecasts: Forecasts, filter: CampaignFilter, nowMs: number) {
  const all = db.selectFrom('campaigns').selectAll().where('plan_until', 'is', null);
  let query = newestFirst(all, filter, { instance: 'instance', time: 'created_at', id: 'id', cursors: CURSORS });
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  const { items: rows, ...page } = pageOf(
    await query.execute(),
    filter.limit,
    (row) => row,
    ({ created_at, id }) => CURSORS.write(created_at, id),
  );
  const items: CampaignView[] = [];
  for (const row of rows) items.push(await campaignView(db, forecasts, row, nowMs));
  return { ...page, items };
}
