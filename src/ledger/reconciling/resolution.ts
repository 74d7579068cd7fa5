/**
 * An operator's resolution of a message without a known outcome: RECONCILE-2, RECONCILE-7, and CLEAR-4 for a message
 * whose queue was cleared.
 */
import { sql } from 'kysely';
import { AppError, type MessageId, type MessageSnapshot, present } from '../../contract/index.js';
import { refusalOf } from '../../domain/index.js';
import { isOver, lockCampaign } from '../campaigns/campaign-row.js';
import { runAgain } from '../campaigns/steering/end-campaign.js';
import { moveEdits } from '../messages/edits/move-edits.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import { addEvidence, existingMessage, lockMessage, type MessageRow, snapshotOf } from '../messages/message-row.js';
import { moveMessages, oneMessage } from '../messages/writer/move-messages.js';
import { accept } from '../dispatch/outcomes/accept.js';
import { makePending, recordOutcomes, writeToAttempts } from '../dispatch/outcomes/record-outcomes.js';
import type { Tx } from '../storage/store.js';

export interface Resolution {
  readonly outcome: 'accepted' | 'not_accepted';
  /** The gateway's id of the message, with `accepted`. */
  readonly idMessage?: string | undefined;
  /** The operator or program that decided. */
  readonly witness: string;
}

/** See `Reconciling.resolve`. */
export async function resolveMessage(
  tx: Tx,
  messageId: MessageId,
  resolution: Resolution,
  nowMs: number,
): Promise<MessageSnapshot> {
  const { campaign_id, instance } = await existingMessage(tx, messageId);
  const { outcome, idMessage, witness } = resolution;
  if (idMessage !== undefined) await lockIdMessage(tx, instance, idMessage);
  // A campaign's lock is taken before a message's.
  const campaign = campaign_id === null ? undefined : await lockCampaign(tx, campaign_id);
  const row = await settled(tx, await lockMessage(tx, messageId), nowMs);
  const { attempt_token: token, state } = row;
  if (refusalOf('resolved', state) !== undefined || token === null) {
    await refuseAnotherDecision(tx, row, resolution);
    return snapshotOf(row);
  }
  const isOwnId = idMessage !== undefined && idMessage === row.id_message;
  if (idMessage !== undefined && !isOwnId) await refuseOwnedId(tx, row, idMessage);
  if (outcome === 'not_accepted') {
    refuseEarly(messageId, await attemptOf(tx, token), nowMs);
    // Its deadline may have been moved since its end.
    if (campaign !== undefined && !isOver(campaign, nowMs)) await runAgain(tx, campaign);
  }
  const [fact, what] = [`resolved:${outcome}:${token}`, `resolved_${outcome}`];
  const detail = { attempt: token, ...present({ idMessage }) };
  await addEvidence(tx, { messageId, fact, witness, what, detail, nowMs });
  if (outcome === 'not_accepted') await makePending(tx, [{ row, atMs: nowMs }]);
  else if (idMessage === undefined || isOwnId) {
    const sent = { reason: 'resolved_by_operator', accepted_at: row.accepted_at ?? new Date(nowMs), nowMs };
    await moveMessages(tx, 'sentByOperator', oneMessage(messageId), sent);
    const reason = row.id_message === null ? 'id_not_known' : 'sent_time_not_known';
    await moveEdits(tx, 'messageEnded', { where: sql`e.message_id = ${messageId}` }, { reason, nowMs });
  } else {
    await writeToAttempts(tx, [{ token, outcome: { kind: 'accepted', idMessage }, atMs: nowMs }]);
    await accept(tx, row, await attemptOf(tx, token), { idMessage }, nowMs);
  }
  return snapshotOf(await existingMessage(tx, messageId));
}

export function attemptOf(tx: Tx, token: string) {
  return tx.selectFrom('attempts').selectAll().where('token', '=', token).executeTakeFirstOrThrow();
}

/** RECONCILE-7: a message whose attempt can be reconciled, and whose outcome nothing brought, is unknown. */
export async function settled(tx: Tx, row: MessageRow, nowMs: number): Promise<MessageRow> {
  const { id, state, attempt_token: token } = row;
  if (state !== 'sending' || token === null) return row;
  if ((await attemptOf(tx, token)).reconcile_after.getTime() > nowMs) return row;
  await recordOutcomes(tx, [{ token, outcome: { kind: 'unknown', code: 'SHIFT_TAKEN_OVER' }, atMs: nowMs }]);
  return existingMessage(tx, id);
}

function refuseEarly(messageId: MessageId, { reconcile_after }: { reconcile_after: Date }, nowMs: number): void {
  const waitMs = reconcile_after.getTime() - nowMs;
  if (waitMs <= 0) return;
  throw new AppError(
    'MESSAGE_CLAIMED_ELSEWHERE',
    `Message ${messageId} cannot be resolved as not_accepted yet: the gateway may still accept its request. Retry in ${Math.ceil(waitMs / 1_000)} s: everpost message resolve ${messageId} --as not_accepted`,
    { retryAfterMs: waitMs },
  );
}

/** A repetition of the same resolution changes nothing; a different one is too late. */
async function refuseAnotherDecision(tx: Tx, row: MessageRow, { outcome, idMessage }: Resolution): Promise<void> {
  const { id, state } = row;
  const { rows } = await sql<{ what: string; id_message: string | null }>`
    select what, detail->>'idMessage' as id_message from evidence
    where message_id = ${id} and what in ('resolved_accepted', 'resolved_not_accepted')
    order by seq desc limit 1`.execute(tx);
  const [last] = rows;
  const isSame = last?.what === `resolved_${outcome}` && (idMessage === undefined || last.id_message === idMessage);
  if (isSame) return;
  throw resolveNotPossible(`Message ${id} is ${state}: only an unknown or unresolved message can be resolved.`);
}

/** Two messages never have one id: RECONCILE-2. */
async function refuseOwnedId(tx: Tx, { id, instance }: MessageRow, idMessage: string): Promise<void> {
  const owner = await ownerOfId(tx, instance, idMessage);
  if (owner === undefined) return;
  const what = owner.role === 'edit' ? 'an edit of message' : 'message';
  throw resolveNotPossible(
    `Message ${id} cannot have the id ${idMessage}: it belongs to ${what} ${owner.message_id}. List what was seen: everpost message show ${id}`,
  );
}

function resolveNotPossible(message: string): AppError {
  return new AppError('RESOLVE_NOT_POSSIBLE', message);
}
