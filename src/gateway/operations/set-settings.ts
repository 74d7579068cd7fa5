import { z } from 'zod';
import { operation } from '../operation-contract.js';
import { httpLink, text } from '../text-fields.js';

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
