import { sql } from 'kysely';
import { RECEIPT_WAIT_MS, type CampaignId, type MessageId } from '../../contract/index.js';
import { present } from '../present.js';
import type { Db } from '../store.js';
import type { OpenRecipients } from './feeding-ledger.js';

/** Of each kind in one poll: more than there should ever be, and the rest comes with the next. */
const MOST = 100;

/** What is still to be found out of a campaign's recipients, lower lines first. */
export async function openRecipients(db: Db, campaignId: CampaignId, nowMs: number): Promise<OpenRecipients> {
  const posted = await db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.token', 'm.attempt_token')
    .select(['m.id', 'm.state', 'a.reconcile_after'])
    .where('m.campaign_id', '=', campaignId)
    .where('m.state', 'in', ['sending', 'unknown'])
    .orderBy('m.line')
    .limit(MOST)
    .execute();
  const sending = posted.filter(({ state }) => state === 'sending');
  const pending = sending.map(({ reconcile_after }) => reconcile_after.getTime()).filter((at) => at > nowMs);
  return {
    abandoned: sending.filter(({ reconcile_after }) => reconcile_after.getTime() <= nowMs).map(({ id }) => id),
    ...present({ nextReconcileMs: pending.length === 0 ? undefined : Math.min(...pending) }),
    unknown: posted.filter(({ state }) => state === 'unknown').map(({ id }) => id),
    unheard: await unheardOf(db, campaignId, nowMs),
  };
}

/**
 * Those who are open come in the order of their lines by an index of their own, and a recipient who was fed first is
 * heard of first. So the oldest are among the first, and none has to go through all of them.
 */
async function unheardOf(db: Db, campaignId: CampaignId, nowMs: number): Promise<MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`
    select id from (
      select m.id, m.accepted_at from messages m
      where m.campaign_id = ${campaignId} and m.state = 'accepted' and m.ended_at is null
      order by m.line limit ${MOST}) oldest
    where accepted_at <= ${new Date(nowMs - RECEIPT_WAIT_MS)}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function unresolvedRecipients(
  db: Db,
  campaignId: CampaignId,
  afterLine: number,
  limit: number,
): Promise<{ messageId: MessageId; line: number }[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'line'])
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'unresolved')
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute();
  return rows.map(({ id, line }) => ({ messageId: id, line: line ?? 0 }));
}

export async function unknownOutcomes(db: Db, instance: string, most: number): Promise<number> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('instance', '=', instance)
    .where('state', '=', 'unknown')
    .limit(most)
    .execute();
  return rows.length;
}
