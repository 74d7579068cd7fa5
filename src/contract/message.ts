/**
 * The state of a message. `accepted` means only that the gateway answered 200. `sent`, `delivered` and `read` come from
 * receipts. `unknown` means that a request left and its outcome is unknown. `held_out` is a recipient that a campaign
 * leaves out on purpose.
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
  held_out: 'held_out',
} as const;
export type MessageState = (typeof MessageState)[keyof typeof MessageState];
export const MESSAGE_STATES = Object.values(MessageState);

/** How long the gateway retains an accepted message that it cannot send yet, before it silently drops it. */
export const QUEUE_RETENTION_MS = 24 * 60 * 60 * 1000;
/** How long to wait for the first receipt of an accepted message: it may leave the queue at the last moment. */
export const RECEIPT_WAIT_MS = QUEUE_RETENTION_MS + 15 * 60 * 1000;

/**
 * How long after its claim evidence of a message can still come: the gateway keeps an accepted message for a day, and a
 * notification of it for another.
 */
export const EVIDENCE_WINDOW_MS = RECEIPT_WAIT_MS + QUEUE_RETENTION_MS;

/** The reason of a message that the gateway had accepted when its queue was cleared. */
export const QUEUE_CLEARED = 'QUEUE_CLEARED';
/** The reason of a message that may have been sent in the time that a restored ledger does not know. */
export const LEDGER_WENT_BACK = 'LEDGER_WENT_BACK';

/**
 * How long to poll the witnesses after a lost response. The gateway repeats an undelivered notification after a minute.
 */
export const WITNESS_PATIENCE_MS = 90_000;
/**
 * Only for a message that may be sent again on a presumption: how long to wait for a later message that has left the
 * queue.
 */
export const SUCCESSOR_PATIENCE_MS = 10 * 60_000;
/** A witness that cannot be reached keeps a message unknown for at most this time after reconciliation can begin. */
export const LONGEST_UNKNOWN_MS = 60 * 60_000;

/**
 * A message with at least this lifetime may wait for the phone in the gateway's queue. The value is a little less than
 * a day, since a row is written shortly after its request.
 */
export const LONG_LIFE_MS = QUEUE_RETENTION_MS - 60_000;

/** Placeholder link for a stored file when a request is only checked: a check starts no upload. */
export function linkToCheck({ url, fileId }: { readonly url?: string; readonly fileId?: string }): string {
  return url ?? `https://everpost.invalid/${fileId}`;
}

export const STATUS_FONTS = ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'] as const;

export const Priority = { urgent: 'urgent', high: 'high', normal: 'normal', low: 'low' } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];
/** In the order of dispatch. */
export const PRIORITIES = Object.values(Priority);

/** A message whose outcome no witness knows waits for an operator or late evidence, or is sent again. */
export const OnUnknown = { manual: 'manual', auto: 'auto' } as const;
export type OnUnknown = (typeof OnUnknown)[keyof typeof OnUnknown];

export const MessageCategory = { transactional: 'transactional', marketing: 'marketing' } as const;
export type MessageCategory = (typeof MessageCategory)[keyof typeof MessageCategory];

/** How long a message without an expiry may be posted, counted from its request or its `sendAt`. */
const DEFAULT_MESSAGE_EXPIRY_MS = 24 * 60 * 60 * 1000;

/** The interval in which a message may be posted, derived from its request and the time of the request. */
export function postingTimes(
  { sendAt, expiresAt }: { readonly sendAt?: string; readonly expiresAt?: string },
  requestedAtMs: number,
): { readonly expiresAtMs: number; readonly sendAtMs?: number } {
  const from = sendAt === undefined ? {} : { sendAtMs: Date.parse(sendAt) };
  const firstMs = Math.max(requestedAtMs, from.sendAtMs ?? requestedAtMs);
  const expiresAtMs = expiresAt === undefined ? firstMs + DEFAULT_MESSAGE_EXPIRY_MS : Date.parse(expiresAt);
  return { expiresAtMs, ...from };
}

/** Limits of typing in every operation that shows it. */
export const TYPING_LIMITS_MS = { min: 1_000, max: 20_000 } as const;

/** The outcome of an edit, or that it has none yet. */
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
export const EDIT_STATES: readonly EditState[] = Object.values(EditState);

const UNDER_WAY = ['pending', 'sending', 'posted'] as const satisfies readonly EditState[];
export const EDIT_STATES_UNDER_WAY: readonly EditState[] = UNDER_WAY;

/** The end states of an edit. Late evidence may still change `unconfirmed` to `edited` or `refused`. */
export type EditOutcome = Exclude<EditState, (typeof UNDER_WAY)[number]>;

export function isEditOutcome(state: EditState): state is EditOutcome {
  return !EDIT_STATES_UNDER_WAY.includes(state);
}

/**
 * Groups of states that are treated alike, also in SQL.
 *
 * - `pending`        not posted
 * - `in_flight`      a POST is under way, or its outcome is not known yet
 * - `unresolved`     the outcome could not be determined: waits for evidence or an operator
 * - `accepted`       by the gateway, no more is known
 * - `taken`          by the network
 * - `undeliverable` the network could not deliver it
 * - `unsent` no recipient ever got it, and none will
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
  held_out: 'unsent',
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

/** The states at which the send activity of a run ends; so does the end of the wait for evidence. */
export const SENT_OR_OVER: readonly MessageState[] = statesIn('unresolved', 'taken', 'undeliverable', 'unsent');

/** False while the dispatcher owns the message: it is pending or in flight. */
export function hasOutcome(state: MessageState): boolean {
  return !isInPhase(state, 'pending', 'in_flight');
}

/** True when no recipient has or will get the message, as far as is known. */
export function endedUnsent(state: MessageState): state is StateIn<'undeliverable' | 'unsent'> {
  return isInPhase(state, 'undeliverable', 'unsent');
}

/** States that the HTTP API and the commands can wait for. */
export const MILESTONES = ['accepted', 'sent', 'delivered', 'read', 'end'] as const;
export type Milestone = (typeof MILESTONES)[number];

/** States that the update `waitFor` can wait for. `end`: nothing more can happen except `read`. */
export type WaitableState = MessageState | 'end';

const END = 8;

/** The order of the states. End states come last: a state that was waited for can no longer be reached. */
const ORDER: Readonly<Record<WaitableState, number>> = {
  pending: 0,
  sending: 1,
  unknown: 2,
  unresolved: 3,
  accepted: 4,
  sent: 5,
  delivered: 6,
  // `read` depends on the recipient, so `end` is reached with `delivered`.
  end: 6,
  read: 7,
  rejected: END,
  failed: END,
  no_account: END,
  expired: END,
  cancelled: END,
  suppressed: END,
  held_out: END,
};
export const WAITABLE_STATES = Object.keys(ORDER);

/** True when a wait is over: the state or a later one is reached, or the message ended in another way. */
export function hasReached(state: MessageState, wanted: WaitableState): boolean {
  return ORDER[state] >= ORDER[wanted];
}

/** True when the state itself or a later one is reached; another end state does not count. */
export function hasArrivedAt(state: MessageState, wanted: WaitableState): boolean {
  return ORDER[state] === END && wanted !== 'end' ? state === wanted : hasReached(state, wanted);
}

/** The states at which a wait for this state is over. */
export function statesFrom(wanted: WaitableState): readonly MessageState[] {
  return MESSAGE_STATES.filter((state) => hasReached(state, wanted));
}
