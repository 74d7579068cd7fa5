import { EFFECT_IS_THEIRS, QUEUE_IS_THEIRS, RECEIVER, fields, notOnClient, row, rule } from '../row.js';

/** What the service is, what its resources carry, and their states. */
export const RESOURCE_ROWS = [
  // What the service does
  row('service.json-in-json-out', 'requests and responses are JSON'),
  ...notOnClient(QUEUE_IS_THEIRS, [
    rule('queue.fifo-order', 'outgoing items wait in one send queue'),
    rule('queue.status-occupies', 'a status is an outgoing item like a message'),
    rule('queue.typing-occupies', 'a typing notification is an outgoing item like a message'),
    rule('queue.waits-until-authorized', 'a queued item waits for the phone to be authorized'),
    rule('queue.leaves-on-authorization', 'the item leaves as soon as the phone is authorized'),
    rule('queue.kept-24-hours', 'a queued item is kept for 24 hours'),
    rule('queue.release-by-delay', 'delaySendMessagesMilliseconds sets the rate of leaving'),
  ]),
  rule('webhook.pushes-to-settings-address', 'notifications go to the address in the settings'),
  row('operation.editMessage', 'editMessage exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.sendFileByUrl', 'sendFileByUrl exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.sendTextStatus', 'sendTextStatus exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.sendTyping', 'sendTyping exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.getGroupData', 'getGroupData exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.getIncomingStories', 'getIncomingStories exists under its name, by GET', {
    rule: 'errors.wrong-verb',
  }),
  row('operation.readChat', 'readChat exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.createTemplate', 'createTemplate exists under its name, by POST', { rule: 'errors.wrong-verb' }),
  row('operation.showMessagesQueue', 'showMessagesQueue exists under its name, by GET', { rule: 'errors.wrong-verb' }),

  // Resources and fields
  row('identifier.chat-id-personal', '<number>@c.us', { rule: 'identifier.chat-id-format' }),
  row('identifier.chat-id-group', '<group_id>@g.us, hyphen allowed', { rule: 'identifier.chat-id-format' }),
  row('identifier.lid', '<digits>@lid', { rule: 'identifier.chat-id-format' }),
  row('identifier.message-id-opaque', 'idMessage / messageID is opaque', { dropField: 'idMessage' }),
  row('identifier.id-instance-in-path', 'idInstance, string or number, is part of the path'),
  row('identifier.token-in-path', 'apiTokenInstance is part of the path', { rule: 'errors.unauthorized' }),
  rule('identifier.read-chat-bare-digits', "readChat's examples give chatId as bare digits"),
  row('reply.idMessage', 'editMessage, sendFileByUrl and sendTextStatus answer idMessage: string', {
    dropField: 'idMessage',
  }),
  ...fields('group', {
    string: 'groupId owner subject subjectOwner groupInviteLink',
    number: 'creation subjectTime ephemeralExpiration size',
    boolean:
      'allowParticipantsEditGroupSettings allowParticipantsSendMessages allowParticipantsAddMembers isCommunity isCommunityAnnounce',
    array: 'participants',
  }),
  ...fields('participant', { string: 'id lid', boolean: 'isAdmin isSuperAdmin' }),
  row('group.creation-in-seconds', 'creation and subjectTime are Unix time', { dropField: 'creation' }),
  rule(
    'group.community-fields-for-admins-only',
    'isCommunity and isCommunityAnnounce are visible to community administrators only',
  ),
  row('group.size-counts-participants', 'size is the number of participants', { dropField: 'size' }),
  ...fields('story', {
    string: 'idMessage typeMessage chatId senderId senderName textMessage downloadUrl caption',
    number: 'timestamp',
    object: 'extendedTextMessage quotedMessage',
  }),
  ...fields('story.extended', { string: 'text description title previewType jpegThumbnail stanzaId participant' }),
  row('story.types', 'textMessage, imageMessage, videoMessage, audioMessage; a sample has extendedTextMessage', {
    dropField: 'typeMessage',
  }),
  row('story.fields-follow-type', 'text with a text; downloadUrl with media; quotedMessage only with a quote', {
    dropField: 'textMessage',
  }),
  ...fields('template', {
    string:
      'buttonSupported category containerMeta data elementName languageCode languagePolicy meta namespace quality stage status templateType vertical templateId appId id allowTemplateCategoryChange',
    number: 'createdOn modifiedOn priority retry',
    boolean: 'master',
  }),
  row('template.times-in-milliseconds', 'createdOn and modifiedOn are milliseconds', { dropField: 'createdOn' }),
  rule('template.modified-equals-created', 'modifiedOn equals createdOn at creation'),
  row('template.id-under-two-names', 'the table lists templateId, the sample shows id', { dropField: 'templateId' }),
  row('queue-item.messageID', 'messageID for every kind but forwarding', { dropField: 'messageID' }),
  row('queue-item.messagesIDs', 'messagesIDs for ForwardMessages', { dropField: 'messagesIDs' }),
  row('queue-item.type', 'type names the kind', { dropField: 'type' }),
  row('queue-item.body', 'body contains the data of the item', { dropField: 'body' }),
  rule('queue-item.send-message.body', 'sendMessage: chatId, message, linkPreview, quotedMessageId'),
  rule('queue-item.send-poll.body', 'sendPoll: chatId, message, options of optionName'),
  rule('queue-item.send-file-by-url.body', 'sendFileByUrl: chatId, fileName, caption, urlFile, archive'),
  rule('queue-item.send-location.body', 'sendLocation: chatId, latitude, longitude, nameLocation, address'),
  rule('queue-item.send-contact.body', 'sendContact: chatId, contact'),
  rule('queue-item.send-link.body', 'sendLink (deprecated): chatId, urlLink'),
  rule('queue-item.forward-messages.body', 'ForwardMessages: chatId, chatIdFrom, messages; no messageID'),
  row('queue-item.uploads-as-send-file-by-url', 'sendFileByUrl also stands for files sent by upload', {
    notOnSimulator: 'the contract of sendFileByUpload is not shown, so the simulator does not serve it',
  }),
  row('queue-item.quoted-kinds', 'every kind but ForwardMessages can carry quotedMessageId', {
    dropField: 'quotedMessageId',
  }),
  row(
    'queue-item.contact.number-form',
    'phoneContact: international, no plus, 11 or 12 digits; text by the table, a number in the sample',
    { dropField: 'phoneContact' },
  ),
  rule('queue-item.only-documented-kinds', 'statuses, typing and templates are not among the kinds', {
    notOnClient: 'kinds of the queue are given by the gateway; the client reads whatever type comes',
  }),
  ...fields('queue-item.body', {
    string: 'chatId message quotedMessageId fileName caption urlFile nameLocation address urlLink chatIdFrom',
    array: 'messages options',
    boolean: 'linkPreview',
    'string or boolean': 'archive',
    'string or number': 'latitude longitude',
    object: 'contact',
  }),
  ...fields('queue-item.contact', {
    'string or number': 'phoneContact',
    string: 'firstName lastName middleName company',
  }),
  ...fields(
    'notification',
    { string: 'typeWebhook statusInstance wid typeInstance', object: 'instanceData', number: 'timestamp idInstance' },
    { notOnClient: RECEIVER },
  ),

  // States and transitions
  rule('read-chat.one-message', 'readChat with idMessage marks that incoming message read'),
  rule('read-chat.all-unread', 'readChat without idMessage marks all unread messages of the chat'),
  ...notOnClient(EFFECT_IS_THEIRS, [
    rule('read-chat.not-before-setting', 'a message that came before the setting was on stays delivered'),
    row('outgoing.accepted-then-queued', 'an accepted send is in the queue, at most 24 hours, until authorized', {
      rule: 'queue.waits-until-authorized',
    }),
    rule('edit.inside-window', 'inside 15 minutes of sending the text changes'),
    rule('edit.no-second-message', 'an edit gives the members of the chat no new notification'),
    rule('edit.window-15-minutes', 'later than 15 minutes after sending nothing changes'),
    rule('edit.window-counts-from-sending', 'the window begins with sending, not with acceptance'),
  ]),
  rule('edit.late-answers-200', 'a late edit is answered 200 too'),
  rule('edit.late-refusal-notice', 'the instance receives a notification that the message was not edited', {
    notOnClient: RECEIVER,
  }),
  row('template-status.PENDING', 'a template may be PENDING', { dropField: 'status' }),
  row('template-status.APPROVED', 'a template may be APPROVED', { dropField: 'status' }),
  row('template-status.REJECTED', 'a template may be REJECTED', { dropField: 'status' }),
  row('template-status.FAILED', 'a template may be FAILED', { dropField: 'status' }),
  row('template-status.PAUSED', 'a template may be PAUSED', { dropField: 'status' }),
  rule('template-status.pending-when-new', 'a new template is PENDING'),
  rule('template-status.reason-when-failed', 'FAILED carries its reason in a further field'),
];
