import { sql } from 'kysely';
import { CLOCK_MARGIN_MS, isPossiblyInChat, LISTED_KINDS, type NotificationHistory } from '../../domain/index.js';
import type { Db } from '../storage/store.js';
import type { AttemptToReconcile } from './attempt-to-reconcile.js';
import type { QueueListing } from './queue-readings.js';

const DAY_MS = 24 * 60 * 60_000;
/** An inversion: a message that left this much earlier than another one but was notified later. */
const OUT_OF_ORDER = sql.lit('1 second');

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

/**
 * See PRESUME-1, PRESUME-4 and PRESUME-7 to PRESUME-9. A notification that came before its id was stored is among the
 * observations.
 */
export async function notificationHistory(
  db: Db,
  { instance, chatId, claimSequence, claimedAtMs, content }: AttemptToReconcile,
  about: { readonly decidableFromMs: number; readonly nowMs: number; readonly completeReading?: QueueListing },
): Promise<Omit<NotificationHistory, 'isOn' | 'wasAlwaysAuthorized'>> {
  const dayAgo = new Date(about.nowMs - DAY_MS);
  // Without a complete reading, all messages may have left.
  const leftBefore = new Date((about.completeReading?.begunAtMs ?? about.nowMs) - CLOCK_MARGIN_MS);
  const queued = about.completeReading?.items.flatMap(({ ids }) => ids) ?? [];
  const { rows } = await sql<HistoryRow>`/* notification_history */
    with own as materialized (
      select i.id_message, i.stored_at, m.kind, a.claimed_at, i.left_at, coalesce(i.notified_at, o.seen_at) as notified_at
      from message_ids i
      join messages m on m.id = i.message_id
      left join attempts a on a.message_id = i.message_id and a.id_message = i.id_message
      left join observations o on o.instance = i.instance and o.id_message = i.id_message
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
    group by successor.id_message, successor.claimed_at, successor.notified_at`.execute(db);
  return historyOf(rows[0], chatId);
}

/** Without an own message on that day there is no row, and nothing is presumed. */
function historyOf(
  row: HistoryRow | undefined,
  chatId: string | undefined,
): Omit<NotificationHistory, 'isOn' | 'wasAlwaysAuthorized'> {
  return {
    hasUnexplained:
      row === undefined || row.has_odd || row.unexplained_chats.some((chat) => isPossiblyInChat(chatId, chat)),
    notifiedWithinDay: row?.notified ?? 0,
    missingWithinDay: row?.missing ?? 0,
    isKindNotified: row?.is_kind_notified ?? false,
    isOutOfOrder: row?.is_out_of_order ?? false,
    ...(row === undefined || row.successor === null || row.successor_claimed === null || row.successor_notified === null
      ? {}
      : {
          successor: {
            idMessage: row.successor,
            claimedAtMs: row.successor_claimed.getTime(),
            notifiedAtMs: row.successor_notified.getTime(),
          },
        }),
  };
}
