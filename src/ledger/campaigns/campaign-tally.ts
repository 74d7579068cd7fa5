import { type RawBuilder, sql, type Selectable } from 'kysely';
import {
  MESSAGE_STATES,
  zeroOfEach,
  type CampaignState,
  type MessageState,
  type StateCounts,
  type CampaignId,
} from '../../contract/index.js';
import { EXPIRED_UNPOSTED } from '../messages/end-reasons.js';
import { literalList, stateList } from '../storage/state-lists.js';
import type { CampaignsTable } from '../storage/schema.js';
import { onlyRow, type Db } from '../storage/store.js';
import type { CampaignRow } from './campaign-row.js';

/** The states of campaigns that were started and have not ended, as a list in SQL. A partial index has the same. */
export const UNFINISHED = literalList(['running', 'paused', 'cancelling'] satisfies CampaignState[]);

const MISSED = literalList(['failed', 'no_account', 'rejected'] satisfies MessageState[]);

/** How many recipients are in each state, and how many of them are still open. */
export interface Tally {
  readonly counts: StateCounts;
  /** Rows in `messages`. */
  readonly withRow: number;
  /** No recipient's message was posted yet, with or without a row. */
  readonly pending: number;
  /** Sending or unknown: a request left and its outcome is not determined. */
  readonly underWay: number;
  /** Unresolved, and the campaign waits for them. */
  readonly unresolved: number;
  /** Accepted, and the campaign waits for their receipts. */
  readonly withoutReceipt: number;
  /** Not posted before the deadline. */
  readonly expiredUnposted: number;
}

interface StateRow {
  readonly state: MessageState;
  readonly recipients: number;
  readonly open: number;
  readonly unposted: number;
}

/** The counts always add up to the audience: the campaign's row gives the state of recipients without a row. */
export async function tallyOf(
  db: Db,
  row: Pick<Selectable<CampaignsTable>, 'id' | 'audience' | 'state_without_message'>,
): Promise<Tally> {
  const { rows } = await sql<StateRow>`/* campaign_tally */
    select state, count(*)::integer as recipients, count(*) filter (where ended_at is null)::integer as open,
      count(*) filter (where state = 'expired' and reason = ${EXPIRED_UNPOSTED})::integer as unposted
    from messages where campaign_id = ${row.id} group by state`.execute(db);
  return tallyFrom(rows, row);
}

/** @param rows  several rows may have the same state */
function tallyFrom(
  rows: readonly StateRow[],
  { audience, state_without_message }: Pick<Selectable<CampaignsTable>, 'audience' | 'state_without_message'>,
): Tally {
  const counts = zeroOfEach(MESSAGE_STATES);
  for (const { state, recipients } of rows) counts[state] += recipients;
  const withRow = sum(rows, 'recipients');
  const withoutRow = audience - withRow;
  counts[state_without_message] += withoutRow;
  const open = (wanted: MessageState): number =>
    sum(
      rows.filter(({ state }) => state === wanted),
      'open',
    );
  const unposted = sum(rows, 'unposted');
  return {
    counts,
    withRow,
    pending: counts.pending,
    underWay: counts.sending + counts.unknown,
    unresolved: open('unresolved'),
    withoutReceipt: open('accepted'),
    expiredUnposted: unposted + (state_without_message === 'expired' ? withoutRow : 0),
  };
}

function sum(rows: readonly StateRow[], column: 'recipients' | 'open' | 'unposted'): number {
  return rows.reduce((total, row) => total + row[column], 0);
}

/**
 * The changes of a campaign's counts as {@link foldCounts} leaves them, and how many rows each of them has now. Grouped
 * before they are summed: a count of distinct rows sorts them.
 */
const folded = (id: RawBuilder<unknown>) => sql`(
  select state, is_open, reason, count(*) as entries, sum(recipients) as recipients from campaign_counts
  where campaign_id = ${id} group by instance, variant, state, is_open, reason)`;
/** How many rows folding would remove. */
const CHANGES = sql`coalesce(sum(n.entries) - count(*), 0)::integer`;

/**
 * The same counts as `tallyOf`, summed from the changes that triggers wrote: the cost does not depend on the number of
 * recipients.
 */
export async function countedTally(
  db: Db,
  row: Pick<CampaignRow, 'id' | 'audience' | 'state_without_message'>,
): Promise<Tally & { readonly changes: number }> {
  const { rows } = await sql<StateRow & { readonly changes: number }>`/* campaign_counts */
    select n.state, sum(n.recipients)::integer as recipients, ${CHANGES} as changes,
      coalesce(sum(n.recipients) filter (where n.is_open), 0)::integer as open,
      coalesce(sum(n.recipients) filter (where n.state = 'expired' and n.reason = ${EXPIRED_UNPOSTED}), 0)::integer as unposted
    from ${folded(sql`${row.id}`)} n group by n.state`.execute(db);
  return { ...tallyFrom(rows, row), changes: rows.reduce((total, { changes }) => total + changes, 0) };
}

