import { sql, type Selectable } from 'kysely';
import { type MessageId, present, type Priority } from '../../../contract/index.js';
import { awayState, mayPost } from '../../instances/pauses.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import { type DueAttempt, type Want } from '../dispatch-ledger.js';
import { isCurrent } from '../../messages/writer/due-rows.js';
import { identicalHash } from '../../messages/writer/identical.js';
import { messageBlocker } from '../../streams/message-blocker.js';
import { countPosted, placesOf } from '../../streams/limits.js';
import { byClass, kindsOf, TEMPLATE_ALLOWS } from '../../streams/streams.js';
import type { MessageRow } from '../../messages/message-row.js';
import { changing } from '../../messages/writer/life-in-sql.js';
import type { AttemptsTable } from '../../storage/schema.js';

export interface DueAttemptRow
  extends
    Pick<
      MessageRow,
      'instance' | 'chat_id' | 'recipient_key' | 'content' | 'priority' | 'campaign_id' | 'trace_context'
    >,
    Pick<Selectable<AttemptsTable>, 'message_id' | 'token' | 'posting_deadline_at' | 'hidden'> {
  readonly template_id: string | null;
  readonly tries: number;
}

/** The gateway's id of the template that a message `m` refers to by our name; null for all other messages. */
const TEMPLATE_ID = sql<string | null>`case when m.kind = 'template' then (
  select t.template_id from templates t
  where t.instance = m.instance and t.element_name = m.content ->> 'elementName') end`;

/**
 * Columns of {@link DueAttemptRow}, of a message `m` and its intent `i`. An intent of the same statement is not counted
 * yet.
 */
export const DUE_ATTEMPT = sql`m.id as message_id, i.token, m.instance, m.chat_id, m.recipient_key, i.content, i.hidden, i.posting_deadline_at,
  ${TEMPLATE_ID} as template_id, m.priority, m.campaign_id, m.trace_context,
  (select count(*)::integer from attempts a where a.message_id = m.id and a.seq < i.seq) + 1 as tries`;

export function dueAttemptOf(row: DueAttemptRow): DueAttempt {
  const { message_id: messageId, token, instance, content, tries } = row;
  return {
    messageId,
    token,
    instance,
    content,
    tries,
    postingDeadlineMs: row.posting_deadline_at.getTime(),
    priority: row.priority as Priority,
    ...present({ chatId: row.chat_id, recipientKey: row.recipient_key }),
    ...present({ hidden: row.hidden, templateId: row.template_id, campaignId: row.campaign_id }),
    ...present({ trace: row.trace_context }),
  };
}

export interface Claimed {
  readonly claimed: readonly DueAttempt[];
  /** The claimed messages of campaigns with a pause after each message. */
  readonly jittered: readonly MessageId[];
  /** Messages that were selected and could not be claimed; {@link setAside} finds the reason. */
  readonly refused: readonly MessageId[];
  /** Instances with several selected messages to one chat, which may have hidden messages to others. */
  readonly hiding: readonly string[];
}

/** The want of a shift that serves its instance under this epoch (DISPATCH-1). */
export interface ServingWant extends Want {
  readonly epoch: string;
}

/**
 * DISPATCH-2, DISPATCH-4 to DISPATCH-7: selects and claims for all instances in one statement, and locks the messages and
 * their campaigns. The dispatchers are locked before (tick.ts).
 */
export async function claimDue(tx: Tx, wants: readonly ServingWant[], nowMs: number): Promise<Claimed> {
  if (wants.length === 0) return { claimed: [], jittered: [], refused: [], hiding: [] };
  const { rows } = await claim(wants, nowMs).execute(tx);
  const selected = rows.flatMap((row) => row.selected ?? []);
  const claimed = rows.filter((row) => row.token !== null).map(dueAttemptOf);
  const jittered = rows.filter((row) => row.is_jittered === true).map(({ message_id }) => message_id);
  const taken = new Set(claimed.map(({ messageId }) => messageId));
  const hiding = rows.flatMap((row) => row.hiding ?? []);
  return { claimed, jittered, refused: selected.filter((id) => !taken.has(id)), hiding };
}

/**
 * In order: the due messages (`selected`), those that no other transaction has locked and that meet all conditions
 * (`valid`), and `intent`: valid messages without an identical message in flight or unresolved, which a unique index
 * refuses. Each step reads the one before, in this order, since the planner cannot estimate their sizes. `is true` hides
 * a condition from the planner, which would otherwise read an index of the whole instance for each message while the
 * statistics are young.
 */
