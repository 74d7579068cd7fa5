import { rowsOf } from '../row.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

const EDIT_ROWS = rowsOf('Endpoints', [
  {
    id: 'endpoint.path-shape',
    says: '{base_url}/waInstance<idInstance>/<method>/<apiTokenInstance>',
    simulator: 'served there; an unknown method is 404',
    client: 'requests go exactly there, with or without a slash at the end of the base URL',
  },
  {
    id: 'endpoint.content-type-on-body',
    says: 'Content-Type application/json when there is a body',
    simulator: 'a JSON body with that header is read',
    client: 'set with a body, not set without one',
  },
  {
    id: 'edit.chatId',
    says: 'chatId is required',
    simulator: 'missing: 400 that names chatId',
    rule: 'errors.edit.validation',
    client: 'missing: refused before the wire, naming chatId',
  },
  {
    id: 'edit.idMessage',
    says: 'idMessage is required',
    simulator: 'missing: 400 that names idMessage',
    rule: 'errors.edit.validation',
    client: 'missing: refused before the wire, naming idMessage',
  },
  {
    id: 'edit.message',
    says: 'message is required',
    simulator: 'missing: 400 that names message',
    rule: 'errors.edit.validation',
    client: 'missing: refused before the wire, naming message',
  },
  {
    id: 'edit.message-utf8',
    says: 'UTF-8, emoji allowed',
    simulator: 'emoji and Cyrillic text reach the phone unchanged',
    client: 'the body on the wire is UTF-8 and unchanged',
  },
  {
    id: 'edit.message-without-bom',
    says: 'no byte order mark',
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before the wire',
  },
  {
    id: 'edit.only-text',
    says: 'only a text can be edited, not media',
    simulator: 'an edit of a file answers 200, changes nothing, and is refused by notice',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'edit.only-sent-through-api',
    says: 'edits go through the API only to what was sent through the API',
    simulator: 'an edit of a message sent from the phone changes nothing and is refused by notice',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
]);

const SEND_FILE_ROWS = rowsOf('Endpoints', [
  ...(['chatId', 'urlFile', 'fileName'] as const).map((name) => ({
    id: `send-file.${name}`,
    says: `${name} is required`,
    simulator: `missing: 400 that names ${name}`,
    rule: 'errors.send-file.validation',
    client: `missing: refused before the wire, naming ${name}`,
  })),
  {
    id: 'send-file.file-name-extension',
    says: 'fileName has an extension, UTF-8 without BOM',
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before the wire; a name without extension is a warning',
  },
  {
    id: 'send-file.caption',
    says: 'caption is optional',
    simulator: 'the caption reaches the phone with an image, a video and a document',
    rule: true,
    client: 'sent as caption, left out when not given',
  },
  {
    id: 'send-file.quotedMessageId',
    says: 'quotedMessageId is optional',
    simulator: 'a file that quotes a known message of the chat is delivered with the quote',
    client: 'sent as quotedMessageId, left out when not given',
  },
  {
    id: 'send-file.typing-time-seconds',
    says: 'typingTime is 1 to 20 seconds',
    simulator: '20 holds the file back 20 s; 0, 21 and 1.5 are 400',
    rule: true,
    client: 'given in seconds, sent in seconds; 0, 21 and 1.5 are refused before the wire',
  },
  {
    id: 'send-file.typing-default-1-second',
    says: 'without typingTime typing lasts one second',
    simulator: 'with a typingType and no time the file is on the phone after one second, not before',
    rule: true,
    client: 'typingTime is left out when not given',
  },
  {
    id: 'send-file.typing-type-recording',
    says: 'typingType is recording',
    simulator: 'another string is 400',
    rule: true,
    client: 'another string is refused before the wire',
  },
  {
    id: 'send-file.queued',
    says: 'the file is queued',
    simulator: 'listed by showMessagesQueue while it waits',
    dropField: 'messageID',
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.native-media',
    says: 'video, audio and images go as media, documents as documents, by extension',
    simulator: 'mp4, mp3, jpg and pdf arrive as videoMessage, audioMessage, imageMessage, documentMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.type-by-file-name-first',
    says: 'the extension in fileName decides first',
    simulator: 'jpg by name and video by Content-Type arrives as imageMessage',
    rule: true,
    client: 'fileName is sent as given',
  },
  {
    id: 'send-file.type-by-content-type-second',
    says: "then the Content-Type of the link's answer",
    simulator: 'no extension and image/png arrives as imageMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.type-by-bytes-third',
    says: "then the file's bytes",
    simulator: 'no extension, no Content-Type, PNG bytes arrive as imageMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.type-else-binary',
    says: 'else a binary file',
    simulator: 'nothing known arrives as documentMessage',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.one-file-per-request',
    says: 'one file per request and message',
    simulator: 'a list as urlFile is 400; one request makes one message',
    rule: 'errors.send-file.validation',
    client: 'a list as urlFile is refused before the wire',
  },
  {
    id: 'send-file.link-characters',
    says: 'advice: a-z, A-Z, 0-9, hyphen, underscore; no spaces or special characters',
    absent: 'advice to the sender; a gateway takes such links, so the simulator does too',
    client: 'a link with a space or special characters is sent and warned of',
  },
  {
    id: 'send-file.link-unencoded',
    says: 'the link is sent unencoded, the service encodes it',
    simulator: 'the queue shows the link as it was sent',
    dropField: 'urlFile',
    client: 'a link with Cyrillic letters and a space is on the wire as given; a percent-encoded one is warned of',
  },
  {
    id: 'send-file.link-without-bom',
    says: 'the link is UTF-8 without BOM',
    simulator: 'a leading BOM is refused',
    rule: 'text.without-bom',
    client: 'a leading BOM is refused before the wire',
  },
  {
    id: 'send-file.link-to-a-file',
    says: 'the link points at a file, not at an HTML page, on fast storage',
    absent: 'a property of the storage; neither side can decide it from the request, the client warns of .html',
    client: 'a link that ends in .html is warned of',
  },
  {
    id: 'quote.known-only',
    says: 'only a message that the service knows can be quoted',
    simulator: 'a quote of an unknown id is never delivered',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'quote.incoming-needs-setting',
    says: 'quoting an incoming message needs incomingWebhook',
    simulator: 'an incoming message that came while it was off cannot be quoted, one that came while on can',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'quote.phone-sent-needs-setting',
    says: 'quoting a message sent from the phone needs outgoingMessageWebhook',
    simulator: 'a phone-sent message that came while it was off cannot be quoted, one that came while on can',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'quote.same-chat',
    says: 'a message of another chat cannot be quoted',
    simulator: 'a quote across chats is never delivered',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'quote.invalid-answers-200',
    says: 'an invalid quote still gives 200 and an id',
    simulator: 'status 200 with an idMessage',
    rule: true,
    client: 'a 200 to a quoting send is handed on as accepted only',
  },
  {
    id: 'send-file.takes-seconds',
    says: 'sending takes about 1 to 20 seconds',
    simulator: 'a released file is on the phone no sooner than 1 s and no later than 20 s',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'send-file.no-large-thumbnail',
    says: 'no thumbnail above 3000x3000 pixels',
    absent: 'a picture on the phone; no answer and no notification of this contract carries a thumbnail of a sent file',
  },
]);

const STATUS_ROWS = rowsOf('Endpoints', [
  {
    id: 'status.message',
    says: 'message is required, UTF-8 without BOM, emoji allowed',
    simulator: 'missing: 400; with a BOM: 400; emoji are published unchanged',
    rule: 'errors.status.validation',
    client: 'missing or with a BOM: refused before the wire; emoji on the wire unchanged',
  },
  {
    id: 'status.background-hex',
    says: 'backgroundColor is a hex colour',
    simulator: 'a colour name is 400, a hex colour is published',
    rule: true,
    client: 'a colour name is refused before the wire',
  },
  {
    id: 'status.background-default-black',
    says: 'backgroundColor is #000000 by default',
    simulator: 'published with #000000 when left out',
    rule: true,
    client: 'left out of the body when not given',
  },
  {
    id: 'status.background-not-white',
    says: 'white text on white is not allowed',
    simulator: '#FFFFFF and #ffffff are 400',
    rule: true,
    client: '#FFFFFF, #ffffff and #fff are refused before the wire',
  },
  {
    id: 'status.font',
    says: 'one of five fonts',
    simulator: 'all five are taken, another is 400',
    rule: true,
    client: 'all five are sent, another is refused before the wire',
  },
  {
    id: 'status.participants',
    says: 'participants names the contacts who may see it',
    simulator: 'only those see it',
    rule: true,
    client: 'sent as a list',
  },
  {
    id: 'status.participants-empty-means-all',
    says: 'an empty list makes it visible to all contacts',
    simulator: 'an empty list is published to all contacts',
    rule: true,
    client: 'an empty list is sent as an empty list, not left out',
  },
  {
    id: 'status.participants-unknown-skipped',
    says: 'numbers that do not exist are skipped',
    simulator: 'with one unknown number of two the other sees it, and the answer is 200',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
  {
    id: 'status.mutual-contacts',
    says: 'seen only where both sides saved each other',
    absent: "a matter of two people's address books; no request or answer of this contract shows it",
  },
  {
    id: 'status.beta-access',
    says: 'without access to the beta: 403',
    simulator: '403 while the account has no beta, 200 with it',
    rule: 'errors.status.forbidden',
    client: '403 is an error, not a result',
  },
]);

const TYPING_ROWS = rowsOf('Endpoints', [
  {
    id: 'typing.chatId',
    says: 'chatId is required',
    simulator: 'missing: 400 that names chatId',
    rule: 'typing.validation',
    client: 'missing: refused before the wire, naming chatId',
  },
  {
    id: 'typing.typingTime-milliseconds',
    says: 'typingTime is optional, in milliseconds',
    simulator: 'left out it is accepted; 5000 occupies the queue for 5 s',
    rule: 'typing.delivery-time',
    client: 'given and sent in milliseconds; left out when not given',
  },
  {
    id: 'typing.typingType',
    says: 'typingType is recording',
    simulator: 'another string is 400',
    rule: 'typing.validation',
    client: 'another string is refused before the wire',
  },
  {
    id: 'typing.empty-answer',
    says: '200 with an empty body',
    simulator: 'content length 0',
    rule: true,
    client: 'an empty body is success; a body with an idMessage is too',
  },
  {
    id: 'typing.delivery-time',
    says: 'takes the send delay plus typingTime',
    simulator: 'a message behind it leaves after delay + typingTime, not before',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  },
]);

const GROUP_ROWS = rowsOf('Endpoints', [
  {
    id: 'group-data.groupId',
    says: 'groupId is required, <group_id>@g.us',
    simulator: 'missing: 400; a good one is found',
    rule: 'errors.group.validation',
    client: 'missing: refused before the wire, naming groupId',
  },
  {
    id: 'group-data.invite-link-for-admins',
    says: 'no administrator or owner: 200 with an empty groupInviteLink',
    simulator: 'empty for a plain member, filled for an administrator and for the owner',
    rule: true,
    client: 'an empty link is read',
  },
]);

const STORIES_ROWS = rowsOf('Endpoints', [
  {
    id: 'stories.minutes',
    says: 'minutes is the window',
    simulator: 'a story of 20 minutes ago is listed with 30, not with 10',
    rule: true,
    client: 'sent as the query minutes',
  },
  {
    id: 'stories.array',
    says: 'answers an array',
    simulator: 'an empty array when there is none',
    client: 'an array is read; an empty one too',
  },
]);

const READ_CHAT_ROWS = rowsOf('Endpoints', [
  {
    id: 'read-chat.chatId',
    says: 'chatId is required',
    simulator: 'missing: 400 that names chatId',
    rule: 'errors.read-chat.validation',
    client: 'missing: refused before the wire, naming chatId',
  },
  {
    id: 'read-chat.set-read',
    says: 'answers setRead: boolean',
    simulator: 'setRead is a boolean',
    dropField: 'setRead',
    client: 'setRead is read; true and false',
  },
  {
    id: 'read-chat.needs-setting',
    says: 'incomingWebhook must be on',
    simulator: 'off: nothing is marked and setRead is false',
    rule: true,
    client: 'setRead false is handed on as false, not as success',
  },
  {
    id: 'read-chat.rate-limit',
    says: 'a rate limit a second applies',
    simulator: 'the request over the limit is 429, a second later it is taken',
    rule: 'rate-limit.per-second',
    client: 'a 429 is GATEWAY_BUSY, to be tried again',
  },
]);

export const ENDPOINT_ROWS = [
  ...EDIT_ROWS,
  ...SEND_FILE_ROWS,
  ...STATUS_ROWS,
  ...TYPING_ROWS,
  ...GROUP_ROWS,
  ...STORIES_ROWS,
  ...READ_CHAT_ROWS,
];
