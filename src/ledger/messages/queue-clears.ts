/**
 * Clears a gateway's queue: what this means for the messages that the gateway has accepted.
 *
 * CLEAR-1 Nothing of the instance is posted from before the queue is read until the request has its response, or can no
 *    longer be carried out. A claim checks this under the lock of the dispatcher's row, and the request leaves only when
 *    no POST is under way.
 * CLEAR-2 The queue is read before and after. A message that the gateway had accepted, and that is not known to have
 *    left, is put in doubt: `unresolved` with the reason QUEUE_CLEARED. Exempt are messages that the complete reading
 *    before does not list, since they had left, and those that the reading after lists, since they are still queued.
 * CLEAR-3 It is `cancelled` instead if both readings prove that it is gone: the one before lists it behind more items
 *    than can have been released until it was cleared, and the one after is complete and does not list it.
 * CLEAR-4 Neither is posted again unless an operator says so. A receipt that arrives later wins over both.
 * CLEAR-5 An outcome that shows only later that the gateway accepted an attempt from before the clear is in the same
 *    doubt. Until then the clear counts as a restart (QUEUE_CHANGING_OPERATIONS): no proof and no presumption of absence.
 * CLEAR-6 Effect and end of the operation are one transaction. If the activity ends without it, a background job
 *    applies it once the request can no longer be carried out.
 */
import { type Selectable, sql } from 'kysely';
import { type MessageId, QUEUE_CLEARED, QUEUE_RETENTION_MS } from '../../contract/index.js';
import { LISTED_KINDS } from '../../domain/index.js';
import { literalList } from '../storage/state-lists.js';
import { moveMessages } from './writer/move-messages.js';
import type { OperationsTable } from '../storage/schema.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart, onlyRow, retryingTransaction, type Tx } from '../storage/store.js';
import { finishOperation, type OperationEnd, type OperationView } from '../instances/operations.js';
import { dispatcherLocked } from '../instances/pauses.js';

/** The shortest interval that the settings of a gateway allow. */
const SHORTEST_INTERVAL_MS = 500;
/** A stop that ends sooner is too short for the request: clocks of workers differ by up to five seconds. */
const CLOCKS_MS = 10_000;

/** What a reading of the queue listed, oldest first. */
export interface ListedQueue {
  readonly begunAtMs: number;
  /** The ids of each item. */
  readonly items: readonly (readonly string[])[];
}

type ClearRow = Selectable<OperationsTable>;

export class QueueClears extends LedgerPart {
  /** CLEAR-1. @returns how many POSTs are still under way */
  async stopPosts(id: string, instance: string, untilMs: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      await lockDispatcher(tx, instance);
      await sql`update operations set stops_posts_until = ${new Date(untilMs)} where id = ${id} and state = 'pending'`.execute(
        tx,
      );
      return postsUnderWay(tx, instance);
    });
  }

  /**
   * CLEAR-1: records that the request may leave now.
   * @param before  absent if the queue cannot be read
   * @returns false if posts were not stopped long enough: nothing has changed, try again
   */
  async begin(
    { id, instance, before, untilMs }: { id: string; instance: string; before?: ListedQueue; untilMs: number },
    nowMs: number,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await lockDispatcher(tx, instance);
      if ((await postsUnderWay(tx, instance)) > 0) return false;
      const { rows } = await sql`
        update operations set state = 'sending', begun_seq = nextval('ledger_seq'),
          stops_posts_until = ${new Date(untilMs)}, queue_before = ${before === undefined ? null : jsonText(before)}
        where id = ${id} and state = 'pending' and stops_posts_until > ${new Date(nowMs + CLOCKS_MS)}
        returning id`.execute(tx);
      return rows.length > 0;
    });
  }

  /** Reverts {@link begin} and the stop if the request surely did not arrive. */
  async giveBack(id: string): Promise<void> {
    await this.database.rows(sql`
      update operations set state = 'pending', begun_seq = null, stops_posts_until = null, queue_before = null
      where id = ${id} and state in ('pending', 'sending')`);
  }

  /** How long the request can still be carried out; 0 once its effect can be applied. */
  async remainingMs(id: string, nowMs: number): Promise<number> {
    const row = await this.database.run((db) => onlyRow(db, sql<ClearRow>`select * from operations where id = ${id}`));
    return Math.max(0, (row.stops_posts_until?.getTime() ?? 0) - nowMs);
  }

  /** CLEAR-6. @returns operations that their activity has left behind */
  lost(nowMs: number): Promise<Pick<OperationView, 'id' | 'instance'>[]> {
    return this.database.rows(sql<{ id: string; instance: string }>`
      select id, instance from operations
      where method = 'clearMessagesQueue' and state = 'sending' and stops_posts_until < ${new Date(nowMs - CLOCKS_MS)}`);
  }

  /**
   * CLEAR-2, CLEAR-3: ends the operation, and puts the messages in doubt that it may have removed. Once.
   * @param after  a reading that began after the request was carried out or could no longer be; absent: none was possible
   * @param clearedByMs  the latest time at which the queue was cleared
   * @returns the messages in doubt
   */
  async settle(
    { id, end, after, clearedByMs }: { id: string; end: OperationEnd; after?: ListedQueue; clearedByMs: number },
    nowMs: number,
  ): Promise<{ readonly view: OperationView; readonly unresolved: readonly MessageId[] }> {
    return retryingTransaction(this.database, async (tx) => {
      const clear = await onlyRow(tx, sql<ClearRow>`select * from operations where id = ${id} for update`);
      const isFirst = clear.state === 'sending';
      const unresolved = isFirst ? await applyClear(tx, clear, after, clearedByMs, nowMs) : [];
      return { view: await finishOperation(tx, id, end, nowMs), unresolved };
    });
  }
}

