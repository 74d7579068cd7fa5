import { row, rowsOf } from '../row.js';

const RECEIVER = 'notifications are read by the webhook receiver';

/** The kinds of notifications except statuses, timely edits and states, according to public material. */
export const NOTIFICATION_KIND_ROWS = rowsOf('Neighbours', [
  row(
    'notifications.outgoingAPIMessageWebhook',
    'outgoingAPIMessageReceived: a message sent through the API, by outgoingAPIMessageWebhook',
    {
      simulator: 'yes: with senderData and messageData; no: nothing',
      rule: true,
      absent: RECEIVER,
    },
  ),
  row(
    'notifications.outgoingMessageWebhook',
    'outgoingMessageReceived: a message written on the phone, by outgoingMessageWebhook',
    {
      simulator: 'yes: with senderData and messageData; no: nothing',
      rule: true,
      absent: RECEIVER,
    },
  ),
  row('notifications.deleted', 'a withdrawn message is a deletedMessage with its id in stanzaId', {
    simulator: 'with deletedMessageWebhook and the setting of its own kind; without the former nothing',
    rule: true,
    absent: RECEIVER,
  }),
  row(
    'notifications.edited-by-recipient',
    'an edit by a contact is an editedMessage as well, under incomingMessageReceived or outgoingMessageReceived',
    {
      simulator: 'both arrive with the new text and the original id in stanzaId',
      rule: 'notifications.edited',
      absent: RECEIVER,
    },
  ),
  row('notifications.state-changed', 'stateInstanceChanged: stateInstance; the wid is empty while not authorized', {
    simulator: 'notAuthorized without a wid, then authorized with it',
    dropField: 'stateInstance',
    absent: RECEIVER,
  }),
  row('notifications.incoming-call', 'incomingCall: idMessage, from and status, by incomingCallWebhook', {
    simulator: 'offer, then missed, under one id; with the setting off nothing',
    rule: true,
    absent: RECEIVER,
  }),
  row('notifications.incoming-block', 'incomingBlock: chatId and chatState, by incomingBlockWebhook', {
    simulator: 'yes: both fields; no: nothing',
    rule: true,
    absent: RECEIVER,
  }),
  row('notifications.quota-exceeded', 'quotaExceeded: quotaData, without a time', {
    simulator: 'with every setting off, with exactly its fields',
    rule: true,
    absent: RECEIVER,
  }),
  row(
    'notifications.device-info',
    'deviceInfo: deviceData with platform, deviceManufacturer, deviceModel, osVersion, waVersion, battery',
    {
      simulator: 'all six arrive',
      dropField: 'deviceData',
      absent: RECEIVER,
    },
  ),
]);
