/** Views of a campaign's row for operators and workflows. */
import { sql, type Selectable } from 'kysely';
import {
  MESSAGE_STATES,
  RECIPIENT_VERDICTS,
  present,
  rejectedOf,
  remediesFor,
  zeroOfEach,
  type CampaignAccount,
  type CampaignProgress,
  type CampaignView,
  type MessageState,
  statesIn,
  type Priority,
  type VariantResults,
} from '../../contract/index.js';
import { comparisonOf, streamBlocker, timezoneOfCampaign, wilson } from '../../domain/index.js';
import type { audienceSchema, Shape } from '../../contract/schemas.js';
import { type AccountRow, accountRows, listed } from './campaign-accounts.js';
import { countedTally, responsesTo } from './campaign-tally.js';
import { dispatcherView } from '../instances/dispatcher-view.js';
import type { AudiencesTable } from '../storage/schema.js';
import { shown, sinceOf } from '../storage/statements.js';
import { streamFacts, streamsOfCampaign } from '../streams/stream-blockers.js';
import type { Db } from '../storage/store.js';
import type { CampaignRow } from './campaign-row.js';
import type { Forecasts, Sender } from './forecasts.js';
import { whyWaiting } from './why-waiting.js';

/** Posted, and more than that is known. */
const POSTED = [...statesIn('accepted', 'taken', 'undeliverable'), 'rejected'] as const;
const FAILED = [...statesIn('undeliverable'), 'rejected'] as const;

/** Not in a transaction: a forecast takes a while, unless it is left out for many recipients (ETA-4). */
export async function progressOf(
  db: Db,
  forecasts: Forecasts,
  row: CampaignRow,
  nowMs: number,
  forecastUpTo?: number,
  known?: readonly Account[],
): Promise<CampaignProgress> {
  const accounts = known ?? (await accountsOf(db, row));
  const tally = await countedTally(db, row);
  const { counts, pending } = tally;
  const done = row.audience - pending;
  const instances = listed(accounts);
  // The accounts that get its messages; all on its list if every one is out.
  const isIn = accounts.filter(({ out_at }) => out_at === null);
  const senders = isIn.length > 0 ? isIn : accounts.filter(({ instance }) => instances.includes(instance));
  const waiting = await whyWaiting(db, row, { tally, instances: senders.map(({ instance }) => instance) }, nowMs);
  const settings = senders[0]?.dispatcher.settings ?? {};
  return {
    ...shown(row, 'id', 'version', 'name', 'instance', 'state', 'audience', 'high_water'),
    ...shown(row, 'start_at', 'start_missed_at', 'started_at', 'ended_at', 'deadline_at'),
    commandSequence: Number(row.command_asked),
    priority: row.priority as Priority,
    counts,
    ...(await responsesTo(db, row.id)),
    timezone: timezoneOfCampaign(row.sending_windows ?? undefined, settings),
    done,
    donePercent: row.audience === 0 ? 0 : Math.floor((done / row.audience) * 100),
    ...queueOf(senders),
    ...present({ waiting, instances: instances.length > 1 ? instances : undefined }),
    ...(await forecasts.eta({ row, pending, waiting, senders, forecastUpTo }, nowMs)),
  };
}

/** An account of a campaign, and what is known of its gateway's queue. */
type Account = AccountRow & Pick<Sender, 'dispatcher'>;

async function accountsOf(db: Db, { id }: CampaignRow): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const account of await accountRows(db, id)) {
    accounts.push({ ...account, dispatcher: await dispatcherView(db, account.instance) });
  }
  return accounts;
}

/** The items in all queues, as far as they were read, and the pace of all accounts. */
function queueOf(senders: readonly Sender[]) {
  const readings = senders.flatMap(({ dispatcher: { reading } }) => reading ?? []);
  const intervals = senders.flatMap(({ dispatcher: { releaseIntervalMs } }) => releaseIntervalMs ?? []);
  const [oldest] = readings.map(({ at }) => at).toSorted();
  return present({
    depth: readings.length === 0 ? undefined : readings.reduce((sum, { items }) => sum + items, 0),
    queueReadAt: oldest,
    releaseIntervalMs: senders.length === 1 ? intervals[0] : undefined,
    perMinute: perMinuteOf(intervals),
  });
}

