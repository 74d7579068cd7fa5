import { sql } from 'kysely';
import { MESSAGE_STATES, type CampaignId, type MessageState } from '../../contract/index.js';
import { EXPIRED_UNPOSTED, type Tally } from '../campaigns/campaign-tally.js';
import type { CampaignRow } from '../campaigns/campaign-progress.js';
import type { Db } from '../store.js';

interface CountRow {
  readonly state: MessageState;
  readonly is_open: boolean;
  readonly reason: string | null;
  readonly recipients: number;
  readonly changes: number;
}

/** A tally, and of how many changes it was added up. */
export interface CountedTally extends Tally {
  readonly changes: number;
}

/** What `tallyOf` counts, as the sum of the changes that triggers wrote: it costs the same for a million recipients. */
export async function countedTally(
  db: Db,
  row: Pick<CampaignRow, 'id' | 'audience' | 'unfed_state'>,
): Promise<CountedTally> {
  const { rows } = await sql<CountRow>`/* campaign_counts */
    select state, is_open, reason, sum(recipients)::integer as recipients, count(*)::integer as changes
    from campaign_counts where campaign_id = ${row.id} group by state, is_open, reason`.execute(db);
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as Record<MessageState, number>;
  for (const { state, recipients } of rows) counts[state] += recipients;
  const withRow = sum(rows);
  const withoutRow = row.audience - withRow;
  counts[row.unfed_state] += withoutRow;
  const open = (state: MessageState): number => sum(rows.filter((one) => one.state === state && one.is_open));
  const unposted = sum(rows.filter(({ state, reason }) => state === 'expired' && reason === EXPIRED_UNPOSTED));
  return {
    counts,
    withRow,
    pending: counts.pending,
    underWay: counts.sending + counts.unknown,
    unresolved: open('unresolved'),
    unheard: open('accepted'),
    expiredUnposted: unposted + (row.unfed_state === 'expired' ? withoutRow : 0),
    changes: rows.reduce((total, { changes }) => total + changes, 0),
  };
}

function sum(rows: readonly CountRow[]): number {
  return rows.reduce((total, { recipients }) => total + recipients, 0);
}

/** One row for each state in place of its changes so far. What others write meanwhile stays beside it. */
export async function foldCounts(db: Db, id: CampaignId): Promise<void> {
  await sql`/* fold_campaign_counts */
    with gone as (
      delete from campaign_counts where campaign_id = ${id} returning *
    )
    insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
    select campaign_id, state, is_open, reason, sum(recipients) from gone
    group by campaign_id, state, is_open, reason having sum(recipients) <> 0`.execute(db);
}
