/** How each witness shows an attempt, in the gateway's words, with the variants that its documents permit. */
import type { MessageContent } from '../../src/contract/index.js';
import { journalObservation, noticeObservation, queueObservation, type Observation } from '../../src/domain/index.js';

type ContactCard = Extract<MessageContent, { kind: 'contact' }>['contact'];

export const RECIPIENT = '15551234567@c.us';
export const ID = 'BAE5F4886F6F2D05';
/** Unix seconds. */
export const SENT_AT = 1_800_000_000;
/** How journals and notifications show a forward that is a copy of this text. */
export const FORWARDED_TEXT = 'Forwarded words';

/** showMessagesQueue. */
export function inQueue(content: MessageContent, bodyChanges: object = {}, changes: object = {}): Observation {
  const { type, body } = queued(content);
  const ids = content.kind === 'forward' ? { messagesIDs: [ID] } : { messageID: ID };
  const shown = { chatId: RECIPIENT, ...body, quotedMessageId: quoteOf(content), ...bodyChanges };
  return queueObservation({ ...ids, type, body: shown, ...changes });
}

/** A status is never listed; its words as a text are the closest that a gateway could show. */
function queued(content: MessageContent): { type: string; body: object } {
  switch (content.kind) {
    case 'text':
      return { type: 'sendMessage', body: { message: content.text, linkPreview: content.linkPreview ?? true } };
    case 'status':
      return { type: 'sendMessage', body: { message: content.text } };
    case 'file': {
      const { fileName, caption, url } = content;
      return { type: 'sendFileByUrl', body: { fileName, caption, urlFile: url, archive: true } };
    }
    case 'poll':
      return { type: 'sendPoll', body: { message: content.message, options: content.options } };
    case 'location': {
      const { latitude, longitude, nameLocation, address } = content;
      return { type: 'sendLocation', body: { latitude, longitude, nameLocation, address } };
    }
    case 'contact':
      return { type: 'sendContact', body: { contact: content.contact } };
    case 'template':
      return { type: 'sendTemplate', body: {} };
    case 'forward':
      return { type: 'ForwardMessages', body: { chatIdFrom: content.chatIdFrom, messages: content.messages } };
  }
}

/** An entry of lastOutgoingMessages. */
export function inJournal(content: MessageContent, changes: object = {}): Observation {
  return journalObservation('lastOutgoingMessages', journalEntry(content, changes));
}

/** An entry of an incoming journal. */
export function journalEntry(content: MessageContent, changes: object = {}): object {
  const quote = quoteOf(content);
  return {
    type: 'outgoing',
    idMessage: ID,
    timestamp: SENT_AT,
    chatId: chatOf(content),
    statusMessage: 'sent',
    sendByApi: true,
    ...journalled(content),
    ...(quote === undefined ? {} : { quotedMessage: { stanzaId: quote } }),
    ...changes,
  };
}

function journalled(content: MessageContent): object {
  switch (content.kind) {
    case 'text':
    case 'status':
      return { typeMessage: 'textMessage', textMessage: content.text };
    case 'file': {
      const { fileName, caption } = content;
      const downloadUrl = 'https://media.gateway.test/own-copy';
      return { typeMessage: 'documentMessage', downloadUrl, fileName, caption };
    }
    case 'poll':
      return { typeMessage: 'pollMessage', pollMessageData: pollData(content) };
    case 'location':
      return { typeMessage: 'locationMessage', location: locationData(content) };
    case 'contact':
      return { typeMessage: 'contactMessage', contact: contactData(content.contact) };
    case 'template':
      return { typeMessage: 'templateMessage' };
    case 'forward':
      return { typeMessage: 'textMessage', textMessage: FORWARDED_TEXT, isForwarded: true, forwardingScore: 1 };
  }
}

/** outgoingAPIMessageReceived. */
export function inNotice(
  content: MessageContent,
  dataChanges: object = {},
  changes: object = {},
): Observation | undefined {
  const quote = quoteOf(content);
  return noticeObservation({
    typeWebhook: 'outgoingAPIMessageReceived',
    instanceData: { idInstance: 1101000001, wid: '11101000001@c.us', typeInstance: 'whatsapp' },
    timestamp: SENT_AT,
    idMessage: ID,
    senderData: { chatId: chatOf(content), sender: '11101000001@c.us' },
    messageData: {
      ...notified(content),
      ...(quote === undefined ? {} : { quotedMessage: { stanzaId: quote } }),
      ...dataChanges,
    },
    ...changes,
  });
}

function notified(content: MessageContent): object {
  switch (content.kind) {
    case 'text':
    case 'status':
      return { typeMessage: 'textMessage', textMessageData: { textMessage: content.text } };
    case 'file': {
      const { fileName, caption = '' } = content;
      return { typeMessage: 'documentMessage', fileMessageData: { fileName, caption } };
    }
    case 'poll':
      return { typeMessage: 'pollMessage', pollMessageData: pollData(content) };
    case 'location':
      return { typeMessage: 'locationMessage', locationMessageData: locationData(content) };
    case 'contact':
      return { typeMessage: 'contactMessage', contactMessageData: contactData(content.contact) };
    case 'template':
      return { typeMessage: 'templateMessage' };
    case 'forward':
      return {
        typeMessage: 'extendedTextMessage',
        extendedTextMessageData: { text: FORWARDED_TEXT, isForwarded: true, forwardingScore: 1 },
      };
  }
}

function pollData({ message, options, multipleAnswers = false }: MessageContent & { kind: 'poll' }): object {
  return { name: message, options, multipleAnswers };
}

function locationData({ latitude, longitude, nameLocation, address }: MessageContent & { kind: 'location' }): object {
  return { latitude, longitude, nameLocation, address, jpegThumbnail: '', isForwarded: false, forwardingScore: 0 };
}

/** A card as live accounts show it: the names composed, the number formatted. */
function contactData({ phoneContact, firstName = '', lastName = '', company = '' }: ContactCard): object {
  const written = `+${String(phoneContact).replace(/^(\d)(\d{3})/, '$1 $2 ')}`;
  const displayName = `${firstName} ${lastName}`.trim();
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `N:${lastName};${firstName};;;`, `FN:${displayName}`, `ORG:${company};`];
  const vcard = [...lines, `item1.TEL;waid=${phoneContact}:${written}`, 'item1.X-ABLabel:Phone', 'END:VCARD'];
  return { displayName, vcard: vcard.join('\n'), isForwarded: false, forwardingScore: 0 };
}

function chatOf({ kind }: MessageContent): string {
  return kind === 'status' ? 'status@broadcast' : RECIPIENT;
}

function quoteOf(content: MessageContent): string | undefined {
  return 'quotedMessageId' in content ? content.quotedMessageId : undefined;
}
