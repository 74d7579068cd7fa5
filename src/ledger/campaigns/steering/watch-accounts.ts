/** Takes accounts of running campaigns out of their pools, and in again: MOVE-1 to MOVE-4. */
import { sql } from 'kysely';
import { DEFAULT_MOVE_AFTER, parseDurationMs, type CampaignId } from '../../../contract/index.js';
import { poolChanges, type PoolAccount } from '../../../domain/index.js';
import type { Db, Store } from '../../storage/store.js';
import { capsLeft, streamFacts, streamsOfCampaign } from '../../streams/stream-blockers.js';
import { accountRows } from '../campaign-accounts.js';
import { type CampaignRow, changeCampaign, existingCampaign, lockCampaign } from '../campaign-row.js';

/** Error codes of attempts that say that a gateway, and not a message, cannot be used. */
const GATEWAY_AWAY = ['GATEWAY_UNREACHABLE', 'GATEWAY_UNAUTHORIZED', 'GATEWAY_INSTANCE_DOWN'];
/** How many of an account's messages that are due first show whether its gateway is away. */
const SHOWN_BY = 8;

/**
 * @param configured  the instances that the file has
 * @returns the accounts that have to be woken: all, if one went out or came in
 */
export async function watchAccounts(
  store: Store,
  id: CampaignId,
  configured: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const found = await store.run(async (db) => changesOf(db, await existingCampaign(db, id), configured, nowMs));
  if (found.length === 0) return [];
  return store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row.state !== 'running') return [];
    const changes = await changesOf(tx, row, configured, nowMs);
    const before = new Map((await accountRows(tx, id)).map((account) => [account.instance, account]));
    for (const { instance, blockedSinceMs, out } of changes) {
      const { out_at, out_why } = before.get(instance)!;
      await tx
        .updateTable('campaign_accounts')
        .set({
          blocked_since: blockedSinceMs === null ? null : new Date(blockedSinceMs),
          out_why: out,
          out_at: out === null ? null : out === out_why ? out_at : new Date(nowMs),
          out_text: null,
        })
        .where('campaign_id', '=', id)
        .where('instance', '=', instance)
        .execute();
    }
    const isMoved = changes.some(({ instance, out }) => out !== before.get(instance)?.out_why);
    if (!isMoved) return [];
    await changeCampaign(tx, id, {});
    return [...before.keys()];
  });
}

async function changesOf(db: Db, row: CampaignRow, configured: readonly string[], nowMs: number) {
  const { id, definition } = row;
  const facts = await streamFacts(db, streamsOfCampaign(id, sql`true`), nowMs);
  const away = await gatewaysAway(db, id);
  const accounts = (await accountRows(db, id)).map(({ instance, out_why, blocked_since }): PoolAccount => {
    const own = facts.get(instance);
    return {
      instance,
      out: out_why,
      isConfigured: configured.includes(instance),
      isBlocked:
        own !== undefined &&
        (own.pauses.length > 0 || own.away !== undefined || capsLeft(own, nowMs)?.messages === 0 || away.has(instance)),
      blockedSinceMs: blocked_since?.getTime() ?? null,
    };
  });
  const moveAfterMs = parseDurationMs(definition.moveAfter ?? DEFAULT_MOVE_AFTER);
  return poolChanges(accounts, { nowMs, moveAfterMs, isRequired: definition.stickySender === 'required' });
}

/**
 * Accounts whose gateway refused or could not be reached with a message of this campaign that is due again or posted
 * again now, and has not shown the account's state since. The messages that are due first show it: a refused one keeps
 * its place. An account that is out has none, and is away until its state is seen again.
 */
async function gatewaysAway(db: Db, id: CampaignId): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ instance: string }>`/* gateways_away */
    with seen as materialized (
      select a.instance, a.out_why, a.out_at, (
        select s.seen_until from instance_states s where s.instance = a.instance
        order by s.since desc, s.seq desc limit 1) as at
      from campaign_accounts a where a.campaign_id = ${id}
    )
    select instance from seen where out_why = 'cannot_send' and not coalesce(at > out_at, false)
    union
    select first.instance from (
      (select s.instance, d.message_id from streams s cross join lateral (
        select d.message_id from due_messages d where d.stream_id = s.id order by d.due_at, d.place limit ${SHOWN_BY}) d
      where s.campaign_id = ${id})
      union all
      (select m.instance, m.id from messages m where m.campaign_id = ${id} and m.state = 'sending')) first
    cross join lateral (
      select a.outcome, a.code, a.outcome_at from attempts a where a.message_id = first.message_id and a.outcome is not null
        and a.instance = first.instance
      order by a.seq desc limit 1 offset 0) last
    join seen on seen.instance = first.instance
    where last.outcome = 'not_accepted' and last.code = any(${GATEWAY_AWAY}::text[])
      and not coalesce(seen.at > last.outcome_at, false)`.execute(db);
  return new Set(rows.map(({ instance }) => instance));
}
