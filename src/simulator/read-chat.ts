import type { Instance } from './instance.js';

/**
 * Marks one incoming message, or all unread ones of the chat, as read.
 * @param chatId  also as bare digits, as the document's examples show it
 * @returns whether a message was found that could be marked; a message that came while the setting was off never is
 */
export function readChat(instance: Instance, chatId: string, idMessage: string | undefined): boolean {
  const { journal, rules, settings } = instance;
  if (settings.incomingWebhook === 'no' && rules.on('read-chat.needs-setting')) return false;
  const whole = chatId.includes('@') ? chatId : `${chatId}@c.us`;
  const markable = journal
    .inChat(whole)
    .filter(({ type, noticed }) => type === 'incoming' && (noticed || !rules.on('read-chat.not-before-setting')));
  if (idMessage === undefined) {
    if (!rules.on('read-chat.all-unread')) return false;
    for (const message of markable) message.status = 'read';
    return true;
  }
  const named = rules.on('read-chat.one-message') ? markable.filter((one) => one.idMessage === idMessage) : markable;
  for (const message of named) message.status = 'read';
  return named.length > 0;
}
