/**
 * Messages by their ids: their snapshots, their ends and their runs. Their intake, claims and outcomes are the
 * dispatcher's, views that read more than their rows are in `views`.
 *
 * LEDGER-6 A receipt takes nothing back that is known: see LIFE-2. A receipt that arrives before its id is
 *    parked. Parking a receipt and storing an id take the same lock, so that no receipt stays parked.
 * LEDGER-7 The row is authoritative. Every method may be called again with the same arguments: an existing result is
 *    returned unchanged, and no fact is recorded twice.
 */
import { sql } from 'kysely';
import { type MessageId, type MessageKind, type MessageSnapshot, RECEIPT_WAIT_MS } from '../../contract/index.js';
import { shown } from '../storage/statements.js';
import { isSameHash } from '../storage/commands.js';
import { TextPart } from '../sensitive/texts.js';
import type { Tx } from '../storage/store.js';
import { endWithoutReceipt, expirePending, isReceiptOverdue } from './end-message.js';
import { existingMessage, expiresAt, type MessageRow, readSnapshot, snapshotOf } from './message-row.js';
import { runsStarted, runsToStart, runTakesOver, type StartedRun } from './runs.js';
import { stateList } from '../storage/state-lists.js';
import { type Moved, moveMessages, oneMessage } from './writer/move-messages.js';

/** A message that needs a workflow run, and the input of a new one. */
export interface UnfinishedMessage {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
  /** ISO UTC. */
  readonly expiresAt: string;
  /** The workflow that sends it, unless that is `message:<id>`. */
  readonly workflowId?: string;
}

export class Messages extends TextPart {
  /**
   * For a new run under the workflow id `message:<id>`, which shows the message from now on.
   * @throws AppError MESSAGE_NOT_FOUND
   */
  takeOver(id: MessageId, namespace: string): Promise<Pick<MessageRow, 'instance' | 'kind'>> {
    return this.database.run(async (db) => {
      // This read comes first, since it creates the row of a campaign's recipient.
      const { instance, kind } = await existingMessage(db, id);
      await runTakesOver(db, id, { namespace, workflow_id: null });
      return { instance, kind };
    });
  }

  /** Messages whose workflow has to be started, in the order of intake. */
  readonly runsToStart = runsToStart.bind(undefined, this.database);

  /** Records that the workflows of these messages were started, or existed. */
  async runsStarted(runs: readonly StartedRun[], namespace: string, nowMs: number): Promise<void> {
    if (runs.length > 0) await runsStarted(this.database, runs, namespace, nowMs);
  }

  /** Instances with accepted messages without a receipt whose wait for receipts is over. */
  async instancesWithoutReceipt(nowMs: number): Promise<string[]> {
    const rows = await this.database.rows(sql<{ instance: string }>`/* instances_without_receipt */
      select d.instance from dispatchers d where exists (
        select from messages m where m.instance = d.instance and ${isReceiptOverdue(nowMs)})`);
    return rows.map(({ instance }) => instance);
  }

  /** Such messages of an instance; {@link expire} ends them. Oldest first. */
  async withoutReceipt(instance: string, limit: number, nowMs: number): Promise<MessageId[]> {
    const rows = await this.database.rows(sql<{ id: MessageId }>`/* messages_without_receipt */
      select m.id from messages m where m.instance = ${instance} and ${isReceiptOverdue(nowMs)}
      order by m.accepted_at limit ${limit}`);
    return rows.map(({ id }) => id);
  }

  /** Whether this request created the row. Undefined if there is no row. */
  async isRequestOf(id: MessageId, requestHash: string): Promise<boolean | undefined> {
    return this.database.run(async (db) => {
      const which = db.selectFrom('messages').select(['request_hash', 'text_length']).where('id', '=', id);
      const row = await which.executeTakeFirst();
      const hash = typeof row?.text_length === 'number' ? this.texts.hash(requestHash) : requestHash;
      return row && isSameHash(db, row.request_hash, hash);
    });
  }

