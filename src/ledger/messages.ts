/**
 * The ledger of messages: the only place that moves one from state to state.
 *
 * LEDGER-1 Intent before bytes. A claim returns only after the attempt, with its text, token and deadline, is durable.
 *    A process that finds a row `sending` asks what became of it; nothing here ever gives a second right to post while
 *    one is out.
 * LEDGER-2 Claim by compare-and-set. One statement takes a row from `pending` to `sending`, and only one that is not
 *    past its expiry, without an identical message, and of an instance that is not paused (INSTANCE-2, INSTANCE-5 of
 *    the instances). A cancelled row is not `pending`, and one cancelled while a request was out never becomes it
 *    again. The text posted is the row's at that moment.
 * LEDGER-3 Deadlines are stored. Each attempt says until when bytes may leave, which is never after the message
 *    expires, and from when on a successor may reconcile it; before that no attempt is called abandoned.
 * LEDGER-4 Outcomes are kept whatever their source, however late. A better-founded one replaces a weaker one on its
 *    attempt, never the other way round. `accepted` moves the row from any unsent state; `rejected` and `not_accepted`
 *    only while their attempt is the row's current one. A second accepted id is written down as `duplicated`; the row
 *    keeps its first.
 * LEDGER-5 Identical messages wait. Of messages with equal instance, chat, kind and body at most one is sending or
 *    unknown; an index holds it.
 * LEDGER-6 Forward only. A receipt never takes a message back; one that comes before its id is parked, and both who
 *    park and who store an id hold the same lock, so that none stays parked.
 * LEDGER-7 The row decides. Everything may be called again with the same arguments: what is already so is returned as
 *    it is, and no fact is written twice.
 * LEDGER-8 Not to whom is on the suppression list. The claim looks at it with its other conditions, and ends such a
 *    message `suppressed` with the entry as evidence. What was claimed before an entry came is under way, and shows
 *    what became of it.
 */
import type { AttemptOutcome, MessageId, MessageSnapshot, OpenedMessage } from '../contract/index.js';
import { AcceptTogether } from './accept-together.js';
import { claimMessage } from './claim.js';
import { Intake } from './dispatch/intake.js';
import { endMessage } from './end-message.js';
import { endWithoutReceipt, isPastReceipts, unheardMessages } from './end-without-receipt.js';
import { addEvidence } from './evidence.js';
import type {
  ClaimMessage,
  ClaimResult,
  MessageFilter,
  MessageLedger,
  MessageListItem,
  MessageView,
  OpenMessage,
  UnfinishedMessage,
  UnfinishedMessages,
  WantedRun,
} from './ledger.js';
import { listMessages } from './message-list.js';
import {
  changeMessage,
  existingMessage,
  lockMessage,
  readSnapshot,
  snapshotOf,
  type MessageRow,
} from './message-row.js';
import { viewMessage } from './message-view.js';
import { recordOutcome } from './outcome.js';
import { awaitReceipts, runStarted, runsToStart } from './runs.js';
import type { Store, Tx } from './store.js';
import { suppressMessage } from './suppressions/suppress-message.js';
import { unfinishedMessages } from './unfinished-messages.js';

export class Messages implements MessageLedger {
  readonly #store: Store;
  readonly #accepting: AcceptTogether;
  readonly #intake: Intake;

  constructor(store: Store) {
    this.#store = store;
    this.#accepting = new AcceptTogether(store);
    this.#intake = new Intake(store);
  }

