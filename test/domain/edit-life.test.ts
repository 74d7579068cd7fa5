import { describe, expect, it } from 'vitest';
import { EDIT_STATES, type EditState, isEditOutcome } from '../../src/contract/index.js';
import { EDIT_LIFE, editChangesBy, type EditFact } from '../../src/domain/index.js';

const FACTS = Object.keys(EDIT_LIFE) as EditFact[];

/** `=`: only what is due, or columns, change; `-`: the fact is ignored. */
function cell(fact: EditFact, state: EditState): string {
  const change = editChangesBy(fact).find(([from]) => from === state)?.[1];
  return change === undefined ? '-' : (change.to ?? '=');
}

const cells = FACTS.flatMap((fact) => editChangesBy(fact).map(([from, change]) => ({ fact, from, ...change })));

describe('the life of an edit', () => {
  it('EDITLIFE-1 has one row for each fact, in which a state that is not named ignores it', () => {
    expect(EDIT_STATES.join(' ')).toBe(
      'pending sending posted edited too_late refused unconfirmed superseded not_possible',
    );
    expect(FACTS.map((fact) => `${fact}: ${EDIT_STATES.map((state) => cell(fact, state)).join(' ')}`)).toEqual([
      'messageSent: = - - - - - - - -',
      'freed: = - - - - - - - -',
      'appliedBeforeSend: edited edited edited - - - edited - edited',
      'otherTextPosted: superseded superseded superseded = - - = - -',
      'messageEnded: not_possible - - - - - - - -',
      'newerRequested: superseded = - - - - - - -',
      'windowClosed: too_late = - - - - - - -',
      'claimed: sending sending - - - - - - -',
      'notAccepted: - pending - - - - - - -',
      'rejected: - refused - - - - - - -',
      'notAcceptedAgain: - = - - - - - - -',
      'rejectedAgain: - = - - - - - - -',
      'lost: - = - - - - - - -',
      'posted: posted posted = = = = = = =',
      'shown: - edited edited - - - edited - -',
      'blamed: - refused refused - - - refused - -',
      'inDoubt: - - = = - - = - -',
      'overwritten: - sending sending sending - - sending - -',
      'overwrittenForGood: - unconfirmed unconfirmed unconfirmed - - - - -',
      'postAgain: - = - - - - - - -',
      'readAgain: - = = = - - = - -',
      'unconfirmed: - unconfirmed unconfirmed - - - - - -',
      'neverShown: - superseded - - - - - - -',
      'nothingDue: - - - = - - = - -',
      'olderTextAccepted: - - - unconfirmed - - - - -',
    ]);
  });

  it('EDITLIFE-2 has a step for each edit that was claimed and has not ended, and none for one that ends', () => {
    for (const { fact, from, to = from, step } of cells) {
      if (to === 'sending' || to === 'posted') expect(step, fact).not.toBeNull();
      else if (isEditOutcome(to) && !isEditOutcome(from)) expect(step, fact).toBeNull();
    }
  });

  it('EDITLIFE-3 leaves an end by late evidence, because an older text shows, or because the message is posted again', () => {
    const left = cells.filter(({ from, to = from }) => isEditOutcome(from) && to !== from);
    expect(left.map(({ fact, from, to }) => `${fact}: ${from} → ${to}`)).toEqual([
      'appliedBeforeSend: unconfirmed → edited',
      'appliedBeforeSend: not_possible → edited',
      'shown: unconfirmed → edited',
      'blamed: unconfirmed → refused',
      'overwritten: edited → sending',
      'overwritten: unconfirmed → sending',
      'overwrittenForGood: edited → unconfirmed',
      'olderTextAccepted: edited → unconfirmed',
    ]);
  });
});
