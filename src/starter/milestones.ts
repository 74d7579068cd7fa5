import type { MessageState } from '../contract/index.js';

/** What a caller can wait for. `end`: nothing more is to come but perhaps `read`. */
export const MILESTONES = ['accepted', 'sent', 'delivered', 'end'] as const;
export type Milestone = (typeof MILESTONES)[number];

/** How far each state is on the way; an end that is no success reaches every milestone, since none will come any more. */
const PROGRESS: Readonly<Record<MessageState, 'under way' | 'ended' | Milestone>> = {
  planned: 'under way',
  posting: 'under way',
  unknown: 'under way',
  held: 'under way',
  accepted: 'accepted',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  rejected: 'ended',
  failed: 'ended',
  noAccount: 'ended',
  expired: 'ended',
  cancelled: 'ended',
  suppressed: 'ended',
};

/** True when waiting for the milestone is over: it is reached, or the message ended another way. */
export function hasReached(state: MessageState, milestone: Milestone): boolean {
  const progress = PROGRESS[state];
  if (progress === 'ended') return true;
  if (progress === 'under way') return false;
  // `end` is reached with `delivered`: whether a message is read is up to its reader.
  const wanted = milestone === 'end' ? 'delivered' : milestone;
  return MILESTONES.indexOf(progress) >= MILESTONES.indexOf(wanted);
}
