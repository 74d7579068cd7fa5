/**
 * Chats in which contacts write to accounts: one row for each recipient, or group, and account.
 *
 * CHAT-1 A recipient of a pool stays with the account to which they wrote last by the gateway's clock (CHOOSE-1). The
 *    list of chats follows the arrival of notifications, which is also what an operator can have seen.
 * CHAT-2 A chat is unread from the arrival of a message until an operator has read up to it. A notification that is
 *    applied again marks nothing, and reading up to an older message leaves what arrived since unread.
 * CHAT-3 The texts are those of the stored notifications, and are gone with them.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { present, type PossibleOptOut } from '../../contract/index.js';
import { receivedFacts, recipientKey } from '../../domain/index.js';
import { keyOfRow } from '../messages/recipient-key.js';
import type { ConversationsTable } from '../storage/schema.js';
import { cursorsOf, textPart, timePart } from '../storage/cursors.js';
import { pageOf, pageSizeOf } from '../storage/pages.js';
import { shown } from '../storage/statements.js';
import { LedgerPart, retryingTransaction } from '../storage/store.js';
import { keepLids } from './known-lids.js';
import { possibleOptOutsWith } from './possible-opt-outs.js';

interface ChatFilter {
  /** Only chats of these accounts. */
  readonly instances: readonly string[];
  /** Only those of this recipient, in any form, or of this group. */
  readonly chatId?: string;
  /** @default false: also chats that were read */
  readonly unread?: boolean;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface ChatRow extends Omit<Selectable<ConversationsTable>, 'received_at'> {
  readonly body: unknown;
  readonly possible_id: string | null;
}

/** A chat with what arrived last in it; `last` is absent once its notification was deleted. */
export type Chat = ReturnType<typeof chatOf>;

const CURSORS = cursorsOf('chats', timePart, textPart, textPart);

export class Conversations extends LedgerPart {
  /**
   * A message that arrived. May come again, and in any order. LID-3: a lid may be learned at the same time.
   * @param message.receivedAtMs  when its notification arrived, by our clock
   * @param atMs  when it was written, by the gateway's clock
   */
  async heard(
    message: { readonly instance: string; readonly chatId: string; readonly receivedAtMs: number },
    atMs: number,
  ): Promise<void> {
    const { instance, chatId, receivedAtMs } = message;
    const heard = sql`/* conversation_heard */
      insert into conversations as c (recipient_key, instance, received_at, chat_id, arrived_at)
      values (${keyIn(chatId)}, ${instance}::text, ${new Date(atMs)}::timestamptz, ${chatId}::text,
        ${new Date(receivedAtMs)}::timestamptz)
      on conflict (recipient_key, instance) do update set
        received_at = greatest(c.received_at, excluded.received_at),
        chat_id = case when excluded.arrived_at > c.arrived_at then excluded.chat_id else c.chat_id end,
        arrived_at = greatest(c.arrived_at, excluded.arrived_at),
        is_unread = c.is_unread or excluded.arrived_at > c.arrived_at
      where c.received_at < excluded.received_at or c.arrived_at < excluded.arrived_at`;
    if (!chatId.endsWith('@lid')) return void (await this.database.rows(heard));
    await retryingTransaction(this.database, async (tx) => {
      await keepLids(tx);
      await heard.execute(tx);
    });
  }

  /** A page, newest first. @throws AppError INPUT_INVALID for a cursor of another list */
  async list(filter: ChatFilter) {
    const [rows, possible] = await this.database.run(async (db) => {
      const { rows: found } = await pageStatement(filter).execute(db);
      const ids = found.flatMap(({ possible_id: id }) => id ?? []);
      return [found, await possibleOptOutsWith(db, ids)] as const;
    });
    return pageOf(
      rows,
      filter.limit,
      (row) => chatOf(row, possible.get(row.possible_id ?? '')),
      ({ arrived_at, recipient_key, instance }) => CURSORS.write(arrived_at, recipient_key, instance),
    );
  }

