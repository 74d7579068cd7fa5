import { z } from 'zod';
import { isRecord } from '../../contract/index.js';
import { operation } from './operation-contract.js';
import { optionalText, optionalFlag, optionalNumber, withUnits, httpLink, text, groupId } from './fields.js';

export const getStateInstance = operation({
  description:
    'Read the state of the account: authorized, notAuthorized, blocked, sleepMode, starting, yellowCard, or a newer state.',
  perSecond: 1,
  request: z.strictObject({}),
  // The body is null while the instance is being created, which is neither a state nor an error.
  response: z.preprocess(
    (raw) => raw ?? { stateInstance: null },
    z.looseObject({ stateInstance: z.string().nullable() }),
  ),
});

export const getSettings = operation({
  description: 'Read the settings of the instance.',
  perSecond: 1,
  request: z.strictObject({}),
  response: z.looseObject({
    wid: z.string().nullish().describe("The account's own chat id; empty while not authorized"),
    // A live instance returned 0, although 500 is the least value that can be set.
    delaySendMessagesMilliseconds: z.number().nullish(),
    webhookUrl: optionalText,
    webhookUrlToken: optionalText,
    outgoingWebhook: optionalText,
    outgoingAPIMessageWebhook: optionalText,
    outgoingMessageWebhook: optionalText,
    incomingWebhook: optionalText,
    stateWebhook: optionalText,
    statusInstanceWebhook: optionalText,
    deviceWebhook: optionalText,
    editedMessageWebhook: optionalText,
  }),
});

const yesOrNo = z.enum(['yes', 'no']).optional();

export const setSettings = operation({
  description: 'Change settings of the instance. The instance restarts, and a change may take five minutes to apply.',
  perSecond: 1,
  request: z
    .strictObject({
      delaySendMessagesMilliseconds: z
        .int()
        .min(500)
        .max(600_000)
        .optional()
        .describe('Release interval of the queue in milliseconds, 500 to 600000'),
      webhookUrl: z
        .union([z.literal(''), httpLink])
        .optional()
        .describe('Where notifications go; empty: nowhere'),
      webhookUrlToken: text().optional().describe('Sent in the Authorization header of each notification'),
      outgoingWebhook: yesOrNo,
      outgoingAPIMessageWebhook: yesOrNo,
      outgoingMessageWebhook: yesOrNo,
      incomingWebhook: yesOrNo,
      stateWebhook: yesOrNo,
      statusInstanceWebhook: yesOrNo,
      deviceWebhook: yesOrNo,
      pollMessageWebhook: yesOrNo,
      incomingCallWebhook: yesOrNo,
      incomingBlockWebhook: yesOrNo,
      editedMessageWebhook: yesOrNo,
      deletedMessageWebhook: yesOrNo,
      incomingMessageStatusWebhook: yesOrNo,
      markIncomingMessagesReaded: yesOrNo,
      markIncomingMessagesReadedOnReply: yesOrNo,
      keepOnlineStatus: yesOrNo,
      autoTyping: z.int().min(0).max(4).optional(),
      linkPreview: z.boolean().optional(),
      enableLidMode: z.boolean().optional(),
    })
    .refine((settings) => Object.values(settings).some((value) => value !== undefined), {
      error: 'Validation failed, details: give at least one setting to change',
    }),
  response: z.looseObject({ saveSettings: z.boolean() }),
});

/** A rejection comes with a 200. */
function refusedBy(field: string) {
  return (raw: unknown) =>
    isRecord(raw) && raw[field] === false ? `${field}: false. The gateway did nothing` : undefined;
}

export const reboot = operation({
  description:
    'Restart the instance, which takes up to five minutes. Its queue is kept, as far as is known, and its order proves nothing about earlier messages.',
  perSecond: 1,
  request: z.strictObject({}),
  response: z.looseObject({ isReboot: z.boolean() }),
  rejectionIn200: refusedBy('isReboot'),
});

export const clearMessagesQueue = operation({
  description:
    "Remove every item from the instance's queue, also those of other programs. Nothing is posted meanwhile. Messages that the gateway had accepted and not sent become unresolved with the reason QUEUE_CLEARED, or cancelled where two readings of the queue prove that they are gone; none is posted again automatically.",
  perSecond: 1,
  request: z.strictObject({}),
  response: z.looseObject({ isCleared: z.boolean() }),
  rejectionIn200: refusedBy('isCleared'),
});

const participant = z.looseObject({
  id: optionalText,
  lid: optionalText,
  isAdmin: optionalFlag,
  isSuperAdmin: optionalFlag,
});

export const getGroupData = operation({
  description: 'Read the data of a group chat. The invitation link is empty unless the account administers the group.',
  perSecond: 1,
  request: z.strictObject({ groupId }),
  response: withUnits(
    { creation: 'creationSeconds', subjectTime: 'subjectTimeSeconds' },
    z.looseObject({
      groupId: z.string().min(1),
      owner: optionalText,
      subject: optionalText,
      creation: optionalNumber,
      creationSeconds: z.number().optional().describe('creation, Unix seconds'),
      subjectTime: optionalNumber,
      subjectTimeSeconds: z.number().optional().describe('subjectTime, Unix seconds'),
      subjectOwner: optionalText,
      groupInviteLink: optionalText,
      ephemeralExpiration: optionalNumber,
      allowParticipantsEditGroupSettings: optionalFlag,
      allowParticipantsSendMessages: optionalFlag,
      allowParticipantsAddMembers: optionalFlag,
      isCommunity: z.boolean().nullish().describe('Visible to community administrators only'),
      isCommunityAnnounce: z.boolean().nullish().describe('Visible to community administrators only'),
      size: optionalNumber,
      participants: z.array(participant).nullish(),
    }),
  ),
  // Finds a rejection such as "Error: forbidden", which comes with a 200 as a string or inside an object.
  rejectionIn200: (raw: unknown): string | undefined => {
    const words = isRecord(raw) && raw['groupId'] === undefined ? Object.values(raw) : [raw];
    return words.find((word): word is string => typeof word === 'string' && /^\s*error:/i.test(word))?.trim();
  },
});

/** How long the gateway waits by default. */
const DEFAULT_SECONDS = 5;

export const receiveNotification = operation({
  description: 'Fetch the oldest notification. It is repeated until it is deleted. Needs an empty webhookUrl.',
  perSecond: 100,
  request: z.strictObject({
    receiveTimeout: z
      .int()
      .min(5)
      .max(60)
      .optional()
      .describe('How long to wait for a notification, in seconds; 5 by default'),
  }),
  holdsMs: ({ receiveTimeout = DEFAULT_SECONDS }) => receiveTimeout * 1_000,
  // Null or an empty body means no notification. everpost relies only on the receipt id, so that no body blocks the
  // next one.
  response: z.preprocess(
    (raw) => raw ?? { receiptId: null },
    z.looseObject({
      receiptId: z.int().nullable().describe('For deleteNotification; null if no notification came in time'),
      body: z.unknown().optional().describe('The notification as it would be pushed'),
    }),
  ),
});

export const deleteNotification = operation({
  description: 'Delete a fetched notification. The response is false if it does not exist any more.',
  perSecond: 100,
  request: z.strictObject({ receiptId: z.int().min(0).describe('As receiveNotification answered it') }),
  pathAfterToken: ({ receiptId }) => String(receiptId),
  response: z.looseObject({ result: z.boolean() }),
});
