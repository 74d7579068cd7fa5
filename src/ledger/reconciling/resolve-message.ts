import { AppError, type MessageId, type MessageSnapshot } from '../../contract/index.js';
import { type CampaignRow, lockCampaign, changeCampaign, hasEnded, isOver } from '../campaigns/campaign-row.js';
import { endWaitingEdits } from '../messages/edit-row.js';
import { addEvidence } from '../messages/evidence.js';
import { changeMessage, existingMessage, lockMessage, type MessageRow, snapshotOf } from '../messages/message-row.js';
import { makePending } from '../messages/outcome.js';
import type { Tx } from '../storage/store.js';
import { attemptOf } from './open-questions.js';

export interface Resolution {
  readonly outcome: 'accepted' | 'not_accepted';
  /** The operator or program that decided. */
  readonly witness: string;
}

/** See {@link Reconciling.resolve}. */
export async function resolveMessage(
  tx: Tx,
  messageId: MessageId,
  { outcome, witness }: Resolution,
  nowMs: number,
): Promise<MessageSnapshot> {
  // A campaign's lock is taken before a message's.
  const { campaign_id } = await existingMessage(tx, messageId);
  const campaign = campaign_id === null ? undefined : await lockCampaign(tx, campaign_id);
  const row = await lockMessage(tx, messageId);
  const { attempt_token: token } = row;
  const isOpen = row.state === 'unknown' || row.state === 'unresolved';
  if (!isOpen || token === null) return settledAlready(tx, row, outcome);
  const attempt = await attemptOf(tx, token);
  if (outcome === 'not_accepted') {
    refuseEarly(messageId, attempt, nowMs);
    if (campaign !== undefined) await runAgainInTime(tx, campaign, nowMs);
  }
  const fact = `resolved:${outcome}:${token}`;
  await addEvidence(tx, {
    messageId,
    fact,
    witness,
    what: `resolved_${outcome}`,
    detail: { attempt: token },
    nowMs,
  });
  if (outcome === 'not_accepted') await makePending(tx, row, nowMs);
  else {
    await changeMessage(tx, messageId, {
      state: 'sent',
      reason: 'resolved_by_operator',
      accepted_at: new Date(nowMs),
    });
    await endWaitingEdits(tx, messageId, 'not_possible', 'id_not_known', nowMs);
  }
  return snapshotOf(await existingMessage(tx, messageId));
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

/** An ended campaign whose deadline was moved since posts to a recipient who does not have the message after all. */
async function runAgainInTime(tx: Tx, campaign: CampaignRow, nowMs: number): Promise<void> {
  if (!hasEnded(campaign) || isOver(campaign, nowMs)) return;
  await changeCampaign(tx, campaign.id, { state: 'running', ended_at: null });
}

/** A repetition of the same resolution changes nothing; a different one is too late. */
async function settledAlready(tx: Tx, row: MessageRow, outcome: 'accepted' | 'not_accepted'): Promise<MessageSnapshot> {
  const words = await tx
    .selectFrom('evidence')
    .select('what')
    .where('message_id', '=', row.id)
    .where('what', 'in', ['resolved_accepted', 'resolved_not_accepted'])
    .orderBy('seq')
    .execute();
  if (words.at(-1)?.what === `resolved_${outcome}`) return snapshotOf(row);
  throw new AppError(
    'RESOLVE_NOT_POSSIBLE',
    `Message ${row.id} is ${row.state}: only an unknown or unresolved message can be resolved.`,
  );
}
