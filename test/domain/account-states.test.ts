/** The meaning of each state that the gateway may report; compare with docs/gateway.md. */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_STATES, PAUSE_STATES } from '../../src/contract/index.js';
import { isPauseState, isRestart, isRestarting, isSendingState } from '../../src/domain/index.js';

function meaning(state: string): string[] {
  const words = { isSendingState, isPauseState, isRestart, isRestarting };
  return Object.entries(words).flatMap(([name, is]) => (is(state) ? [name] : []));
}

describe('the state of an account', () => {
  it('has one meaning for sending, pausing and reconciling', () => {
    expect(Object.fromEntries(ACCOUNT_STATES.map((state) => [state, meaning(state)]))).toEqual({
      authorized: ['isSendingState'],
      notAuthorized: ['isRestart'],
      starting: ['isRestart', 'isRestarting'],
      sleepMode: [],
      yellowCard: ['isPauseState'],
      blocked: ['isPauseState'],
      suspended: ['isPauseState'],
    });
    expect(ACCOUNT_STATES.filter(isPauseState)).toEqual(PAUSE_STATES);
  });

  it.each(['paused', '', 'constructor', 'Authorized'])('counts as away when its word is unknown: %j', (word) => {
    expect(meaning(word)).toEqual([]);
  });
});
