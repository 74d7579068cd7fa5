import type { MessageState } from './message.js';

/** What the HTTP API and the commands can wait for. */
export const MILESTONES = ['accepted', 'sent', 'delivered', 'read', 'end'] as const;
export type Milestone = (typeof MILESTONES)[number];

/** What the update `waitFor` can wait for. `end`: nothing more is to come but perhaps `read`. */
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