/** RESPONSE-4: how many recipients replied and opted out. */
export async function responsesTo(
  db: Db,
  id: CampaignId,
): Promise<{ readonly replied: number; readonly optedOut: number }> {
  return onlyRow(
    db,
    sql<{ replied: number; optedOut: number }>`/* campaign_responses */
      select coalesce(sum(replied), 0)::integer as replied, coalesce(sum(opted_out), 0)::integer as "optedOut"
      from campaign_response_counts where campaign_id = ${id}`,
  );
}

/**
 * Campaigns that could end, and those past their end that still have recipients to end, by the rules of
 * {@link tallyFrom}, in one statement.
 */
export async function campaignsToEnd(db: Db, namespace: string, nowMs: number): Promise<CampaignId[]> {
  const { rows } = await sql<{ id: CampaignId }>`/* campaigns_to_end */
    with could as (
      select c.id, c.audience, c.state_without_message = 'pending' as is_pending,
        c.cancel_requested_at is not null or coalesce(c.deadline_at <= ${new Date(nowMs)}::timestamptz, false) as is_over
      from campaigns c where c.state in ${UNFINISHED} and (c.namespace is null or c.namespace = ${namespace})
    ), sent as materialized (
      -- Before its end, a campaign with due messages cannot end, so its counts are not summed.
      select * from could c where is_over
        or not exists (select from streams s join due_messages d on d.stream_id = s.id where s.campaign_id = c.id)
    )
    select c.id from sent c cross join lateral (
      select coalesce(sum(n.recipients), 0) as with_row, coalesce(sum(n.recipients) filter (where
          n.state in ${stateList('pending', 'in_flight')} or (n.is_open and n.state in ${stateList('accepted', 'unresolved')})), 0) as open,
        coalesce(sum(n.recipients) filter (where
          n.state in ${stateList('pending')} or (n.is_open and n.state in ${stateList('unresolved')})), 0) as left_over
      from campaign_counts n where n.campaign_id = c.id) counted
    where (counted.open = 0 and (counted.with_row = c.audience or not c.is_pending))
      or (c.is_over and (counted.left_over > 0 or (c.is_pending and counted.with_row < c.audience)))
    order by c.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** What a running campaign's counts say, for the automatic pause and for folding them. */
export interface RunningCounts {
  readonly id: CampaignId;
  /** Recipients that did not get the message, as the automatic pause counts them. */
  readonly missed: number;
  /** Recipients that did or did not get the message. */
  readonly outcomes: number;
  /** Whether summing the changes takes long. */
  readonly areMany: boolean;
}

/**
 * More changes of a campaign's counts than this are folded: all of them are read every two seconds, and a campaign at its
 * pace writes about ten a second.
 */
export const MOST_CHANGES = 50;

export async function countsOfRunning(db: Db, namespace: string): Promise<RunningCounts[]> {
  const { rows } = await sql<Omit<RunningCounts, 'areMany'> & { changes: number }>`/* counts_of_running */
    select c.id, counted.missed, counted.missed + counted.arrived as outcomes, counted.changes from campaigns c cross join lateral (
      select ${CHANGES} as changes, coalesce(sum(n.recipients) filter (where n.state in ${MISSED}), 0)::integer as missed,
        coalesce(sum(n.recipients) filter (where n.state in ${stateList('taken')}), 0)::integer as arrived
      from ${folded(sql`c.id`)} n) counted
    where c.state = 'running' and (c.namespace is null or c.namespace = ${namespace}) order by c.id`.execute(db);
  return rows.map(({ changes, ...counts }) => ({ ...counts, areMany: changes > MOST_CHANGES }));
}

/**
 * Replaces the changes of each state by one row. Changes that other transactions write meanwhile stay separate rows.
 */
export async function foldCounts(db: Db, ids: readonly CampaignId[]): Promise<void> {
  await sql`/* fold_campaign_counts */
    with gone as (
      delete from campaign_counts where campaign_id = any(${ids}::text[]) returning *
    )
    insert into campaign_counts (campaign_id, instance, variant, state, is_open, reason, recipients)
    select campaign_id, instance, variant, state, is_open, reason, sum(recipients) from gone
    group by campaign_id, instance, variant, state, is_open, reason having sum(recipients) <> 0`.execute(db);
}
