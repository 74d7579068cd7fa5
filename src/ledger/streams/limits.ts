/**
 * Caps, pauses and the frequency cap, as parts of the claim.
 *
 * LIMIT-6 A claim counts its messages in its own statement, under the dispatcher's lock, so a cap is never exceeded. The
 * cap of a campaign with several accounts is locked first, since other processes may serve some of them.
 * Urgent messages are the exception: they count, and may exceed the cap of their instance, but not that of their
 * campaign.
 * LIMIT-7 A message that the gateway surely did not accept gives its place back, on the day of its claim. A message
 * with an unknown outcome keeps its place.
 * LIMIT-8 A campaign with jitter posts one message at a time from each account; the pause after it is part of the claim's
 * transaction.
 * LIMIT-9 The frequency cap counts the marketing messages to the recipient that were accepted or have an unknown outcome, by
 * the time of their claims in the last days: those of the instance, and of all accounts of the campaign. A message over
 * the cap ends `suppressed` when it would be claimed. A test of a campaign neither counts nor is stopped.
 */
import { sql, type RawBuilder } from 'kysely';
import type { CampaignId, CampaignLimits, FrequencyCap, MessageId } from '../../contract/index.js';
import { jitterMs, recipientKey } from '../../domain/index.js';
import { jsonText } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import { stateList } from '../storage/state-lists.js';
import { messagesIn, moveMessages } from '../messages/writer/move-messages.js';
import { keyOfRow } from '../messages/recipient-key.js';

/** Stable word for a recipient who reached the frequency cap. */
export const FREQUENCY_CAP = 'suppressed_frequency_cap';

const DAY_MS = 24 * 60 * 60 * 1000;

const INSTANCE = sql`'instance:' || stream.instance`;
const CAMPAIGN = sql`'campaign:' || stream.campaign_id`;

/** The row of a scope that is valid now. */
function capOf(scope: RawBuilder<unknown>, nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql`daily_caps cap where cap.scope = ${scope} and cap.day_starts_at <= ${now} and cap.day_ends_at > ${now}`;
}

/** How many messages of the instance, and of the campaign, the caps and pauses allow in this tick; null: no limit. */
export function placesOf(nowMs: number) {
  const left = (scope: RawBuilder<unknown>) =>
    sql`(select min(greatest(0, cap.cap - cap.posted)) from ${capOf(scope, nowMs)})`;
  return sql`case when stream.is_capped and stream.class > 0 then ${left(INSTANCE)} end as places,
    least(case when stream.is_jittered then 1 end, case when stream.is_capped then ${left(CAMPAIGN)} end) as own_places,
    case when stream.is_capped then ${left(CAMPAIGN)} end as campaign_places`;
}

/** When the reached caps allow the next message; null if none is reached. */
export function cappedUntil(nowMs: number) {
  const until = (scope: RawBuilder<unknown>) =>
    sql`(select max(cap.day_ends_at) from ${capOf(scope, nowMs)} and cap.posted >= cap.cap)`;
  return sql<Date | null>`case when stream.is_capped then greatest(
    case when stream.class > 0 then ${until(INSTANCE)} end, ${until(CAMPAIGN)}) end`;
}

/** Whether a stream `s` belongs to a campaign with a cap of its own and several accounts. */
export const SHARES_CAP = sql<boolean>`(s.is_capped and s.campaign_id is not null
  and exists (select from daily_caps cap where cap.scope = 'campaign:' || s.campaign_id)
  and exists (select from campaign_accounts a where a.campaign_id = s.campaign_id and a.instance <> s.instance))`;

/** LIMIT-6. Until the end of the transaction, no other process claims messages that count for these caps. */
export async function lockSharedCaps(tx: Tx, instances: readonly string[]): Promise<void> {
  await sql`/* lock_shared_caps */
    select from daily_caps where scope = any(array(
      select 'campaign:' || s.campaign_id from streams s
      where s.instance = any(${instances}::text[]) and s.closes_at < 'infinity' and ${SHARES_CAP}))
    order by scope, day_starts_at for no key update`.execute(tx);
}

/** LIMIT-6. Counts the `claimed` messages. */
export function countPosted(nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql`update daily_caps d set posted = d.posted + n.posted,
      reached_at = case when d.posted + n.posted >= d.cap then coalesce(d.reached_at, ${now}) end
    from (
      select scope, count(*)::integer as posted
      from claimed c join streams s on s.id = c.stream_id and s.is_capped
      cross join lateral unnest(array['instance:' || s.instance, 'campaign:' || s.campaign_id]) as scope
      group by scope) n
    where d.scope = n.scope and d.day_starts_at <= ${now} and d.day_ends_at > ${now}`;
}

