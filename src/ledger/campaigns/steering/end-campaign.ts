/** CAMPAIGN-3 to CAMPAIGN-5: how a campaign ends, by a cancel, by its deadline, or with its last recipient. */
import { sql } from 'kysely';
import { type CampaignId, AppError, MESSAGE_STATES, statesIn, type CampaignState } from '../../../contract/index.js';
import { retryingTransaction, type Store, type Tx, type Db } from '../../storage/store.js';
import {
  changeCampaign,
  permitted,
  lockCampaign,
  type CampaignRow,
  existingCampaign,
  hasEnded,
  isOver,
} from '../campaign-row.js';
import { countAudience } from '../audiences/audience-rows.js';
import { stateList } from '../../storage/state-lists.js';
import { expirePending } from '../../messages/end-message.js';
import { moveMessages, type Which } from '../../messages/writer/move-messages.js';
import { MOST_CHANGES, tallyOf, type Tally, countedTally, foldCounts } from '../campaign-tally.js';

/** After this transaction nothing is claimed. @returns false while recipients are pending: {@link cancelRest} */
export async function stopCampaign(tx: Tx, before: CampaignRow, witness: string, now: Date): Promise<boolean> {
  const isDraft = before.state === 'draft';
  const { state_without_message } = before;
  await changeCampaign(tx, before.id, {
    state: isDraft ? 'cancelled' : 'cancelling',
    cancel_requested_at: now,
    state_without_message: state_without_message === 'pending' ? 'cancelled' : state_without_message,
    pause_text: null,
    ...(isDraft ? { ended_at: now, audience: await countAudience(tx, before) } : {}),
  });
  const row = await lockCampaign(tx, before.id);
  // In this order: if a message becomes pending between the two, the second one sees it.
  await markRequestsUnderWay(tx, row, witness, now);
  return (await cancelPending(tx, row, witness, now)) < ENDED_AT_ONCE;
}

/** Cancels the rest in batches. After an interruption, {@link endCampaignIfDone} ends them. */
export async function cancelRest(store: Store, id: CampaignId, witness: string, nowMs: number): Promise<void> {
  await inParts(store, id, async (tx, row) => {
    // A retry may have made them pending again meanwhile.
    if (row.cancel_requested_at === null) return true;
    return (await cancelPending(tx, row, witness, new Date(nowMs))) < ENDED_AT_ONCE;
  });
}

/** A posted message that was never accepted ends cancelled in place of becoming pending again. */
export async function markRequestsUnderWay(tx: Tx, row: CampaignRow, witness: string, now: Date): Promise<void> {
  const isUndecided = sql`m.id in ${undecidedRecipients(row)} and m.state in ${stateList('in_flight', 'unresolved')}`;
  await requestCancel(tx, { where: sql`${isUndecided} and m.cancel_requested_at is null` }, witness, now);
}

/** @returns how many pending messages it ended; fewer than {@link ENDED_AT_ONCE}: none is left */
function cancelPending(tx: Tx, row: CampaignRow, witness: string, now: Date): Promise<number> {
  return requestCancel(tx, somePending(row), witness, now);
}

async function requestCancel(tx: Tx, which: Which, witness: string, now: Date): Promise<number> {
  const end = { reason: 'cancelled', reason_text: null, witness, nowMs: now.getTime() };
  return (await moveMessages(tx, 'cancelRequested', which, end)).length;
}

/** The ids of a campaign's messages with a POST in flight or an unknown outcome, unresolved ones included. */
export function undecidedRecipients({ id }: Pick<CampaignRow, 'id'>) {
  return sql`(select id from messages where campaign_id = ${id} and state in ${stateList('in_flight', 'unresolved')})`;
}

/** How many rows are ended in one transaction. */
const ENDED_AT_ONCE = 1_000;

/** Repeats a step under the lock of the campaign's row until it returns true, each time in its own transaction. */
async function inParts(store: Store, id: CampaignId, part: (tx: Tx, row: CampaignRow) => Promise<boolean>) {
  for (let isDone = false; !isDone;) {
    isDone = await retryingTransaction(store, async (tx) => part(tx, await lockCampaign(tx, id)));
  }
}

