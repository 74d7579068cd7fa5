import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MESSAGE_STATES, MessageState, statesIn } from '../../src/contract/index.js';

const schema = readFileSync(new URL('../../src/ledger/schema.sql', import.meta.url), 'utf8');

/**
 * The lists of message states in constraints, indexes and triggers, which migrations do not generate from the phases.
 */
const lists = [...schema.matchAll(/(?:ARRAY\[|\bin \()('[^\])]*)[\])]/g)]
  .map(([, list = '']) => Array.from(list.matchAll(/'(\w+)'/g), ([, word = '']) => word))
  .filter((words) => words.length > 1 && words.every((word) => Object.hasOwn(MessageState, word)));

/** A recipient without a message. */
const WITHOUT_MESSAGE = ['pending', 'cancelled', 'expired'];
const LISTS: readonly (readonly string[])[] = [
  MESSAGE_STATES,
  WITHOUT_MESSAGE,
  statesIn('pending', 'in_flight'),
  statesIn('in_flight', 'unresolved'),
  statesIn('pending', 'in_flight', 'unresolved', 'accepted'),
  statesIn('taken'),
  [...statesIn('taken', 'undeliverable'), 'rejected'],
  statesIn('unresolved', 'accepted', 'undeliverable', 'unsent'),
];
const KNOWN = LISTS.map((states) => states.toSorted().join(' '));

it('the schema lists message states only as phases do', () => {
  expect(new Set(lists.map((words) => words.toSorted().join(' ')))).toEqual(new Set(KNOWN));
});