/** LIMIT-7. @param each  -1 for messages that give their places back, 1 for one that was accepted after all */
export async function changePosted(tx: Tx, tokens: readonly string[], each: 1 | -1): Promise<void> {
  await sql`
    update daily_caps d set posted = greatest(0, d.posted + n.change),
      reached_at = case when d.posted + n.change >= d.cap then d.reached_at end
    from (
      select cap.scope, cap.day_starts_at, count(*)::integer * ${each}::integer as change
      from attempts a join messages m on m.id = a.message_id
      cross join lateral unnest(array['instance:' || m.instance, 'campaign:' || m.campaign_id]) as counted(scope)
      join daily_caps cap on cap.scope = counted.scope and cap.day_starts_at <= a.claimed_at and cap.day_ends_at > a.claimed_at
      where a.token = any(${tokens}::text[])
      group by cap.scope, cap.day_starts_at) n
    where d.scope = n.scope and d.day_starts_at = n.day_starts_at`.execute(tx);
}

/** LIMIT-9. @param row  an alias with the cap, joined with a message `m` */
export function isOverFrequencyCap(row: string, nowMs: number) {
  const cap = sql.table(row);
  const since = sql`${new Date(nowMs)}::timestamptz - ${cap}.frequency_days * interval '24 hours'`;
  return sql<boolean>`(m.category = 'marketing' and m.recipient_key is not null and m.test_of is null
    and ${marketingSince({
      id: sql`m.id`,
      isOfSender: sql`(o.instance = m.instance or exists (
      select from campaign_accounts p where p.campaign_id = m.campaign_id and p.instance = o.instance))`,
      key: sql`m.recipient_key`,
      since,
    })} >= ${cap}.frequency_messages)`;
}

/**
 * How many other marketing messages a recipient got or may have got, under any spelling.
 * @param of.isOfSender  a condition on the other message `o`
 */
function marketingSince(of: Readonly<Record<'id' | 'isOfSender' | 'key' | 'since', RawBuilder<unknown>>>) {
  return sql<number>`(
    select count(*) from messages o join attempts a on a.token = o.attempt_token
    where o.recipient_key = ${of.key} and ${of.isOfSender} and o.category = 'marketing' and o.id <> ${of.id}
      and o.test_of is null and o.state in ${stateList('in_flight', 'unresolved', 'accepted', 'taken')}
      and a.claimed_at > ${of.since})`;
}

/** The chats whose recipients would exceed the cap with one more message. */
export async function chatsOverFrequencyCap(
  db: Db,
  chatIds: readonly string[],
  {
    instances,
    messages,
    days,
    nowMs,
  }: FrequencyCap & { readonly instances: readonly string[]; readonly nowMs: number },
): Promise<ReadonlySet<string>> {
  const since = sql`${new Date(nowMs - days * DAY_MS)}::timestamptz`;
  const { rows } = await sql<{ chat_id: string }>`
    select asked.chat_id
    from unnest(${chatIds}::text[], ${chatIds.map(recipientKey)}::text[]) as asked(chat_id, recipient_key)
    where ${marketingSince({ id: sql`''`, isOfSender: sql`o.instance = any(${instances}::text[])`, key: keyOfRow('asked'), since })} >= ${messages}::integer`.execute(
    db,
  );
  return new Set(rows.map(({ chat_id }) => chat_id));
}

/** LIMIT-9, for messages that were selected but not claimed. @returns their instances */
export async function suppressOverCap(tx: Tx, ids: readonly MessageId[], nowMs: number): Promise<string[]> {
  const { where } = messagesIn(ids);
  const over = {
    join: sql`join streams stream on stream.id = m.stream_id`,
    columns: sql`stream.frequency_messages, stream.frequency_days`,
    where: sql`${where} and stream.frequency_messages is not null and ${isOverFrequencyCap('stream', nowMs)}`,
    skipsLocked: true,
  };
  const detail = sql`json_build_object(
    'reason', c.reason, 'messages', c.frequency_messages, 'days', c.frequency_days)`;
  const end = { reason: FREQUENCY_CAP, reason_text: null, witness: 'claim', detail, nowMs };
  const ended = await moveMessages(tx, 'suppressed', over, end);
  return [...new Set(ended.map(({ instance }) => instance))];
}

/** LIMIT-8. */
export async function pauseJittered(tx: Tx, ids: readonly MessageId[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ campaign_id: CampaignId; instance: string; line: number; limits: CampaignLimits }>`
    select m.campaign_id, m.instance, m.line, c.limits from messages m join campaigns c on c.id = m.campaign_id
    where m.id = any(${ids}::text[])`.execute(tx);
  const pauses = rows.flatMap(({ campaign_id: id, instance, line, limits: { jitter } }) =>
    jitter === undefined
      ? []
      : [{ id, instance, next_at: new Date(nowMs + jitterMs(jitter.seed ?? id, line, jitter)) }],
  );
  await sql`
    update streams s set next_at = p.next_at
    from json_to_recordset(${jsonText(pauses)}::json) as p(id text, instance text, next_at timestamptz)
    where s.campaign_id = p.id and s.instance = p.instance`.execute(tx);
}
