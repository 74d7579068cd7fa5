import { sql, type Selectable } from 'kysely';
import {
  MESSAGE_STATES,
  zeroOfEach,
  type CampaignState,
  type MessageState,
  type StateCounts,
} from '../../contract/index.js';
import { literalList } from '../messages/message-state.js';
import type { CampaignsTable } from '../schema.js';
import type { Db } from '../storage/store.js';

/** The states of campaigns that were started and have not ended, as a list in SQL. A partial index has the same. */
export const UNFINISHED = literalList(['running', 'paused', 'cancelling'] satisfies CampaignState[]);

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

export interface StateRow {
  readonly state: MessageState;
  readonly recipients: number;
  readonly open: number;
  readonly unposted: number;
}

/** Stable word for a recipient whose message was not posted before the deadline. */
export const EXPIRED_UNPOSTED = 'expired_before_sending';

/** Why a recipient without a message row has ended. */
export const REASON_WITHOUT_MESSAGE = { pending: null, cancelled: 'cancelled', expired: EXPIRED_UNPOSTED } as const;

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
