import { MESSAGE_STATES, type MessageState } from './message.js';

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