function claim(wants: readonly ServingWant[], nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql<
    DueAttemptRow & { is_jittered: boolean | null; selected: MessageId[] | null; hiding: string[] | null }
  >`/* dispatch_claim */
    with ${selection(wants, nowMs)}, valid as materialized (
      select p.ordinal, p.epoch, p.worker, p.reconcile_after, m.* from selected p cross join lateral (
        select m.id, m.instance, m.chat_id, m.content, m.text_length, m.hidden, m.body_hash, m.stream_id, m.due_at, m.place,
          least(p.posting_deadline_at, coalesce(p.deadline_at, m.expires_at), p.closes_at) as posting_deadline_at,
          ${identicalHash('m')} as identical_hash
        from messages m
        where m.id = p.message_id and (m.state = 'pending') is true and (m.instance = p.instance) is true and not p.is_busy and ${messageBlocker('p', nowMs)} is null
        for no key update of m skip locked) m
    ), intent as (
      insert into attempts (token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after,
        instance, epoch, identical_hash, text_length, hidden)
      select gen_random_uuid()::text, h.id, h.worker, h.content, h.body_hash, ${now}, h.posting_deadline_at,
        h.reconcile_after, h.instance, h.epoch, h.identical_hash, h.text_length, h.hidden
      from valid h order by h.ordinal
      on conflict do nothing
      returning seq, token, message_id, worker, content, hidden, posting_deadline_at
    ), claimed as (
      ${changing('claimed', { attempt_token: sql`i.token`, now }, sql`from intent i where m.id = i.message_id`)}
      returning m.stream_id, m.due_at, m.place, i.worker, i.seq, ${DUE_ATTEMPT}
    ), removed as (
      delete from due_messages d using claimed c
      where d.stream_id = c.stream_id and d.due_at = c.due_at and d.place = c.place
    ), served as (
      update streams s set served = nextval('ledger_seq')
      from (select distinct stream_id from claimed) c where s.id = c.stream_id
    ), counted as (
      ${countPosted(nowMs)}
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select c.message_id, 'claimed:' || c.token, ${now}, 'claim', 'claimed', case when s.closed_by is null
        then json_build_object('attempt', c.token, 'worker', c.worker)
        else json_build_object('attempt', c.token, 'worker', c.worker, 'passed', s.closed_by) end
      from claimed c join streams s on s.id = c.stream_id
    )
    select c.message_id, c.token, c.instance, c.chat_id, c.recipient_key, c.content, c.hidden, c.posting_deadline_at, c.template_id, c.priority,
      c.campaign_id, c.trace_context, c.tries, (select s.is_jittered from streams s where s.id = c.stream_id) as is_jittered,
      null::text[] as selected, null::text[] as hiding, c.seq
    from claimed c
    union all
    select null, null, null, null, null, null, null, null, null, null, null, null, null, null, array_agg(s.message_id),
      array_agg(distinct s.instance) filter (where s.hides), null
    from selected s
    having bool_or(s.hides) or count(*) > (select count(*) from claimed)
    order by seq`;
}

/**
 * POOL-2: whether no command has changed a campaign since the statement began. The lock shows its row as it is now, but
 * its accounts, and the times of its streams, as they were when the statement began. The next tick reads them again.
 */
function isUnchanged(campaign: string) {
  const c = sql.table(campaign);
  return sql<boolean>`${c}.version = (select before.version from campaigns before where before.id = ${c}.id)`;
}

/** How many extra rows are read while chats are busy. Busy ones are parked, and the next tick reads those behind. */
const SPARE = 32;

/**
 * DISPATCH-4, DISPATCH-6, DISPATCH-7: the common table expressions up to `selected`. Its columns:
 *
 * - free: POSTs that the window allows now; slots: how many of them each class may use.
 * - room: places in the gateway's queue up to the high water mark, for each class; extra_room: how much more a campaign
 *   with its own high water mark has. most_room: the largest room of the instance.
 * - places: messages that the daily caps of the instance allow; campaign_places: those that the campaign's cap leaves for
 *   all its accounts; own_places: the same, and at most one if the campaign pauses after each message. shared_turn: the
 *   message's place among those of its campaign in all instances.
 * - lower_first: one message of a lower class goes first (is_reserved), so that higher classes do not starve it.
 * - counts: 1 for a message that uses a slot and room, 0 for one that cannot be claimed now. rank: its sum so far.
 */
