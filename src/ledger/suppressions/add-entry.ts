import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { shortId } from '../../contract/index.js';
import type { SuppressionsTable } from '../schema.js';
import type { Tx } from '../store.js';

/**
 * Writes an entry and the chat ids that it holds for.
 * @returns its id; undefined when the same word or request has an entry already
 */
export async function addEntry(
  tx: Tx,
  entry: Omit<Insertable<SuppressionsTable>, 'id'>,
  chatIds: readonly string[],
): Promise<string | undefined> {
  const id = newSuppressionId();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suppressions')
    .values({ id, ...entry })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  await tx
    .insertInto('suppressed_chats')
    .values(chatIds.map((chat_id) => ({ chat_id, suppression_id: id })))
    .execute();
  return id;
}

export function newSuppressionId(): string {
  return `sup_${shortId(randomBytes(10))}`;
}
