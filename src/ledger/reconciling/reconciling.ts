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
 *    sign, by an operator, or by a proof of absence that an operator requests.
 * RECONCILE-5 A message that is pending again can still become accepted until it is claimed: a sign of its last attempt
 *    before the resend is adopted, and nothing is sent again.
 * RECONCILE-6 Witnesses are polled, and identical messages are blocked, only while evidence can still come.
 * RECONCILE-7 An instance that was removed from the configuration has no shift, and its gateway cannot be polled: its
 *    messages in flight become unresolved once their attempts are settled. An operator may resolve a message that is
 *    still sending then.
 */
import { sql } from 'kysely';
import {
  EVIDENCE_WINDOW_MS,
  LEDGER_WENT_BACK,
  type MessageId,
  type MessageSnapshot,
  present,
} from '../../contract/index.js';
import { MOST_POSSIBLE_MATCHES, type PossibleMatch } from '../../domain/index.js';
import { isUnserved } from '../instances/dispatcher-view.js';
import { doubtIfCleared } from '../messages/queue-clears.js';
import { dueBehind } from '../messages/writer/due-rows.js';
import { IDENTICAL_ATTEMPTS } from '../messages/writer/identical.js';
import { keyOf } from '../messages/recipient-key.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import {
  addEvidence,
  existingMessage,
  lockMessage,
  type MessageRow,
  type NewEvidence,
  snapshotOf,
} from '../messages/message-row.js';
import { stateList } from '../storage/state-lists.js';
import { moveMessages, oneMessage } from '../messages/writer/move-messages.js';
import { accept } from '../dispatch/outcomes/accept.js';
import { makePending, writeToAttempts } from '../dispatch/outcomes/record-outcomes.js';
import { attemptOf, type Resolution, resolveMessage, settled } from './resolution.js';
import { TextPart, type Texts } from '../sensitive/texts.js';
import type { Db, Tx } from '../storage/store.js';

/** The last attempt of a message in doubt, or of one that is pending again. Its outcome has to be determined. */
export type AttemptToReconcile = ReturnType<typeof attemptToReconcile>;

/** A decision's evidence: the witness, and the facts. */
type DecisionEvidence = Pick<NewEvidence, 'witness' | 'detail'>;

/** Those that block identical messages: evidence of them may still come (RECONCILE-6). */
const UNRESOLVED = sql`attempts a join messages m on m.id = a.message_id and m.attempt_token = a.token
  where a.outcome = 'unknown' and a.identical_hash is not null and m.state = 'unresolved'`;

export class Reconciling extends TextPart {
  /** Instances with unresolved messages of which evidence can still come (RECONCILE-6). */
  async instancesUnresolved(nowMs: number): Promise<string[]> {
    const rows = await this.database.rows(sql<{ instance: string }>`/* instances_unresolved */
        select d.instance from dispatchers d cross join lateral (
          select from ${UNRESOLVED} and a.instance = d.instance and a.claimed_at > ${lastClaimWithEvidence(nowMs)}::timestamptz
          limit 1) one`);
    return rows.map(({ instance }) => instance);
  }

  /** Such messages of an instance, in the order of their ids. */
  async unresolved(instance: string, nowMs: number, limit: number, afterId = '' as MessageId): Promise<MessageId[]> {
    const rows = await this.database.rows(sql<{ id: MessageId }>`/* unresolved_messages */
        select m.id from ${UNRESOLVED} and a.instance = ${instance} and a.message_id > ${afterId}
          and a.claimed_at > ${lastClaimWithEvidence(nowMs)}::timestamptz order by a.message_id limit ${limit}`);
    return rows.map(({ id }) => id);
  }

  /**
   * RECONCILE-7. @param configured  the instances that have not been removed
   * @returns how many became unresolved; `limit` means that there may be more
   */
  async settleRemoved(configured: readonly string[], limit: number, nowMs: number): Promise<number> {
    const rows = await this.database.rows(sql<{ id: MessageId }>`/* settle_removed */
      select m.id from messages m join attempts a on a.token = m.attempt_token
      where m.state in ${stateList('in_flight')} and a.reconcile_after <= ${new Date(nowMs)}::timestamptz
        and not (m.instance = any(${configured}::text[])) and ${isUnserved('m', nowMs)}
      order by m.id limit ${limit}`);
    for (const { id } of rows) {
      await this.database.transaction(async (tx) => settled(tx, await lockMessage(tx, id), nowMs));
      const attempt = await this.attempt(id);
      if (attempt !== undefined) await this.markUnresolved(attempt, 'instance_removed', nowMs);
    }
    return rows.length;
  }

