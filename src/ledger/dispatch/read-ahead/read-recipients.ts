import { type RawBuilder, sql } from 'kysely';
import type { CampaignId, MessageContent, MessageId, RecipientValues } from '../../../contract/index.js';
import type { CampaignRow } from '../../campaigns/campaign-row.js';
import { mayMove } from '../../campaigns/campaign-accounts.js';
import { recipientMessageIdOf } from '../../messages/recipient-row.js';
import { isCurrent, isIn } from '../../messages/writer/due-rows.js';
import type { Db } from '../../storage/store.js';

/** A recipient whose message is composed. */
export interface ReadRecipient {
  readonly messageId: MessageId;
  readonly line: number;
  readonly chatId: string;
  /** As when it was imported. */
  readonly recipientKey: string;
  readonly timezone: string | null;
  readonly values: RecipientValues;
  /** The content for a recipient whose own message was edited; null for all others. */
  readonly ownContent: MessageContent | null;
  /** Null if there is no row yet. */
  readonly version: number | null;
  readonly wasHeldOut: boolean;
  /** Of its message; null if there is no row yet. */
  readonly instance: string | null;
  /** POOL-3. */
  readonly keepsAccount: boolean;
  /** The stream in which its message waits to be composed again. */
  readonly streamId: string | null;
  /** Its message is composed again, whatever lines were read. */
  readonly isStale: boolean;
}

export interface Composed {
  readonly content: MessageContent;
  /** The limits that it exceeds, in the gateway's words: the recipient is rejected. */
  readonly problem?: string;
}

/** The position from which the next recipients of a campaign are read. */
export interface ReadPosition extends CampaignRow {
  /** Only recipients of this timezone; undefined if the campaign does not use their local time. */
  readonly timezone: string | undefined;
  readonly line: number;
}

/**
 * Pending messages of a campaign `c` that have to be composed again, at most `limit` of each stream: a campaign that was
 * retried may have as many as recipients. Those without a stream belong to any timezone. One that keeps its account waits
 * until that is in again (POOL-3).
 * @param timezone  passes over the streams of other timezones
 */
function stale(limit: number, timezone?: RawBuilder<unknown>) {
  const isOfIt = timezone === undefined ? sql`true` : sql`coalesce(s.timezone = ${timezone}, true)`;
  return sql`(
  (select d.message_id, d.place from due_messages d where d.behind = c.id order by d.place limit ${limit})
  union all
  select d.message_id, d.place from streams s cross join lateral (
    select * from due_messages d where d.stream_id = s.id and (${isIn('s')} or ${mayMove(sql`d.message_id`)})
    order by d.due_at, d.place limit ${limit}) d
  where s.campaign_id = c.id and not (${isCurrent('s')}) and ${isOfIt})`;
}

/**
 * First recipients whose message has to be composed again, then those after the last line read. Their rows are looked
 * up one by one, since the planner would read all recipients, or all messages, if it estimates that these are few.
 */
export async function readRecipients(db: Db, position: ReadPosition, limit: number): Promise<ReadRecipient[]> {
  const { id, key, audience_no, definition, timezone, line: after } = position;
  const wasHeldOut =
    definition.holdOut === undefined
      ? sql`false`
      : sql`exists (select from evidence e where e.message_id = i.message_id and e.what = 'held_out')`;
  const ofZone = timezone === undefined ? undefined : sql`${timezone}::text`;
  const { rows } = await sql<ReadRecipient>`
    with line as materialized (
      (select m.line, true as is_stale from (
        select d.* from campaigns c cross join lateral ${stale(limit, ofZone)} d
        where c.id = ${id} order by d.place limit ${limit}) d
      join messages m on m.id = d.message_id)
      union all
      (select r.line, false from recipients r
      where r.audience_no = ${audience_no} and r.line > ${after} and ${ofZone === undefined ? sql`true` : sql`r.timezone = ${ofZone}`}
      order by r.line limit ${limit})
      limit ${limit}
    )
    select r.line, r.chat_id as "chatId", coalesce(r.key, r.chat_id) as "recipientKey", r.timezone, r."values", i.message_id as "messageId", m.version, ${wasHeldOut} as "wasHeldOut",
      m.stream_id::text as "streamId", l.is_stale as "isStale", m.instance,
      m.version is not null and not (m.state = 'pending' and ${mayMove(sql`i.message_id`)}) as "keepsAccount",
      case when m.version is not null and m.content_version is null then m.content end as "ownContent"
    from line l
    cross join lateral (
      select r.* from recipients r where r.audience_no = ${audience_no} and r.line = l.line offset 0) r
    cross join lateral (select ${recipientMessageIdOf(key, sql`l.line`)} as message_id) i
    left join lateral (
      select m.version, m.state, m.instance, m.content, m.content_version, m.stream_id from messages m where m.id = i.message_id offset 0) m on true
    order by l.line`.execute(db);
  return rows;
}

