/** The policy of each account state for its instance. Only this file compares the gateway's names of states. */
import { ACCOUNT_STATES, type AccountState, type PauseState } from '../contract/index.js';

interface StatePolicy {
  /**
   * Sending and admission: whether the phone is linked, so that the gateway releases its queue. If not, the account is
   * away, and only messages that may wait in the gateway's queue are posted (INSTANCE-5).
   */
  readonly sends: boolean;
  /** Pausing: whether nothing is posted until the instance is resumed (INSTANCE-1). */
  readonly pauses: boolean;
  /**
   * Reconciling: the session of the account. If a session ends or begins, earlier items may be missing from the queue,
   * so the queue proves nothing about them.
   */
  readonly session: 'runs' | 'ended' | 'begins';
}

const POLICIES: {
  readonly [State in AccountState]: StatePolicy & { pauses: State extends PauseState ? true : false };
} = {
  authorized: { sends: true, pauses: false, session: 'runs' },
  notAuthorized: { sends: false, pauses: false, session: 'ended' },
  starting: { sends: false, pauses: false, session: 'begins' },
  sleepMode: { sends: false, pauses: false, session: 'runs' },
  yellowCard: { sends: false, pauses: true, session: 'runs' },
  blocked: { sends: false, pauses: true, session: 'runs' },
  suspended: { sends: false, pauses: true, session: 'runs' },
};

/** The policy for an unknown state of a newer gateway. */
const ANY_OTHER: StatePolicy = { sends: false, pauses: false, session: 'runs' };

function policyOf(state: string): StatePolicy {
  return isAccountState(state) ? POLICIES[state] : ANY_OTHER;
}

export function isAccountState(state: string): state is AccountState {
  return Object.hasOwn(POLICIES, state);
}

/** The states in which the account sends. In every other state, including unknown ones, the account is away. */
export const SENDING_STATES = ACCOUNT_STATES.filter((state) => POLICIES[state].sends);

export function isSendingState(state: string): boolean {
  return policyOf(state).sends;
}

export function isPauseState(state: string): state is PauseState {
  return policyOf(state).pauses;
}

/** Whether the state shows that a session has ended or begun. */
export function isRestart(state: string): boolean {
  return policyOf(state).session !== 'runs';
}

/** Whether an account in this state is restarting. */
export function isRestarting(state: string): boolean {
  return policyOf(state).session === 'begins';
}
