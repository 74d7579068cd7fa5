/** Writes what receipts have shown of messages: the table says the state, `withReceipt` the times. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { MessageId, MessageState } from '../../../contract/index.js';
import type { MessagesTable } from '../../schema.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import { DUE_COLUMNS, dueRows } from '../due-rows.js';
import type { Standing } from '../message-state.js';
import { endingEdits } from './life-in-sql.js';

/** A message that had this version when its receipts were applied to it. */
type Shown = Standing &
  Partial<Pick<Selectable<MessagesTable>, 'id_message' | 'accepted_at'>> & {
    readonly id: MessageId;
    readonly version: number;
    readonly was: MessageState;
  };

/** Rows `standing`, for {@link showing}. */
export function standings(rows: readonly (Shown & { readonly has_changed: boolean })[]): RawBuilder<unknown> {
  return sql`standing as materialized (
      select * from json_to_recordset(${jsonText(rows)}::json) as s(
        id text, version integer, has_changed boolean, was text, state text, id_message text, accepted_at timestamptz,
        sent_at timestamptz, sent_seen_at timestamptz, delivered_at timestamptz, delivered_seen_at timestamptz,
        read_at timestamptz, read_seen_at timestamptz, reason text, reason_text text, ended_at timestamptz)
    )`;
}

/**
 * For a larger statement, which compares the versions and keeps due rows: messages `m` become what their row `s` of
 * `standing` says.
 */
export function showing(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`update messages m
      set version = m.version + 1, state = s.state, id_message = coalesce(s.id_message, m.id_message),
        accepted_at = coalesce(s.accepted_at, m.accepted_at), sent_at = s.sent_at, sent_seen_at = s.sent_seen_at,
        delivered_at = s.delivered_at, delivered_seen_at = s.delivered_seen_at, read_at = s.read_at,
        read_seen_at = s.read_seen_at, reason = s.reason, reason_text = s.reason_text, ended_at = s.ended_at ${of}`;
}

/** One message, whose row is locked. Its waiting edits end with it (WRITER-2). */
export async function showMessage(tx: Tx, shown: Shown, nowMs: number): Promise<void> {
  await sql`
    with ${standings([{ ...shown, has_changed: true }])}, moved as (
      ${showing(sql`from standing s where m.id = s.id and m.version = s.version`)}
      returning m.id, m.state, s.was, ${DUE_COLUMNS}
    )${dueRows('sent')}${endingEdits(nowMs)}
    select from moved`.execute(tx);
}
