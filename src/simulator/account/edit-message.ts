import type { Instance } from './instance.js';
import type { JournalMessage } from './message-journal.js';
import { notifyDeleted, notifyEdited, notifyStatus } from './notifications.js';
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
  instance.journal.add(pointingBack(message, 'editedMessage', editId, nowMs));
  instance.world.phones.showEdit(message.idMessage, text, nowMs);
  notifyEdited(instance, message, nowMs);
}

/** Deletes a contact's message for everyone. */
export function takeBack(instance: Instance, message: JournalMessage, deletionId: string, nowMs: number): void {
  message.deletedMessageId = deletionId;
  instance.journal.add(pointingBack(message, 'deletedMessage', deletionId, nowMs));
  notifyDeleted(instance, message, nowMs);
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

/** Journals keep an edit or a deletion as a separate entry that names the original. */
function pointingBack(
  { deletedMessageId: _, ...message }: JournalMessage,
  typeMessage: 'editedMessage' | 'deletedMessage',
  idMessage: string,
  nowMs: number,
): JournalMessage {
  const details = { [typeMessage]: { stanzaId: message.idMessage } };
  return { ...message, idMessage, atMs: nowMs, typeMessage, details, isEdited: false };
}
