import { responseFields, row, rowsOf } from '../row.js';

export const IDENTIFIER_ROWS = rowsOf('Resources and fields', [
  row('identifier.chat-id-personal', '<number>@c.us', {
    simulator: 'accepted; letters before @c.us are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted; letters before @c.us are refused before sending',
  }),
  row('identifier.chat-id-group', '<group_id>@g.us, hyphen allowed', {
    simulator: 'accepted with and without a hyphen; letters or a second hyphen before @g.us are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted with and without a hyphen; letters or a second hyphen are refused before sending',
  }),
  row('identifier.lid', '<digits>@lid', {
    simulator: 'accepted as chatId; letters before @lid are not',
    rule: 'identifier.chat-id-format',
    client: 'accepted as chatId; letters before @lid are refused before sending',
  }),
  row('identifier.message-id-opaque', 'idMessage / messageID is opaque', {
    simulator: 'the id of a send is a non-empty string, another one for each send, and the same in the queue',
    dropField: 'idMessage',
    client: 'an id of any characters is passed on unchanged',
  }),
  row('identifier.id-instance-in-path', 'idInstance, string or number, is part of the path', {
    simulator: 'two idInstances are two instances with a queue each',
    client: 'given as string or as number it makes the same path',
  }),
  row('identifier.token-in-path', 'apiTokenInstance is part of the path', {
    simulator: 'the right token in the path is accepted, another is refused',
    rule: 'errors.unauthorized',
    client: 'the token is the last segment, percent-encoded, and appears nowhere else in the request',
  }),
  row('identifier.read-chat-bare-digits', "readChat's examples give chatId as bare digits", {
    simulator: 'readChat takes bare digits and finds the chat; sendMessage does not take them',
    rule: true,
    client: 'readChat takes bare digits; editMessage refuses them before the wire',
  }),
  row('reply.idMessage', 'editMessage, sendFileByUrl and sendTextStatus answer idMessage: string', {
    simulator: 'all three answer with a string idMessage',
    dropField: 'idMessage',
    client: 'is read; a 200 without it is GATEWAY_RESPONSE_INVALID, never success',
  }),
]);

export const GROUP_ROWS = rowsOf('Resources and fields', [
  ...responseFields('group', {
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
  ...responseFields('participant', { id: 'string', lid: 'string', isAdmin: 'boolean', isSuperAdmin: 'boolean' }),
  row('group.creation-in-seconds', 'creation and subjectTime are Unix time', {
    simulator: 'both are seconds, not milliseconds',
    dropField: 'creation',
    client: 'both are read under names that say seconds',
  }),
  row(
    'group.community-fields-for-admins-only',
    'isCommunity and isCommunityAnnounce are visible to community administrators only',
    {
      simulator: 'an instance that is no administrator does not get the two fields',
      rule: true,
      client: 'a response without both fields is read',
    },
  ),
  row('group.size-counts-participants', 'size is the number of participants', {
    simulator: 'size equals the length of participants',
    dropField: 'size',
    client: 'size is read as given, also when it differs from the list',
  }),
]);

export const STORY_ROWS = rowsOf('Resources and fields', [
  ...responseFields('story', {
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
  ...responseFields('story.extended', {
    text: 'string',
    description: 'string',
    title: 'string',
    previewType: 'string',
    jpegThumbnail: 'string',
    stanzaId: 'string',
    participant: 'string',
  }),
  row('story.types', 'textMessage, imageMessage, videoMessage, audioMessage; a sample has extendedTextMessage', {
    simulator: 'stories of all five types are listed under their type',
    dropField: 'typeMessage',
    client: 'all five are read, and an unknown sixth as well',
  }),
  row('story.fields-follow-type', 'text with a text; downloadUrl with media; quotedMessage only with a quote', {
    simulator: 'a text story has no downloadUrl and, unquoted, no quotedMessage',
    dropField: 'textMessage',
    client: 'a story without the fields of other types is read',
  }),
]);

export const TEMPLATE_OBJECT_ROWS = rowsOf('Resources and fields', [
  ...responseFields('template', {
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
  row('template.times-in-milliseconds', 'createdOn and modifiedOn are milliseconds', {
    simulator: 'createdOn lies within the simulator clock in milliseconds',
    dropField: 'createdOn',
    client: 'both are read under names that say milliseconds',
  }),
  row('template.modified-equals-created', 'modifiedOn equals createdOn at creation', {
    simulator: 'equal in the response of createTemplate',
    rule: true,
    client: 'both are read as given',
  }),
  row('template.id-under-two-names', 'the table lists templateId, the sample shows id', {
    simulator: 'the response gives the same value under both names',
    dropField: 'templateId',
    client: 'the id is read from either name',
  }),
]);

export const NOTIFICATION_ROWS = rowsOf(
  'Resources and fields',
  (
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
    fieldType: type,
    absent: 'notifications are read by the webhook receiver and tested there; the gateway client receives none',
  })),
);
