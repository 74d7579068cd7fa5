import { answerFields, rowsOf } from '../row.js';

export const IDENTIFIER_ROWS = rowsOf('Resources and fields', [
  {
    id: 'identifier.chat-id-personal',
    says: '<number>@c.us',
    simulator: 'accepted; letters before @c.us are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted; letters before @c.us are refused before the wire',
  },
  {
    id: 'identifier.chat-id-group',
    says: '<group_id>@g.us, hyphen allowed',
    simulator: 'accepted with and without a hyphen; letters before @g.us are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted with and without a hyphen; letters before @g.us are refused before the wire',
  },
  {
    id: 'identifier.lid',
    says: '<digits>@lid',
    simulator: 'accepted as chatId; letters before @lid are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted as chatId; letters before @lid are refused before the wire',
  },
  {
    id: 'identifier.message-id-opaque',
    says: 'idMessage / messageID is opaque',
    simulator: 'the id of a send is a non-empty string, another one for each send, and the same in the queue',
    client: 'an id of any characters is handed on unchanged',
  },
  {
    id: 'identifier.id-instance-in-path',
    says: 'idInstance, string or number, is part of the path',
    simulator: 'two idInstances are two instances with a queue each',
    client: 'given as string or as number it makes the same path',
  },
  {
    id: 'identifier.token-in-path',
    says: 'apiTokenInstance is part of the path',
    simulator: 'the right token in the path is let in',
    client: 'the token is the last segment, percent-encoded, and appears nowhere else in the request',
  },
  {
    id: 'identifier.read-chat-bare-digits',
    says: "readChat's examples give chatId as bare digits",
    simulator: 'readChat takes bare digits and finds the chat; sendMessage does not take them',
    rule: true,
    client: 'readChat takes bare digits; editMessage refuses them before the wire',
  },
  {
    id: 'reply.idMessage',
    says: 'editMessage, sendFileByUrl and sendTextStatus answer idMessage: string',
    simulator: 'all three answer a string idMessage',
    dropField: 'idMessage',
    client: 'is read; a 200 without it is GATEWAY_ANSWER_STRANGE, never success',
  },
]);

export const GROUP_ROWS = rowsOf('Resources and fields', [
  ...answerFields('group', {
    groupId: 'string',
    owner: 'string',
    subject: 'string',
    creation: 'number',
    subjectTime: 'number',
    subjectOwner: 'string',
    groupInviteLink: 'string',
    ephemeralExpiration: 'number',
    allowParticipantsEditGroupSettings: 'boolean',
    allowParticipantsSendMessages: 'boolean',
    allowParticipantsAddMembers: 'boolean',
    isCommunity: 'boolean',
    isCommunityAnnounce: 'boolean',
    size: 'number',
    participants: 'array',
  }),
  ...answerFields('participant', { id: 'string', lid: 'string', isAdmin: 'boolean', isSuperAdmin: 'boolean' }),
  {
    id: 'group.creation-in-seconds',
    says: 'creation and subjectTime are Unix time',
    simulator: 'both are seconds, not milliseconds',
    client: 'both are read under names that say seconds',
  },
  {
    id: 'group.community-fields-for-admins-only',
    says: 'isCommunity and isCommunityAnnounce are visible to community administrators only',
    simulator: 'an instance that is no administrator does not get the two fields',
    rule: true,
    client: 'an answer without both fields is read',
  },
  {
    id: 'group.size-counts-participants',
    says: 'size is the number of participants',
    simulator: 'size equals the length of participants',
    client: 'size is read as given, also when it differs from the list',
  },
]);

export const STORY_ROWS = rowsOf('Resources and fields', [
  ...answerFields('story', {
    idMessage: 'string',
    timestamp: 'number',
    typeMessage: 'string',
    chatId: 'string',
    senderId: 'string',
    senderName: 'string',
    textMessage: 'string',
    downloadUrl: 'string',
    caption: 'string',
    extendedTextMessage: 'object',
    quotedMessage: 'object',
  }),
  ...answerFields('story.extended', {
    text: 'string',
    description: 'string',
    title: 'string',
    previewType: 'string',
    jpegThumbnail: 'string',
    stanzaId: 'string',
    participant: 'string',
  }),
  {
    id: 'story.types',
    says: 'textMessage, imageMessage, videoMessage, audioMessage; a sample has extendedTextMessage',
    simulator: 'stories of all five types are listed under their type',
    client: 'all five are read, and an unknown sixth as well',
  },
  {
    id: 'story.fields-follow-type',
    says: 'text with a text; downloadUrl with media; quotedMessage only with a quote',
    simulator: 'a text story has no downloadUrl and, unquoted, no quotedMessage',
    client: 'a story without the fields of other types is read',
  },
]);

