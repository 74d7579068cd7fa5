import { sql } from 'kysely';
import {
  AppError,
  MESSAGE_STATES,
  statesIn,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
} from '../../../contract/index.js';
import { endWaitingEdits } from '../../messages/edit-row.js';
import type { Db, Store, Tx } from '../../storage/store.js';
import { cancelPending } from './cancel-campaign.js';
import { progressOf } from '../campaign-view.js';
import { existingCampaign, type CampaignRow, changeCampaign, hasEnded, isOver } from '../campaign-row.js';
import { EXPIRED_UNPOSTED, tallyOf, type Tally, countedTally, foldCounts } from '../campaign-tally.js';
import { ENDED_AT_ONCE, endPending, inParts, recipientsInDoubt } from './pending-recipients.js';
import { jsonText } from '../../storage/statements.js';

/** More changes of a campaign's counts than this are folded, since summing them takes long. */
const MOST_CHANGES = 1_000;

/** CAMPAIGN-4. Usually nothing has to be done; a read without a lock shows that, so that dispatching continues. */
export async function settleCampaign(store: Store, id: CampaignId, nowMs: number): Promise<CampaignProgress> {
  const asItIs = await store.run(async (db) => {
    const row = await existingCampaign(db, id);
    const tally = await countedTally(db, row);
    if (tally.changes > MOST_CHANGES) await foldCounts(db, id);
    const isDue = row.state !== 'draft' && hasSomethingToSettle(row, tally, nowMs);
    return isDue ? undefined : progressOf(db, row, nowMs, tally);
  });
  if (asItIs !== undefined) return asItIs;
  // The remaining recipients end in batches; the last batch settles the campaign.
  await inParts(store, id, (tx, row) => settle(tx, row, nowMs));
  return store.run(async (db) => progressOf(db, await existingCampaign(db, id), nowMs));
}

function hasSomethingToSettle(row: CampaignRow, tally: Tally, nowMs: number): boolean {
  if (isOver(row, nowMs) && (tally.pending > 0 || tally.unresolved > 0)) return true;
  return hasEnded(row) ? tally.pending > 0 : isSettled(tally);
}

function isSettled({ pending, underWay, unresolved, withoutReceipt }: Tally): boolean {
  return pending + underWay + unresolved + withoutReceipt === 0;
}

/** @returns false while recipients are left to end */
async function settle(tx: Tx, row: CampaignRow, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  if (isOver(row, nowMs) && !(await endWhatIsLeft(tx, row, now))) return false;
  const settled = await existingCampaign(tx, row.id);
  const tally = await countedTally(tx, settled);
  if (hasEnded(settled)) {
    // An operator's resolution made a recipient pending again after the end.
    if (tally.pending > 0) await changeCampaign(tx, row.id, { state: 'running', ended_at: null });
    return true;
  }
  if (!isSettled(tally)) return true;
  await refuseWrongTotals(tx, settled, tally);
  await changeCampaign(tx, row.id, { state: endOf(settled, tally), ended_at: now, pause_text: null });
  return true;
}

/**
 * Ends pending recipients. The campaign stops waiting for unresolved messages; late evidence may still resolve them.
 */
async function endWhatIsLeft(tx: Tx, row: CampaignRow, now: Date): Promise<boolean> {
  const isCancelled = row.cancel_requested_at !== null;
  const ended = isCancelled
    ? await cancelPending(tx, row, 'campaign', now)
    : await endPending(tx, row, { state: 'expired', reason: EXPIRED_UNPOSTED, witness: 'clock', now });
  if (ended === ENDED_AT_ONCE) return false;
  if (row.state_without_message === 'pending') {
    await changeCampaign(tx, row.id, { state_without_message: isCancelled ? 'cancelled' : 'expired' });
  }
  const left = await sql<{ id: Parameters<typeof endWaitingEdits>[1] }>`/* leave_unresolved */
    with ended as (
      update messages set ended_at = ${now}, version = version + 1
      where id in ${recipientsInDoubt(row)} and state = 'unresolved' and ended_at is null
      returning id, version
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, 'left_unresolved:' || version, ${now}::timestamptz, 'campaign', 'left_unresolved',
        ${jsonText({ why: isCancelled ? 'campaign_cancelled' : 'deadline' })}::json
      from ended
    )
    select id from ended`.execute(tx);
  for (const { id } of left.rows) await endWaitingEdits(tx, id, 'not_possible', 'message_unresolved', now.getTime());
  return true;
}

function endOf({ cancel_requested_at, audience }: CampaignRow, { counts, expiredUnposted }: Tally): CampaignState {
  if (cancel_requested_at !== null) return 'cancelled';
  if (expiredUnposted > 0) return 'expired';
  const reached = statesIn('accepted', 'taken').reduce((total, state) => total + counts[state], 0);
  // A suppressed recipient is not a failure.
  return reached + counts.suppressed === audience ? 'completed' : 'completed_with_failures';
}

/**
 * CAMPAIGN-5. Counts recipients and messages again; does not use the number fixed at the start or the sum of changes
 * since.
 * @throws AppError INTERNAL
 */
async function refuseWrongTotals(db: Db, row: CampaignRow, added: Tally): Promise<void> {
  const { counts, withRow } = await tallyOf(db, row);
  const counted = await sql<{ recipients: number; known: number }>`/* campaign_totals */
    select count(*)::integer as recipients, count(m.id)::integer as known
    from recipients r left join messages m on m.campaign_id = ${row.id} and m.line = r.line
    where r.audience_no = ${row.audience_no}`.execute(db);
  const { recipients = 0, known = 0 } = counted.rows[0] ?? {};
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isAddedUp = MESSAGE_STATES.every((state) => counts[state] === added.counts[state]);
  if (recipients === row.audience && total === row.audience && known === withRow && isAddedUp) return;
  throw new AppError(
    'INTERNAL',
    `Campaign ${row.id} cannot end: its audience is ${row.audience}, but it has ${recipients} recipients, its counts add up to ${total}, and ${known} of its ${withRow} messages belong to a recipient. Report this bug.`,
  );
}
