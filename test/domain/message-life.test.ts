import { describe, expect, it } from 'vitest';
import { endedUnsent, MESSAGE_STATES, type MessageState } from '../../src/contract/index.js';
import { changesBy, type Fact, LIFE, refusalOf, stateAfter } from '../../src/domain/index.js';

const FACTS = Object.keys(LIFE) as Fact[];

/** `=`: only columns change; `-`: the fact is ignored. */
function cell(fact: Fact, state: MessageState): string {
  const change = changesBy(fact).find(([from]) => from === state)?.[1];
  if (change === undefined) return refusalOf(fact, state) === undefined ? '-' : '!';
  return change.to ?? '=';
}

function rowsWith(mark: string): Record<string, string> {
  const rows = FACTS.map((fact) => [fact, MESSAGE_STATES.filter((state) => cell(fact, state) === mark).join(' ')]);
  return Object.fromEntries(rows.filter(([, states]) => states !== '')) as Record<string, string>;
}

describe('the life of a message', () => {
  it('LIFE-1 has one row for each fact, in which a state that is not named ignores it', () => {
    const table = FACTS.map((fact) => `${fact}: ${MESSAGE_STATES.map((state) => cell(fact, state)).join(' ')}`);
    expect(table).toEqual([
      'claimed: sending - - - - - - - - - - - - - -',
      'lost: - unknown - - - - - - - - - - - - -',
      'accepted: accepted accepted accepted accepted - - - - accepted - - accepted accepted accepted accepted',
      'idCorrected: - - - - = = = = - = = - - - -',
      'sentByOperator: - - sent sent - - - - - - - - - - -',
      'refused: - rejected rejected rejected - - - - - - - - - - -',
      'notAccepted: - pending pending pending - - - - - - - - - - -',
      'notAcceptedAndCancelled: - cancelled cancelled cancelled - - - - - - - - - - -',
      'notAcceptedAndExpired: - expired expired expired - - - - - - - - - - -',
      'unresolved: - - unresolved - - - - - - - - - - - -',
      'pollAgain: - - - unknown - - - - - - - - - - -',
      'resolved: ! ! = = ! ! ! ! ! ! ! ! ! ! !',
      'sent: sent sent sent sent sent - - - sent - - sent sent sent sent',
      'delivered: delivered delivered delivered delivered delivered delivered - - delivered delivered delivered delivered delivered delivered delivered',
      'read: read read read read read read read - read read read read read read read',
      'failed: failed failed failed failed failed failed - - failed - - failed failed failed failed',
      'no_account: no_account no_account no_account no_account no_account no_account - - no_account - - no_account no_account no_account no_account',
      'cancelRequested: cancelled = = = - - - - - - - - - - -',
      'rejected: rejected - - - - - - - - - - - - - -',
      'suppressed: suppressed - - - - - - - - - - - - - -',
      'expired: expired - - - - - - - - - - - - - -',
      'neverAuthorized: - - - - expired - - - - - - - - - -',
      'leftQueue: - - - - = - - - - - - - - - -',
      'leftUnresolved: - - - = - - - - - - - - - - -',
      'queueCleared: - - - - unresolved - - - - - - - - - -',
      'clearedFromQueue: - - - - cancelled - - - - - - - - - -',
      'wentBack: unresolved unresolved unresolved - - - - - - - - - - - -',
      'retried: - - - - - - - - pending pending pending pending pending pending pending',
      'sentAgain: - - pending pending - - - - - - - - - - -',
      'cancelWithdrawn: - = = = - - - - - - - - - - -',
      'editRequested: = = = = = = = = ! ! ! ! ! ! !',
      'editChanged: = = = = = = = = = = = = = = =',
    ]);
  });

  it('LIFE-2 is not changed by the same fact a second time, and only a retry takes an end back', () => {
    const moving = FACTS.flatMap((fact) =>
      changesBy(fact).map(([from]) => [fact, from, stateAfter(from, fact)] as const),
    );
    for (const [fact, from, to] of moving) expect([fact, from, stateAfter(to, fact)]).toEqual([fact, from, to]);
    const reopened = moving.filter(([, from, to]) => endedUnsent(from) && to === 'pending').map(([fact]) => fact);
    expect([...new Set(reopened)]).toEqual(['retried']);
  });

  it('LIFE-3 has evidence for each change of state, that of an attempt or a receipt if the fact is about those', () => {
    const withoutWord = FACTS.filter((fact) => changesBy(fact).some(([, { to, word }]) => to !== undefined && !word));
    expect(withoutWord).toEqual([
      'claimed',
      'lost',
      'accepted',
      'sentByOperator',
      'refused',
      'notAccepted',
      'sent',
      'delivered',
      'read',
      'failed',
      'no_account',
    ]);
  });

  it('refuses what a caller requests too late, with the code of the error', () => {
    expect(rowsWith('!')).toEqual({
      resolved: MESSAGE_STATES.filter((state) => state !== 'unknown' && state !== 'unresolved').join(' '),
      editRequested: MESSAGE_STATES.filter((state) => endedUnsent(state)).join(' '),
    });
    expect(refusalOf('resolved', 'sent')).toBe('RESOLVE_NOT_POSSIBLE');
    expect(refusalOf('editRequested', 'failed')).toBe('EDIT_NOT_POSSIBLE');
    expect(refusalOf('editRequested', 'pending')).toBeUndefined();
  });
});
