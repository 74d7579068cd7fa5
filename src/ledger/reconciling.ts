/**
 * Deciding what became of attempts whose response is missing.
 *
 * RECONCILE-1 A decision counts only while its attempt is the row's current one and the row is open (unknown,
 *    unresolved). Whatever was written meanwhile, by a late response or an operator, stays.
 * RECONCILE-2 An id has one owner. Adopting takes the same lock as storing a response's id and parking a receipt.
 * RECONCILE-3 An unresolved row, or one that is pending again, yields to an equal one that is sending or unknown: a message seen then may be that
 *    one's, and both would otherwise claim it, one of them for a message that it did not send.
 * RECONCILE-4 Only unknown is pending again by a decision. What is unresolved is settled by a positive sign or by an
 *    operator.
 * RECONCILE-5 A message that is pending again stays a question until it is claimed: a sign of its last attempt that comes
 *    before the resend is adopted, and nothing is sent again.
 */
import { sql, type Selectable } from 'kysely';
import {
  AppError,
  RESTARTING_OPERATIONS,
  type MessageContent,
  type MessageId,
  type MessageSnapshot,
  present,
} from '../contract/index.js';
import { lockCampaign, type CampaignRow } from './campaigns/campaign-progress.js';
import { changeCampaign, hasEnded, isOver } from './campaigns/change-campaign.js';
import { IDENTICAL_ATTEMPTS } from './dispatch/identical.js';
import { endWaitingEdits } from './edit-row.js';
import { addEvidence } from './evidence.js';
import { isPossiblyInChat, isRestart, isRestarting, isSendingState, type AccountedId } from '../domain/index.js';
import type { DecisionEvidence, OpenQuestion, QueueListing, ReconcileLedger, UnresolvedDetail } from './ledger.js';
import { lockIdMessage, ownerOfId } from './message-ids.js';
import { changeMessage, existingMessage, lockMessage, snapshotOf, type MessageRow } from './message-row.js';
import { notificationHistory } from './notification-history.js';
import { accept, makePending, writeToAttempt } from './outcome.js';
import { accountedIds, acceptedSince, readingsOf, recordReading } from './queue-readings.js';
import type { AttemptsTable } from './schema.js';
import type { Db, Store, Tx } from './store.js';
import { jsonText } from './storable.js';

/** The gateway applies settings within five minutes of its response, and restarts the instance for it. */
const RESTART_WITHIN_MS = 5 * 60_000;
/** A request whose response was lost may arrive this much later. */
const LATE_ARRIVAL_MS = 60_000;
/** Of unmatched messages there may be many; the newest are those that could be ours. */
const MOST_OBSERVATIONS = 200;