  /**
   * RECONCILE-6: unresolved messages of which no evidence can come any more block no identical ones. They stay
   * unresolved until an operator decides.
   * @returns how many; `limit` means that there may be more
   */
  async endBlocking(limit: number, nowMs: number): Promise<number> {
    const rows = await this.database.rows(sql`/* end_blocking */
      with old as materialized (
        select m.id, a.token from attempts a join messages m on m.id = a.message_id and m.attempt_token = a.token
        where a.outcome = 'unknown' and m.state = 'unresolved' and a.identical_hash is not null
          and a.claimed_at <= ${lastClaimWithEvidence(nowMs)}::timestamptz
        order by m.id limit ${limit} for no key update of m skip locked
      ), freed as (
        update attempts a set identical_hash = null from old where a.token = old.token
      ), due as (
        ${dueBehind(sql`old e`)}
      )
      select id from old`);
    return rows.length;
  }

  /** Undefined if the row is neither unknown nor unresolved. */
  async attempt(messageId: MessageId): Promise<AttemptToReconcile | undefined> {
    const row = await this.database.run((db) =>
      attemptRows(db).where('m.id', '=', messageId).where(IS_IN_DOUBT).executeTakeFirst(),
    );
    return row && attemptToReconcile(row, this.texts);
  }

  /**
   * All attempts for one recipient of an instance that are in doubt, or whose message is pending again: unresolved ones
   * first, oldest claim first.
   * @param chatId  any of the recipient's; undefined for statuses
   */
  async attemptsTo(instance: string, chatId: string | undefined): Promise<AttemptToReconcile[]> {
    const rows = await this.database.run((db) =>
      attemptRows(db)
        .where('m.instance', '=', instance)
        .where('m.recipient_key', chatId === undefined ? 'is' : '=', chatId === undefined ? null : keyOf(chatId))
        .where(IS_DECIDABLE)
        .orderBy('m.state', 'desc')
        .orderBy('a.seq')
        .execute(),
    );
    return rows.map((row) => attemptToReconcile(row, this.texts));
  }