function perMinuteOf(intervalsMs: readonly number[]): number | undefined {
  if (intervalsMs.length === 0) return undefined;
  const perMinute = intervalsMs.reduce((sum, intervalMs) => sum + 60_000 / Math.max(1, intervalMs), 0);
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
  const accounts = await accountsOf(db, row);
  return {
    ...(await progressOf(db, forecasts, row, nowMs, undefined, accounts)),
    ...shown(row, 'definition', 'content', 'content_version', 'sending_windows', 'limits', 'created_at'),
    ...shown(row, 'cancel_requested_at', 'recipients_removed_at'),
    ...(await variantsOf(db, row)),
    accounts: await accountViews(db, { row, accounts }, nowMs),
    ...present({
      imported: current && audienceView(current),
      importing: underWay && shown(underWay, 'lines', 'begun_at'),
    }),
  };
}

/** What a campaign's view says about its variants; nothing for a campaign without them. */
async function variantsOf(
  db: Db,
  { id, variants, winner, definition: { holdOut } }: CampaignRow,
): Promise<Pick<CampaignView, 'variants' | 'winner' | 'holdOut' | 'comparison'>> {
  if (variants === null) return present({ holdOut });
  const counted = await sql<{ variant: string; state: MessageState; recipients: number }>`/* variant_counts */
    select variant, state, sum(recipients)::integer as recipients from campaign_counts
    where campaign_id = ${id} and variant is not null group by 1, 2`.execute(db);
  const responded = await sql<{ variant: string; replied: number; optedOut: number }>`/* variant_responses */
    select variant, sum(replied)::integer as replied, sum(opted_out)::integer as "optedOut"
    from campaign_response_counts where campaign_id = ${id} group by 1`.execute(db);
  const shownVariants = variants.map((variant) => {
    const counts: Record<MessageState, number> = { ...zeroOfEach(MESSAGE_STATES) };
    for (const row of counted.rows) if (row.variant === variant.name) counts[row.state] += row.recipients;
    const sum = (states: readonly MessageState[]) => states.reduce((total, state) => total + counts[state], 0);
    const { replied = 0, optedOut = 0 } = responded.rows.find((row) => row.variant === variant.name) ?? {};
    const posted = sum(POSTED);
    const results: VariantResults = {
      recipients: sum(MESSAGE_STATES) - counts.held_out,
      posted,
      delivered: wilson(sum(['delivered', 'read']), posted),
      read: wilson(counts.read, posted),
      replied: wilson(replied, posted),
      optedOut: wilson(optedOut, posted),
      failed: wilson(sum(FAILED), posted),
    };
    return { ...variant, results };
  });
  const comparison = comparisonOf(shownVariants.map(({ name, results }) => ({ name, ...results })));
  return { variants: shownVariants, comparison, ...present({ winner, holdOut }) };
}

/** Its accounts in their order, with their share of the campaign. */
async function accountViews(
  db: Db,
  { row: { id, state }, accounts }: { readonly row: CampaignRow; readonly accounts: readonly Account[] },
  nowMs: number,
): Promise<CampaignAccount[]> {
  const { rows } = await sql<{ instance: string; state: MessageState; recipients: number }>`/* account_counts */
    select instance, state, sum(recipients)::integer as recipients from campaign_counts
    where campaign_id = ${id} group by instance, state`.execute(db);
  const facts = await streamFacts(db, streamsOfCampaign(id, sql`true`), nowMs);
  return accounts.map(({ instance, dispatcher: { releaseIntervalMs }, ...account }) => {
    const own = facts.get(instance);
    const blocker = own && state === 'running' ? streamBlocker(own, nowMs) : undefined;
    const counts: Record<MessageState, number> = { ...zeroOfEach(MESSAGE_STATES) };
    for (const row of rows) if (row.instance === instance) counts[row.state] = row.recipients;
    return {
      instance,
      counts,
      ...present({
        perMinute: releaseIntervalMs && perMinuteOf([releaseIntervalMs]),
        waiting: blocker && { ...blocker, since: sinceOf(blocker.since, account.since) },
        outSince: account.out_at?.toISOString(),
        outWhy: account.out_why,
        outText: account.out_text,
      }),
    };
  });
}

/** @param row  of a finished import */
export function audienceView(row: Selectable<AudiencesTable>): Shape<typeof audienceSchema> {
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
