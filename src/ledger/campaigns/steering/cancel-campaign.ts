import { sql } from 'kysely';
import type { CampaignId } from '../../../contract/index.js';
import { beginCommand, type AskedCommand } from '../../commands.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { changeCampaign, refuseEnded, lockCampaign, type CampaignRow } from '../campaign-row.js';
import { countAudience } from '../audiences/ready-audience.js';
import { ENDED_AT_ONCE, endPending, inParts, recipientsInDoubt } from './pending-recipients.js';
import { stateList } from '../../messages/message-state.js';

/**
 * CAMPAIGN-3. One column of the campaign's row cancels all recipients without a message. After the first transaction
 * nothing is claimed; pending messages end in batches.
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

/** After this transaction nothing is claimed. @returns false while recipients are pending: {@link cancelRest} */
export async function stopCampaign(tx: Tx, before: CampaignRow, witness: string, now: Date): Promise<boolean> {
  await markCancelled(tx, before, now);
  const row = await lockCampaign(tx, before.id);
  // In this order: if a message becomes pending between the two, the second one sees it.
  await markRequestsUnderWay(tx, row, witness, now);
  return (await cancelPending(tx, row, witness, now)) < ENDED_AT_ONCE;
}

/** Cancels the rest in batches. After an interruption, settling the campaign ends them. */
export async function cancelRest(store: Store, id: CampaignId, witness: string, nowMs: number): Promise<void> {
  await inParts(store, id, async (tx, row) => {
    // A retry may have made them pending again meanwhile.
    if (row.cancel_requested_at === null) return true;
    return (await cancelPending(tx, row, witness, new Date(nowMs))) < ENDED_AT_ONCE;
  });
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

/** A posted message that was never accepted ends cancelled in place of becoming pending again. */
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

/** @returns how many pending messages it ended */
export function cancelPending(tx: Tx, row: CampaignRow, witness: string, now: Date): Promise<number> {
  return endPending(tx, row, { state: 'cancelled', reason: 'cancelled', witness, now });
}
