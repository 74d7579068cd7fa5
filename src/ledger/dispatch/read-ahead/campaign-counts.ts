import { sql } from 'kysely';
import type { CampaignId } from '../../../contract/index.js';
import { EXPIRED_UNPOSTED, tallyFrom, type StateRow, type Tally, UNFINISHED } from '../../campaigns/campaign-tally.js';
import type { CampaignRow } from '../../campaigns/campaign-row.js';
import type { Db } from '../../storage/store.js';
import { stateList } from '../../messages/message-state.js';

interface CountRow extends StateRow {
  readonly changes: number;
}

/** A tally, and the number of changes that it was summed from. */
export interface CountedTally extends Tally {
  readonly changes: number;
}

/**
 * The same counts as `tallyOf`, summed from the changes that triggers wrote: the cost does not depend on the number of
 * recipients.
 */
export async function countedTally(
  db: Db,
  row: Pick<CampaignRow, 'id' | 'audience' | 'state_without_message'>,
): Promise<CountedTally> {
  const { rows } = await sql<CountRow>`/* campaign_counts */
    select state, sum(recipients)::integer as recipients, count(*)::integer as changes,
      coalesce(sum(recipients) filter (where is_open), 0)::integer as open,
      coalesce(sum(recipients) filter (where state = 'expired' and reason = ${EXPIRED_UNPOSTED}), 0)::integer as unposted
    from campaign_counts where campaign_id = ${row.id} group by state`.execute(db);
  return { ...tallyFrom(rows, row), changes: rows.reduce((total, { changes }) => total + changes, 0) };
}

/** Campaigns that could end, by the rules of {@link tallyFrom}, in one statement. */
export async function withoutOpenRecipients(db: Db, namespace: string): Promise<CampaignId[]> {
  const { rows } = await sql<{ id: CampaignId }>`/* campaigns_without_open_recipients */
    with sent as materialized (
      -- A campaign with due messages cannot end, so its counts are not summed.
      select c.id, c.audience, c.state_without_message from campaigns c
      where c.state in ${UNFINISHED} and (c.namespace is null or c.namespace = ${namespace})
        and not exists (select from streams s join due_messages d on d.stream_id = s.id where s.campaign_id = c.id))
    select c.id from sent c cross join lateral (
      select coalesce(sum(n.recipients), 0) as with_row, coalesce(sum(n.recipients) filter (where
        n.state in ${stateList('pending', 'in_flight')} or (n.is_open and n.state in ${stateList('accepted', 'unresolved')})), 0) as open
      from campaign_counts n where n.campaign_id = c.id) counted
    where counted.open = 0 and (counted.with_row = c.audience or c.state_without_message <> 'pending')
    order by c.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Replaces the changes of each state by one row. Changes that other transactions write meanwhile stay separate rows.
 */
export async function foldCounts(db: Db, id: CampaignId): Promise<void> {
  await sql`/* fold_campaign_counts */
    with gone as (
      delete from campaign_counts where campaign_id = ${id} returning *
    )
    insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
    select campaign_id, state, is_open, reason, sum(recipients) from gone
    group by campaign_id, state, is_open, reason having sum(recipients) <> 0`.execute(db);
}
