import { sql } from 'kysely';
import { AppError, type CampaignId, type CampaignProgress, type CampaignState } from '../../contract/index.js';
import { endWaitingEdits } from '../edit-row.js';
import type { Db, Store, Tx } from '../store.js';
import { cancelPending } from './cancel-campaign.js';
import { existingCampaign, lockCampaign, progressOf, type CampaignRow } from './campaign-progress.js';
import { countReached, EXPIRED_UNPOSTED, tallyOf, type Tally } from './campaign-tally.js';
import { changeCampaign, hasEnded, isOver, WAITS_FOR_NOTHING } from './change-campaign.js';
import { jsonText } from '../storable.js';

/** CAMPAIGN-4. Mostly there is nothing to do, which is seen without a lock, so that feeding goes on meanwhile. */
export async function settleCampaign(store: Store, id: CampaignId, nowMs: number): Promise<CampaignProgress> {
  const asItIs = await store.run(async (db) => {
    const row = await existingCampaign(db, id);
    const tally = await tallyOf(db, row);
    const isDue = row.state !== 'draft' && hasSomethingToSettle(row, tally, nowMs);
    return isDue ? undefined : progressOf(db, row, tally);
  });
  if (asItIs !== undefined) return asItIs;
  await store.transaction(async (tx) => settle(tx, await lockCampaign(tx, id), nowMs));
  return store.run(async (db) => progressOf(db, await existingCampaign(db, id)));
}

function hasSomethingToSettle(row: CampaignRow, tally: Tally, nowMs: number): boolean {
  if (isOver(row, nowMs) && (tally.pending > 0 || tally.unresolved > 0)) return true;
  return hasEnded(row) ? tally.pending > 0 : isSettled(tally);
}

function isSettled({ pending, underWay, unresolved, unheard }: Tally): boolean {
  return pending + underWay + unresolved + unheard === 0;
}

async function settle(tx: Tx, row: CampaignRow, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  if (isOver(row, nowMs)) await endWhatIsLeft(tx, row, now);
  const settled = await existingCampaign(tx, row.id);
  const tally = await tallyOf(tx, settled);
  if (hasEnded(settled)) {
    // An operator's decision made a recipient pending again after the end.
    if (tally.pending > 0) await changeCampaign(tx, row.id, { state: 'running', ended_at: null });
    return;
  }
  if (!isSettled(tally)) return;
  await refuseWrongTotals(tx, settled, tally);
  await changeCampaign(tx, row.id, { state: endOf(settled, tally), ended_at: now, ...WAITS_FOR_NOTHING });
}

/**
 * Pending ones end; unresolved ones stay unresolved, and are waited for no longer, though late evidence may still
 * settle them.
 */
async function endWhatIsLeft(tx: Tx, row: CampaignRow, now: Date): Promise<void> {
  const isCancelled = row.cancel_requested_at !== null;
  if (isCancelled) await cancelPending(tx, row.id, 'campaign', now);
  else await expirePending(tx, row.id, now);
  if (row.unfed_state === 'pending') {
    await changeCampaign(tx, row.id, { unfed_state: isCancelled ? 'cancelled' : 'expired' });
  }
  const left = await sql<{ id: Parameters<typeof endWaitingEdits>[1] }>`/* leave_unresolved */
    with ended as (
      update messages set ended_at = ${now}, version = version + 1
      where campaign_id = ${row.id} and state = 'unresolved' and ended_at is null
      returning id, version
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, 'left_unresolved:' || version, ${now}::timestamptz, 'campaign', 'left_unresolved',
        ${jsonText({ why: isCancelled ? 'campaign_cancelled' : 'deadline' })}::json
      from ended
    )
    select id from ended`.execute(tx);
  for (const { id } of left.rows) await endWaitingEdits(tx, id, 'not_possible', 'message_unresolved', now.getTime());
}

async function expirePending(tx: Tx, id: CampaignId, now: Date): Promise<void> {
  await sql`/* expire_planned */
    with ended as (
      update messages set state = 'expired', reason = ${EXPIRED_UNPOSTED}, ended_at = ${now}, version = version + 1
      where campaign_id = ${id} and state = 'pending'
      returning id, version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, 'expired:' || version, ${now}::timestamptz, 'clock', ${EXPIRED_UNPOSTED}::text from ended`.execute(tx);
}

function endOf({ cancel_requested_at, audience }: CampaignRow, { counts, expiredUnposted }: Tally): CampaignState {
  if (cancel_requested_at !== null) return 'cancelled';
  if (expiredUnposted > 0) return 'expired';
  // Not to send to whom does not want it is no failure.
  return countReached(counts) + counts.suppressed === audience ? 'completed' : 'completed_with_failures';
}

/**
 * CAMPAIGN-5. Counted again from the recipients themselves, not from the number that was fixed at the start.
 * @throws AppError INTERNAL
 */
async function refuseWrongTotals(db: Db, row: CampaignRow, { counts, withRow }: Tally): Promise<void> {
  const counted = await sql<{ recipients: number; known: number }>`/* campaign_totals */
    select count(*)::integer as recipients, count(m.id)::integer as known
    from recipients r left join messages m on m.campaign_id = ${row.id} and m.line = r.line
    where r.audience_no = ${row.audience_no}`.execute(db);
  const { recipients = 0, known = 0 } = counted.rows[0] ?? {};
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (recipients === row.audience && total === row.audience && known === withRow) return;
  throw new AppError(
    'INTERNAL',
    `Campaign ${row.id} does not end: its audience is ${row.audience}, of whom ${recipients} are there, ${total} are accounted for, and ${known} of ${withRow} messages are to one of them. Report it.`,
  );
}
