import type { CampaignId, EditId, MessageId } from './ids.js';
import type { SendOperation } from './operations.js';

/**
 * Where a message stands. Each is an honest word: `accepted` is the gateway's 200, no more; `sent`, `delivered` and
 * `read` come from receipts; `unknown` means a request left and its outcome is unknown.
 */
export const MessageState = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'unknown',
  unresolved: 'unresolved',
  accepted: 'accepted',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  rejected: 'rejected',
  failed: 'failed',
  no_account: 'no_account',
  expired: 'expired',
  cancelled: 'cancelled',
  suppressed: 'suppressed',
} as const;
export type MessageState = (typeof MessageState)[keyof typeof MessageState];
export const MESSAGE_STATES = Object.values(MessageState);

/** So long the gateway keeps an accepted message that it cannot send yet; then it drops it silently. */
export const QUEUE_RETENTION_MS = 24 * 60 * 60 * 1000;
/** So long after its acceptance a message's first receipt is waited for: it may have left at the last moment. */
export const RECEIPT_WAIT_MS = QUEUE_RETENTION_MS + 15 * 60 * 1000;

/**
 * A notification that we could not take comes again after a minute: for so long after a lost response witnesses are
 * asked.
 */
export const WITNESS_PATIENCE_MS = 90_000;
/** Where a message may be sent again on a presumption: how long a later message that has left is waited for. */
export const SUCCESSOR_PATIENCE_MS = 10 * 60_000;
/** A witness that cannot be asked keeps a message unknown no longer than this after its request can be reconciled. */
export const LONGEST_UNKNOWN_MS = 60 * 60_000;

/**
 * A message of this life or longer may wait for the phone in the gateway's queue; a row is written a little after its
 * request.
 */
export const LONG_LIFE_MS = QUEUE_RETENTION_MS - 60_000;

export const MessageKind = {
  text: 'text',
  file: 'file',
  status: 'status',
  poll: 'poll',
  location: 'location',
  contact: 'contact',
  forward: 'forward',
  template: 'template',
} as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** What to send, a kind and that kind's fields under the gateway's own names. */
export type MessageContent =
  | TextContent
  | FileContent
  | StatusContent
  | PollContent
  | LocationContent
  | ContactContent
  | ForwardContent
  | TemplateContent;

export interface TextContent {
  readonly kind: 'text';
  /** At most 20,000 characters, no byte order mark. */
  readonly text: string;
  readonly quotedMessageId?: string;
  readonly linkPreview?: boolean;
  /** Milliseconds, 1,000 to 20,000. */
  readonly typingTime?: number;
}

export interface FileContent {
  readonly kind: 'file';
  /** http or https, sent to the gateway unencoded. */
  readonly url: string;
  readonly fileName: string;
  readonly caption?: string;
  readonly quotedMessageId?: string;
  /** Seconds, 1 to 20: this operation counts in seconds, the text's in milliseconds. */
  readonly typingTime?: number;
  readonly typingType?: 'recording';
}

export const STATUS_FONTS = ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'] as const;
export type StatusFont = (typeof STATUS_FONTS)[number];

export interface StatusContent {
  readonly kind: 'status';
  /** At most 500 characters. */
  readonly text: string;
  readonly backgroundColor?: string;
  readonly font?: StatusFont;
  readonly participants?: readonly string[];
}

export interface PollContent {
  readonly kind: 'poll';
  /** The question, at most 255 characters. */
  readonly message: string;
  /** 2 to 12, no two alike. */
  readonly options: readonly PollOption[];
  /** Whether more than one option may be chosen; the gateway assumes false. */
  readonly multipleAnswers?: boolean;
  readonly quotedMessageId?: string;
  /** Milliseconds, 1,000 to 20,000. */
  readonly typingTime?: number;
}

export interface PollOption {
  readonly optionName: string;
}

export interface LocationContent {
  readonly kind: 'location';
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  readonly nameLocation?: string;
  readonly address?: string;
  readonly quotedMessageId?: string;
}

export interface ContactContent {
  readonly kind: 'contact';
  readonly contact: ContactCard;
  readonly quotedMessageId?: string;
}

export interface ContactCard {
  /** The digits of an international number as one number, e.g. 15551234567. */
  readonly phoneContact: number;
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly company?: string;
}

export interface ForwardContent {
  readonly kind: 'forward';
  /** The chat in which the message to forward is. */
  readonly chatIdFrom: string;
  /** The gateway's id of that message: exactly one, since each message of ours has one state of its own. */
  readonly messages: readonly string[];
  /** Milliseconds, 1,000 to 20,000. */
  readonly typingTime?: number;
}

/** Waits until the template is approved. Exactly one of the two says which it is. */
export interface TemplateContent {
  readonly kind: 'template';
  /** Of a template that was submitted through everpost. */
  readonly elementName?: string;
  /** The gateway's id, also of a template that everpost knows nothing of: then the gateway alone decides. */
  readonly templateId?: string;
  /** Values for the variables of its body, in their order: one for each. */
  readonly params?: readonly string[];
}

/** The gateway operation that sends each kind. */
export const SEND_OPERATION = {
  text: 'sendMessage',
  file: 'sendFileByUrl',
  status: 'sendTextStatus',
  poll: 'sendPoll',
  location: 'sendLocation',
  contact: 'sendContact',
  forward: 'forwardMessages',
  template: 'sendTemplate',
} as const satisfies Record<MessageKind, SendOperation>;

