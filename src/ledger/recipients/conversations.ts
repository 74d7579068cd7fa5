import { sql } from 'kysely';
import { recipientKey } from '../../domain/index.js';
import { keyOfRow } from '../messages/recipient-key.js';
import { LedgerPart } from '../storage/store.js';

/** When recipients last wrote to each account. A recipient of a pool stays with the account of the last message (CHOOSE-1). */
export class Conversations extends LedgerPart {
  /** May come again, and in any order. */
  async heard(instance: string, chatId: string, atMs: number): Promise<void> {
    await this.database.rows(sql`/* conversation_heard */
      insert into conversations as c (recipient_key, instance, received_at)
      select ${keyOfRow('said')}, ${instance}::text, ${new Date(atMs)}::timestamptz
      from (select ${chatId}::text as chat_id, ${recipientKey(chatId)}::text as recipient_key) said
      on conflict (recipient_key, instance) do update set received_at = excluded.received_at
      where c.received_at < excluded.received_at`);
  }
}
