/**
 * Counts of a campaign's recipients by outcome and by time, for its summary.
 *
 * SUMMARY-1 One statement counts {@link LINES_PER_PART} lines, and finds each message by its key: the embedded database
 *    runs one statement at a time, and every send waits for it. An index over the times would be written for every
 *    receipt, to be read a few times in a campaign's life.
 * SUMMARY-2 Every line is counted once, whatever its state becomes meanwhile, so the outcomes always add up to the
 *    audience. Parts by state would count a message twice, or not at all, when a receipt moves it.
 */
import { sql } from 'kysely';
import type { CampaignId, MessageState } from '../../contract/index.js';
import { stateList } from '../messages/message-state.js';
import type { Db } from '../storage/store.js';
import { existingCampaign, refuseWithoutRecipients } from './campaign-row.js';
import { REASON_WITHOUT_MESSAGE } from './campaign-tally.js';
import { recipientMessageIdOf } from './recipient-row.js';

/** A part takes some ten milliseconds of an embedded database. */
const LINES_PER_PART = 2_000;

/** What can happen to a message at a time. `failed`: it was rejected, not delivered, or has no account. */
export const SUMMARY_EVENTS = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type SummaryEvent = (typeof SUMMARY_EVENTS)[number];

/** How many recipients ended, or are, in one state for one reason. */
export interface Outcome {
  readonly state: MessageState;
  readonly reason: string | null;
  readonly recipients: number;
}

/** How many messages one event happened to, in one slot of time. */
export interface EventCount {
  readonly event: SummaryEvent;
  /** Begin of the slot, by our own clock. */
  readonly slotMs: number;
  readonly messages: number;
}

export interface SummaryPart {
  readonly outcomes: readonly Outcome[];
  readonly events: readonly EventCount[];
  /** The last line of the part; absent if no line follows. */
  readonly afterLine?: number;
}

interface PartRow {
  readonly what: SummaryEvent | 'outcome' | 'lines';
  readonly state: MessageState;
  readonly reason: string | null;
  readonly slot: string | null;
  readonly counted: number;
}

/**
 * Counts the next lines of an audience.
 * @param slotMs  length of a slot; whole seconds
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_RECIPIENTS_REMOVED
 */
export async function summaryPart(
  db: Db,
  id: CampaignId,
  { afterLine, slotMs }: { readonly afterLine: number; readonly slotMs: number },
): Promise<SummaryPart> {
  const campaign = await existingCampaign(db, id);
  refuseWithoutRecipients(campaign);
  const { key, audience_no, state_without_message } = campaign;
  const { rows } = await sql<PartRow>`
    with part as materialized (
      select line from recipients where audience_no = ${audience_no} and line > ${afterLine}
      order by line limit ${LINES_PER_PART}
    ), message as materialized (
      select coalesce(m.state, ${state_without_message}) as state,
        case when m.id is null then ${REASON_WITHOUT_MESSAGE[state_without_message]} else m.reason end as reason,
        m.accepted_at, m.ended_at, m.sent_at, m.sent_seen_at, m.delivered_at, m.delivered_seen_at, m.read_at, m.read_seen_at
      from part left join lateral (
        -- The limit keeps the planner from a join that reads the whole table.
        select * from messages where id = ${recipientMessageIdOf(key, sql`part.line`)} limit 1) m on true
    ), event as (
      -- The same rules as milestonesOf: a later step is never shown before an earlier one.
      select 'accepted' as what, accepted_at as at from message
      union all select 'sent', greatest(accepted_at, coalesce(sent_seen_at, sent_at)) from message where sent_at is not null
      union all select 'delivered', greatest(accepted_at, case when sent_at is not null then coalesce(sent_seen_at, sent_at) end,
        coalesce(delivered_seen_at, delivered_at)) from message where delivered_at is not null
      union all select 'read', greatest(accepted_at, case when sent_at is not null then coalesce(sent_seen_at, sent_at) end,
        case when delivered_at is not null then coalesce(delivered_seen_at, delivered_at) end,
        coalesce(read_seen_at, read_at)) from message where read_at is not null
      union all select 'failed', ended_at from message
        where state in ${stateList('undeliverable')} or state = 'rejected'
    )
    select 'outcome' as what, state, reason, null::bigint as slot, count(*)::integer as counted
    from message group by state, reason
    union all
    select what, null, null, floor(extract(epoch from at) * 1000 / ${slotMs}::integer)::bigint, count(*)::integer
    from event where at is not null group by what, 4
    union all
    select 'lines', null, null, max(line), count(*)::integer from part`.execute(db);
  const lines = rows.find(({ what }) => what === 'lines');
  const isLast = lines === undefined || lines.counted < LINES_PER_PART;
  return {
    outcomes: rows.flatMap(({ what, state, reason, counted }) =>
      what === 'outcome' ? [{ state, reason, recipients: counted }] : [],
    ),
    events: rows.flatMap(({ what, slot, counted }) =>
      what === 'outcome' || what === 'lines'
        ? []
        : [{ event: what, slotMs: Number(slot) * slotMs, messages: counted }],
    ),
    ...(isLast ? {} : { afterLine: Number(lines.slot) }),
  };
}