/**
 * Timezones with unread recipients and fewer than `below` messages ahead, ordered by when they open: open ones first.
 */
export async function timezonesToRead(db: Db, id: CampaignId, below: number): Promise<string[]> {
  const { rows } = await sql<{ timezone: string }>`
    select z.timezone from campaigns c join campaign_timezones z on z.campaign_id = c.id
    left join streams s on s.campaign_id = c.id and s.timezone = z.timezone
    where c.id = ${id} and ${hasTimezoneToRead(below)}
    group by z.timezone order by min(s.opens_at) nulls first, z.timezone`.execute(db);
  return rows.map(({ timezone }) => timezone);
}

/** For a campaign `c` and one of its timezones `z`. */
function hasTimezoneToRead(below: number) {
  return sql<boolean>`(exists (select from ${stale(1, sql`z.timezone`)} stale)
    or exists (
      select from recipients r
      where r.audience_no = c.audience_no and r.timezone = z.timezone and r.line > z.read_ahead_line)
    and ${areFewAhead(below, sql`s.timezone = z.timezone`)})`;
}

/** POOL-2: a campaign `c` has pending messages of an account that is out. */
const HAS_TO_MOVE = sql<boolean>`exists (
  select from streams s where s.campaign_id = c.id and not (${isIn('s')}) and (
    select d.message_id from due_messages d where d.stream_id = s.id and ${mayMove(sql`d.message_id`)}
    order by d.due_at, d.place limit 1) is not null)`;

/** So that an account has work although many recipients belong to another one: how many times `below` that has ahead. */
const MOST_TIMES = 8;

/**
 * Whether an account of a campaign `c` that is in has fewer than `below` messages ahead, and none that can send has very
 * many: the recipients of an account that cannot send do not stop the others.
 * @param some  a condition on the streams `s`
 */
function areFewAhead(below: number, some = sql`true`) {
  const most = sql`${MOST_TIMES * below}::integer`;
  return sql<boolean>`(
    select min(few.ahead) < ${below}
      and coalesce(max(few.ahead) filter (where few.can_send), max(few.ahead)) < ${most}
    from (
      select a.blocked_since is null as can_send, (
        select count(*) from (
          select from streams s join due_messages d on d.stream_id = s.id and d.due_at < 'infinity'
          where s.campaign_id = c.id and s.instance = a.instance and ${some} and ${isCurrent('s')}
          limit case a.accounts when 1 then ${below}::integer else ${most} end) counted) as ahead
      from (
        select instance, blocked_since, count(*) over () as accounts from campaign_accounts
        where campaign_id = c.id and out_at is null) a offset 0) few)`;
}

/**
 * By the last line, which only an index finds: to find any line, a plan without the campaign's own numbers scans the
 * recipients of all campaigns.
 */
const HAS_UNREAD = sql<boolean>`(coalesce(
  (select max(r.line) from recipients r where r.audience_no = c.audience_no) > c.read_ahead_line, false)
  or exists (select from ${stale(1)} stale))`;

/** Of a stream `s`, by its first one: see `HAS_UNREAD`. A parked one waits for something else. */
const HAS_DUE = sql<boolean>`coalesce((select min(d.due_at) from due_messages d where d.stream_id = s.id) < 'infinity', false)`;

/** Whether a campaign `c`, or one of its timezones, has recipients to read and no pending message that is due. */
export function hasNoneAhead() {
  return sql<boolean>`case when c.by_timezone then exists (
      select from campaign_timezones z where z.campaign_id = c.id and ${hasTimezoneToRead(1)})
    else ${HAS_UNREAD}
      and not exists (select from streams s where s.campaign_id = c.id and ${isCurrent('s')} and ${HAS_DUE}) end`;
}

export interface CampaignToRead {
  readonly id: CampaignId;
  /** POOL-2: it has pending messages of an account that is out. */
  readonly isMoving: boolean;
}

/**
 * Running campaigns of these instances with unread recipients and few messages ahead ({@link areFewAhead}), or with
 * messages to compose again.
 */
export async function campaignsToRead(
  db: Db,
  instances: readonly string[],
  below: number,
  nowMs: number,
): Promise<CampaignToRead[]> {
  const { rows } = await sql<CampaignToRead>`/* campaigns_to_read */
    select c.id, ${HAS_TO_MOVE} as "isMoving" from campaigns c
    where c.state = 'running' and c.deadline_at > ${new Date(nowMs)}::timestamptz
      and exists (
        select from campaign_accounts a
        where a.campaign_id = c.id and a.instance = any(${instances}::text[]) and a.out_at is null)
      and case when c.by_timezone then exists (
          select from campaign_timezones z where z.campaign_id = c.id and ${hasTimezoneToRead(below)})
        else ${HAS_UNREAD} and ${areFewAhead(below)} or ${HAS_TO_MOVE} end
    order by c.id`.execute(db);
  return rows;
}
