/**
 * The accounts of campaigns.
 *
 * POOL-1 A campaign has one account or a pool of them. Each recipient's message has one account, which is chosen when the
 *    recipient is read ahead, and is the message's own `instance`.
 * POOL-2 An account that is out gets none of the campaign's messages: nothing is claimed from its streams (STREAM-1), and
 *    reading ahead chooses other accounts for its pending messages. The change takes the campaign's lock and raises its
 *    version: a claim that began before takes none of them either.
 * POOL-3 A message that was posted, or that a gateway may have accepted, keeps its account. A pending one moves only if a
 *    refusal, a proof of absence or an operator says that none of its attempts was accepted.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { AccountOut, CampaignId } from '../../contract/index.js';
import type { CampaignAccountsTable } from '../storage/schema.js';
import type { Db, Tx } from '../storage/store.js';

export type AccountRow = Selectable<CampaignAccountsTable>;

/** In their order; those that the list has no more come last. */
export async function accountRows(db: Db, id: CampaignId): Promise<AccountRow[]> {
  return db
    .selectFrom('campaign_accounts')
    .selectAll()
    .where('campaign_id', '=', id)
    .orderBy(sql`out_why is not distinct from 'removed'`)
    .orderBy('place')
    .orderBy('instance')
    .execute();
}

/** The names on the campaign's list. */
export function listed(accounts: readonly AccountRow[]): string[] {
  return accounts.filter(({ out_why }) => out_why !== 'removed').map(({ instance }) => instance);
}

/**
 * Makes these the accounts of a campaign. One that was taken from the list stays as a row, for its messages. The caller has the campaign's lock.
 * @returns whether anything changed
 */
export async function listAccounts(
  tx: Tx,
  id: CampaignId,
  instances: readonly string[],
  nowMs: number,
): Promise<boolean> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql`
    with wanted as materialized (
      select * from unnest(${instances}::text[]) with ordinality as w(instance, place)
    ), added as (
      insert into campaign_accounts as a (campaign_id, instance, place, since)
      select ${id}, instance, place - 1, ${now} from wanted
      on conflict (campaign_id, instance) do update set place = excluded.place,
        out_at = case when a.out_why = 'removed' then null else a.out_at end,
        out_text = case when a.out_why = 'removed' then null else a.out_text end,
        out_why = nullif(a.out_why, 'removed')
      where a.place <> excluded.place or a.out_why = 'removed'
      returning instance
    ), removed as (
      update campaign_accounts a set out_at = ${now}, out_why = 'removed', out_text = null, blocked_since = null
      where a.campaign_id = ${id} and a.out_why is distinct from 'removed' and a.instance <> all(${instances}::text[])
      returning instance
    )
    select instance from added union all select instance from removed`.execute(tx);
  return rows.length > 0;
}

/** The caller has the campaign's lock. */
export async function takeOut(
  tx: Tx,
  id: CampaignId,
  instance: string,
  out: { readonly why: AccountOut; readonly text?: string; readonly nowMs: number },
): Promise<void> {
  await tx
    .updateTable('campaign_accounts')
    .set({ out_at: new Date(out.nowMs), out_why: out.why, out_text: out.text ?? null })
    .where('campaign_id', '=', id)
    .where('instance', '=', instance)
    .where('out_at', 'is', null)
    .execute();
}

/** The caller has the campaign's lock. @param why  only accounts that are out for one of these reasons */
export async function takeIn(
  tx: Tx,
  id: CampaignId,
  {
    instance,
    why,
    nowMs,
  }: { readonly instance?: string | undefined; readonly why: readonly AccountOut[]; readonly nowMs: number },
): Promise<string[]> {
  let query = tx
    .updateTable('campaign_accounts')
    .set({ out_at: null, out_why: null, out_text: null, blocked_since: null, outcomes_from: new Date(nowMs) })
    .where('campaign_id', '=', id)
    .where('out_why', 'in', why);
  if (instance !== undefined) query = query.where('instance', '=', instance);
  return (await query.returning('instance').execute()).map((row) => row.instance);
}

/**
 * POOL-3, of a pending message. Looked up for each message by itself, since the planner would read all attempts and all
 * evidence.
 * @param id  its id
 */
export function mayMove(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from attempts a where a.message_id = ${id} and (a.outcome is null or a.outcome = 'unknown') and not exists (
      select from evidence e where e.message_id = a.message_id
        and e.fact in ('absent:' || a.token, 'resolved:not_accepted:' || a.token) offset 0) offset 0)`;
}
