/**
 * Counts of a campaign's recipients by outcome and by time, for its summary.
 *
 * SUMMARY-1 One statement counts a block of lines, whose messages are adjacent in the primary key: the embedded database
 *    runs one statement at a time, and every send waits for it. An index over the times would be written for every
 *    receipt, to be read a few times in a campaign's life.
 * SUMMARY-2 Every line is counted once, whatever its state becomes meanwhile, so the outcomes always add up to the
 *    audience. Parts by state would count a message twice, or not at all, when a receipt moves it.
 */
import { sql } from 'kysely';
import { LINES_PER_BLOCK, recipientMessageIds, type CampaignId, type MessageState } from '../../contract/index.js';
import { stateList } from '../storage/state-lists.js';
import type { Db } from '../storage/store.js';
import { existingCampaign, refuseWithoutRecipients } from './campaign-row.js';
import { REASON_WITHOUT_MESSAGE } from '../messages/end-reasons.js';

/** What can happen to a message at a time. `failed`: it was rejected, not delivered, or has no account. */
export const SUMMARY_EVENTS = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type SummaryEvent = (typeof SUMMARY_EVENTS)[number];

/** How many recipients ended, or are, in one state for one reason. */
export interface ReasonCount {
  readonly state: MessageState;
  readonly reason: string | null;
  readonly recipients: number;
}

interface PartRow {
  readonly what: SummaryEvent | 'outcome' | 'recipients' | 'following';
  readonly state: MessageState;
  readonly reason: string | null;
  readonly slot: string | null;
  readonly counted: number;
}

/**
 * Counts a block of {@link LINES_PER_BLOCK} lines of an audience.
 * @param slotMs  length of a slot; whole seconds
 * @returns `events`: how many messages each event happened to in each slot, which `slotMs` begins by our own clock.
 *   `isLast`: no line follows
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_RECIPIENTS_REMOVED
 */
export async function summaryPart(
  db: Db,
  id: CampaignId,
  { block, slotMs }: { readonly block: number; readonly slotMs: number },
) {
  const campaign = await existingCampaign(db, id);
  refuseWithoutRecipients(campaign);
  const { key, audience_no, state_without_message } = campaign;
  const ids = recipientMessageIds(key, block);
  const [from, until] = [block * LINES_PER_BLOCK, (block + 1) * LINES_PER_BLOCK];
  const sent = sql`case when sent_at is not null then coalesce(sent_seen_at, sent_at) end`;
  const delivered = sql`coalesce(delivered_seen_at, delivered_at)`;
  const read = sql`case when read_at is not null then coalesce(read_seen_at, read_at) end`;
  const { rows } = await sql<PartRow>`
    with message as materialized (
      -- The greatest, as in milestonesOf: a later step is never before an earlier one. Read implies delivered.
      select state, reason, accepted_at as accepted,
        case when sent_at is not null then greatest(accepted_at, ${sent}) end as sent,
        case when ${delivered} is not null then greatest(accepted_at, ${sent}, ${delivered}) end as delivered,
        case when read_at is not null then greatest(accepted_at, ${sent}, ${delivered}, ${read}) end as read,
        case when state in ${stateList('undeliverable')} or state = 'rejected' then ended_at end as failed
      from messages where id between ${ids.first} and ${ids.last} and campaign_id = ${id}
    )
    select 'outcome' as what, state, reason, null::bigint as slot, count(*)::integer as counted
    from message group by state, reason
    union all
    select e.what, null, null, floor(extract(epoch from e.at) * 1000 / ${slotMs}::integer)::bigint, count(*)::integer
    from message cross join lateral (values ('accepted', accepted), ('sent', sent), ('delivered', delivered),
      ('read', read), ('failed', failed)) e (what, at)
    where e.at is not null group by 1, 4
    union all
    select 'recipients', null, null, null, count(*)::integer from recipients
    where audience_no = ${audience_no} and line >= ${from} and line < ${until}
    union all
    select 'following', null, null, null, count(*)::integer from (
      select from recipients where audience_no = ${audience_no} and line >= ${until} limit 1) as one`.execute(db);
  const counted = (wanted: PartRow['what']) => rows.find(({ what }) => what === wanted)?.counted ?? 0;
  const outcomes: ReasonCount[] = rows
    .filter(({ what }) => what === 'outcome')
    .map(({ state, reason, counted: recipients }) => ({ state, reason, recipients }));
  const withoutMessage = counted('recipients') - outcomes.reduce((sum, { recipients }) => sum + recipients, 0);
  const reason = REASON_WITHOUT_MESSAGE[state_without_message];
  return {
    outcomes: [...outcomes, { state: state_without_message, reason, recipients: withoutMessage }],
    events: rows.flatMap(({ what, slot, counted: messages }) => {
      const event = SUMMARY_EVENTS.find((one) => one === what);
      return event === undefined ? [] : [{ event, slotMs: Number(slot) * slotMs, messages }];
    }),
    isLast: counted('following') === 0,
  };
}