/**
 * Pending messages of a campaign whose row is locked, as many as end in one transaction: those in its streams, those that
 * wait for a stream, and those of recipients that were requested by id before they were read ahead. Reads only pending
 * rows, however large the audience is.
 */
function somePending({ id, read_ahead_line }: CampaignRow): Which {
  const ids = sql`(
    select d.message_id as id from streams s join due_messages d on d.stream_id = s.id where s.campaign_id = ${id}
    union
    select d.message_id from due_messages d where d.behind = ${id}
    union
    select m.id from messages m where m.campaign_id = ${id} and m.line > ${read_ahead_line} and m.state = 'pending'
    limit ${ENDED_AT_ONCE})`;
  return { where: sql`m.id in ${ids} and m.state = 'pending'` };
}

/** CAMPAIGN-4. Usually nothing has to be done; a read without a lock shows that, so that dispatching continues. */
export async function endCampaignIfDone(store: Store, id: CampaignId, nowMs: number): Promise<void> {
  const isDue = await store.run(async (db) => {
    const row = await existingCampaign(db, id);
    const tally = await countedTally(db, row);
    if (tally.changes > MOST_CHANGES) await foldCounts(db, [id]);
    if (row.state === 'draft') return false;
    if (isOver(row, nowMs) && (tally.pending > 0 || tally.unresolved > 0)) return true;
    return hasEnded(row) ? tally.pending > 0 : hasNoOpenRecipient(tally);
  });
  // The remaining recipients end in batches; the last batch ends the campaign.
  if (isDue) await inParts(store, id, (tx, row) => endWhenDone(tx, row, nowMs));
}

function hasNoOpenRecipient({ pending, underWay, unresolved, withoutReceipt }: Tally): boolean {
  return pending + underWay + unresolved + withoutReceipt === 0;
}

/** @returns false while recipients are left to end */
async function endWhenDone(tx: Tx, row: CampaignRow, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  if (isOver(row, nowMs) && !(await endWhatIsLeft(tx, row, now))) return false;
  const current = await existingCampaign(tx, row.id);
  const tally = await countedTally(tx, current);
  if (hasEnded(current)) {
    if (tally.pending > 0) await runAgain(tx, current);
    return true;
  }
  if (permitted(current, 'lastEnded') === 'ignored' || !hasNoOpenRecipient(tally)) return true;
  await refuseWrongTotals(tx, current, tally);
  const { counts, expiredUnposted } = tally;
  const reached = statesIn('accepted', 'taken').reduce((total, one) => total + counts[one], 0);
  // A recipient who is suppressed or held out is not a failure.
  const isComplete = reached + counts.suppressed + counts.held_out === current.audience;
  let state: CampaignState = isComplete ? 'completed' : 'completed_with_failures';
  if (expiredUnposted > 0) state = 'expired';
  if (current.cancel_requested_at !== null) state = 'cancelled';
  await changeCampaign(tx, row.id, { state, ended_at: now, pause_text: null });
  return true;
}

/** An operator's resolution made a recipient pending again after the end. */
export async function runAgain(tx: Tx, row: CampaignRow): Promise<void> {
  if (permitted(row, 'pendingAgain') === 'ignored') return;
  await changeCampaign(tx, row.id, { state: 'running', ended_at: null });
}

/**
 * Ends pending recipients. The campaign stops waiting for unresolved messages; late evidence may still decide their
 * outcomes.
 */
async function endWhatIsLeft(tx: Tx, row: CampaignRow, now: Date): Promise<boolean> {
  const isCancelled = row.cancel_requested_at !== null;
  const ended = isCancelled
    ? await cancelPending(tx, row, 'campaign', now)
    : (await expirePending(tx, somePending(row), now.getTime())).length;
  if (ended === ENDED_AT_ONCE) return false;
  if (row.state_without_message === 'pending') {
    await changeCampaign(tx, row.id, { state_without_message: isCancelled ? 'cancelled' : 'expired' });
  }
  const why = isCancelled ? 'campaign_cancelled' : 'deadline';
  const end = { witness: 'campaign', detail: { why }, nowMs: now.getTime() };
  const which = { where: sql`m.id in ${undecidedRecipients(row)} and m.ended_at is null` };
  await moveMessages(tx, 'leftUnresolved', which, end);
  return true;
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
