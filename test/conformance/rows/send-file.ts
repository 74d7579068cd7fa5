import { row, rowsOf } from '../row.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

/** From public material: the document names the operation without its contract. */
export const UPLOAD_FILE_ROWS = rowsOf('Neighbours', [
  row(
    'upload-file.urlFile',
    'uploadFile takes a file as it is and answers urlFile, a link for sendFileByUrl; nothing is sent',
    {
      simulator: 'a link; a file that is sent by it arrives with the type of its bytes, and none before',
      dropField: 'urlFile',
      client: 'the bytes as they are with Content-Type and GA-Filename; urlFile is read as given',
    },
  ),
  row('upload-file.type-or-name', 'Content-Type or GA-Filename is required', {
    simulator: 'neither: 400 that names both; each alone is enough',
    rule: true,
    client: 'contentType and fileName are both required before sending',
  }),
]);

export const SEND_FILE_ROWS = rowsOf('Endpoints', [
  ...(['chatId', 'urlFile', 'fileName'] as const).map((name) => ({
    id: `send-file.${name}`,
    says: `${name} is required`,
    simulator: `missing: 400 that names ${name}`,
    rule: 'errors.send-file.validation',
    client: `missing: refused before sending, naming ${name}`,
  })),
  row('send-file.file-name-extension', 'fileName has an extension, UTF-8 without BOM', {
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before sending; a name without extension is a warning',
  }),
  row('send-file.caption', 'caption is optional', {
    simulator: 'the caption reaches the phone with an image, a video and a document',
    rule: true,
    client: 'sent as caption, left out when not given',
  }),
  row('send-file.quotedMessageId', 'quotedMessageId is optional', {
    simulator: 'a file that quotes a known message of the chat is delivered with the quote',
    client: 'sent as quotedMessageId, left out when not given',
  }),
  row('send-file.typing-time-seconds', 'typingTime is 1 to 20 seconds', {
    simulator: '20 holds the file back 20 s; 0, 21 and 1.5 are 400',
    rule: true,
    client: 'given in seconds, sent in seconds; 0, 21 and 1.5 are refused before sending',
  }),
  row('send-file.typing-default-1-second', 'without typingTime typing lasts one second', {
    simulator: 'with a typingType and no time the file is on the phone after one second, not before',
    rule: true,
    client: 'typingTime is left out when not given',
  }),
  row('send-file.typing-type-recording', 'typingType is recording', {
    simulator: 'another string is 400',
    rule: true,
    client: 'another string is refused before sending',
  }),
  row('send-file.queued', 'the file is queued', {
    simulator: 'listed by showMessagesQueue while it waits',
    dropField: 'messageID',
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.native-media', 'video, audio and images go as media, documents as documents, by extension', {
    simulator: 'mp4, mp3, jpg and pdf arrive as videoMessage, audioMessage, imageMessage, documentMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.type-by-file-name-first', 'the extension in fileName decides first', {
    simulator: 'jpg by name and video by Content-Type arrives as imageMessage',
    rule: true,
    client: 'fileName is sent as given',
  }),
  row('send-file.type-by-content-type-second', "then the Content-Type of the link's response", {
    simulator: 'no extension and image/png arrives as imageMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.type-by-bytes-third', "then the file's bytes", {
    simulator: 'no extension, no Content-Type, PNG bytes arrive as imageMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.type-else-binary', 'else a binary file', {
    simulator: 'an unknown file arrives as documentMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.one-file-per-request', 'one file per request and message', {
    simulator: 'a list as urlFile is 400; one request makes one message',
    rule: 'errors.send-file.validation',
    client: 'a list as urlFile is refused before sending',
  }),
  row('send-file.link-characters', 'advice: a-z, A-Z, 0-9, hyphen, underscore; no spaces or special characters', {
    absent: 'advice to the sender; a gateway takes such links, so the simulator does too',
    client: 'a link with a space or special characters is sent and gets a warning',
  }),
  row('send-file.link-unencoded', 'the link is sent unencoded, the service encodes it', {
    simulator: 'the queue shows the link as it was sent',
    dropField: 'urlFile',
    client: 'a link with Cyrillic letters and a space is sent as given; a percent-encoded one gets a warning',
  }),
  row('send-file.link-without-bom', 'the link is UTF-8 without BOM', {
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before sending',
  }),
  row('send-file.link-to-a-file', 'the link points at a file, not at an HTML page, on fast storage', {
    absent: 'a property of the storage; neither side can decide it from the request, the client warns of .html',
    client: 'a link that ends in .html gets a warning',
  }),
  row('quote.known-only', 'only a message that the service knows can be quoted', {
    simulator: 'a quote of an unknown id is never delivered',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('quote.incoming-needs-setting', 'quoting an incoming message needs incomingWebhook', {
    simulator: 'an incoming message that came while it was off cannot be quoted, one that came while on can',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('quote.phone-sent-needs-setting', 'quoting a message sent from the phone needs outgoingMessageWebhook', {
    simulator: 'a phone-sent message that came while it was off cannot be quoted, one that came while on can',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('quote.same-chat', 'a message of another chat cannot be quoted', {
    simulator: 'a quote across chats is never delivered',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('quote.invalid-answers-200', 'an invalid quote still gives 200 and an id', {
    simulator: 'status 200 with an idMessage',
    rule: true,
    client: 'a 200 to a quoting send is passed on as accepted only',
  }),
  row('send-file.takes-seconds', 'sending takes about 1 to 20 seconds', {
    simulator: 'a released file is on the phone no sooner than 1 s and no later than 20 s',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('send-file.no-large-thumbnail', 'no thumbnail above 3000x3000 pixels', {
    absent:
      'a picture on the phone; no response and no notification of this contract carries a thumbnail of a sent file',
  }),
]);
