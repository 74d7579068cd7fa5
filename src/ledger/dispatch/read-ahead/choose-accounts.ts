/** The facts by which the recipients of a batch get their accounts, and an account gives some back: CHOOSE-1 to CHOOSE-4. */
import { type RawBuilder, sql } from 'kysely';
import {
  DEFAULT_STICKY_FOR,
  parseDurationMs,
  type CampaignId,
  type MessageCategory,
  type MessageId,
} from '../../../contract/index.js';
import {
  chooseAccounts,
  recipientKey,
  streamBlocker,
  tailToSpread,
  type SendingAccount,
  type StreamFacts,
} from '../../../domain/index.js';
import { accountRows, mayMove } from '../../campaigns/campaign-accounts.js';
import { type CampaignRow, readCampaign } from '../../campaigns/campaign-row.js';
import { dispatcherLocked } from '../../instances/pauses.js';
import { isCurrent } from '../../messages/writer/due-rows.js';
import { classIn, classOf } from '../../streams/streams.js';
import { keyOfRow } from '../../messages/recipient-key.js';
import { capsLeft, streamFacts, streamsOfCampaign, streamsOfInstance } from '../../streams/stream-blockers.js';
import { type Db, retryingTransaction, type Store } from '../../storage/store.js';
import type { ReadRecipient } from './read-recipients.js';

/** More messages of a campaign ahead of an account are not counted. */
const MOST_AHEAD = 10_000;
/** As for {@link MOST_AHEAD}, of others that the account sends. */
const MOST_OF_OTHERS = 1_000;
/** Of the newest messages with a recipient, the one that was accepted last decides. */
const NEWEST_MESSAGES = 20;

/** A recipient with the account of his message. */
export type Placed = ReadRecipient & { readonly account: string };

/**
 * POOL-1: gives each recipient an account. A message that may not move keeps its own (POOL-3).
 * @returns none if every account of the campaign is out
 */
export async function withAccounts(
  db: Db,
  campaign: CampaignRow,
  recipients: readonly ReadRecipient[],
  nowMs: number,
): Promise<Placed[]> {
  const accountsIn = (await accountRows(db, campaign.id)).filter(({ out_at }) => out_at === null);
  const pool = accountsIn.map(({ instance }) => instance);
  const [first] = pool;
  if (first === undefined) return [];
  const movable = recipients.filter(({ keepsAccount }) => !keepsAccount);
  let chosen = movable.map(() => first);
  if (pool.length > 1 && movable.length > 0) {
    const { stickyFor = DEFAULT_STICKY_FOR } = campaign.definition;
    const chatIds = movable.map(({ chatId }) => chatId);
    const sticky = await lastSenders(db, pool, chatIds, new Date(nowMs - parseDurationMs(stickyFor)));
    const accounts = (await sendingAccounts(db, campaign.id, nowMs)).filter(({ instance }) => pool.includes(instance));
    const senders = chatIds.map((chatId) => sticky.get(chatId));
    chosen = chooseAccounts(accounts, senders, nowMs);
  }
  const accounts = new Map(movable.map(({ messageId }, at) => [messageId, chosen[at]]));
  return recipients.map((one) => ({ ...one, account: accounts.get(one.messageId) ?? one.instance ?? first }));
}

/** By chat id, the account of the pool that last exchanged a message with the recipient, in either direction. */
export async function lastSenders(
  db: Db,
  pool: readonly string[],
  chatIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ chat_id: string; instance: string }>`/* last_senders */
    select asked.chat_id, last.instance
    from unnest(${chatIds}::text[], ${chatIds.map(recipientKey)}::text[]) as asked(chat_id, recipient_key)
    cross join lateral (select ${keyOfRow('asked')} as key offset 0) k
    cross join lateral (
      select talk.instance from (
        (select sent.instance, sent.accepted_at as at from (
          select m.instance, m.accepted_at from messages m
          where m.recipient_key = k.key and m.created_at > ${since}::timestamptz and m.test_of is null
          order by m.created_at desc, m.id desc limit ${NEWEST_MESSAGES}) sent
        where sent.accepted_at is not null and sent.instance = any(${pool}::text[]))
        union all
        (select c.instance, c.received_at from conversations c
        where c.recipient_key = k.key and c.instance = any(${pool}::text[]) and c.received_at > ${since}::timestamptz)) talk
      order by talk.at desc limit 1 offset 0) last`.execute(db);
  return new Map(rows.map(({ chat_id, instance }) => [chat_id, instance]));
}

