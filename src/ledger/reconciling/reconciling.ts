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
import { type MessageId, type MessageSnapshot, present, RESTARTING_OPERATIONS } from '../../contract/index.js';
import {
  type AccountedId,
  isPossiblyInChat,
  isRestart,
  isRestarting,
  isSendingState,
  type NotificationHistory,
  type RecordedReading,
} from '../../domain/index.js';
import { IDENTICAL_ATTEMPTS } from '../messages/identical.js';
import {
  addEvidence,
  changeMessage,
  existingMessage,
  lockMessage,
  type MessageRow,
  snapshotOf,
} from '../messages/message-row.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import { accept, makePending, writeToAttempt } from '../messages/outcome.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart, type Db, type Store, type Tx } from '../storage/store.js';
import { notificationHistory } from './notification-history.js';
import {
  allAttemptRows,
  attemptOf,
  type DecisionEvidence,
  isCurrent,
  isAttemptInDoubt,
  isPendingAgain,
  type AttemptToReconcile,
  pendingAgain,
  attemptToReconcile,
  type UnresolvedDetail,
  type Resolution,
  resolveMessage,
} from './attempt-to-reconcile.js';
import {
  acceptedSince,
  accountedIds,
  readingsOf,
  readingsTogether,
  type InstanceListing,
  type QueueListing,
} from './queue-readings.js';

/** The gateway applies settings within five minutes of its response, and restarts the instance for it. */
const RESTART_WITHIN_MS = 5 * 60_000;
/** A request whose response was lost may arrive this much later. */
const LATE_ARRIVAL_MS = 60_000;
/** There may be many unmatched messages; ours can only be among the newest. */
const MOST_OBSERVATIONS = 200;

export class Reconciling extends LedgerPart {
  readonly #keepReading: (listing: InstanceListing) => Promise<void>;

