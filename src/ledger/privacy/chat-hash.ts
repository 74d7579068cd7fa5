import { createHash } from 'node:crypto';

/** As the function chat_hash of the database. */
export function hashOf(chatId: string, key: Uint8Array): string {
  return `hash:${createHash('sha256').update(key).update(chatId).digest('hex')}`;
}