export const TEMPLATE_OBJECT_ROWS = rowsOf('Resources and fields', [
  ...answerFields('template', {
    buttonSupported: 'string',
    category: 'string',
    containerMeta: 'string',
    createdOn: 'number',
    data: 'string',
    elementName: 'string',
    languageCode: 'string',
    languagePolicy: 'string',
    meta: 'string',
    modifiedOn: 'number',
    namespace: 'string',
    priority: 'number',
    quality: 'string',
    retry: 'number',
    stage: 'string',
    status: 'string',
    templateType: 'string',
    vertical: 'string',
    templateId: 'string',
    appId: 'string',
    id: 'string',
    master: 'boolean',
    allowTemplateCategoryChange: 'string',
  }),
  {
    id: 'template.times-in-milliseconds',
    says: 'createdOn and modifiedOn are milliseconds',
    simulator: 'createdOn lies within the simulator clock in milliseconds',
    client: 'both are read under names that say milliseconds',
  },
  {
    id: 'template.modified-equals-created',
    says: 'modifiedOn equals createdOn at creation',
    simulator: 'equal in the answer of createTemplate',
    rule: true,
    client: 'both are read as given',
  },
  {
    id: 'template.id-under-two-names',
    says: 'the table lists templateId, the sample shows id',
    simulator: 'the answer gives the same value under both names',
    client: 'the id is read from either name',
  },
]);

const NO_TEMPLATES_IN_QUEUE = 'kinds of the queue are given by the gateway; the client reads whatever type comes';

export const QUEUE_ROWS = rowsOf('Resources and fields', [
  {
    id: 'queue-item.messageID',
    says: 'messageID for every kind but forwarding',
    simulator: 'equals the idMessage that the send answered',
    dropField: 'messageID',
    client: 'is read',
  },
  {
    id: 'queue-item.messagesIDs',
    says: 'messagesIDs for ForwardMessages',
    simulator: 'holds the ids that forwardMessages answered',
    dropField: 'messagesIDs',
    client: 'is read as a list',
  },
  {
    id: 'queue-item.type',
    says: 'type names the kind',
    simulator: 'every item has one of the documented types',
    dropField: 'type',
    client: 'is read; an unknown type too',
  },
  {
    id: 'queue-item.body',
    says: 'body holds the data of the item',
    simulator: 'every item has an object body with its chatId',
    dropField: 'body',
    client: 'is read with unknown fields kept',
  },
  ...(
    [
      ['send-message', 'sendMessage: chatId, message, linkPreview, quotedMessageId'],
      ['send-poll', 'sendPoll: chatId, message, options of optionName'],
      ['send-file-by-url', 'sendFileByUrl: chatId, fileName, caption, urlFile, archive'],
      ['send-location', 'sendLocation: chatId, latitude, longitude, nameLocation, address'],
      ['send-contact', 'sendContact: chatId, contact'],
      ['send-link', 'sendLink (deprecated): chatId, urlLink'],
      ['forward-messages', 'ForwardMessages: chatId, chatIdFrom, messages; no messageID'],
    ] as const
  ).map(([kind, says]) => ({
    id: `queue-item.${kind}.body`,
    says,
    simulator: 'such an item is listed with exactly these fields',
    rule: `queue-item.${kind}.body`,
    client: 'a listed item of this kind is read whole',
  })),
  {
    id: 'queue-item.only-documented-kinds',
    says: 'statuses, typing and templates are not among the kinds',
    simulator: 'a queued status and a queued typing notification are not listed, though they occupy the queue',
    rule: true,
    absent: NO_TEMPLATES_IN_QUEUE,
  },
  ...answerFields('queue-item.body', {
    chatId: 'string',
    message: 'string',
    messages: 'array',
    linkPreview: 'boolean',
    quotedMessageId: 'string',
    options: 'array',
    fileName: 'string',
    caption: 'string',
    urlFile: 'string',
    archive: 'string or boolean',
    latitude: 'string or number',
    longitude: 'string or number',
    nameLocation: 'string',
    address: 'string',
    contact: 'object',
    urlLink: 'string',
    chatIdFrom: 'string',
  }),
  ...answerFields('queue-item.contact', {
    phoneContact: 'string or number',
    firstName: 'string',
    lastName: 'string',
    middleName: 'string',
    company: 'string',
  }),
]);

export const NOTIFICATION_ROWS = rowsOf('Resources and fields', [
  ...(
    [
      ['typeWebhook', 'string'],
      ['instanceData', 'object'],
      ['timestamp', 'number'],
      ['statusInstance', 'string'],
      ['idInstance', 'number'],
      ['wid', 'string'],
      ['typeInstance', 'string'],
    ] as const
  ).map(([name, type]) => ({
    id: `notification.${name}`,
    says: `${name}: ${type}`,
    simulator: `a statusInstanceChanged notification carries ${name} as ${type}`,
    dropField: name,
    absent: 'notifications are read by the webhook receiver and tested there; the gateway client receives none',
  })),
]);
