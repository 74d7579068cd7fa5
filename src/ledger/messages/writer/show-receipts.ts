/** Writes what receipts have shown of messages: the table says the state, `withReceipt` the times. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { endedUnsent, isInPhase, type MessageId } from '../../../contract/index.js';
import type { MessagesTable } from '../../storage/schema.js';
import { keyedUuid } from '../../storage/keyed-hash.js';
import { jsonText } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';
import { DUE_COLUMNS, dueRows } from './due-rows.js';
import { isSameProgress, type Standing } from './message-state.js';
import { endingEdits } from './life-in-sql.js';

/** A message that had this version when its receipts were applied to it. */
export interface Shown {
  readonly id: MessageId;
  readonly version: number;
  readonly before: Standing;
  readonly after: Standing & Partial<Pick<Selectable<MessagesTable>, 'id_message' | 'accepted_at'>>;
  readonly hasEdits: boolean;
}

/** The evidence of a receipt. */
interface ShownFact {
  /** The stored notification that it came in, which it marks as applied. */
  readonly notification_id?: string;
  readonly message_id: MessageId;
  readonly hash: string;
  readonly witness: string;
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Each distinct receipt is recorded once. Keyed, since a receipt may contain a text. */
export function receiptFact(hash: string | RawBuilder<string>): RawBuilder<string> {
  return sql`'receipt:' || ${keyedUuid(hash)}`;
}

/**
 * Messages are locked in the order of their ids, so that two processes cannot deadlock; one that changed since it was
 * read is skipped. Waiting edits end with their messages (WRITER-2).
 * @returns the messages that were not skipped, and whether each changed
 */
export async function showMessages(
  db: Db,
  shown: readonly Shown[],
  facts: readonly ShownFact[],
  nowMs: number,
): Promise<ReadonlyMap<MessageId, boolean>> {
  if (shown.length === 0) return new Map();
  const standing = shown.map(({ id, version, before, after }) => {
    return { ...after, id, version, was: before.state, has_changed: !isSameProgress(before, after) };
  });
  const changesDueRows = shown.some(
    ({ before: { state } }) => !isInPhase(state, 'accepted', 'taken', 'undeliverable', 'unsent'),
  );
  const endsEdits = shown.some(({ after, hasEdits }) => hasEdits && endedUnsent(after.state));
  const name = changesDueRows || endsEdits ? sql`` : sql`/* move_messages */`;
  const { rows } = await sql<{ id: MessageId; has_changed: boolean }>`${name}
    with standing as materialized (
      select * from json_to_recordset(${jsonText(standing)}::json) as s(
        id text, version integer, has_changed boolean, was text, state text, id_message text, accepted_at timestamptz,
        sent_at timestamptz, sent_seen_at timestamptz, delivered_at timestamptz, delivered_seen_at timestamptz,
        read_at timestamptz, read_seen_at timestamptz, reason text, reason_text text, ended_at timestamptz)
    ), fact as materialized (
      select * from rows from (json_to_recordset(${jsonText(facts)}::json) as (
        notification_id bigint, message_id text, hash text, witness text, what text, detail json)) with ordinality as f(
        notification_id, message_id, hash, witness, what, detail, place)
    ), locked as materialized (
      select m.id, s.has_changed
      from (select * from standing order by id collate "C") s cross join lateral (
        select id from messages where id = s.id and version = s.version limit 1 for no key update) m
    ), moved as (
      update messages m
      set version = m.version + 1, state = s.state, id_message = coalesce(s.id_message, m.id_message),
        accepted_at = coalesce(s.accepted_at, m.accepted_at), sent_at = s.sent_at, sent_seen_at = s.sent_seen_at,
        delivered_at = s.delivered_at, delivered_seen_at = s.delivered_seen_at, read_at = s.read_at,
        read_seen_at = s.read_seen_at, reason = s.reason, reason_text = s.reason_text, ended_at = s.ended_at
      from standing s where m.id = any(array(select id from locked where has_changed)) and s.id = m.id
      returning m.id, m.state, s.was, ${DUE_COLUMNS}
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select f.message_id, ${receiptFact(sql`f.hash`)}, ${new Date(nowMs)}::timestamptz, f.witness, f.what, f.detail
      from fact f join locked l on l.id = f.message_id
      order by f.place
      on conflict do nothing
    ), applied as (
      delete from pending_notifications p using fact f join locked l on l.id = f.message_id
      where p.notification_id = f.notification_id
    )${changesDueRows ? dueRows('sent') : sql``}${endsEdits ? endingEdits({ nowMs }) : sql``}
    select id, has_changed from locked`.execute(db);
  return new Map(rows.map(({ id, has_changed }) => [id, has_changed]));
}
