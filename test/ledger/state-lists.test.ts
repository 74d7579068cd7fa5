import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MESSAGE_STATES, MessageState, statesIn } from '../../src/contract/index.js';

const schema = readFileSync(new URL('../../src/ledger/schema.sql', import.meta.url), 'utf8');

/** The lists of message states in constraints, indexes and triggers: a migration is not generated from the phases. */
const lists = [...schema.matchAll(/(?:ARRAY\[|\bin \()('[^\])]*)[\])]/g)]
  .map(([, list = '']) => Array.from(list.matchAll(/'(\w+)'/g), ([, word = '']) => word))
  .filter((words) => words.length > 1 && words.every((word) => Object.hasOwn(MessageState, word)));

function inOrder(states: readonly string[]): string {
  return states.toSorted((one, other) => one.localeCompare(other)).join(' ');
}

/** A recipient without a message. */
const WITHOUT_MESSAGE = ['pending', 'cancelled', 'expired'];
const KNOWN = [
  MESSAGE_STATES,
  WITHOUT_MESSAGE,
  statesIn('pending', 'in_flight'),
  statesIn('in_flight', 'unresolved'),
  statesIn('pending', 'in_flight', 'unresolved', 'accepted'),
  statesIn('taken'),
  [...statesIn('taken', 'undeliverable'), 'rejected'],
  statesIn('unresolved', 'accepted', 'undeliverable', 'unsent'),
].map(inOrder);

it('lists no message states in the schema but those of phases', () => {
  expect(new Set(lists.map(inOrder))).toEqual(new Set(KNOWN));
});