/** CHOOSE-1 to CHOOSE-3, for a single message that needs no phone. */
export async function chooseSender(
  db: Db,
  pool: readonly string[],
  { chatId, category }: { readonly chatId: string | undefined; readonly category: MessageCategory },
  nowMs: number,
): Promise<string> {
  const since = new Date(nowMs - parseDurationMs(DEFAULT_STICKY_FOR));
  const sticky = chatId === undefined ? new Map<string, string>() : await lastSenders(db, pool, [chatId], since);
  const { rows } = await sql<AheadRow>`/* senders_ahead */
    select a.instance, d.queue_depth, d.release_interval_ms, w.*
    from unnest(${pool}::text[]) with ordinality as a(instance, place)
    left join dispatchers d on d.instance = a.instance
    cross join lateral ${waitingAt(sql`null`, sql`${classOf('normal')}::integer`)} w order by a.place`.execute(db);
  const accounts: SendingAccount[] = [];
  for (const row of rows) {
    const facts = (await streamFacts(db, streamsOfInstance(row.instance), nowMs)).get(category);
    accounts.push(accountOf(row, facts, nowMs));
  }
  const [chosen = ''] = chooseAccounts(accounts, [chatId === undefined ? undefined : sticky.get(chatId)], nowMs);
  return chosen;
}

/**
 * What waits for an account `a`: messages of the campaign, of higher classes, and of each other campaign of its class.
 * Only of streams that are served: of running campaigns, with what these send now.
 */
function waitingAt(campaign: RawBuilder<unknown>, itsClass: RawBuilder<unknown>) {
  return sql`(
      select coalesce(sum(stream.waiting) filter (where stream.is_own), 0)::integer as ahead,
        coalesce(sum(stream.waiting) filter (where stream.class < ${itsClass}), 0)::integer as higher,
        coalesce(array_agg(stream.waiting) filter (where stream.class = ${itsClass} and not stream.is_own and stream.waiting > 0), '{}') as others
      from (
        select s.class, s.class = ${itsClass} and s.campaign_id is not distinct from ${campaign} as is_own, sum(n.waiting)::integer as waiting
        from streams s left join campaigns c on c.id = s.campaign_id
        cross join lateral (
          select count(*)::integer as waiting from (
            select from due_messages due where due.stream_id = s.id and due.due_at < 'infinity'
            limit case when s.campaign_id is not distinct from ${campaign} then ${MOST_AHEAD}::integer else ${MOST_OF_OTHERS}::integer end) counted) n
        where s.instance = a.instance and s.class <= ${itsClass}
          and (s.campaign_id is null or (c.state = 'running' and ${isCurrent('s')}))
        group by s.class, s.campaign_id) stream)`;
}

interface AheadRow {
  readonly instance: string;
  readonly ahead: number;
  readonly higher: number;
  readonly others: readonly number[];
  readonly queue_depth: number | null;
  readonly release_interval_ms: number | null;
}

/** What decides when each account of a campaign that is in sends, in their order. */
export async function sendingAccounts(db: Db, id: CampaignId, nowMs: number): Promise<SendingAccount[]> {
  const { rows } = await sql<AheadRow>`/* accounts_ahead */
    select a.instance, d.queue_depth, d.release_interval_ms, w.*
    from campaigns this join campaign_accounts a on a.campaign_id = this.id
    left join dispatchers d on d.instance = a.instance
    cross join lateral ${waitingAt(sql`this.id`, classIn('this'))} w
    where this.id = ${id} and a.out_at is null order by a.place, a.instance`.execute(db);
  const facts = await streamFacts(db, streamsOfCampaign(id), nowMs);
  return rows.map((row) => accountOf(row, facts.get(row.instance), nowMs));
}

