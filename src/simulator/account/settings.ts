import type { RequestFields } from '../wire/request-fields.js';

const FLAGS = [
  'outgoingWebhook',
  'outgoingMessageWebhook',
  'outgoingAPIMessageWebhook',
  'incomingWebhook',
  'stateWebhook',
  'statusInstanceWebhook',
  'deviceWebhook',
  'editedMessageWebhook',
  'deletedMessageWebhook',
  'pollMessageWebhook',
  'incomingCallWebhook',
  'incomingBlockWebhook',
  'incomingMessageStatusWebhook',
  'markIncomingMessagesReaded',
  'markIncomingMessagesReadedOnReply',
  'keepOnlineStatus',
] as const;
export type Flag = (typeof FLAGS)[number];
const TEXTS = ['webhookUrl', 'webhookUrlToken'] as const;

/** The settings of an instance under the gateway's own names; flags are `yes` or `no`. */
export type Settings = {
  /** Milliseconds between two releases of the queue. */
  delaySendMessagesMilliseconds: number;
  /** The URL for pushed notifications. Empty: notifications wait to be fetched. */
  webhookUrl: string;
  webhookUrlToken: string;
} & Record<Flag, 'yes' | 'no'>;

/** The settings of a new instance: 500 ms of delay, every flag off, no webhookUrl. */
export function defaultSettings(): Settings {
  return {
    delaySendMessagesMilliseconds: 500,
    webhookUrl: '',
    webhookUrlToken: '',
    ...(Object.fromEntries(FLAGS.map((flag) => [flag, 'no'])) as Record<Flag, 'no'>),
  };
}

/** Reads a setSettings request: at least one setting. */
export function readSettings(fields: RequestFields): Partial<Settings> {
  const delay = fields.integer('delaySendMessagesMilliseconds', { min: 500, max: 600_000 });
  const changed: Partial<Settings> = delay === undefined ? {} : { delaySendMessagesMilliseconds: delay };
  for (const name of TEXTS) {
    const text = fields.optionalText(name);
    if (text !== undefined) changed[name] = text;
  }
  for (const name of FLAGS) {
    const flag = fields.oneOf(name, ['yes', 'no']);
    if (flag !== undefined) changed[name] = flag;
  }
  if (Object.keys(changed).length === 0) throw fields.error('at least one setting is required');
  return changed;
}
