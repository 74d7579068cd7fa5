import type { Instance } from './instance.js';

/**
 * Marks one incoming message, or all unread ones of the chat, as read.
 * @returns whether a message was found; messages received while the setting was off cannot be marked
 */
export function readChat(instance: Instance, chatId: string, idMessage: string | undefined): boolean {
  const { journal, settings } = instance;
  if (settings.incomingWebhook === 'no') return false;
  const markable = journal.inChat(chatId).filter(({ type, noticed }) => type === 'incoming' && noticed);
  const named = idMessage === undefined ? markable : markable.filter((one) => one.idMessage === idMessage);
  for (const message of named) message.status = 'read';
  return idMessage === undefined || named.length > 0;
}
