/** How each witness shows one attempt, in the gateway's words, with the liberties that its document leaves. */
import type { MessageContent } from '../../src/contract/index.js';
import { journalSighting, noticeSighting, queueSighting, type Sighting } from '../../src/activities/reconcile/index.js';

export const PERSON = '15551234567@c.us';
export const ID = 'BAE5F4886F6F2D05';
/** Unix seconds. */
export const SENT_AT = 1_800_000_000;

/** showMessagesQueue. */
export function inQueue(
  content: MessageContent,
  chatId = PERSON,
  changes: object = {},
  bodyChanges: object = {},
): Sighting {
  const body =
    content.kind === 'file'
      ? {
          chatId,
          fileName: content.fileName,
          caption: content.caption,
          urlFile: content.url,
          archive: true,
          quotedMessageId: content.quotedMessageId,
        }
      : {
          chatId,
          message: content.text,
          ...(content.kind === 'text'
            ? { linkPreview: content.linkPreview ?? true, quotedMessageId: content.quotedMessageId }
            : {}),
        };
  const type = content.kind === 'file' ? 'sendFileByUrl' : 'sendMessage';
  return queueSighting({ messageID: ID, type, body: { ...body, ...bodyChanges }, ...changes });
}

/** An entry of lastOutgoingMessages. */
export function inJournal(content: MessageContent, chatId = PERSON, changes: object = {}): Sighting {
  const quote = content.kind === 'status' ? undefined : content.quotedMessageId;
  return journalSighting('lastOutgoingMessages', {
    type: 'outgoing',
    idMessage: ID,
    timestamp: SENT_AT,
    chatId: content.kind === 'status' ? 'status@broadcast' : chatId,
    statusMessage: 'sent',
    sendByApi: true,
    ...(content.kind === 'file'
      ? {
          typeMessage: 'documentMessage',
          downloadUrl: 'https://media.gateway.test/own-copy',
          fileName: content.fileName,
          caption: content.caption,
        }
      : { typeMessage: 'textMessage', textMessage: content.text }),
    ...(quote === undefined ? {} : { quotedMessage: { stanzaId: quote } }),
    ...changes,
  });
}

/** outgoingAPIMessageReceived. */
export function inNotice(
  content: MessageContent,
  chatId = PERSON,
  changes: object = {},
  dataChanges: object = {},
): Sighting | undefined {
  const quote = content.kind === 'status' ? undefined : content.quotedMessageId;
  return noticeSighting({
    typeWebhook: 'outgoingAPIMessageReceived',
    instanceData: { idInstance: 1101000001, wid: '11101000001@c.us', typeInstance: 'whatsapp' },
    timestamp: SENT_AT,
    idMessage: ID,
    senderData: { chatId: content.kind === 'status' ? 'status@broadcast' : chatId, sender: '11101000001@c.us' },
    messageData: {
      ...(content.kind === 'file'
        ? {
            typeMessage: 'documentMessage',
            fileMessageData: { fileName: content.fileName, caption: content.caption ?? '' },
          }
        : { typeMessage: 'textMessage', textMessageData: { textMessage: content.text } }),
      ...(quote === undefined ? {} : { quotedMessage: { stanzaId: quote } }),
      ...dataChanges,
    },
    ...changes,
  });
}
