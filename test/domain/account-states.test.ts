/** What each word of the gateway for an account's state means; rows are read beside docs/gateway.md. */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_STATES, PAUSE_STATES } from '../../src/contract/index.js';
import { isPauseState, isRestart, isRestarting, isSendingState } from '../../src/domain/index.js';

function meaning(state: string): string[] {
  const words = { isSendingState, isPauseState, isRestart, isRestarting };
  return Object.entries(words).flatMap(([name, is]) => (is(state) ? [name] : []));
}

describe('the state of an account', () => {
  it('means one thing for sending, pausing and reconciling', () => {
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

  it.each(['paused', '', 'constructor', 'Authorized'])(
    'that has another word, %j, is one in which it is away',
    (word) => {
      expect(meaning(word)).toEqual([]);
    },
  );
});