  /** @param gatherMs  how long a reading waits for others, which are written with it */
  constructor(store: Store, gatherMs?: number) {
    super(store);
    this.#keepReading = readingsTogether(store, gatherMs);
  }

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
    return this.database.run(async (db) => {
      const row = await allAttemptRows(db).where('m.id', '=', messageId).where(isAttemptInDoubt()).executeTakeFirst();
      return row && attemptToReconcile(row);
    });
  }

  /**
   * All attempts for one chat of an instance that are in doubt, or whose message is pending again: unresolved ones
   * first, oldest claim first.
   */
  async attemptsInChat(instance: string, chatId: string | undefined): Promise<AttemptToReconcile[]> {
    return this.database.run(async (db) => {
      const rows = await allAttemptRows(db)
        .where('m.instance', '=', instance)
        .where('m.chat_id', chatId === undefined ? 'is' : '=', chatId ?? null)
        .where((is) => is.or([isAttemptInDoubt(), isPendingAgain()]))
        .orderBy('m.state', 'desc')
        .orderBy('a.seq')
        .execute();
      return rows.map(attemptToReconcile);
    });
  }

  /**
   * Stores a listing of the instance's queue, and deletes listings that no attempt in flight needs. Without an attempt
   * in flight it stores only the last listing and the longest within a day, at most once a second. Listings that arrive
   * close together share a commit.
   */
  async recordReading(instance: string, listing: QueueListing): Promise<void> {
    await this.#keepReading({ instance, ...listing });
  }

  /** All stored listings in the order of recording, and the length of the longest within a day. */
  readings(
    instance: string,
    nowMs: number,
  ): Promise<{ readonly readings: readonly RecordedReading[]; readonly longestListing: number }> {
    return this.database.run((db) => readingsOf(db, instance, nowMs));
  }

  /** Which of these ids have an owner, and what is known about their acceptance. */
  async accounted(instance: string, idMessages: readonly string[]): Promise<Map<string, AccountedId>> {
    if (idMessages.length === 0) return new Map<string, AccountedId>();
    return this.database.run((db) => accountedIds(db, instance, idMessages));
  }

  /** Ids of messages that were claimed after the oldest of these was accepted; they are behind it in the queue. */
  acceptedSince(instance: string, listed: ReadonlyMap<string, AccountedId>): Promise<Map<string, AccountedId>> {
    return this.database.run((db) => acceptedSince(db, instance, listed));
  }

  /**
   * The notifications of an instance's own messages within a day.
   * @param about.decidableFromMs  the earliest claim time of a successor
   * @param about.completeReading  what was accepted before it began, and is not in it, has left the queue
   */
  notified(
    attempt: AttemptToReconcile,
    about: { readonly decidableFromMs: number; readonly nowMs: number; readonly completeReading?: QueueListing },
  ): Promise<Omit<NotificationHistory, 'isOn' | 'wasAlwaysAuthorized'>> {
    return this.database.run((db) => notificationHistory(db, attempt, about));
  }

  /**
   * Stores a notification of a message without a row, once. For a message with a row, stores when the notification
   * arrived and when the message left.
   */
  async keepObservation(
    instance: string,
    idMessage: string,
    notification: unknown,
    nowMs: number,
    when: { readonly receivedAtMs: number; readonly leftAtMs?: number } = { receivedAtMs: nowMs },
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      // With the lock, either the next reconciliation finds the stored notification, or its owner is already known
      // (RECONCILE-2).
      await lockIdMessage(tx, instance, idMessage);
      if ((await ownerOfId(tx, instance, idMessage)) !== undefined) {
        await tx
          .updateTable('message_ids')
          .set({
            notified_at: new Date(when.receivedAtMs),
            left_at: when.leftAtMs === undefined ? null : new Date(when.leftAtMs),
          })
          .where('instance', '=', instance)
          .where('id_message', '=', idMessage)
          .where('notified_at', 'is', null)
          .execute();
        return;
      }
      await tx
        .insertInto('observations')
        .values({
          instance,
          id_message: idMessage,
          notification: jsonText(notification),
          seen_at: new Date(nowMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** Notifications kept since the claim whose ids still have no owner, oldest first. */
  async observations({ instance, claimSequence }: AttemptToReconcile): Promise<unknown[]> {
    return this.database.run(async (db) => {
      const rows = await db
        .selectFrom('observations as s')
        .select(['s.notification', 's.seq'])
        .where('s.instance', '=', instance)
        .where('s.seq', '>', String(claimSequence))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('message_ids as i')
                .select('i.id_message')
                .whereRef('i.instance', '=', 's.instance')
                .whereRef('i.id_message', '=', 's.id_message'),
            ),
          ),
        )
        .orderBy('s.seq', 'desc')
        .limit(MOST_OBSERVATIONS)
        .execute();
      return rows.toReversed().map(({ notification }) => notification);
    });
  }

  /** Ids for which receipts came since the claim and which still have no owner. */
  async parkedIds({ instance, chatId, claimSequence }: AttemptToReconcile): Promise<string[]> {
    const rows = await this.database.rows(sql<{ id_message: string; chat: string }>`/* parked_ids */
        select r.id_message, coalesce(min(o.notification->'senderData'->>'chatId'), '') as chat
        from parked_receipts r left join observations o on o.instance = r.instance and o.id_message = r.id_message
        where r.instance = ${instance} and r.seq > ${claimSequence}::bigint
        group by r.id_message order by max(r.seq) desc limit ${MOST_OBSERVATIONS}`);
    // A receipt has no chat; the notification of the same message has one.
    return rows.filter(({ chat }) => isPossiblyInChat(chatId, chat)).map(({ id_message }) => id_message);
  }

  /**
   * What is known to have happened to the instance since the claim. `restarted`: it may have restarted after the claim,
   * by its observed states or by an operation of ours. Such a restart is an interval, from the request until five
   * minutes after its response; a request with an unknown outcome counts, too.
   */
  async instanceSince({
    instance,
    claimSequence,
    claimedAtMs,
  }: AttemptToReconcile): Promise<{ readonly restarted: boolean; readonly leftAuthorized: boolean }> {
    return this.database.run(async (db) => {
      const before = await db
        .selectFrom('instance_states')
        .select('state')
        .where('instance', '=', instance)
        .where('seq', '<', String(claimSequence))
        .orderBy('seq', 'desc')
        .limit(1)
        .execute();
      const changes = await db
        .selectFrom('instance_states')
        .select('state')
        .distinct()
        .where('instance', '=', instance)
        .where('seq', '>', String(claimSequence))
        .execute();
      const [was, became] = [before.map(({ state }) => state), changes.map(({ state }) => state)];
      return {
        restarted: was.some(isRestarting) || became.some(isRestart) || (await mayRestart(db, instance, claimedAtMs)),
        leftAuthorized: ![...became, ...was].every(isSendingState),
      };
    });
  }

  /**
   * Adopts the id for the attempt: the row becomes accepted, with the receipts that were parked for the id. An
   * unresolved row does not adopt an id while an identical message is sending or unknown, since it may belong to that
   * one. An id with an owner is not adopted.
   */
  adopt(
    attempt: AttemptToReconcile,
    idMessage: string,
    evidence: DecisionEvidence,
    nowMs: number,
  ): Promise<MessageSnapshot> {
    return this.#decide(attempt, { idMessage }, async (tx, row) => {
      if (row.state !== 'unknown' && (await hasIdenticalInFlight(tx, row))) return;
      if ((await ownerOfId(tx, row.instance, idMessage)) !== undefined) return;
      await recordDecision(tx, attempt, 'adopted', evidence, nowMs, { idMessage });
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
    return this.#decide(attempt, {}, async (tx, row) => {
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
    detail: UnresolvedDetail = {},
  ): Promise<MessageSnapshot> {
    return this.#decide(attempt, {}, async (tx, row) => {
      if (row.state !== 'unknown') return;
      await changeMessage(tx, row.id, { state: 'unresolved', reason: why });
      const { unavailable = [], notPresumed } = detail;
      const facts = { why, ...(unavailable.length === 0 ? {} : { unavailable }), ...present({ notPresumed }) };
      await recordDecision(tx, attempt, 'unresolved', { witness: 'reconcile', detail: facts }, nowMs);
    });
  }

  /**
   * An operator's resolution of an unknown or unresolved row: `accepted` makes it sent, without an id of the gateway;
   * `not_accepted` makes it pending again. A repetition has no effect; a row that was decided otherwise refuses it.
   * @throws AppError MESSAGE_NOT_FOUND | RESOLVE_NOT_POSSIBLE | MESSAGE_CLAIMED_ELSEWHERE (`not_accepted` before it can
   *   be reconciled)
   */
  async resolve(messageId: MessageId, resolution: Resolution, nowMs: number): Promise<MessageSnapshot> {
    return this.database.transaction((tx) => resolveMessage(tx, messageId, resolution, nowMs));
  }

  /** RECONCILE-1: locks id and row in the common lock order. The step may change the row if the decision counts. */
  #decide(
    { messageId, instance, token }: AttemptToReconcile,
    { idMessage }: { idMessage?: string },
    step: (tx: Tx, row: MessageRow) => Promise<void>,
  ): Promise<MessageSnapshot> {
    return this.database.transaction(async (tx) => {
      if (idMessage !== undefined) await lockIdMessage(tx, instance, idMessage);
      const row = await lockMessage(tx, messageId);
      const counts = row.state === 'pending' ? (await pendingAgain(tx, row.id)) === token : isCurrent(row, token);
      if (counts) await step(tx, row);
      return snapshotOf(await existingMessage(tx, messageId));
    });
  }
}

/**
 * True if an operation of ours may have restarted the instance after that time: its request may have left, or its
 * response arrived so late that the restart may have followed. An operation that has not left yet restarts nothing.
 */
async function mayRestart(db: Db, instance: string, afterMs: number): Promise<boolean> {
  const endedAfter = (ms: number) => new Date(afterMs - ms);
  const operation = await db
    .selectFrom('operations')
    .select('id')
    .where('instance', '=', instance)
    .where('method', 'in', [...RESTARTING_OPERATIONS])
    .where((is) =>
      is.or([
        is('state', '=', 'sending'),
        is.and([is('state', '=', 'done'), is('ended_at', '>=', endedAfter(RESTART_WITHIN_MS))]),
        is.and([
          is('state', '=', 'may_have_happened'),
          is('ended_at', '>=', endedAfter(RESTART_WITHIN_MS + LATE_ARRIVAL_MS)),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return operation !== undefined;
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
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await addEvidence(tx, {
    messageId,
    fact: `${what}:${token}`,
    witness,
    what,
    detail: { attempt: token, ...detail, ...more },
    nowMs,
  });
}
