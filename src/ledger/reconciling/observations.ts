/** What notifications and operations show about the messages of an instance, as evidence for attempts in doubt. */
import { type Selectable, sql } from 'kysely';
import { QUEUE_CHANGING_OPERATIONS } from '../../contract/index.js';
import {
  CLOCK_MARGIN_MS,
  isPossiblyInChat,
  isRestart,
  isRestarting,
  isSendingState,
  LISTED_KINDS,
  type NotificationHistory,
} from '../../domain/index.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import { literalList } from '../storage/state-lists.js';
import { jsonText } from '../storage/statements.js';
import { hideTextsIn, revealJson } from '../sensitive/hidden-json.js';
import { TextPart } from '../sensitive/texts.js';
import type { ObservationsTable } from '../storage/schema.js';
import type { QueueListing } from './queue-readings.js';
import type { AttemptToReconcile } from './reconciling.js';

/** There may be many unmatched messages; ours can only be among the newest. */
const MOST_OBSERVATIONS = 200;
const DAY_MS = 24 * 60 * 60_000;
/** An inversion: a message that left this much earlier than another one but was notified later. */
const OUT_OF_ORDER = sql.lit('1 second');
/** The gateway applies settings within five minutes of its response, and restarts the instance for it. */
const RESTART_WITHIN_MS = 5 * 60_000;
/** A request whose response was lost may arrive this much later. */
const LATE_ARRIVAL_MS = 60_000;

interface HistoryRow {
  readonly notified: number;
  readonly missing: number;
  readonly is_kind_notified: boolean | null;
  readonly is_out_of_order: boolean | null;
  readonly has_odd: boolean;
  /** Chats of notifications that are unaccounted for or not applied yet; empty if none is shown. */
  readonly unexplained_chats: readonly string[];
  readonly successor: string | null;
  readonly successor_claimed: Date | null;
  readonly successor_notified: Date | null;
}

export class Observations extends TextPart {
  /**
   * Stores a notification of a message without a row, once. For a message with a row, stores when the notification
   * arrived and when the message left.
   */
  async keep(
    instance: string,
    idMessage: string,
    notification: unknown,
    nowMs: number,
    when: { readonly receivedAtMs: number; readonly leftAtMs?: number } = { receivedAtMs: nowMs },
  ): Promise<void> {
    const { receivedAtMs, leftAtMs } = when;
    await this.database.transaction(async (tx) => {
      // With the lock, either the next reconciliation finds the stored notification, or its owner is already known
      // (RECONCILE-2).
      await lockIdMessage(tx, instance, idMessage);
      const owner = await ownerOfId(tx, instance, idMessage);
      const [stored] = await hideTextsIn(tx, this.texts, [{ instance, json: notification }]);
      const { json, about, hidden } = stored!;
      const leftAt = leftAtMs === undefined ? null : new Date(leftAtMs);
      const statement =
        owner === undefined
          ? sql`insert into observations (instance, id_message, notification, seen_at, about, hidden)
              values (${instance}, ${idMessage}, ${jsonText(json)}, ${new Date(nowMs)}, ${about}, ${hidden})
              on conflict do nothing`
          : sql`update message_ids set notified_at = ${new Date(receivedAtMs)}, left_at = ${leftAt}
              where instance = ${instance} and id_message = ${idMessage} and notified_at is null`;
      await statement.execute(tx);
    });
  }

  /** Notifications kept since the claim whose ids still have no owner, oldest first. */
  async unowned({ instance, claimSequence }: AttemptToReconcile): Promise<unknown[]> {
    const rows = await this.database.rows(sql<Pick<Selectable<ObservationsTable>, 'notification' | 'about' | 'hidden'>>`
      select o.notification, o.about, o.hidden from observations o
      where o.instance = ${instance} and o.seq > ${claimSequence}::bigint
        and not exists (select from message_ids i where i.instance = o.instance and i.id_message = o.id_message)
      order by o.seq desc limit ${MOST_OBSERVATIONS}`);
    return rows
      .toReversed()
      .map(({ notification: json, about, hidden }) => revealJson(this.texts, { json, about, hidden }));
  }

  /** Ids for which receipts came since the claim and which still have no owner. */
  async parkedIds({ instance, chatId, claimSequence }: AttemptToReconcile): Promise<string[]> {
    const rows = await this.database.rows(sql<{ id_message: string; chat: string }>`/* parked_ids */
        select r.id_message, coalesce(o.notification->'senderData'->>'chatId', '') as chat from (
          select id_message, max(seq) as seq from parked_receipts
          where instance = ${instance} and seq > ${claimSequence}::bigint
          group by id_message order by max(seq) desc limit ${MOST_OBSERVATIONS}) r
        left join observations o on o.instance = ${instance} and o.id_message = r.id_message
        order by r.seq desc`);
    // A receipt has no chat; the notification of the same message has one.
    return rows.filter(({ chat }) => isPossiblyInChat(chatId, chat)).map(({ id_message }) => id_message);
  }

