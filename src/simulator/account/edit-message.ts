import type { Instance } from './instance.js';
import type { JournalMessage } from './message-journal.js';
import { isNotified, messageEnvelope, notifyStatus } from './notifications.js';
import { WireError } from '../wire/wire.js';

const WINDOW_MS = 15 * 60_000;

export interface EditRequest {
  readonly chatId: string;
  readonly idMessage: string;
  readonly text: string;
}

/**
 * Edits a sent text, or refuses it by notification: the response is 200 either way.
 *
 * SIMEDIT-1 Within 15 minutes of sending, the phone shows the new text in the same message.
 * SIMEDIT-2 A late edit, or an edit of media, of a message written on the phone or of a message not sent yet changes
 *     nothing; a `failed` outgoingMessageStatus follows for the id in the response. The document shows this
 *     notification for late edits only; the simulator assumes it for every refused edit.
 * SIMEDIT-3 An id that is unknown in this chat is a 400, since no notification can name it.
 * @returns the id for the response
 */
export function editMessage(instance: Instance, request: EditRequest, editId: string, nowMs: number): string {
  const { journal, queue } = instance;
  const message = journal.find(request.idMessage);
  const chatId = message?.chatId ?? queue.find(request.idMessage)?.chatId;
  if (chatId === undefined || chatId !== request.chatId) throw new WireError(400, 'Message by id not found');
  const returnedId = instance.editAnswersNewId ? editId : request.idMessage;
  const reason = message === undefined ? 'it has not been sent' : refusal(message, nowMs);
  if (message === undefined || reason !== undefined) {
    const description = `The message was not edited: ${reason}`;
    notifyStatus(instance, { chatId, idMessage: returnedId, status: 'failed', description }, nowMs);
    return returnedId;
  }
  showNewText(instance, message, { text: request.text, editId }, nowMs);
  return returnedId;
}

/** Applies an edit by the API or on the phone: phone and journal show the new text, and a notification follows. */
export function showNewText(
  instance: Instance,
  message: JournalMessage,
  { text, editId }: { readonly text: string; readonly editId: string },
  nowMs: number,
): void {
  message.text = text;
  message.isEdited = true;
  message.editedMessageId = editId;
  instance.world.phones.showEdit(message.idMessage, text, nowMs);
  const shown = message.contentKind === 'file' ? { caption: text } : { textMessage: text };
  addChange(instance, message, 'editedMessage', { idMessage: editId, ...shown }, nowMs);
}

function refusal(message: JournalMessage, nowMs: number): string | undefined {
  if (!message.sendByApi) return 'it was not sent through the API';
  const isText = message.contentKind === 'text' && message.typeMessage !== 'editedMessage' && !message.isForwarded;
  if (!isText) return 'only the text of a message can be edited';
  if (message.type === 'outgoing' && !['sent', 'delivered', 'read'].includes(message.status)) {
    return 'it has not been sent';
  }
  const isLate = nowMs - message.atMs > WINDOW_MS;
  return isLate ? 'more than 15 minutes have passed since it was sent' : undefined;
}

/**
 * Adds an edit or a deletion to the journal, as a separate entry that names the original, and notifies of it in the same
 * form. The setting for the kind of the original must be on too.
 */
export function addChange(
  instance: Instance,
  message: JournalMessage,
  typeMessage: 'editedMessage' | 'deletedMessage',
  { idMessage, ...text }: { readonly idMessage: string; readonly caption?: string; readonly textMessage?: string },
  nowMs: number,
): void {
  const { deletedMessageId: _, ...original } = message;
  const stanzaId = message.idMessage;
  const details = { [typeMessage]: { stanzaId } };
  instance.journal.add({ ...original, idMessage, atMs: nowMs, typeMessage, details, isEdited: false });
  if (instance.settings[`${typeMessage}Webhook`] === 'no' || !isNotified(instance, message)) return;
  const messageData = { typeMessage, [`${typeMessage}Data`]: { ...text, stanzaId } };
  instance.outbox.add({ ...messageEnvelope(instance, message, nowMs), idMessage, messageData }, nowMs);
}