function accountOf(row: AheadRow, facts: StreamFacts | undefined, nowMs: number): SendingAccount {
  const blocker = facts && streamBlocker(facts, nowMs);
  const untilMs = blocker?.until === undefined ? Infinity : Date.parse(blocker.until);
  return {
    instance: row.instance,
    opensAtMs: blocker === undefined ? nowMs : untilMs,
    queued: row.higher + (row.queue_depth ?? 0),
    ahead: row.ahead,
    others: row.others,
    intervalMs: row.release_interval_ms ?? undefined,
    left: capsLeft(facts, nowMs),
  };
}

/**
 * CHOOSE-4: an account of a pool gives its last messages back if they would last much longer than those of another one.
 * Messages that stay with their account because it talked with their recipient last, or because of an earlier attempt
 * (POOL-3), are passed over. With `stickySender: required` none moves. Recipients' local times decide more than paces
 * do, and are left alone.
 * @returns the accounts to wake: all, if messages get their accounts again
 */
export async function spreadTail(store: Store, id: CampaignId, nowMs: number): Promise<readonly string[]> {
  const found = await store.run(async (db) => {
    const row = await readCampaign(db, id);
    if (row?.state !== 'running' || row.by_timezone || row.definition.stickySender === 'required') return undefined;
    const { rows } = await sql<{ is_read: boolean }>`
      select (select max(r.line) from recipients r where r.audience_no = ${row.audience_no}) <= ${row.read_ahead_line} as is_read`.execute(
      db,
    );
    if (rows[0]?.is_read !== true) return undefined;
    const accounts = await sendingAccounts(db, id, nowMs);
    const pool = accounts.map(({ instance }) => instance);
    const tail = tailToSpread(accounts, nowMs);
    return tail && { pool, instance: tail.instance, ids: await lastMessages(db, row, { ...tail, pool, nowMs }) };
  });
  if (found === undefined || found.ids.length === 0) return [];
  const { pool, instance, ids } = found;
  await retryingTransaction(store, async (tx) => {
    await sql`with ${dispatcherLocked(instance)} select count(*) from dispatcher`.execute(tx);
    await sql`
      with tail as materialized (
        select m.stream_id, m.due_at, m.place from messages m
        where m.id = any(${ids}::text[]) and m.state = 'pending' and m.instance = ${instance}
        order by m.id for no key update skip locked
      )
      update due_messages d set due_at = 'infinity', behind = ${id} from tail t
      where d.stream_id = t.stream_id and d.due_at = t.due_at and d.place = t.place`.execute(tx);
  });
  return pool;
}

/** The last pending messages of an account that may move. */
async function lastMessages(
  db: Db,
  { id, definition: { stickyFor = DEFAULT_STICKY_FOR } }: CampaignRow,
  {
    instance,
    count,
    pool,
    nowMs,
  }: { readonly instance: string; readonly count: number; readonly pool: readonly string[]; readonly nowMs: number },
): Promise<readonly MessageId[]> {
  const { rows } = await sql<{ id: MessageId; chat_id: string }>`
    select m.id, m.chat_id from campaigns c join streams s on s.campaign_id = c.id
    cross join lateral (
      select d.message_id, d.due_at, d.place from due_messages d where d.stream_id = s.id and d.due_at < 'infinity'
      order by d.due_at desc, d.place desc limit ${count}) d
    join messages m on m.id = d.message_id
    where c.id = ${id} and s.instance = ${instance} and ${isCurrent('s')} and ${mayMove(sql`d.message_id`)}
    order by d.due_at desc, d.place desc limit ${count}`.execute(db);
  const since = new Date(nowMs - parseDurationMs(stickyFor));
  const chatIds = rows.map((row) => row.chat_id);
  const sticky = await lastSenders(db, pool, chatIds, since);
  return rows.flatMap((row) => (sticky.get(row.chat_id) === instance ? [] : [row.id]));
}