type KindSentBy<Operation extends SendOperation> = {
  [Kind in MessageKind]: (typeof SEND_OPERATION)[Kind] extends Operation ? Kind : never;
}[MessageKind];

/** The inverse of {@link SEND_OPERATION}. */
export const KIND_SENT_BY: { readonly [Operation in SendOperation]: KindSentBy<Operation> } = {
  sendMessage: 'text',
  sendFileByUrl: 'file',
  sendTextStatus: 'status',
  sendPoll: 'poll',
  sendLocation: 'location',
  sendContact: 'contact',
  forwardMessages: 'forward',
  sendTemplate: 'template',
};

export const Priority = { urgent: 'urgent', high: 'high', normal: 'normal', low: 'low' } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];
/** In the order in which they are served. */
export const PRIORITIES = Object.values(Priority);

/** What to do with a send whose outcome no witness can tell: wait for an operator or late evidence, or send again. */
export const OnUnknown = { manual: 'manual', auto: 'auto' } as const;
export type OnUnknown = (typeof OnUnknown)[keyof typeof OnUnknown];

export const MessageCategory = { transactional: 'transactional', marketing: 'marketing' } as const;
export type MessageCategory = (typeof MessageCategory)[keyof typeof MessageCategory];

/** How long a message that names no expiry may be posted, from its request or its `sendAt` on. */
const DEFAULT_MESSAGE_EXPIRY_MS = 24 * 60 * 60 * 1000;

/** A message as its sender asks for it. Times are ISO UTC. */
export interface MessageRequest {
  readonly instance: string;
  /** A chat id of the gateway, e.g. `15551234567@c.us`. Absent for a status, which goes to the account's contacts. */
  readonly chatId?: string;
  readonly content: MessageContent;
  /** Not posted before this. @default at once */
  readonly sendAt?: string;
  /** Never posted after this. @default 24 hours after the request or `sendAt`, whichever is later */
  readonly expiresAt?: string;
  /** So long typing is shown before it, e.g. `3s`: 1 to 20 seconds. @default not */
  readonly typing?: string;
  /** @default 'normal' */
  readonly priority?: Priority;
  /** @default 'transactional' */
  readonly category?: MessageCategory;
  /** @default 'manual' */
  readonly onUnknown?: OnUnknown;
  /** The caller's own words for it; shown back, never part of an id. */
  readonly reference?: string;
  /** URL that is told of every change of state. */
  readonly statusCallback?: string;
}

/** From when to when a message may be posted, by its request and the time at which it was requested. */
export function postingTimes(
  { sendAt, expiresAt }: Pick<MessageRequest, 'sendAt' | 'expiresAt'>,
  requestedAtMs: number,
): { readonly expiresAtMs: number; readonly sendAtMs?: number } {
  const from = sendAt === undefined ? {} : { sendAtMs: Date.parse(sendAt) };
  const firstMs = Math.max(requestedAtMs, from.sendAtMs ?? requestedAtMs);
  const expiresAtMs = expiresAt === undefined ? firstMs + DEFAULT_MESSAGE_EXPIRY_MS : Date.parse(expiresAt);
  return { expiresAtMs, ...from };
}

/** What the operation sendTyping takes. */
export const TYPING_LIMITS_MS = { min: 1_000, max: 20_000 } as const;

/** How an edit ended, or that it has not yet. */
export const EditState = {
  pending: 'pending',
  sending: 'sending',
  posted: 'posted',
  edited: 'edited',
  too_late: 'too_late',
  refused: 'refused',
  unconfirmed: 'unconfirmed',
  superseded: 'superseded',
  not_possible: 'not_possible',
} as const;
export type EditState = (typeof EditState)[keyof typeof EditState];

const EDIT_UNDER_WAY = {
  pending: true,
  sending: true,
  posted: true,
  edited: false,
  too_late: false,
  refused: false,
  unconfirmed: false,
  superseded: false,
  not_possible: false,
} as const satisfies Readonly<Record<EditState, boolean>>;

/** The states an edit ends in. `unconfirmed` may still become `edited` or `refused` by late evidence. */
export type EditOutcome = {
  [State in EditState]: (typeof EDIT_UNDER_WAY)[State] extends true ? never : State;
}[EditState];

export function isEditOutcome(state: EditState): state is EditOutcome {
  return !EDIT_UNDER_WAY[state];
}

export interface EditSnapshot {
  readonly id: EditId;
  readonly state: EditState;
  /** `before_send`: the text was replaced before it left our hands. */
  readonly via?: 'before_send' | 'gateway';
}

/**
 * What a workflow may know of its row: no phone number, no text. `version` grows with every change of the row or of one
 * of its edits, so of two snapshots the higher one is the truth.
 */
export interface MessageSnapshot {
  readonly id: MessageId;
  readonly version: number;
  readonly state: MessageState;
  readonly idMessage?: string;
  readonly expiresAt: string;
  readonly acceptedAt?: string;
  /** By our own clock, as `acceptedAt`: when the first receipt that implies it came. */
  readonly sentAt?: string;
  /** Until when, by our own clock, an edit can still be posted; known once `sent` is. */
  readonly editableUntil?: string;
  /** Stable word for why it ended as it did. */
  readonly reason?: string;
  /**
   * Of a recipient of a campaign: it is the campaign that posts it and finds out what became of it, never a run of its
   * own.
   */
  readonly campaignId?: CampaignId;
  /** The workflow that sends it, unless that is `message:<id>`. */
  readonly workflowId?: string;
  readonly edits: readonly EditSnapshot[];
}
