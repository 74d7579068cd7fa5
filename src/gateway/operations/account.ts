import { z } from 'zod';
import { operation } from '../operation-contract.js';
import { optionalText, isRecord, optionalFlag, optionalNumber, withUnits } from '../response-fields.js';
import { httpLink, text } from '../text-fields.js';
import { groupId } from '../chat-id.js';

export const getStateInstance = operation({
  description:
    'Read the state of the account: authorized, notAuthorized, blocked, sleepMode, starting, yellowCard, or a newer word.',
  perSecond: 1,
  request: z.strictObject({}),
  // The body is null while the instance is being created: that is no state, and no error either.
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
    // A live instance answered 0, though 500 is the least that can be set.
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
  description: 'Change settings of the instance, any subset. The instance restarts; it may take five minutes to apply.',
  perSecond: 1,
  request: z
    .strictObject({
      delaySendMessagesMilliseconds: z
        .int()
        .min(500)
        .max(600_000)
        .optional()
        .describe('Milliseconds between two items leaving the queue, 500 to 600000'),
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

const participant = z.looseObject({
  id: optionalText,
  lid: optionalText,
  isAdmin: optionalFlag,
  isSuperAdmin: optionalFlag,
});

/** "Error: forbidden" and its like come with a 200, as a bare string or inside an object. */
function refusal(raw: unknown): string | undefined {
  const words = isRecord(raw) && raw['groupId'] === undefined ? Object.values(raw) : [raw];
  return words.find((word): word is string => typeof word === 'string' && /^\s*error:/i.test(word))?.trim();
}

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
  refusalIn200: refusal,
});
