/**
 * Decides the outcomes of attempts whose response is missing.
 *
 * RECONCILE-1 A decision counts only while its attempt is the row's current one and the row is in doubt (unknown,
 *    unresolved), or while the row is pending again after its attempt (RECONCILE-5). A late response or an operator's
 *    resolution that was recorded meanwhile stays.
 * RECONCILE-2 An id has one owner. Adopting takes the same lock as storing a response's id and parking a receipt.
 * RECONCILE-3 An unresolved row, or one that is pending again, yields to an identical one that is sending or unknown:
 *    an observed message may belong to that one, and otherwise both could adopt it.
 * RECONCILE-4 A decision can make only an unknown message pending again. An unresolved message is decided by a positive
 *    sign or by an operator.
 * RECONCILE-5 A message that is pending again can still become accepted until it is claimed: a sign of its last attempt
 *    before the resend is adopted, and nothing is sent again.
 */
import { sql } from 'kysely';
import { AppError, type MessageId, type MessageSnapshot, present } from '../../contract/index.js';
import { recipientKey } from '../../domain/index.js';
import { type CampaignRow, changeCampaign, hasEnded, isOver, lockCampaign } from '../campaigns/campaign-row.js';
import { endWaitingEdits } from '../messages/edit-row.js';
import { IDENTICAL_ATTEMPTS } from '../messages/identical.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import {
  addEvidence,
  changeMessage,
  existingMessage,
  lockMessage,
  type MessageRow,
  type NewEvidence,
  snapshotOf,
} from '../messages/message-row.js';
import { accept, makePending, writeToAttempt } from '../messages/outcome.js';
import { type Db, LedgerPart, type Tx } from '../storage/store.js';

/** The last attempt of a message in doubt, or of one that is pending again. Its outcome has to be determined. */
export type AttemptToReconcile = ReturnType<typeof attemptToReconcile>;

/** A decision's evidence: the witness, and the facts. */
type DecisionEvidence = Pick<NewEvidence, 'witness' | 'detail'>;

interface Resolution {
  readonly outcome: 'accepted' | 'not_accepted';
  /** The operator or program that decided. */
  readonly witness: string;
}

export class Reconciling extends LedgerPart {
  /** Unresolved messages, in the order of their ids. */
  async unresolved(limit: number, afterId = '' as MessageId): Promise<MessageId[]> {
    const rows = await this.database.rows(sql<{ id: MessageId }>`/* unresolved_messages */
        select m.id from attempts a join messages m on m.id = a.message_id and m.attempt_token = a.token
        where a.outcome = 'unknown' and m.state = 'unresolved' and a.message_id > ${afterId}
        order by a.message_id limit ${limit}`);
    return rows.map(({ id }) => id);
  }

  /** Undefined if the row is neither unknown nor unresolved. */
  async attempt(messageId: MessageId): Promise<AttemptToReconcile | undefined> {
    const row = await this.database.run((db) =>
      attemptRows(db).where('m.id', '=', messageId).where(IS_IN_DOUBT).executeTakeFirst(),
    );
    return row && attemptToReconcile(row);
  }

  /**
   * All attempts for one recipient of an instance, under any chat id, that are in doubt, or whose message is pending again: unresolved ones
   * first, oldest claim first.
   */
  async attemptsInChat(instance: string, chatId: string | undefined): Promise<AttemptToReconcile[]> {
    const rows = await this.database.run((db) =>
      attemptRows(db)
        .where('m.instance', '=', instance)
        .where('m.recipient_key', chatId === undefined ? 'is' : '=', chatId === undefined ? null : recipientKey(chatId))
        .where(IS_DECIDABLE)
        .orderBy('m.state', 'desc')
        .orderBy('a.seq')
        .execute(),
    );
    return rows.map(attemptToReconcile);
  }

