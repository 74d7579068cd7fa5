import type { CampaignId, EditId, MessageId } from './values/ids.js';
import type { CampaignState } from './campaign.js';
import type { ScheduleId } from './schedule.js';
import type { EditOutcome, MessageState } from './message.js';

/** A notification of the gateway, its body unchanged. */
type GatewayNotification = unknown;

/** The `data` of an event, by the event's type. {@link EVENT_TYPES} has the meaning of each type. */
export interface EventData {
  readonly 'message.received': GatewayNotification;
  readonly 'reaction.received': GatewayNotification;
  readonly 'call.received': GatewayNotification;
  readonly 'notification.received': GatewayNotification;
  readonly 'message.state_changed': MessageEvent;
  readonly 'message.unresolved': MessageEvent;
  readonly 'edit.ended': {
    readonly id: EditId;
    readonly messageId: MessageId;
    readonly state: EditOutcome;
    readonly via?: 'before_send' | 'gateway';
    readonly reason?: string;
  };
  readonly 'campaign.state_changed': {
    readonly id: CampaignId;
    readonly state: CampaignState;
    readonly version: number;
    readonly reference?: string;
  };
  readonly 'campaign.replied': {
    readonly id: CampaignId;
    /** The campaign's message to the recipient who replied, and its line. */
    readonly messageId: MessageId;
    readonly line: number;
    /** The gateway's id of the reply, as in `message.received`. */
    readonly idMessage: string;
    readonly reference?: string;
  };
  readonly 'schedule.failed': {
    readonly id: ScheduleId;
    /** The time of the occurrence. */
    readonly at: string;
    readonly state: 'missed' | 'failed';
    readonly reason?: string;
  };
  readonly 'template.reviewed': {
    readonly elementName: string;
    readonly templateId?: string;
    /** The gateway's name of the state. */
    readonly status: string;
    readonly reason?: string;
  };
  readonly 'instance.state_changed': {
    /** The gateway's name of the state. */
    readonly state: string;
    readonly witness: string;
  };
  readonly 'instance.queue_standstill': {
    readonly state: 'began' | 'ended';
    /** Since when nothing was released; for the end, since when the queue is as it is now. */
    readonly since: string;
    readonly items: number;
  };
  readonly 'ledger.went_back': {
    /** When it was found that the ledger had been restored from an older copy. */
    readonly foundAt: string;
    /** What happened after this time may be unknown to the ledger. */
    readonly knownUntil?: string;
    /** How many messages of the instance may have been sent since, counted up to 10,000. */
    readonly unresolved: number;
  };
  readonly 'suppression.possible': {
    /** `pos_…`, for `everpost suppression possible accept` or `dismiss`. */
    readonly id: string;
    readonly idMessage: string;
    /** Our word that the message is similar to, and its language. */
    readonly word: string;
    readonly language: string;
  };
  readonly 'endpoint.test': { readonly endpointId: string };
}

/** Contains neither text nor recipient. */
interface MessageEvent {
  readonly id: MessageId;
  readonly state: MessageState;
  /** Increases with each change of the message. */
  readonly version: number;
  readonly reason?: string;
  readonly idMessage?: string;
  readonly reference?: string;
  readonly campaignId?: CampaignId;
  readonly line?: number;
  /** The campaign that the message is a test of. */
  readonly testOf?: CampaignId;
}

export type EventType = keyof EventData;

/** Every event type, with its meaning. */
export const EVENT_TYPES: Readonly<Record<EventType, string>> = {
  'message.received': 'A contact wrote to the account, or edited or deleted a message',
  'reaction.received': 'A contact reacted to a message',
  'call.received': 'A contact calls, or a call changed',
  'notification.received': 'Any other notification of the gateway',
  'message.state_changed': 'The state of a message changed',
  'message.unresolved': 'The outcome of a message could not be determined',
  'edit.ended': 'An edit has its outcome',
  'campaign.state_changed': 'The state of a campaign changed',
  'campaign.replied': 'A recipient of a campaign has replied for the first time',
  'schedule.failed': 'A run of a schedule failed, or could not begin in time',
  'template.reviewed': 'The gateway has another status for a template',
  'instance.state_changed': 'The account was seen in another state',
  'instance.queue_standstill': "The gateway's queue stands still, or moves again",
  'ledger.went_back': 'The ledger was restored from an older copy: some messages may have been sent since',
  'suppression.possible': 'A recipient may have asked for no more messages, and an operator has to decide',
  'endpoint.test': 'An operator tests the endpoint',
};

/** Which event a list begins with. */
export const EVENT_ORDERS = ['oldest', 'newest'] as const;
export type EventOrder = (typeof EVENT_ORDERS)[number];

export const ALL_EVENTS = '*';

const CALLBACKS = 'callbacks-';

/** The built-in endpoint for an instance's status callbacks. Its secret signs them. */
export function callbacksEndpointId(instance: string): string {
  return `${CALLBACKS}${instance}`;
}

/** The inverse of {@link callbacksEndpointId}; undefined for anything else. */
export function instanceOfCallbacks(endpointId: string): string | undefined {
  return endpointId.startsWith(CALLBACKS) ? endpointId.slice(CALLBACKS.length) : undefined;
}

/** The body of a delivery. Every delivery of the same event has the same id. */
export interface PostedEvent<Type extends EventType = EventType> {
  readonly id: string;
  readonly type: Type;
  /** ISO UTC. */
  readonly timestamp: string;
  readonly instance: string;
  readonly data: EventData[Type];
}
