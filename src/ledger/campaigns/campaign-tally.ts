import { sql, type Selectable } from 'kysely';
import { MESSAGE_STATES, zeroOfEach, type MessageState, type StateCounts } from '../../contract/index.js';
import type { CampaignsTable } from '../schema.js';
import type { Db } from '../storage/store.js';

/** How many recipients are in each state, and what of them is still open. */
export interface Tally {
  readonly counts: StateCounts;
  /** Rows in `messages`. */
  readonly withRow: number;
  /** No recipient posted to yet, with a row or without. */
  readonly pending: number;
  /** Sending or unknown: a request left and its outcome is still to be found out. */
  readonly underWay: number;
  /** Unresolved, and waited for. */
  readonly unresolved: number;
  /** Accepted, and their receipts waited for. */
  readonly withoutReceipt: number;
  /** Never posted to before the deadline. */
  readonly expiredUnposted: number;
}

export interface StateRow {
  readonly state: MessageState;
  readonly recipients: number;
  readonly open: number;
  readonly unposted: number;
}

/** Stable word for a recipient who was not posted to before the deadline. */
export const EXPIRED_UNPOSTED = 'expired_before_sending';

/** Why a recipient without a message of their own has ended. */
export const REASON_WITHOUT_MESSAGE = { pending: null, cancelled: 'cancelled', expired: EXPIRED_UNPOSTED } as const;

/**
 * They add up to the audience by how they are counted: a recipient who has no row of their own is what the campaign's
 * row says.
 */
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

/** @param rows  of a state there may be several */
export function tallyFrom(
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