  /**
   * Adopts the id for the attempt: the row becomes accepted, with the receipts that were parked for the id. An
   * unresolved row does not adopt an id while an identical message is sending or unknown, since it may belong to that
   * one. An id with an owner is not adopted.
   */
  adopt(attempt: AttemptToReconcile, idMessage: string, witness: string, nowMs: number): Promise<MessageSnapshot> {
    return this.#decide(attempt, idMessage, async (tx, row) => {
      if (row.state !== 'unknown' && (await hasIdenticalInFlight(tx, row))) return;
      if ((await ownerOfId(tx, row.instance, idMessage)) !== undefined) return;
      await recordDecision(tx, attempt, 'adopted', { witness, detail: { idMessage } }, nowMs);
      await writeToAttempt(tx, attempt.token, { kind: 'accepted', idMessage }, nowMs);
      await accept(tx, row, await attemptOf(tx, attempt.token), { idMessage }, nowMs);
    });
  }

  /**
   * The attempt never entered the queue, by proof or presumption: unknown → pending, or cancelled if that was
   * requested.
   */
  makePending(
    attempt: AttemptToReconcile,
    what: 'absent' | 'presumed_absent',
    evidence: DecisionEvidence,
    nowMs: number,
  ): Promise<MessageSnapshot> {
    return this.#decide(attempt, undefined, async (tx, row) => {
      if (row.state !== 'unknown') return;
      await recordDecision(tx, attempt, what, evidence, nowMs);
      await makePending(tx, row, nowMs);
    });
  }

  /**
   * Nothing decides: unknown → unresolved, until late evidence or an operator decides.
   * @param detail  for the evidence
   */
  markUnresolved(
    attempt: AttemptToReconcile,
    why: string,
    nowMs: number,
    detail: DecisionEvidence['detail'] = {},
  ): Promise<MessageSnapshot> {
    return this.#decide(attempt, undefined, async (tx, row) => {
      if (row.state !== 'unknown') return;
      await changeMessage(tx, row.id, { state: 'unresolved', reason: why });
      await recordDecision(tx, attempt, 'unresolved', { witness: 'reconcile', detail: { why, ...detail } }, nowMs);
    });
  }

  /**
   * An operator's resolution of an unknown or unresolved row: `accepted` makes it sent, without an id of the gateway;
   * `not_accepted` makes it pending again. A repetition has no effect; a row that was decided otherwise refuses it.
   * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (`not_accepted` before it can
   *   be reconciled)
   */
  async resolve(messageId: MessageId, { outcome, witness }: Resolution, nowMs: number): Promise<MessageSnapshot> {
    return this.database.transaction(async (tx) => {
      // A campaign's lock is taken before a message's.
      const { campaign_id } = await existingMessage(tx, messageId);
      const campaign = campaign_id === null ? undefined : await lockCampaign(tx, campaign_id);
      const row = await lockMessage(tx, messageId);
      const { attempt_token: token, state } = row;
      if ((state !== 'unknown' && state !== 'unresolved') || token === null) {
        await refuseAnotherDecision(tx, row, outcome);
        return snapshotOf(row);
      }
      if (outcome === 'not_accepted') {
        refuseEarly(messageId, await attemptOf(tx, token), nowMs);
        if (campaign !== undefined) await runAgainInTime(tx, campaign, nowMs);
      }
      const [fact, what] = [`resolved:${outcome}:${token}`, `resolved_${outcome}`];
      await addEvidence(tx, { messageId, fact, witness, what, detail: { attempt: token }, nowMs });
      if (outcome === 'not_accepted') await makePending(tx, row, nowMs);
      else {
        const sent = { state: 'sent', reason: 'resolved_by_operator', accepted_at: new Date(nowMs) } as const;
        await changeMessage(tx, messageId, sent);
        await endWaitingEdits(tx, messageId, 'not_possible', 'id_not_known', nowMs);
      }
      return snapshotOf(await existingMessage(tx, messageId));
    });
  }

  /**
   * RECONCILE-1: locks id and row in the common lock order. The step may change the row if the decision counts.
   * @param idMessage  the id that the step may adopt
   */
  #decide(
    { messageId, instance, token }: AttemptToReconcile,
    idMessage: string | undefined,
    step: (tx: Tx, row: MessageRow) => Promise<void>,
  ): Promise<MessageSnapshot> {
    return this.database.transaction(async (tx) => {
      if (idMessage !== undefined) await lockIdMessage(tx, instance, idMessage);
      const row = await lockMessage(tx, messageId);
      const counts = await attemptRows(tx).where('a.token', '=', token).where(IS_DECIDABLE).executeTakeFirst();
      if (counts !== undefined) await step(tx, row);
      return snapshotOf(await existingMessage(tx, messageId));
    });
  }
}

const IS_IN_DOUBT = sql<boolean>`(m.state in ('unknown', 'unresolved') and a.token = m.attempt_token)`;

/**
 * In doubt, or pending again (RECONCILE-5): the attempt was decided as not accepted, and the message was not claimed
 * since.
 */
const IS_DECIDABLE = sql<boolean>`(${IS_IN_DOUBT} or (m.state = 'pending' and a.outcome = 'unknown'
  and not exists (select from attempts later where later.message_id = m.id and later.seq > a.seq)))`;

function attemptRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.message_id', 'm.id')
    .select(['m.id', 'm.instance', 'm.chat_id', 'm.on_unknown', 'a.token', 'a.seq', 'a.content'])
    .select(['a.claimed_at', 'a.reconcile_after', 'a.loss_seen_at']);
}

type AttemptRow = Awaited<ReturnType<ReturnType<typeof attemptRows>['execute']>>[number];

function attemptToReconcile(row: AttemptRow) {
  return {
    messageId: row.id,
    instance: row.instance,
    ...present({ chatId: row.chat_id }),
    /** Identifies the attempt. */
    token: row.token,
    /** The content that was posted: the attempt's, not the row's. */
    content: row.content,
    claimSequence: Number(row.seq),
    claimedAtMs: row.claimed_at.getTime(),
    reconcileAfterMs: row.reconcile_after.getTime(),
    /** When the end of the request's connection was observed; absent if it was not. */
    ...present({ lossSeenMs: row.loss_seen_at?.getTime() }),
    /** `onUnknown: auto`. */
    mayPresume: row.on_unknown === 'auto',
  };
}

function attemptOf(tx: Tx, token: string) {
  return tx.selectFrom('attempts').selectAll().where('token', '=', token).executeTakeFirstOrThrow();
}

/** RECONCILE-3: an identical message of another row is sending or unknown. */
async function hasIdenticalInFlight(tx: Tx, row: MessageRow): Promise<boolean> {
  const { rows } = await sql`
    select 1 from messages m where m.id = ${row.id} and exists (select from ${IDENTICAL_ATTEMPTS})`.execute(tx);
  return rows.length > 0;
}

async function recordDecision(
  tx: Tx,
  { messageId, token }: AttemptToReconcile,
  what: string,
  { witness, detail }: DecisionEvidence,
  nowMs: number,
): Promise<void> {
  const facts = { attempt: token, ...detail };
  await addEvidence(tx, { messageId, fact: `${what}:${token}`, witness, what, detail: facts, nowMs });
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
async function refuseAnotherDecision(tx: Tx, { id, state }: MessageRow, outcome: Resolution['outcome']): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select what from evidence where message_id = ${id} and what in ('resolved_accepted', 'resolved_not_accepted')
    order by seq desc limit 1`.execute(tx);
  if (rows[0]?.what === `resolved_${outcome}`) return;
  throw new AppError(
    'RESOLVE_NOT_POSSIBLE',
    `Message ${id} is ${state}: only an unknown or unresolved message can be resolved.`,
  );
}