export class Reconciling implements ReconcileLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async unresolved(limit: number, afterId = '' as MessageId): Promise<MessageId[]> {
    const { rows } = await this.#store.run((db) =>
      sql<{ id: MessageId }>`/* unresolved_messages */
        select m.id from attempts a join messages m on m.id = a.message_id and m.attempt_token = a.token
        where a.outcome = 'unknown' and m.state = 'unresolved' and a.message_id > ${afterId}
        order by a.message_id limit ${limit}`.execute(db),
    );
    return rows.map(({ id }) => id);
  }

  async question(messageId: MessageId): Promise<OpenQuestion | undefined> {
    return this.#store.run(async (db) => {
      const row = await allQuestionRows(db).where('m.id', '=', messageId).where(isInDoubt()).executeTakeFirst();
      return row && questionOf(row);
    });
  }

  async openQuestions(instance: string, chatId: string | undefined): Promise<OpenQuestion[]> {
    return this.#store.run(async (db) => {
      const rows = await allQuestionRows(db)
        .where('m.instance', '=', instance)
        .where('m.chat_id', chatId === undefined ? 'is' : '=', chatId ?? null)
        .where((is) => is.or([isInDoubt(), isPendingAgain()]))
        .orderBy('m.state', 'desc')
        .orderBy('a.seq')
        .execute();
      return rows.map(questionOf);
    });
  }

  recordReading(instance: string, listing: QueueListing): Promise<void> {
    return this.#store.run((db) => recordReading(db, instance, listing));
  }

  readings(instance: string, nowMs: number) {
    return this.#store.run((db) => readingsOf(db, instance, nowMs));
  }

  async accounted(instance: string, idMessages: readonly string[]) {
    if (idMessages.length === 0) return new Map<string, AccountedId>();
    return this.#store.run((db) => accountedIds(db, instance, idMessages));
  }

  acceptedSince(instance: string, listed: ReadonlyMap<string, AccountedId>) {
    return this.#store.run((db) => acceptedSince(db, instance, listed));
  }

  notified(question: OpenQuestion, about: Parameters<ReconcileLedger['notified']>[1]) {
    return this.#store.run((db) => notificationHistory(db, question, about));
  }

  async keepObservation(
    instance: string,
    idMessage: string,
    notification: unknown,
    nowMs: number,
    when: { readonly receivedAtMs: number; readonly leftAtMs?: number } = { receivedAtMs: nowMs },
  ): Promise<void> {
    await this.#store.transaction(async (tx) => {
      // With the lock it is either kept here and found by the next reconciliation, or its owner is known already
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

  async observations({ instance, claimSequence }: OpenQuestion): Promise<unknown[]> {
    return this.#store.run(async (db) => {
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

  async parkedIds({ instance, chatId, claimSequence }: OpenQuestion): Promise<string[]> {
    const { rows } = await this.#store.run((db) =>
      sql<{ id_message: string; chat: string }>`/* parked_ids */
        select r.id_message, coalesce(min(o.notification->'senderData'->>'chatId'), '') as chat
        from parked_receipts r left join observations o on o.instance = r.instance and o.id_message = r.id_message
        where r.instance = ${instance} and r.seq > ${claimSequence}::bigint
        group by r.id_message order by max(r.seq) desc limit ${MOST_OBSERVATIONS}`.execute(db),
    );
    // A receipt names no chat; the notification of the same message does.
    return rows.filter(({ chat }) => isPossiblyInChat(chatId, chat)).map(({ id_message }) => id_message);
  }

  async instanceSince({ instance, claimSequence, claimedAtMs }: OpenQuestion) {
    return this.#store.run(async (db) => {
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

  adopt(
    question: OpenQuestion,
    idMessage: string,
    evidence: DecisionEvidence,
    nowMs: number,
  ): Promise<MessageSnapshot> {
    return this.#decide(question, { idMessage }, async (tx, row) => {
      if (row.state !== 'unknown' && (await hasIdenticalInFlight(tx, row))) return;
      if ((await ownerOfId(tx, row.instance, idMessage)) !== undefined) return;
      await recordDecision(tx, question, 'adopted', evidence, nowMs, { idMessage });
      await writeToAttempt(tx, question.token, { kind: 'accepted', idMessage }, nowMs);
      const attempt = await attemptOf(tx, question.token);
      await accept(tx, row, attempt, { idMessage }, nowMs);
    });
  }

  makePending(
    question: OpenQuestion,
    what: 'absent' | 'presumed_absent',
    evidence: DecisionEvidence,
    nowMs: number,
  ): Promise<MessageSnapshot> {
    return this.#decide(question, {}, async (tx, row) => {
      if (row.state !== 'unknown') return;
      await recordDecision(tx, question, what, evidence, nowMs);
      await makePending(tx, row, nowMs);
    });
  }

  markUnresolved(
    question: OpenQuestion,
    why: string,
    nowMs: number,
    { unavailable = [], notPresumed }: UnresolvedDetail = {},
  ): Promise<MessageSnapshot> {
    return this.#decide(question, {}, async (tx, row) => {
      if (row.state !== 'unknown') return;
      await changeMessage(tx, row.id, { state: 'unresolved', reason: why });
      const detail = { why, ...(unavailable.length === 0 ? {} : { unavailable }), ...present({ notPresumed }) };
      await recordDecision(tx, question, 'unresolved', { witness: 'reconcile', detail }, nowMs);
    });
  }

  async resolve(messageId: MessageId, outcome: 'accepted' | 'not_accepted', nowMs: number): Promise<MessageSnapshot> {
    return this.#store.transaction(async (tx) => {
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
        witness: 'operator',
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
    });
  }

  /**
   * RECONCILE-1: locks id and row, in the order in which all do, and lets the step change the row if the question is
   * open.
   */
  #decide(
    { messageId, instance, token }: OpenQuestion,
    { idMessage }: { idMessage?: string },
    step: (tx: Tx, row: MessageRow) => Promise<void>,
  ): Promise<MessageSnapshot> {
    return this.#store.transaction(async (tx) => {
      if (idMessage !== undefined) await lockIdMessage(tx, instance, idMessage);
      const row = await lockMessage(tx, messageId);
      const stands = row.state === 'pending' ? (await pendingAgain(tx, row.id)) === token : isCurrent(row, token);
      if (stands) await step(tx, row);
      return snapshotOf(await existingMessage(tx, messageId));
    });
  }
}