function selection(wants: readonly ServingWant[], nowMs: number) {
  const now = new Date(nowMs);
  return sql`want as materialized (
      select w.*, exists (${awayState(sql`w.instance`, now)}) as is_away
      from json_to_recordset(${jsonText(wants.map(wantColumns))}::json) as w(
        instance text, epoch bigint, worker text, free integer, room integer[], busy text[], delayed text[], lower_first boolean, slots integer[], leaves_in_ms integer,
        posting_deadline_at timestamptz, reconcile_after timestamptz)
      where ${mayPost('w', nowMs)}
    ), candidate as (
      select w.instance, w.epoch, w.worker, w.free, w.slots, w.lower_first, w.posting_deadline_at, w.reconcile_after, s.class, s.campaign_id, s.served, s.room, s.content_version, s.deadline_at,
        s.closes_at, s.frequency_messages, s.frequency_days, s.places, s.own_places, s.campaign_places,
        max(s.room) over (partition by w.instance) as most_room, d.*
      from want w cross join lateral (
        select stream.id, stream.instance, stream.class, stream.campaign_id, stream.served, w.room[stream.class + 1] + stream.extra_room as room, c.content_version, c.deadline_at,
          stream.closes_at, stream.frequency_messages, stream.frequency_days, ${placesOf(nowMs)}
        from streams stream left join lateral (
          select c.id, c.content_version, c.deadline_at from campaigns c
          where c.id = stream.campaign_id and c.state = 'running' and c.deadline_at > ${now}::timestamptz
            and ${isCurrent('stream')} and ${isUnchanged('c')}
          for key share skip locked) c on true
        where stream.instance = w.instance and stream.kind <> all(w.delayed)
          and (stream.campaign_id is null) = (c.id is null) and not (stream.needs_phone and w.is_away)
          and (w.lower_first or w.room[stream.class + 1] + stream.extra_room > 0) and ${TEMPLATE_ALLOWS}
          and stream.closes_at > ${now}::timestamptz and stream.opens_at <= ${now}::timestamptz and stream.next_at <= ${now}::timestamptz
        offset 0) s
      cross join lateral (
        select r.due_at, r.place, r.message_id, r.recipient_key, r.is_busy from (
          select q.*, count(*) filter (where not q.is_busy) over (order by q.due_at, q.place) as claimable from (
            select q.due_at, q.place, q.message_id, q.recipient_key, (q.recipient_key = any(w.busy)) is true as is_busy
            from due_messages q where q.stream_id = s.id and q.due_at <= ${now}::timestamptz
              and (w.leaves_in_ms = 0 or coalesce(s.deadline_at, q.expires_at) > ${now}::timestamptz + w.leaves_in_ms * interval '1 ms')
            order by q.due_at, q.place
            limit least(case when cardinality(w.busy) = 0 then w.free else w.free + ${SPARE}::integer end, s.places, s.own_places)) q) r
        where r.is_busy or r.claimable <= greatest(s.room, 1)) d
    ), turn as (
      select c.*, row_number() over same as turn,
        case when own_places is not null then row_number() over (partition by campaign_id order by due_at, place) end as shared_turn, max(served) over same_all as last_served,
        class > min(class) over (partition by instance) as is_lower
      from candidate c
      window same as (partition by instance, class, campaign_id order by due_at, place),
        same_all as (partition by instance, class, campaign_id)
    ), lower as (
      select t.*, lower_first and is_lower
        and row_number() over (partition by instance, is_lower order by turn, last_served, place) = 1 as is_reserved
      from turn t
    ), ordered as (
      select l.*, row_number() over (partition by instance
        order by is_reserved desc, class, turn, last_served, place) as ordinal
      from lower l
    ), first_of_recipient as (
      select r.*, case when is_busy or turn > own_places or shared_turn > campaign_places or is_repeated then 0 else 1 end as counts
      from (
        select o.*, recipient_key is not null
          and row_number() over (partition by instance, recipient_key order by ordinal) > 1 as is_repeated
        from ordered o) r
    ), ranked as (
      select f.*, sum(counts) over first as rank, bool_or(is_repeated and not is_busy) over (partition by instance) as hides
      from first_of_recipient f window first as (partition by instance order by ordinal)
    ), selected as materialized (
      select instance, epoch, worker, ordinal, message_id, content_version, deadline_at, is_busy, closes_at, frequency_messages, frequency_days,
        posting_deadline_at, reconcile_after, hides
      from ranked
      where is_busy or (counts = 1 and rank <= least(slots[class + 1], places)
        and rank <= case when is_reserved then most_room else room end)
    )`;
}

function wantColumns({ shift, epoch, free, slots, delayed = [], leavesInMs = 0, ...want }: ServingWant) {
  return {
    instance: shift.instance,
    epoch,
    worker: shift.worker,
    free,
    room: byClass(want.room),
    busy: want.busyRecipients,
    delayed: kindsOf(delayed),
    lower_first: want.lowerFirst,
    leaves_in_ms: leavesInMs,
    posting_deadline_at: new Date(want.postingDeadlineMs),
    reconcile_after: new Date(want.reconcileAfterMs),
    slots: slots === undefined ? byClass(want.room).map(() => free) : byClass(slots),
  };
}
