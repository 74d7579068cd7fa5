/**
 * Typing that is shown in a chat before a message is posted.
 *
 * TYPING-1 Typing is requested before the message is claimed, so a killed process leaves no unknown outcome. It is
 *    requested once, unless the message had ended. The request is recorded together with the time from which the
 *    message may be claimed.
 * TYPING-2 Only that time decides when the message is posted; the result of the request has no effect on it.
 * TYPING-3 Until then later messages of its stream to the same recipient wait (DISPATCH-6). All others are posted.
 */
import { sql } from 'kysely';
import type { MessageId } from '../../../contract/index.js';
import { addEvidence } from '../../messages/message-row.js';
import type { Db } from '../../storage/store.js';
import type { DueTyping } from '../dispatch-ledger.js';

export interface TypingFailure {
  readonly code: string;
  readonly text?: string;
  readonly httpStatus?: number;
}

export interface TypingRow {
  readonly message_id: MessageId;
  readonly instance: string;
  readonly chat_id: string;
  readonly typing_ms: number | null;
}

/** TYPING-1. Those of the `valid` messages that have typing before them. */
export function beginTyping(nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql`typing as (
      update due_messages d set typing_ms = null, waits_until = ${now} + v.typing_ms * interval '1 ms'
      from valid v
      where v.typing_ms is not null and d.stream_id = v.stream_id and d.due_at = v.due_at and d.place = v.place
      returning d.message_id, v.chat_id, d.stream_id, d.waits_until, v.instance, v.typing_ms
    ), typing_pause as (
      update streams s set next_at = t.waits_until from typing t where s.id = t.stream_id and s.is_jittered
    ), typing_asked as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select t.message_id, ${`typing:${nowMs}`}::text, ${now}, 'claim', 'typing_asked',
        json_build_object('typingMs', t.typing_ms) from typing t
    )`;
}

/**
 * TYPING-3. Until when typing is shown to the recipient of one message before another message of the same stream.
 * @param message  an alias with the recipient's key
 * @param stream  an alias with instance, class and campaign
 */
export function typingUntil(message: string, stream: string, nowMs: number) {
  const [of, its] = [sql.table(message), sql.table(stream)];
  return sql<Date | null>`(
    select max(t.waits_until) from due_messages t join streams ts on ts.id = t.stream_id
    where t.recipient_key = ${of}.recipient_key and t.waits_until > ${new Date(nowMs)}::timestamptz and ts.instance = ${its}.instance
      and ts.class = ${its}.class and ts.campaign_id is not distinct from ${its}.campaign_id)`;
}

export function dueTypingOf({ message_id: messageId, instance, chat_id: chatId, typing_ms }: TypingRow, nowMs: number) {
  const typingMs = typing_ms ?? 0;
  return { messageId, instance, chatId, typingMs, untilMs: nowMs + typingMs } satisfies DueTyping;
}

/** Records the result of showing typing before a message: shown, or why not. */
export async function recordTyping(db: Db, messageId: MessageId, failure: TypingFailure | undefined, nowMs: number) {
  const fact = { messageId, fact: `typed:${nowMs}`, witness: 'response', nowMs };
  const what = failure === undefined ? { what: 'typing_shown' } : { what: 'typing_failed', detail: { ...failure } };
  await addEvidence(db, { ...fact, ...what });
}
