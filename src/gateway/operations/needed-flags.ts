import type { z } from 'zod';
import type { setSettings } from './account.js';

/** The settings that an account needs so that everpost gets all notifications. Each is off in a new account. */
export const NEEDED_FLAGS: readonly {
  readonly name: Extract<keyof z.input<typeof setSettings.request>, `${string}Webhook`>;
  readonly verdict: 'broken' | 'advice';
  /** The disadvantage without the setting. */
  readonly consequence: string;
}[] = [
  {
    name: 'outgoingWebhook',
    verdict: 'broken',
    consequence: 'everpost does not learn that a message was sent or delivered, and posts no edit',
  },
  {
    name: 'outgoingAPIMessageWebhook',
    verdict: 'advice',
    consequence: 'a message whose response was lost, and the effect of an edit, are found by polling only',
  },
  { name: 'editedMessageWebhook', verdict: 'advice', consequence: 'edits are confirmed by polling only' },
  {
    name: 'stateWebhook',
    verdict: 'advice',
    consequence: 'a lost authorization or a yellow card is seen up to a minute late, and a short one never',
  },
  { name: 'incomingWebhook', verdict: 'advice', consequence: 'STOP words of recipients do not arrive' },
  { name: 'outgoingMessageWebhook', verdict: 'advice', consequence: 'messages sent from the phone are not seen' },
  { name: 'deletedMessageWebhook', verdict: 'advice', consequence: 'deleted messages are not seen' },
  { name: 'statusInstanceWebhook', verdict: 'advice', consequence: 'a lost connection to the network is not seen' },
  {
    name: 'pollMessageWebhook',
    verdict: 'advice',
    consequence: 'a poll whose response was lost is found by polling only',
  },
  { name: 'incomingCallWebhook', verdict: 'advice', consequence: 'calls to the account are not seen' },
  { name: 'deviceWebhook', verdict: 'advice', consequence: 'changes of the device are not seen' },
];
