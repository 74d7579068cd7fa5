import { sql } from 'kysely';
import type { MessageId } from '../../contract/index.js';
import type { Tx } from '../storage/store.js';

export interface IdOwner {
  readonly message_id: MessageId;
  readonly role: 'message' | 'edit';
}

/**
 * Every transaction that stores an id or looks up its owner holds this lock until it ends. So a receipt is either
 * applied, or parked where the transaction that stores the id finds it (LEDGER-6). Taken once in a transaction, before
 * any row is locked.
 */
export async function lockIdMessage(tx: Tx, instance: string, idMessage: string): Promise<void> {
  await sql`/* lock_id_message */ select lock_id_message(${instance}, ${idMessage})`.execute(tx);
}

export async function ownerOfId(tx: Tx, instance: string, idMessage: string): Promise<IdOwner | undefined> {
  return tx
    .selectFrom('message_ids')
    .select(['message_id', 'role'])
    .where('instance', '=', instance)
    .where('id_message', '=', idMessage)
    .executeTakeFirst();
}

/** @returns the id's owner: this message, or another one that had it before */
export async function storeId(
  tx: Tx,
  id: { instance: string; idMessage: string; messageId: MessageId; role: 'message' | 'edit'; nowMs: number },
): Promise<MessageId> {
  const { instance, idMessage, messageId, role, nowMs } = id;
  const { numAffectedRows } = await sql`
    insert into message_ids (instance, id_message, message_id, role, stored_at)
    values (${instance}, ${idMessage}, ${messageId}, ${role}, ${new Date(nowMs)})
    on conflict (instance, id_message) do nothing`.execute(tx);
  if (numAffectedRows === 1n) return messageId;
  return (await ownerOfId(tx, instance, idMessage))?.message_id ?? messageId;
}
