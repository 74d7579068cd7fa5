import { sql } from 'kysely';
import { recipientKey } from '../../domain/index.js';
import { keyOfRow } from '../messages/recipient-key.js';
import { LedgerPart, retryingTransaction } from '../storage/store.js';
import { keepLids } from './known-lids.js';

/** When recipients last wrote to each account. A recipient of a pool stays with the account of the last message (CHOOSE-1). */
export class Conversations extends LedgerPart {
  /** May come again, and in any order. LID-3: a lid may be learned at the same time. */
  async heard(instance: string, chatId: string, atMs: number): Promise<void> {
    const heard = sql`/* conversation_heard */
      insert into conversations as c (recipient_key, instance, received_at)
      select ${keyOfRow('said')}, ${instance}::text, ${new Date(atMs)}::timestamptz
      from (select ${chatId}::text as chat_id, ${recipientKey(chatId)}::text as recipient_key) said
      on conflict (recipient_key, instance) do update set received_at = excluded.received_at
      where c.received_at < excluded.received_at`;
    if (!chatId.endsWith('@lid')) return void (await this.database.rows(heard));
    await retryingTransaction(this.database, async (tx) => {
      await keepLids(tx);
      await heard.execute(tx);
    });
  }
}
