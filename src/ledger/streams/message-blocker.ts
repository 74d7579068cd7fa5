/**
 * What stops one pending message although its stream is open. Claims, parking and views read this one expression; a
 * property test compares it with what claims do.
 *
 * BLOCK-4 A message is blocked by its expiry, its due time, a newer text of its campaign, the suppression list, the
 *    frequency cap, or an identical message in flight or unresolved. The first of them is named.
 * BLOCK-5 Expiry, suppression and the frequency cap end the message when it would be claimed. Behind an identical message,
 *    or a message to the same chat whose POST is under way, it is parked.
 */
import { sql, type RawBuilder } from 'kysely';
import type { MessageId } from '../../contract/index.js';
import { IDENTICAL_ATTEMPTS } from '../messages/writer/identical.js';
import { activeEntries } from '../recipients/suppression-row.js';
import { stateList } from '../storage/state-lists.js';
import type { Db } from '../storage/store.js';
import { isOverFrequencyCap } from './limits.js';

type MessageBlockerCode =
  'EXPIRED' | 'NOT_DUE' | 'CONTENT_CHANGED' | 'SUPPRESSED' | 'FREQUENCY_CAP_REACHED' | 'MESSAGE_CLAIMED_ELSEWHERE';

/**
 * BLOCK-4, of a message `m`: null if nothing blocks it.
 * @param of  an alias with the frequency cap of its stream, and the content version and deadline of its campaign
 */
export function messageBlocker(of: string, nowMs: number): RawBuilder<MessageBlockerCode | null> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const stream = sql.table(of);
  return sql`case
    when coalesce(${stream}.deadline_at, m.expires_at) <= ${now} then 'EXPIRED'
    when m.due_at > ${now} then 'NOT_DUE'
    when m.campaign_id is not null and m.content_version <> ${stream}.content_version then 'CONTENT_CHANGED'
    when exists (select from ${activeEntries('m')}) then 'SUPPRESSED'
    when ${stream}.frequency_messages is not null and ${isOverFrequencyCap(of, nowMs)} then 'FREQUENCY_CAP_REACHED'
    when exists (select from ${IDENTICAL_ATTEMPTS}) then 'MESSAGE_CLAIMED_ELSEWHERE' end`;
}

/** The columns of a message that {@link messageBlocker} and {@link blockedOf} read. */
export const BLOCKER_COLUMNS = sql`m.id, m.instance, m.chat_id, m.recipient_key, m.category, m.body_hash, m.stream_id, m.due_at, m.place, m.expires_at,
  m.campaign_id, m.content_version, m.test_of`;

export interface BlockedMessage {
  readonly id: MessageId;
  readonly instance: string;
  readonly code: MessageBlockerCode | 'CHAT_BUSY';
  readonly due_at: Date;
  /** The message that it waits for. */
  readonly behind: string | null;
  /** The state of the message that it waits for. */
  readonly behind_state: string | null;
  /** Since when that message is in flight. */
  readonly since: Date | null;
}

/**
 * Those of the pending messages of a query that are blocked.
 * @param pending  a table with {@link BLOCKER_COLUMNS}
 * @param options.busy  a table of recipients with a POST under way, by instance. @default none
 * @param options.locks  whether what a message waits for is locked; rows that others have locked count as absent
 */
export function blockedOf(
  pending: RawBuilder<unknown>,
  nowMs: number,
  { busy, locks = false }: { readonly busy?: RawBuilder<unknown>; readonly locks?: boolean } = {},
): RawBuilder<BlockedMessage> {
  const locked = (row: string) => (locks ? sql`for share of ${sql.table(row)} skip locked` : sql``);
  const isBusy =
    busy === undefined
      ? sql`false`
      : sql`exists (select from ${busy} busy where busy.instance = m.instance and busy.recipient = m.recipient_key)`;
  return sql`
    select m.id, m.instance, m.stream_id, m.due_at, m.place, coalesce(b.code, case when chat.id is not null then 'CHAT_BUSY' end) as code,
      coalesce(identical.id, chat.id) as behind, identical.state as behind_state, identical.since
    from ${pending} m
    join lateral (select s.frequency_messages, s.frequency_days from streams s where s.id = m.stream_id) stream on true
    left join lateral (select c.content_version, c.deadline_at from campaigns c where c.id = m.campaign_id) campaign on true
    cross join lateral (
      select stream.frequency_messages, stream.frequency_days, campaign.content_version, campaign.deadline_at offset 0) own
    cross join lateral (select ${messageBlocker('own', nowMs)} as code offset 0) b
    left join lateral (
      select h.id, h.state, first.claimed_at as since from (select a.message_id, a.claimed_at from ${IDENTICAL_ATTEMPTS} limit 1) first
      join messages h on h.id = first.message_id
      where b.code = 'MESSAGE_CLAIMED_ELSEWHERE' and h.state in ${stateList('in_flight', 'unresolved')} ${locked('h')}) identical on true
    left join lateral (
      select h.id from attempts a join messages h on h.id = a.message_id
      where b.code is null and a.instance = m.instance and a.identical_hash is not null and a.outcome is null
        and h.recipient_key = m.recipient_key and h.state = 'sending' and ${isBusy}
      limit 1 ${locked('h')}) chat on true
    where b.code is not null or chat.id is not null`;
}

/** By id, those of the messages that are pending and blocked, apart from the chats that only a worker knows. */
export async function readBlocked(
  db: Db,
  ids: readonly MessageId[],
  nowMs: number,
): Promise<Map<string, BlockedMessage>> {
  const pending = sql`(select ${BLOCKER_COLUMNS} from messages m where m.id = any(${ids}::text[]) and m.state = 'pending')`;
  const { rows } = await blockedOf(pending, nowMs).execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** An unresolved message in front of it stays until an operator resolves it. */
export function remedyOf({ behind, behind_state }: BlockedMessage): { readonly remedy?: string } {
  return behind_state === 'unresolved'
    ? { remedy: `everpost message resolve ${behind} --as accepted|not_accepted` }
    : {};
}
