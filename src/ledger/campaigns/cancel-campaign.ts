import { sql } from 'kysely';
import type { CampaignId } from '../../contract/index.js';
import { beginCommand, type AskedCommand } from '../commands.js';
import type { Tx } from '../store.js';
import { changeCampaign, refuseEnded, WAITS_FOR_NOTHING } from './change-campaign.js';
import { countAudience } from './campaign-start.js';
import { lockCampaign } from './campaign-progress.js';

/** CAMPAIGN-3. A recipient who has no row yet is cancelled by one word on the campaign's own row. */
export async function cancelCampaign(
  tx: Tx,
  id: CampaignId,
  witness: string,
  nowMs: number,
  asked?: AskedCommand,
): Promise<void> {
  const row = await lockCampaign(tx, id);
  const isAlreadySo = row.state === 'cancelling' || row.state === 'cancelled';
  const { isNew } = await beginCommand(tx, row, 'cancel', asked, { isAlreadySo, nowMs });
  if (!isNew || isAlreadySo) return;
  refuseEnded(row);
  const now = new Date(nowMs);
  const isDraft = row.state === 'draft';
  await changeCampaign(tx, id, {
    state: isDraft ? 'cancelled' : 'cancelling',
    cancel_requested_at: now,
    unfed_state: row.unfed_state === 'pending' ? 'cancelled' : row.unfed_state,
    ...(isDraft ? { ended_at: now, audience: await countAudience(tx, row) } : {}),
    ...WAITS_FOR_NOTHING,
  });
  // In this order: what is pending again between the two, since it was not accepted, is seen by the second.
  await markRequestsUnderWay(tx, id, witness, now);
  await cancelPending(tx, id, witness, now);
}

/** What was posted and turns out never to have been accepted ends cancelled instead of being pending again. */
async function markRequestsUnderWay(tx: Tx, id: CampaignId, witness: string, now: Date): Promise<void> {
  await sql`/* cancel_requests_under_way */
    with marked as (
      update messages set cancel_requested_at = ${now}, version = version + 1
      where campaign_id = ${id} and state in ('sending', 'unknown', 'unresolved') and cancel_requested_at is null
      returning id, version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, 'cancel_requested:' || version, ${now}::timestamptz, ${witness}::text, 'cancel_requested' from marked`.execute(
    tx,
  );
}

/** A campaign that nothing more is posted for leaves no recipient pending. */
export async function cancelPending(tx: Tx, id: CampaignId, witness: string, now: Date): Promise<void> {
  await sql`/* cancel_planned */
    with ended as (
      update messages set state = 'cancelled', reason = 'cancelled', ended_at = ${now}, version = version + 1
      where campaign_id = ${id} and state = 'pending'
      returning id, version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, 'cancelled:' || version, ${now}::timestamptz, ${witness}::text, 'cancelled' from ended`.execute(tx);
}