  /**
   * CHAT-2.
   * @param untilMs  the arrival of the last message that was read
   * @returns whether the chat is unread now
   */
  async markRead({ instance, chatId, untilMs }: { instance: string; chatId: string; untilMs: number }) {
    const isIt = sql`recipient_key = ${keyIn(chatId)} and instance = ${instance}::text`;
    const until = sql`${new Date(untilMs)}::timestamptz`;
    const row = await this.database.row(sql<{ unread: boolean }>`/* mark_chat_read */
      with read as (
        update conversations set is_unread = false where ${isIt} and is_unread and arrived_at <= ${until}
      )
      select is_unread and arrived_at > ${until} as unread from conversations where ${isIt}`);
    return row?.unread ?? false;
  }
}

/** RECIPIENT-2, in a text that is the same for numbers and lids. */
function keyIn(chatId: string): RawBuilder<string> {
  return sql`(select ${keyOfRow('said')}
    from (select ${chatId}::text as chat_id, ${recipientKey(chatId)}::text as recipient_key) said)`;
}

/** Up to so many accounts are read one by one: a few of many have no chat among the newest of all. */
const FEW_ACCOUNTS = 8;

function pageStatement({ instances, chatId, unread = false, cursor, limit }: ChatFilter): RawBuilder<ChatRow> {
  const [at, key, after] = cursor === undefined ? ['infinity', '', ''] : CURSORS.read(cursor);
  const before = sql`(${at}::timestamptz, ${key}::text, ${after}::text)`;
  const part = { instances, before, size: pageSizeOf(limit) + 1 };
  if (chatId !== undefined) {
    const which = sql`recipient_key = ${keyIn(chatId)} and (is_unread or not ${unread}::boolean)`;
    return sql`/* list_chats_of_recipient */ ${withLast(newestOfAll({ ...part, which }))}`;
  }
  if (instances.length <= FEW_ACCOUNTS) {
    return unread
      ? sql`/* list_unread_chats_of_accounts */ ${withLast(newestOfEach({ ...part, which: sql`is_unread` }))}`
      : sql`/* list_chats_of_accounts */ ${withLast(newestOfEach({ ...part, which: sql`true` }))}`;
  }
  return unread
    ? sql`/* list_unread_chats */ ${withLast(newestOfAll({ ...part, which: sql`is_unread` }))}`
    : sql`/* list_chats */ ${withLast(newestOfAll({ ...part, which: sql`true` }))}`;
}

interface Part {
  readonly instances: readonly string[];
  readonly which: RawBuilder<unknown>;
  /** Only chats after this place. */
  readonly before: RawBuilder<unknown>;
  readonly size: number;
}

const COLUMNS = sql`recipient_key, instance, chat_id, arrived_at, is_unread`;

function newestOfAll({ instances, which, before, size }: Part): RawBuilder<unknown> {
  return sql`select ${COLUMNS} from conversations
    where instance = any(${instances}::text[]) and ${which} and (arrived_at, recipient_key, instance) < ${before}
    order by arrived_at desc, recipient_key desc, instance desc limit ${size}::integer`;
}

function newestOfEach({ instances, which, before, size }: Part): RawBuilder<unknown> {
  return sql`select c.* from unnest(${instances}::text[]) i(instance) cross join lateral (
      select ${COLUMNS} from conversations
      where instance = i.instance and ${which} and (arrived_at, recipient_key, instance) < ${before}
      order by arrived_at desc, recipient_key desc limit ${size}::integer) c
    order by c.arrived_at desc, c.recipient_key desc, c.instance desc limit ${size}::integer`;
}

function withLast(page: RawBuilder<unknown>): RawBuilder<ChatRow> {
  return sql<ChatRow>`with page as materialized (${page})
    select c.recipient_key, c.instance, c.chat_id, c.arrived_at, c.is_unread, n.body, p.id as possible_id
    from page c
    left join lateral (
      select body from notifications where chat_id = c.chat_id and received_at = c.arrived_at and instance = c.instance
        and kind = 'incomingMessageReceived' order by id desc limit 1) n on true
    left join possible_opt_outs p
      on p.instance = c.instance and p.recipient_key = c.recipient_key and p.state = 'open'
    order by c.arrived_at desc, c.recipient_key desc, c.instance desc`;
}

function chatOf(row: ChatRow, possibleOptOut: PossibleOptOut | undefined) {
  return {
    ...shown(row, 'instance', 'chat_id', 'arrived_at'),
    unread: row.is_unread,
    ...present({ last: row.body === null ? undefined : receivedFacts(row.body), possibleOptOut }),
  };
}
