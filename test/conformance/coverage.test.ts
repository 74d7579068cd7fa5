import { describe, expect, it } from 'vitest';
import { CLIENT_ASSERTIONS } from './client/all.js';
import { MUTATIONS } from './mutations.js';
import { ROWS } from './rows.js';
import { SIMULATOR_ASSERTIONS } from './simulator/all.js';

/** The sides of each row, with an assertion or a reason. */
const SIDES = ROWS.flatMap(({ id, notAsserted, notOnSimulator = notAsserted, notOnClient = notAsserted }) => [
  { side: `${id} on the simulator`, isAsserted: SIMULATOR_ASSERTIONS.has(id), reason: notOnSimulator },
  { side: `${id} on the client`, isAsserted: CLIENT_ASSERTIONS.has(id), reason: notOnClient },
]);

describe('the rows and the assertions', () => {
  it('have unique row ids', () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
  });

  it('include, for both sides of every row, either an assertion or a reason for its absence', () => {
    expect(SIDES.filter(({ isAsserted, reason }) => isAsserted === (reason !== undefined))).toEqual([]);
  });

  it('include a row for every assertion', () => {
    const ids = new Set(ROWS.map(({ id }) => id));
    expect([...SIMULATOR_ASSERTIONS.keys(), ...CLIENT_ASSERTIONS.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('include exactly one mutation for every rule that a row names', () => {
    const rules = new Set(ROWS.flatMap(({ rule }) => rule ?? []));
    expect(MUTATIONS.map(({ rule }) => rule).toSorted()).toEqual([...rules].toSorted());
  });

  it('name a rule only in rows with an assertion on the simulator', () => {
    expect(ROWS.filter(({ id, rule }) => rule !== undefined && !SIMULATOR_ASSERTIONS.has(id))).toEqual([]);
  });
});
