import { sql } from 'kysely';
import type { CampaignId } from '../../contract/index.js';
import { beginCommand, type AskedCommand } from '../commands.js';
import { retryingTransaction } from '../retrying.js';
import type { Store, Tx } from '../store.js';
import { changeCampaign, refuseEnded } from './change-campaign.js';
import { countAudience } from './ready-audience.js';
import { lockCampaign, type CampaignRow } from './campaign-row.js';
import { ENDED_AT_ONCE, endPending, recipientsInDoubt } from './pending-recipients.js';
import { stateList } from '../state-list.js';

/**
 * CAMPAIGN-3. A recipient who has no row yet is cancelled by one word on the campaign's own row. From the first transaction on
 * nothing is claimed; those who are pending end in parts.
 */
export async function cancelCampaign(
  store: Store,
  id: CampaignId,
  witness: string,
  nowMs: number,
  asked?: AskedCommand,
): Promise<void> {
  const isDone = await retryingTransaction(store, async (tx) => {
    const row = await lockCampaign(tx, id);
    const isAlreadySo = row.state === 'cancelling' || row.state === 'cancelled';
    const { isNew } = await beginCommand(tx, row, 'cancel', asked, { isAlreadySo, nowMs });
    if (!isNew || isAlreadySo) return true;
    refuseEnded(row);
    return stopCampaign(tx, row, witness, new Date(nowMs));
  });
  if (!isDone) await cancelRest(store, id, witness, nowMs);
}

/** From this transaction on nothing is claimed. @returns false while recipients are pending: {@link cancelRest} */
export async function stopCampaign(tx: Tx, before: CampaignRow, witness: string, now: Date): Promise<boolean> {
  await markCancelled(tx, before, now);
  const row = await lockCampaign(tx, before.id);
  // In this order: what is pending again between the two, since it was not accepted, is seen by the second.
  await markRequestsUnderWay(tx, row, witness, now);
  return (await cancelPending(tx, row, witness, now)) < ENDED_AT_ONCE;
}

/** In parts; when it is interrupted the campaign's settling ends the rest. */
export async function cancelRest(store: Store, id: CampaignId, witness: string, nowMs: number): Promise<void> {
  const part = () =>
    retryingTransaction(store, async (tx) => {
      const row = await lockCampaign(tx, id);
      // A retry may have taken them up meanwhile.
      if (row.cancel_requested_at === null) return true;
      return (await cancelPending(tx, row, witness, new Date(nowMs))) < ENDED_AT_ONCE;
    });
  while (!(await part())) {
    // The next ones.
  }
}

async function markCancelled(tx: Tx, row: CampaignRow, now: Date): Promise<void> {
  const isDraft = row.state === 'draft';
  await changeCampaign(tx, row.id, {
    state: isDraft ? 'cancelled' : 'cancelling',
    cancel_requested_at: now,
    state_without_message: row.state_without_message === 'pending' ? 'cancelled' : row.state_without_message,
    pause_text: null,
    ...(isDraft ? { ended_at: now, audience: await countAudience(tx, row) } : {}),
  });
}

/** What was posted and turns out never to have been accepted ends cancelled instead of being pending again. */
async function markRequestsUnderWay(tx: Tx, row: CampaignRow, witness: string, now: Date): Promise<void> {
  await sql`/* cancel_requests_under_way */
    with in_doubt as materialized (
      select m.id from messages m
      where m.id in ${recipientsInDoubt(row)} and m.state in ${stateList('in_flight', 'unresolved')}
        and m.cancel_requested_at is null
      order by m.id for no key update of m
    ), marked as (
      update messages m set cancel_requested_at = ${now}, version = m.version + 1
      from in_doubt d where m.id = d.id
      returning m.id, m.version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, 'cancel_requested:' || version, ${now}::timestamptz, ${witness}::text, 'cancel_requested' from marked`.execute(
    tx,
  );
}

/** A campaign that nothing more is posted for leaves no recipient pending. @returns how many it ended */
export function cancelPending(tx: Tx, row: CampaignRow, witness: string, now: Date): Promise<number> {
  return endPending(tx, row, { state: 'cancelled', reason: 'cancelled', witness, now });
}