/**
 * True when an operation of ours may have restarted the instance after that moment: one whose request may be out, or
 * whose response came so late that the restart may have followed the moment. One that has not left yet restarts
 * nothing.
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

function allQuestionRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.message_id', 'm.id')
    .select(['m.id', 'm.state', 'm.instance', 'm.chat_id', 'm.on_unknown', 'a.token', 'a.seq', 'a.content'])
    .select(['a.claimed_at', 'a.reconcile_after', 'a.loss_seen_at']);
}

type QuestionRow = Awaited<ReturnType<ReturnType<typeof allQuestionRows>['execute']>>[number];

function isInDoubt() {
  return sql<boolean>`m.state in ('unknown', 'unresolved') and a.token = m.attempt_token`;
}

/** RECONCILE-5: it was taken not to have been accepted, and was not claimed since. */
function isPendingAgain() {
  return sql<boolean>`m.state = 'pending' and a.outcome = 'unknown'
    and not exists (select from attempts later where later.message_id = m.id and later.seq > a.seq)`;
}

async function pendingAgain(tx: Tx, id: MessageId): Promise<string | undefined> {
  const row = await allQuestionRows(tx).where('m.id', '=', id).where(isPendingAgain()).executeTakeFirst();
  return row?.token;
}

function isCurrent({ state, attempt_token }: MessageRow, token: string): boolean {
  return (state === 'unknown' || state === 'unresolved') && attempt_token === token;
}

function questionOf(row: QuestionRow): OpenQuestion {
  return {
    messageId: row.id,
    state: row.state === 'unresolved' ? 'unresolved' : 'unknown',
    instance: row.instance,
    ...present({ chatId: row.chat_id }),
    token: row.token,
    content: row.content satisfies MessageContent,
    claimSequence: Number(row.seq),
    claimedAtMs: row.claimed_at.getTime(),
    reconcileAfterMs: row.reconcile_after.getTime(),
    ...present({ lossSeenMs: row.loss_seen_at?.getTime() }),
    mayPresume: row.on_unknown === 'auto',
  };
}

async function attemptOf(tx: Tx, token: string): Promise<Selectable<AttemptsTable>> {
  return tx.selectFrom('attempts').selectAll().where('token', '=', token).executeTakeFirstOrThrow();
}

/** RECONCILE-3: an equal message of another row is sending or unknown. */
async function hasIdenticalInFlight(tx: Tx, row: MessageRow): Promise<boolean> {
  const { rows } = await sql`
    select 1 from messages m where m.id = ${row.id} and exists (select from ${IDENTICAL_ATTEMPTS})`.execute(tx);
  return rows.length > 0;
}

async function recordDecision(
  tx: Tx,
  { messageId, token }: OpenQuestion,
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

function refuseEarly(messageId: MessageId, { reconcile_after }: { reconcile_after: Date }, nowMs: number): void {
  const waitMs = reconcile_after.getTime() - nowMs;
  if (waitMs <= 0) return;
  throw new AppError(
    'MESSAGE_CLAIMED_ELSEWHERE',
    `Message ${messageId} cannot be called not sent yet: its request may still be accepted. Ask again in ${Math.ceil(waitMs / 1_000)} s.`,
    { retryAfterMs: waitMs },
  );
}

/**
 * A campaign that ended, and whose deadline was moved since, posts to a recipient who turns out not to have the
 * message.
 */
async function runAgainInTime(tx: Tx, campaign: CampaignRow, nowMs: number): Promise<void> {
  if (!hasEnded(campaign) || isOver(campaign, nowMs)) return;
  await changeCampaign(tx, campaign.id, { state: 'running', ended_at: null });
}

/** The same word a second time changes nothing; any other comes too late. */
async function settledAlready(tx: Tx, row: MessageRow, outcome: 'accepted' | 'not_accepted'): Promise<MessageSnapshot> {
  const words = await tx
    .selectFrom('evidence')
    .select('what')
    .where('message_id', '=', row.id)
    .where('witness', '=', 'operator')
    .orderBy('seq')
    .execute();
  if (words.at(-1)?.what === `resolved_${outcome}`) return snapshotOf(row);
  throw new AppError(
    'RESOLVE_NOT_POSSIBLE',
    `Message ${row.id} is ${row.state}: only one that is unknown or unresolved can be settled by an operator's decision.`,
  );
}