  /**
   * The notifications of an instance's own messages within a day. See PRESUME-1, PRESUME-4 and PRESUME-7 to PRESUME-9.
   * A notification that came before its id was stored is among the observations.
   * @param about.decidableFromMs  the earliest claim time of a successor
   * @param about.completeReading  what was accepted before it began, and is not in it, has left the queue
   */
  async history(
    { instance, chatId, claimSequence, claimedAtMs, content }: AttemptToReconcile,
    about: { readonly decidableFromMs: number; readonly nowMs: number; readonly completeReading?: QueueListing },
  ): Promise<Omit<NotificationHistory, 'isOn' | 'wasAlwaysAuthorized'>> {
    const dayAgo = new Date(about.nowMs - DAY_MS);
    // Without a complete reading, all messages may have left.
    const leftBefore = new Date((about.completeReading?.begunAtMs ?? about.nowMs) - CLOCK_MARGIN_MS);
    const queued = about.completeReading?.items.flatMap(({ ids }) => ids) ?? [];
    const [row] = await this.database.rows(sql<HistoryRow>`/* notification_history */
      with own as materialized (
        select i.id_message, i.stored_at, m.kind, a.claimed_at, i.left_at, coalesce(i.notified_at, o.seen_at) as notified_at
        from message_ids i
        join messages m on m.id = i.message_id
        left join attempts a on a.message_id = i.message_id and a.id_message = i.id_message
        left join lateral (
          select seen_at from observations o where o.instance = i.instance and o.id_message = i.id_message offset 0) o on true
        where i.instance = ${instance} and i.role = 'message' and i.stored_at > ${dayAgo}::timestamptz
          and m.kind = any(${LISTED_KINDS}::text[])
      ), ordered as (
        select left_at, max(left_at) over (
          order by notified_at, left_at rows between unbounded preceding and 1 preceding) as latest_before
        from own where notified_at is not null and left_at is not null
      )
      select count(*) filter (where own.notified_at is not null)::integer as notified,
        count(*) filter (where own.notified_at is null and own.stored_at < ${leftBefore}::timestamptz
          and not own.id_message = any(${queued}::text[]))::integer as missing,
        bool_or(own.kind = ${content.kind} and own.notified_at is not null) as is_kind_notified,
        (select bool_or(latest_before > left_at + interval ${OUT_OF_ORDER}) from ordered) as is_out_of_order,
        exists (select from notifications n where n.instance = ${instance}
          and n.received_at >= ${new Date(claimedAtMs)}::timestamptz
          and (n.oddity is not null or exists (select from failed_notifications f where f.notification_id = n.id)))
        as has_odd,
        array(
          select coalesce(n.body->'senderData'->>'chatId', n.body->>'chatId', '')
          from notifications n join pending_notifications p on p.notification_id = n.id
          where n.instance = ${instance} and n.received_at >= ${new Date(claimedAtMs)}::timestamptz
          union
          select coalesce(o.notification->'senderData'->>'chatId', '') from observations o
          where o.instance = ${instance} and o.seq > ${claimSequence}::bigint
            and not exists (select from message_ids i where i.instance = o.instance and i.id_message = o.id_message)
        ) as unexplained_chats,
        successor.id_message as successor, successor.claimed_at as successor_claimed,
        successor.notified_at as successor_notified
      from own left join lateral (
        select o.id_message, o.claimed_at, o.notified_at from own o
        where o.notified_at is not null and o.claimed_at >= ${new Date(about.decidableFromMs)}::timestamptz
        order by o.notified_at limit 1) successor on true
      group by successor.id_message, successor.claimed_at, successor.notified_at`);
    // Without an own message on that day there is no row, and nothing is presumed.
    const {
      successor: idMessage = null,
      successor_claimed: claimed = null,
      successor_notified: notified = null,
    } = row ?? {};
    return {
      hasUnexplained:
        row === undefined || row.has_odd || row.unexplained_chats.some((chat) => isPossiblyInChat(chatId, chat)),
      notifiedWithinDay: row?.notified ?? 0,
      missingWithinDay: row?.missing ?? 0,
      isKindNotified: row?.is_kind_notified ?? false,
      isOutOfOrder: row?.is_out_of_order ?? false,
      ...(idMessage !== null && claimed !== null && notified !== null
        ? { successor: { idMessage, claimedAtMs: claimed.getTime(), notifiedAtMs: notified.getTime() } }
        : {}),
    };
  }

  /**
   * What is known to have happened to the instance since the claim. `restarted`: it may have restarted after the claim,
   * by its observed states or by an operation of ours. Such a restart is an interval, from the request until five
   * minutes after its response; a request with an unknown outcome counts, too. An operation that has not left yet
   * restarts nothing.
   */
  async instanceSince({ instance, claimSequence, claimedAtMs }: AttemptToReconcile) {
    const states = await this.database.rows(sql<{ state: string; is_before: boolean }>`
      (select state, true as is_before from instance_states
        where instance = ${instance} and seq < ${claimSequence}::bigint order by seq desc limit 1)
      union
      select state, false from instance_states where instance = ${instance} and seq > ${claimSequence}::bigint`);
    const endedAfter = (ms: number) => new Date(claimedAtMs - ms);
    const restarts = await this.database.rows(sql`
      select 1 from operations where instance = ${instance} and method in ${literalList(QUEUE_CHANGING_OPERATIONS)} and (
        state = 'sending'
        or (state = 'done' and ended_at >= ${endedAfter(RESTART_WITHIN_MS)}::timestamptz)
        or (state = 'may_have_happened' and ended_at >= ${endedAfter(RESTART_WITHIN_MS + LATE_ARRIVAL_MS)}::timestamptz))
      limit 1`);
    return {
      restarted:
        restarts.length > 0 ||
        states.some(({ state, is_before }) => (is_before ? isRestarting(state) : isRestart(state))),
      leftAuthorized: !states.every(({ state }) => isSendingState(state)),
    };
  }
}
