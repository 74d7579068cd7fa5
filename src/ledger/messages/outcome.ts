import { type Selectable, sql } from 'kysely';
import {
  AppError,
  type AttemptOutcome,
  type MessageId,
  type MessageSnapshot,
  type MessageState,
} from '../../contract/index.js';
import { existingCampaign, postsNothing } from '../campaigns/campaign-row.js';
import { EXPIRED_UNPOSTED } from '../campaigns/campaign-tally.js';
import { changePosted } from '../dispatch/streams/limits.js';
import { doubtIfCleared } from './queue-clears.js';
import { applyParkedReceipts } from './receipts/apply-receipt.js';
import type { AttemptsTable } from '../schema.js';
import type { Tx } from '../storage/store.js';
import { applyNewestEdits, restoreText } from './edits/edits.js';
import { addEvidence, existingMessage, lockMessage, type MessageRow, snapshotOf } from './message-row.js';
import { lockIdMessage, storeId } from './message-ids.js';
import { moveMessages, oneMessage } from './writer/move-messages.js';

type Attempt = Selectable<AttemptsTable>;
type Accepted = Extract<AttemptOutcome, { kind: 'accepted' }>;

/** How well-founded an outcome is. Only a better-founded one replaces an attempt's outcome (LEDGER-4). */
const WEIGHT: Readonly<Record<AttemptOutcome['kind'], number>> = {
  unknown: 1,
  not_accepted: 2,
  rejected: 2,
  accepted: 3,
};

/** See {@link Messages} LEDGER-4. @throws AppError MESSAGE_NOT_FOUND if the attempt is not in the ledger */
export async function recordOutcome(
  tx: Tx,
  token: string,
  outcome: AttemptOutcome,
  nowMs: number,
): Promise<MessageSnapshot> {
  const { message_id, instance } = await ownerOfAttempt(tx, token);
  if (outcome.kind === 'accepted') await lockIdMessage(tx, instance, outcome.idMessage);
  const row = await lockMessage(tx, message_id);
  const attempt = await tx.selectFrom('attempts').selectAll().where('token', '=', token).executeTakeFirstOrThrow();
  // False if this outcome of this attempt was recorded before.
  const isNew = await addEvidence(tx, { messageId: row.id, ...outcomeEvidence(token, outcome), nowMs });
  if (isNew) {
    if (attempt.outcome === null || WEIGHT[outcome.kind] > WEIGHT[attempt.outcome]) {
      await writeToAttempt(tx, token, outcome, nowMs);
    }
    if (outcome.kind === 'accepted') {
      await accept(tx, row, attempt, outcome, nowMs);
      await doubtIfCleared(tx, row.id, String(attempt.seq), nowMs);
    } else if (row.attempt_token === token) await moveCurrent(tx, row, outcome, nowMs);
  }
  return snapshotOf(await existingMessage(tx, message_id));
}

async function ownerOfAttempt(tx: Tx, token: string): Promise<{ message_id: MessageId; instance: string }> {
  const { rows } = await sql<{ message_id: MessageId; instance: string }>`
    select a.message_id, m.instance from attempts a join messages m on m.id = a.message_id
    where a.token = ${token}`.execute(tx);
  if (rows[0] !== undefined) return rows[0];
  throw new AppError(
    'MESSAGE_NOT_FOUND',
    `Attempt ${token} is not in the ledger, so its outcome belongs to no message. A ledger that was restored from an older copy lacks the attempts since then.`,
  );
}

export async function writeToAttempt(
  tx: Tx,
  token: string,
  outcome: Exclude<AttemptOutcome, Accepted> | (Omit<Accepted, 'httpStatus'> & { readonly httpStatus?: number }),
  nowMs: number,
): Promise<void> {
  const isAnId = outcome.kind === 'accepted';
  await tx
    .updateTable('attempts')
    .set(({ fn, val }) => ({
      outcome: outcome.kind,
      outcome_seq: fn<string>('nextval', [val('ledger_seq')]),
      outcome_at: new Date(nowMs),
      id_message: isAnId ? outcome.idMessage : null,
      code: isAnId ? null : outcome.code,
      text: isAnId ? null : (outcome.text ?? null),
      http_status: outcome.httpStatus ?? null,
      ...(outcome.kind === 'unknown' && outcome.connectionEnded === true ? { loss_seen_at: new Date(nowMs) } : {}),
      retry_at:
        outcome.kind === 'not_accepted' && outcome.retryAfterMs !== undefined
          ? new Date(nowMs + outcome.retryAfterMs)
          : null,
    }))
    .where('token', '=', token)
    .execute();
}

/**
 * The gateway accepted this attempt: the row becomes accepted from any unsent state, and gets the receipts parked for
 * the id.
 */
