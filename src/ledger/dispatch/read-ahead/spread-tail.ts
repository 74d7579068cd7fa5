/** CHOOSE-4: an account of a pool gives its last messages back if they would last much longer than those of another one. */
import { sql } from 'kysely';
import { DEFAULT_STICKY_FOR, parseDurationMs, type CampaignId, type MessageId } from '../../../contract/index.js';
import { tailToSpread } from '../../../domain/index.js';
import { mayMove } from '../../campaigns/campaign-accounts.js';
import { readCampaign, type CampaignRow } from '../../campaigns/campaign-row.js';
import { dispatcherLocked } from '../../instances/pauses.js';
import { isCurrent } from '../../messages/due-rows.js';
import { type Db, retryingTransaction, type Store } from '../../storage/store.js';
import { lastSenders, sendingAccounts } from './choose-accounts.js';

/**
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
