import { z } from 'zod';
import { optionalText } from '../response-fields.js';
import { operation } from '../operation-contract.js';

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