  async rememberRequest(id: MessageId, requestHash: string, nowMs: number): Promise<'new' | 'same' | 'mismatch'> {
    return this.#store.run(async (db) => {
      const written = await db
        .insertInto('requests')
        .values({ message_id: id, request_hash: requestHash, requested_at: new Date(nowMs) })
        .onConflict((conflict) => conflict.column('message_id').doNothing())
        .executeTakeFirst();
      // A row may also have been begun elsewhere, by a caller that needs no request remembered: the row decides
      // (LEDGER-7).
      const row = await db.selectFrom('messages').select('request_hash').where('id', '=', id).executeTakeFirst();
      if (row !== undefined) return row.request_hash === requestHash ? 'same' : 'mismatch';
      if (written.numInsertedOrUpdatedRows === 1n) return 'new';
      const known = await db
        .selectFrom('requests')
        .select('request_hash')
        .where('message_id', '=', id)
        .executeTakeFirst();
      return known === undefined || known.request_hash === requestHash ? 'same' : 'mismatch';
    });
  }

  async forgetRequest(id: MessageId): Promise<void> {
    await this.#store.run((db) =>
      db
        .deleteFrom('requests')
        .where('message_id', '=', id)
        .where('message_id', 'not in', (any) => any.selectFrom('messages').select('id').where('id', '=', id))
        .execute(),
    );
  }

  open(input: OpenMessage): Promise<MessageSnapshot> {
    return this.#intake.open(input);
  }

  takeOver(id: MessageId, namespace: string): Promise<OpenedMessage> {
    return this.#store.run(async (db) => {
      // Reading comes first: a recipient of a campaign gets its row by it.
      await existingMessage(db, id);
      await db
        .updateTable('messages')
        .set({ namespace, workflow_id: null, run: 'started' })
        .where('id', '=', id)
        .execute();
      const row = await existingMessage(db, id);
      const { instance, kind, request_hash: requestHash } = row;
      return { snapshot: snapshotOf(row), instance, kind, requestHash };
    });
  }

  runsToStart(limit: number): Promise<WantedRun[]> {
    return this.#store.run((db) => runsToStart(db, limit));
  }

  runStarted(ids: readonly MessageId[]): Promise<void> {
    return this.#store.run((db) => runStarted(db, ids));
  }

  awaitReceipts(id: MessageId): Promise<void> {
    return this.#store.run((db) => awaitReceipts(db, id));
  }

  unheard(limit: number, nowMs: number): Promise<MessageId[]> {
    return this.#store.run((db) => unheardMessages(db, limit, nowMs));
  }

  async requestHashOf(id: MessageId): Promise<string | undefined> {
    return this.#store.run(async (db) => {
      // A request that was refused as another body of the key is remembered too, so the row comes first (LEDGER-7).
      const row = await db.selectFrom('messages').select('request_hash').where('id', '=', id).executeTakeFirst();
      if (row !== undefined) return row.request_hash;
      const requests = db.selectFrom('requests').select('request_hash').where('message_id', '=', id);
      return (await requests.executeTakeFirst())?.request_hash;
    });
  }

  async snapshot(id: MessageId): Promise<MessageSnapshot | undefined> {
    return this.#store.run((db) => readSnapshot(db, id));
  }

  view(id: MessageId): Promise<MessageView | undefined> {
    return this.#store.run((db) => viewMessage(db, id));
  }

  list(filter: MessageFilter): Promise<{ items: MessageListItem[]; cursor?: string }> {
    return this.#store.run((db) => listMessages(db, filter));
  }

  claim(input: ClaimMessage): Promise<ClaimResult> {
    const { id, nowMs } = input;
    return claimMessage(this.#store, input, {
      expired: () => this.expire(id, nowMs),
      suppressed: () => this.#move(id, (tx, row) => suppressMessage(tx, row, nowMs)),
    });
  }

  async recordOutcome(token: string, outcome: AttemptOutcome, nowMs: number): Promise<MessageSnapshot> {
    if (outcome.kind === 'accepted') {
      const snapshot = await this.#accepting.accept(token, outcome, nowMs);
      if (snapshot !== undefined) return snapshot;
    }
    return this.#store.transaction((tx) => recordOutcome(tx, token, outcome, nowMs));
  }

  reconcileAbandoned(id: MessageId, nowMs: number): Promise<MessageSnapshot> {
    return this.#move(id, async (tx, row) => {
      if (row.state !== 'sending' || row.attempt_token === null) return;
      const { reconcile_after } = await tx
        .selectFrom('attempts')
        .select('reconcile_after')
        .where('token', '=', row.attempt_token)
        .executeTakeFirstOrThrow();
      if (reconcile_after.getTime() > nowMs) return;
      await changeMessage(tx, id, { state: 'unknown' });
      await addEvidence(tx, {
        messageId: id,
        fact: `abandoned:${row.attempt_token}`,
        witness: 'claim',
        what: 'abandoned',
        detail: { attempt: row.attempt_token },
        nowMs,
      });
    });
  }

  cancel(id: MessageId, witness: string, nowMs: number): Promise<MessageSnapshot> {
    return this.#move(id, async (tx, row) => {
      if (row.state === 'pending') {
        await endMessage(tx, id, { state: 'cancelled', reason: 'cancelled', nowMs });
        await addEvidence(tx, { messageId: id, fact: 'cancelled', witness, what: 'cancelled', nowMs });
        return;
      }
      const mayBePendingAgain = row.state === 'sending' || row.state === 'unknown' || row.state === 'unresolved';
      if (!mayBePendingAgain || row.cancel_requested_at !== null) return;
      await changeMessage(tx, id, { cancel_requested_at: new Date(nowMs) });
      await addEvidence(tx, { messageId: id, fact: 'cancel_requested', witness, what: 'cancel_requested', nowMs });
    });
  }

  reject(id: MessageId, { reason, text }: { reason: string; text?: string }, nowMs: number): Promise<MessageSnapshot> {
    return this.#move(id, async (tx, row) => {
      if (row.state !== 'pending') return;
      await endMessage(tx, id, { state: 'rejected', reason, reasonText: text, nowMs });
      const detail = text === undefined ? {} : { detail: { text } };
      await addEvidence(tx, { messageId: id, fact: 'rejected', witness: 'ledger', what: reason, ...detail, nowMs });
    });
  }

  expire(id: MessageId, nowMs: number, journal?: string): Promise<MessageSnapshot> {
    return this.#move(id, async (tx, row) => {
      if (isPastReceipts(row, nowMs)) return endWithoutReceipt(tx, row, journal, nowMs);
      if (row.state !== 'pending' || row.expires_at.getTime() > nowMs) return;
      await endMessage(tx, id, { state: 'expired', reason: 'expired_before_sending', nowMs });
      await addEvidence(tx, {
        messageId: id,
        fact: 'expired',
        witness: 'clock',
        what: 'expired_before_sending',
        nowMs,
      });
    });
  }

  unfinished(page: UnfinishedMessages): Promise<UnfinishedMessage[]> {
    return this.#store.run((db) => unfinishedMessages(db, page));
  }

  /** Locks the row, lets `step` change it or not, and returns what it then says. */
  #move(id: MessageId, step: (tx: Tx, row: MessageRow) => Promise<void>): Promise<MessageSnapshot> {
    return this.#store.transaction(async (tx) => {
      await step(tx, await lockMessage(tx, id));
      return snapshotOf(await existingMessage(tx, id));
    });
  }
}
