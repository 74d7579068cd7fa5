import { describe, expect, it } from 'vitest';
import { CLIENT_ASSERTIONS } from './client/all.js';
import { MUTATIONS } from './mutations.js';
import { ROWS, RULES_OF_ROWS } from './rows.js';
import { SIMULATOR_ASSERTIONS } from './simulator/all.js';

const idsOfRows = new Set(ROWS.map(({ id }) => id));

describe('the rows and the assertions', () => {
  it('have unique row ids', () => {
    expect(idsOfRows.size).toBe(ROWS.length);
  });

  it('include an assertion for every side that a row names, and a reason for every omitted side', () => {
    const unasserted = ROWS.flatMap(({ id, simulator, client, absent }) => [
      ...(simulator !== undefined && !SIMULATOR_ASSERTIONS.has(id) ? [`${id} on the simulator`] : []),
      ...(client !== undefined && !CLIENT_ASSERTIONS.has(id) ? [`${id} on the client`] : []),
      ...((simulator === undefined || client === undefined) && absent === undefined ? [`${id} without reason`] : []),
    ]);
    expect(unasserted).toEqual([]);
  });

  it('include a row for every assertion, on the side that the row names', () => {
    const onSimulator = new Set(ROWS.filter(({ simulator }) => simulator !== undefined).map(({ id }) => id));
    const onClient = new Set(ROWS.filter(({ client }) => client !== undefined).map(({ id }) => id));
    expect([...SIMULATOR_ASSERTIONS.keys()].filter((id) => !onSimulator.has(id))).toEqual([]);
    expect([...CLIENT_ASSERTIONS.keys()].filter((id) => !onClient.has(id))).toEqual([]);
  });

  it('include exactly one mutation for every rule that a row names', () => {
    expect(MUTATIONS.map(({ rule }) => rule).toSorted()).toEqual(RULES_OF_ROWS);
  });

  it('name a rule only in rows with an assertion on the simulator', () => {
    expect(ROWS.filter(({ rule, simulator }) => rule !== undefined && simulator === undefined)).toEqual([]);
  });
});
