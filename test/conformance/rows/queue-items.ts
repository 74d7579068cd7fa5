import { responseFields, row, rowsOf } from '../row.js';

const NO_TEMPLATES_IN_QUEUE = 'kinds of the queue are given by the gateway; the client reads whatever type comes';

export const QUEUE_ROWS = rowsOf('Resources and fields', [
  row('queue-item.messageID', 'messageID for every kind but forwarding', {
    simulator: 'equals the idMessage that the send answered',
    dropField: 'messageID',
    client: 'is read',
  }),
  row('queue-item.messagesIDs', 'messagesIDs for ForwardMessages', {
    simulator: 'contains the ids that forwardMessages answered',
    dropField: 'messagesIDs',
    client: 'is read as a list',
  }),
  row('queue-item.type', 'type names the kind', {
    simulator: 'every item has one of the documented types',
    dropField: 'type',
    client: 'is read; an unknown type too',
  }),
  row('queue-item.body', 'body contains the data of the item', {
    simulator: 'every item has an object body with its chatId',
    dropField: 'body',
    client: 'is read with unknown fields kept',
  }),
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
  row('queue-item.uploads-as-send-file-by-url', 'sendFileByUrl also stands for files sent by upload', {
    absent: 'the contract of sendFileByUpload is not shown, so the simulator does not serve it',
    client: 'an item of this type without urlFile is read',
  }),
  row('queue-item.quoted-kinds', 'every kind but ForwardMessages can carry quotedMessageId', {
    simulator: 'a quoting item of each of these kinds is listed with it',
    dropField: 'quotedMessageId',
    client: 'is read with each of these kinds',
  }),
  row(
    'queue-item.contact.number-form',
    'phoneContact: international, no plus, 11 or 12 digits; text by the table, a number in the sample',
    {
      simulator: 'a number is answered as a number, a text as a text',
      dropField: 'phoneContact',
      client: 'both forms are read',
    },
  ),
  row('queue-item.only-documented-kinds', 'statuses, typing and templates are not among the kinds', {
    simulator: 'a queued status and a queued typing notification are not listed, though they occupy the queue',
    rule: true,
    absent: NO_TEMPLATES_IN_QUEUE,
  }),
  ...responseFields('queue-item.body', {
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
  ...responseFields('queue-item.contact', {
    phoneContact: 'string or number',
    firstName: 'string',
    lastName: 'string',
    middleName: 'string',
    company: 'string',
  }),
]);