  readonly snapshot = this.statement(readSnapshot);

  /**
   * Pending → cancelled. A message whose request has left (sending, unknown, unresolved) is marked, and ends cancelled
   * in place of becoming pending again. Other messages are returned unchanged.
   */
  cancel(id: MessageId, witness: string, nowMs: number): Promise<MessageSnapshot> {
    const isNew = sql`m.id = ${id} and m.cancel_requested_at is null`;
    const end = { reason: 'cancelled', reason_text: null, witness, nowMs };
    return this.#move(id, (tx) => moveMessages(tx, 'cancelRequested', { where: isNew }, end));
  }

  /** Pending → rejected, for a reason that no retry can change. Other messages are returned unchanged. */
  reject(id: MessageId, { reason, text }: { reason: string; text?: string }, nowMs: number): Promise<MessageSnapshot> {
    const end = {
      reason,
      reason_text: text ?? null,
      witness: 'ledger',
      detail: text === undefined ? text : { text },
      nowMs,
    };
    return this.#move(id, (tx) => moveMessages(tx, 'rejected', oneMessage(id), end));
  }

  /**
   * Ends a message by time. Pending after `expiresAt` → expired. Accepted without a receipt for longer than the gateway
   * retains it → expired if the instance was never authorized in that time; otherwise it stays accepted, with the
   * reason `left_queue_no_receipt`. Any other message is returned unchanged.
   * @param journal  the response of the gateway's journal about the message, for the evidence
   */
  expire(id: MessageId, nowMs: number, journal?: string): Promise<MessageSnapshot> {
    return this.#move(id, async (tx) => {
      const expired = await expirePending(tx, oneMessage(id), nowMs);
      return expired.length > 0 ? expired : endWithoutReceipt(tx, id, journal, nowMs);
    });
  }

  /**
   * A page, by id, of the messages whose workflow is in this namespace and has work left. Such a message has not ended,
   * and if it is sending, its attempt can be reconciled. A workflow that was never started is started from its row.
   */
  async unfinished(which: {
    readonly namespace: string;
    readonly nowMs: number;
    readonly afterId?: MessageId;
    readonly limit: number;
  }): Promise<UnfinishedMessage[]> {
    const { namespace, nowMs, afterId = '' as MessageId, limit } = which;
    const now = new Date(nowMs);
    // After this time no run waits for evidence. Late evidence and an operator need no run.
    const lastHeard = new Date(nowMs - RECEIPT_WAIT_MS);
    const rows = await this.database.rows(sql<
      Pick<MessageRow, 'id' | 'instance' | 'workflow_id' | 'expires_at'> & { kind: MessageKind }
    >`
      select u.id, u.instance, u.kind, ${expiresAt('u')} as expires_at, u.workflow_id from messages u
      where u.run = 'started' and u.ended_at is null and u.id > ${afterId}
        and u.state in ${stateList('pending', 'in_flight', 'unresolved', 'accepted')}
        and (u.namespace is null or u.namespace = ${namespace})
        and (u.state <> 'sending' or exists (
          select from attempts a where a.token = u.attempt_token and a.reconcile_after <= ${now}))
        and (u.state <> 'unresolved' or ${expiresAt('u')} > ${lastHeard})
      order by u.id limit ${limit}`);
    return rows.map((row) => shown(row, 'id', 'instance', 'kind', 'expires_at', 'workflow_id'));
  }

  /** @returns the message's state, moved or not. A request for a recipient without a row creates the row first */
  #move(id: MessageId, move: (tx: Tx) => Promise<readonly Moved[]>): Promise<MessageSnapshot> {
    return this.database.transaction(async (tx) => {
      const moved = await move(tx);
      const row = await existingMessage(tx, id);
      if (moved.length > 0 || (await move(tx)).length === 0) return snapshotOf(row);
      return snapshotOf(await existingMessage(tx, id));
    });
  }
}
