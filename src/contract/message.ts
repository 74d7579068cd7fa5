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

/** How long the gateway retains an accepted message that it cannot send yet; then it drops it silently. */
export const QUEUE_RETENTION_MS = 24 * 60 * 60 * 1000;
/** How long after its acceptance a message's first receipt is waited for: it may have left at the last moment. */
export const RECEIPT_WAIT_MS = QUEUE_RETENTION_MS + 15 * 60 * 1000;

/**
 * How long after a lost response witnesses are asked: the gateway repeats a notification that we could not take after a
 * minute.
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

/** A link that stands for a stored file wherever its request is only checked: no upload is begun for that. */
export function linkToCheck({ url, fileId }: { readonly url?: string; readonly fileId?: string }): string {
  return url ?? `https://everpost.invalid/${fileId}`;
}

export const STATUS_FONTS = ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'] as const;

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

/** A send whose outcome no witness knows waits for an operator or late evidence, or is sent again. */
export const OnUnknown = { manual: 'manual', auto: 'auto' } as const;
export type OnUnknown = (typeof OnUnknown)[keyof typeof OnUnknown];

export const MessageCategory = { transactional: 'transactional', marketing: 'marketing' } as const;
export type MessageCategory = (typeof MessageCategory)[keyof typeof MessageCategory];

/** How long a message that names no expiry may be posted, from its request or its `sendAt` on. */
const DEFAULT_MESSAGE_EXPIRY_MS = 24 * 60 * 60 * 1000;

/** From when to when a message may be posted, by its request and the time at which it was requested. */
export function postingTimes(
  { sendAt, expiresAt }: { readonly sendAt?: string; readonly expiresAt?: string },
  requestedAtMs: number,
): { readonly expiresAtMs: number; readonly sendAtMs?: number } {
  const from = sendAt === undefined ? {} : { sendAtMs: Date.parse(sendAt) };
  const firstMs = Math.max(requestedAtMs, from.sendAtMs ?? requestedAtMs);
  const expiresAtMs = expiresAt === undefined ? firstMs + DEFAULT_MESSAGE_EXPIRY_MS : Date.parse(expiresAt);
  return { expiresAtMs, ...from };
}

/** Limits of the operation sendTyping. */
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

/**
 * One word for the states that are treated alike. A new state is placed here, and counts everywhere, also in SQL.
 *
 * - `pending`        not posted
 * - `in_flight`      a POST is under way, or its outcome is not known yet
 * - `unresolved`     the outcome could not be determined: waits for evidence or an operator
 * - `accepted`       by the gateway, no more is known
 * - `taken`          by the network
 * - `undeliverable`  the network did not bring it to its recipient
 * - `unsent`         nothing was ever put in front of a recipient, and nothing will be
 */
const PHASE = {
  pending: 'pending',
  sending: 'in_flight',
  unknown: 'in_flight',
  unresolved: 'unresolved',
  accepted: 'accepted',
  sent: 'taken',
  delivered: 'taken',
  read: 'taken',
  failed: 'undeliverable',
  no_account: 'undeliverable',
  rejected: 'unsent',
  expired: 'unsent',
  cancelled: 'unsent',
  suppressed: 'unsent',
} as const satisfies Readonly<Record<MessageState, string>>;

export type MessagePhase = (typeof PHASE)[MessageState];
/** The states of these phases. */
export type StateIn<Phase extends MessagePhase> = {
  [State in MessageState]: (typeof PHASE)[State] extends Phase ? State : never;
}[MessageState];

export function isInPhase<Phase extends MessagePhase>(
  state: MessageState,
  ...phases: readonly Phase[]
): state is StateIn<Phase> {
  return phases.some((phase) => phase === PHASE[state]);
}

export function statesIn<Phase extends MessagePhase>(...phases: readonly Phase[]): readonly StateIn<Phase>[] {
  return MESSAGE_STATES.filter((state) => isInPhase(state, ...phases));
}

/** False while the dispatcher has the message: it is pending or in flight. */
export function hasOutcome(state: MessageState): boolean {
  return !isInPhase(state, 'pending', 'in_flight');
}

/** True when no recipient has or will get the message, as far as is known. */
export function endedUnsent(state: MessageState): state is StateIn<'undeliverable' | 'unsent'> {
  return isInPhase(state, 'undeliverable', 'unsent');
}

/** The HTTP API and the commands can wait for these. */
export const MILESTONES = ['accepted', 'sent', 'delivered', 'read', 'end'] as const;
export type Milestone = (typeof MILESTONES)[number];

/** The update `waitFor` can wait for these. `end`: nothing more is to come but perhaps `read`. */
export type WaitableState = MessageState | 'end';

const END = 8;

/** How far each state is on the way. An end comes after everything: whatever was waited for will not come any more. */
const ORDER: Readonly<Record<WaitableState, number>> = {
  pending: 0,
  sending: 1,
  unknown: 2,
  unresolved: 3,
  accepted: 4,
  sent: 5,
  delivered: 6,
  // Whether a message is read is up to its reader, so `end` is reached with `delivered`.
  end: 6,
  read: 7,
  rejected: END,
  failed: END,
  no_account: END,
  expired: END,
  cancelled: END,
  suppressed: END,
};
export const WAITABLE_STATES = Object.keys(ORDER);

/** True when waiting is over: the state or a later one is reached, or the message ended another way. */
export function hasReached(state: MessageState, wanted: WaitableState): boolean {
  return ORDER[state] >= ORDER[wanted];
}

/** True when the state itself or a later one is reached; another end does not count. */
export function hasArrivedAt(state: MessageState, wanted: WaitableState): boolean {
  return ORDER[state] === END && wanted !== 'end' ? state === wanted : hasReached(state, wanted);
}