export async function accept(
  tx: Tx,
  row: MessageRow,
  attempt: Attempt,
  { idMessage }: Pick<Accepted, 'idMessage'>,
  nowMs: number,
): Promise<void> {
  const { id, instance } = row;
  const owner = await storeId(tx, { instance, idMessage, messageId: id, role: 'message', nowMs });
  if (owner !== id) return recordConflict(tx, id, owner, idMessage, nowMs);
  if (row.attempt_token !== attempt.token || ENDED_UNPOSTED.has(row.state)) await changePosted(tx, attempt.token, 1);
  const moved = await moveMessages(tx, 'accepted', oneMessage(id), { id_message: idMessage, nowMs });
  if (moved.length > 0) {
    await restoreText(tx, row, attempt, nowMs);
  } else if (row.id_message !== idMessage) {
    // One POST has one id. If an attempt gets two ids, the first was adopted from a witness, and the response is more
    // reliable.
    const wasAdopted = attempt.id_message !== null && attempt.id_message === row.id_message;
    const what = wasAdopted ? 'adopted_another' : 'duplicated';
    if (wasAdopted) await moveMessages(tx, 'idCorrected', oneMessage(id), { id_message: idMessage, nowMs });
    const detail = { idMessage: row.id_message, secondIdMessage: idMessage, attempt: attempt.token };
    await addEvidence(tx, { messageId: id, fact: `${what}:${idMessage}`, witness: 'response', what, detail, nowMs });
  }
  await applyParkedReceipts(tx, instance, idMessage, nowMs);
}

/** Two messages with one id: both record it, and neither changes its state, since either may be wrong. */
async function recordConflict(tx: Tx, id: MessageId, owner: MessageId, idMessage: string, nowMs: number) {
  for (const [messageId, other] of [
    [id, owner],
    [owner, id],
  ] as const) {
    const fact = `id_conflict:${idMessage}:${other}`;
    const detail = { idMessage, otherMessage: other };
    await addEvidence(tx, { messageId, fact, witness: 'response', what: 'id_conflict', detail, nowMs });
  }
}

/** An outcome other than `accepted`, of the row's current attempt. */
async function moveCurrent(
  tx: Tx,
  row: MessageRow,
  outcome: Exclude<AttemptOutcome, Accepted>,
  nowMs: number,
): Promise<void> {
  const which = oneMessage(row.id);
  switch (outcome.kind) {
    case 'unknown':
      await moveMessages(tx, 'lost', which, { nowMs });
      return;
    case 'rejected': {
      const end = { reason: outcome.code, reason_text: outcome.text ?? null, nowMs };
      if ((await moveMessages(tx, 'refused', which, end)).length > 0) await giveBack(tx, row);
      return;
    }
    case 'not_accepted':
      await makePending(tx, row, nowMs);
  }
}

/**
 * Restores the row to its state before the claim, with the newest waiting edit; or ends it if its cancel was requested
 * meanwhile, or its campaign posts nothing more.
 */
export async function makePending(tx: Tx, row: MessageRow, nowMs: number): Promise<void> {
  const which = oneMessage(row.id);
  const end = row.cancel_requested_at === null ? await endByCampaign(tx, row, nowMs) : CANCELLED;
  const moved =
    end === undefined
      ? await moveMessages(tx, 'notAccepted', which, { nowMs })
      : await moveMessages(tx, end.fact, which, { ...end, reason_text: null, nowMs });
  if (moved.length === 0) return;
  await giveBack(tx, row);
  if (end === undefined) await applyNewestEdits(tx, moved, nowMs);
}

/** LIMIT-7. */
async function giveBack(tx: Tx, { attempt_token }: MessageRow): Promise<void> {
  if (attempt_token !== null) await changePosted(tx, attempt_token, -1);
}

/** Its place was given back (LIMIT-7). */
const ENDED_UNPOSTED: ReadonlySet<MessageState> = new Set(['rejected', 'cancelled', 'expired', 'suppressed']);

const CANCELLED = { fact: 'notAcceptedAndCancelled', reason: 'cancelled', witness: 'response' } as const;

/**
 * Reads the campaign without its lock, since a campaign's lock has to be taken before a message's. A transaction that
 * ends the campaign meanwhile finds this message pending and ends it.
 */
async function endByCampaign(tx: Tx, { campaign_id }: MessageRow, nowMs: number) {
  if (campaign_id === null) return undefined;
  const campaign = await existingCampaign(tx, campaign_id);
  if (!postsNothing(campaign, nowMs)) return undefined;
  if (campaign.cancel_requested_at !== null) return { ...CANCELLED, witness: 'campaign' };
  return { fact: 'notAcceptedAndExpired', reason: EXPIRED_UNPOSTED, witness: 'campaign' } as const;
}

/** The evidence of an attempt's outcome: one fact for each outcome, and for each id. */
export function outcomeEvidence(token: string, outcome: AttemptOutcome) {
  const { kind, ...facts } = outcome;
  const fact = outcome.kind === 'accepted' ? `${kind}:${token}:${outcome.idMessage}` : `${kind}:${token}`;
  return { fact, witness: 'response', what: kind, detail: { attempt: token, ...facts } };
}