  /**
   * Adopts the id for the attempt: the row becomes accepted, with the receipts that were parked for the id. An
   * unresolved row does not adopt an id while an identical message is sending or unknown, since it may belong to that
   * one. An id with an owner is not adopted.
   */
  adopt(attempt: AttemptToReconcile, idMessage: string, witness: string, nowMs: number): Promise<MessageSnapshot> {
    return this.#decide(attempt, idMessage, async (tx, row) => {
      if (row.state !== 'unknown') {
        // RECONCILE-3
        const { rows: identical } = await sql`
          select 1 from messages m where m.id = ${row.id} and exists (select from ${IDENTICAL_ATTEMPTS})`.execute(tx);
        if (identical.length > 0) return;
      }
      if ((await ownerOfId(tx, row.instance, idMessage)) !== undefined) return;
      await recordDecision(tx, attempt, 'adopted', { witness, detail: { idMessage } }, nowMs);
      await writeToAttempts(tx, [{ token: attempt.token, outcome: { kind: 'accepted', idMessage }, atMs: nowMs }]);
      await accept(tx, row, await attemptOf(tx, attempt.token), { idMessage }, nowMs);
      await doubtIfCleared(tx, row.id, String(attempt.claimSequence), nowMs);
    });
  }

  /**
   * The attempt never entered the queue, by proof or presumption: unknown → pending, or cancelled if that was
   * requested.
   * @param isRequested  RECONCILE-4: whether an operator requests it, so that an unresolved message is pending again, too
   */
  makePending(
    attempt: AttemptToReconcile,
    what: 'absent' | 'presumed_absent',
    evidence: DecisionEvidence,
    nowMs: number,
    isRequested = false,
  ): Promise<MessageSnapshot> {
    return this.#decide(attempt, undefined, async (tx, row) => {
      if (row.state !== 'unknown' && !(isRequested && row.state === 'unresolved')) return;
      await recordDecision(tx, attempt, what, evidence, nowMs);
      await makePending(tx, [{ row, atMs: nowMs }]);
    });
  }

  /**
   * Nothing decides: unknown → unresolved, until late evidence or an operator decides. Also records what an operator may
   * recognise, each id once and a few in all.
   */
  markUnresolved(
    attempt: AttemptToReconcile,
    why: string,
    nowMs: number,
    found: { readonly detail?: DecisionEvidence['detail']; readonly possible?: readonly PossibleMatch[] } = {},
  ): Promise<MessageSnapshot> {
    const { detail = {}, possible = [] } = found;
    return this.#decide(attempt, undefined, async (tx, row) => {
      if (row.state === 'pending') return;
      const { messageId, token } = attempt;
      const end = { reason: why, witness: 'reconcile', detail: { attempt: token, why, ...detail }, nowMs };
      await moveMessages(tx, 'unresolved', oneMessage(row.id), end);
      // ADOPT-5. The message's row is locked, so that the count holds.
      for (const { witness, ...match } of possible) {
        const { rows: recorded } = await sql`
          select 1 from evidence where message_id = ${messageId} and what = 'possible_match'
            and detail->>'attempt' = ${token} limit ${MOST_POSSIBLE_MATCHES}`.execute(tx);
        if (recorded.length === MOST_POSSIBLE_MATCHES) return;
        const fact = `possible_match:${token}:${match.idMessage}`;
        const facts = { attempt: token, ...match };
        await addEvidence(tx, { messageId, fact, witness, what: 'possible_match', detail: facts, nowMs });
      }
    });
  }

  /**
   * An operator's resolution of an unknown or unresolved row, or of one that is sending for too long (RECONCILE-7).
   * `accepted` with the gateway's id makes it accepted, like an adopted id, with the receipts that were parked for it.
   * `accepted` without an id makes it sent; no receipt can be assigned to it. `not_accepted` makes it pending again. A
   * repetition has no effect; a row that was decided otherwise refuses it.
   * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (`not_accepted` before it can
   *   be reconciled)
   */
  resolve(messageId: MessageId, resolution: Resolution, nowMs: number): Promise<MessageSnapshot> {
    return this.database.transaction((tx) => resolveMessage(tx, messageId, resolution, nowMs));
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

/** The claim of an attempt of which evidence can just still come. */
function lastClaimWithEvidence(nowMs: number): Date {
  return new Date(nowMs - EVIDENCE_WINDOW_MS);
}

/** A message whose queue was cleared has an id of its own: nothing else is adopted for it (CLEAR-2). */
const IS_IN_DOUBT = sql<boolean>`(m.state in ('unknown', 'unresolved') and a.token = m.attempt_token
  and a.outcome is distinct from 'accepted')`;

/**
 * In doubt, or pending again (RECONCILE-5): the attempt was decided as not accepted, and the message was neither claimed
 * nor moved to another account since.
 */
const IS_DECIDABLE = sql<boolean>`(${IS_IN_DOUBT} or (m.state = 'pending' and a.outcome = 'unknown' and a.instance = m.instance
  and not exists (select from attempts later where later.message_id = m.id and later.seq > a.seq)))`;

function attemptRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.message_id', 'm.id')
    .select(['m.id', 'm.instance', 'm.chat_id', 'm.on_unknown', 'a.token', 'a.seq', 'a.content', 'a.hidden'])
    .select(['a.claimed_at', 'a.reconcile_after', 'a.loss_seen_at', 'a.code', 'a.epoch']);
}

function attemptToReconcile(row: Awaited<ReturnType<ReturnType<typeof attemptRows>['execute']>>[number], texts: Texts) {
  // RETURN-5. The epoch is older than the claim.
  const isLost = row.code === LEDGER_WENT_BACK && row.epoch !== null;
  return {
    messageId: row.id,
    instance: row.instance,
    ...present({ chatId: row.chat_id }),
    /** Identifies the attempt. */
    token: row.token,
    /** The content that was posted: the attempt's, not the row's. */
    content: texts.reveal(row.id, row),
    claimSequence: Number(isLost ? row.epoch : row.seq),
    claimedAtMs: row.claimed_at.getTime(),
    reconcileAfterMs: row.reconcile_after.getTime(),
    /** When the end of the request's connection was observed; absent if it was not. */
    ...present({ lossSeenMs: row.loss_seen_at?.getTime() }),
    /** `onUnknown: auto`. After a restore, notifications of the lost time are missing. */
    mayPresume: row.on_unknown === 'auto' && !isLost,
  };
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