async function lockDispatcher(tx: Tx, instance: string): Promise<void> {
  await sql`with ${dispatcherLocked(instance)} select count(*) from dispatcher`.execute(tx);
}

async function postsUnderWay(tx: Tx, instance: string): Promise<number> {
  const statement = sql<{ posts: number }>`
    select count(*)::integer as posts from attempts
    where instance = ${instance} and identical_hash is not null and outcome is null`;
  return (await onlyRow(tx, statement)).posts;
}

async function applyClear(
  tx: Tx,
  { id, instance, begun_seq, queue_before }: ClearRow,
  after: ListedQueue | undefined,
  clearedByMs: number,
  nowMs: number,
): Promise<MessageId[]> {
  const before = (queue_before ?? undefined) as ListedQueue | undefined;
  const queue = await onlyRow(
    tx,
    sql<{ longest: number; interval_ms: number; youngest: string | null }>`
      select (select coalesce(max(length), 0) from queue_readings
          where instance = ${instance} and ended_at > ${new Date(nowMs - QUEUE_RETENTION_MS)}) as longest,
        least(${SHORTEST_INTERVAL_MS}, coalesce(
          (select release_interval_ms from dispatchers where instance = ${instance}), ${SHORTEST_INTERVAL_MS})) as interval_ms,
        (select i.id_message from message_ids i join messages m on m.id = i.message_id
          where i.instance = ${instance} and i.role = 'message' and m.kind in ${literalList(LISTED_KINDS)}
          order by i.stored_at desc limit 1) as youngest`,
  );
  const listedBefore = new Map(before?.items.flatMap((ids, ahead) => ids.map((one) => [one, ahead] as const)));
  const listedAfter = new Set(after?.items.flat());
  const longest = Math.max(queue.longest, before?.items.length ?? 0);
  const isCompleteBefore =
    before !== undefined && (before.items.length < longest || listedBefore.has(queue.youngest ?? ''));
  const isCompleteAfter = after !== undefined && after.items.length < longest;
  const released =
    before === undefined ? Infinity : 1 + Math.floor((clearedByMs - before.begunAtMs) / queue.interval_ms);
  const { rows } = await sql<{ id: MessageId; id_message: string; kind: string }>`
    select m.id, m.id_message, m.kind from messages m join attempts a on a.token = m.attempt_token
    where m.instance = ${instance} and m.state = 'accepted' and m.ended_at is null and a.seq < ${begun_seq}
      and m.accepted_at > ${new Date(nowMs - QUEUE_RETENTION_MS)}
      and (not ${isCompleteBefore} or m.kind not in ${literalList(LISTED_KINDS)}
        or m.id_message = any(${[...listedBefore.keys()]}::text[]))
      and not m.id_message = any(${[...listedAfter]}::text[])
      and not exists (select from message_ids i
        where i.instance = m.instance and i.id_message = m.id_message and i.notified_at is not null)
    order by m.id for no key update of m`.execute(tx);
  const changes = rows.map(({ id: messageId, id_message: idMessage }) => {
    const ahead = listedBefore.get(idMessage);
    const isGone = ahead !== undefined && ahead >= released && isCompleteAfter;
    const detail = { operation: id, idMessage, why: QUEUE_CLEARED, ahead };
    return { id: messageId, state: isGone ? ('cancelled' as const) : ('unresolved' as const), detail };
  });
  await writeChanges(tx, changes, nowMs);
  return changes.filter(({ state }) => state === 'unresolved').map((change) => change.id);
}

interface Change {
  readonly id: MessageId;
  readonly state: 'unresolved' | 'cancelled';
  readonly detail: Readonly<Record<string, unknown>>;
}

async function writeChanges(tx: Tx, changes: readonly Change[], nowMs: number): Promise<void> {
  const told = { reason: QUEUE_CLEARED, witness: 'clearMessagesQueue', detail: sql`c.detail`, nowMs };
  const of = (wanted: Change['state']) => ({
    join: sql`join json_to_recordset(${jsonText(changes.filter(({ state }) => state === wanted))}::json) as d(
      id text, detail json) on d.id = m.id`,
    where: sql`true`,
    columns: sql`d.detail`,
  });
  await moveMessages(tx, 'queueCleared', of('unresolved'), told);
  await moveMessages(tx, 'clearedFromQueue', of('cancelled'), { ...told, reason_text: null });
}

/** CLEAR-5: for a message that an outcome has just made accepted. */
export async function doubtIfCleared(tx: Tx, messageId: MessageId, attemptSeq: string, nowMs: number): Promise<void> {
  const { rows } = await sql<{ operation: string; id_message: string }>`
    select o.id as operation, m.id_message from messages m join operations o on o.instance = m.instance
    where m.id = ${messageId} and m.state = 'accepted' and o.method = 'clearMessagesQueue' and o.begun_seq > ${attemptSeq}
    order by o.begun_seq limit 1`.execute(tx);
  const [found] = rows;
  if (found === undefined) return;
  const { operation, id_message: idMessage } = found;
  const detail = { operation, idMessage, why: QUEUE_CLEARED };
  await writeChanges(tx, [{ id: messageId, state: 'unresolved', detail }], nowMs);
}
