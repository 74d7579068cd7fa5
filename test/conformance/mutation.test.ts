import { describe, expect, it } from 'vitest';
import { copySimulator, mutate } from './mutant.js';
import { MUTATIONS } from './mutations.js';
import { ROWS } from './rows.js';
import { SIMULATOR_ASSERTIONS, type SimulatorAssertion } from './simulator/all.js';
import { SimulatorDriver, type DriverOptions } from './simulator-driver.js';

/** The error of a failed check; `undefined` when it passes. */
async function failureOf(check: SimulatorAssertion, options: DriverOptions): Promise<unknown> {
  const sim = await SimulatorDriver.start(options);
  return check(sim).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function expectToFail(check: SimulatorAssertion, options: DriverOptions): Promise<void> {
  const failure = await failureOf(check, options);
  expect(failure, 'the check passes although what it checks is gone').toBeInstanceOf(Error);
  // Any other error means that the check itself is broken.
  expect((failure as Error).name, String(failure)).toBe('AssertionError');
}

const checks = ROWS.flatMap((row) => {
  const check = SIMULATOR_ASSERTIONS.get(row.id);
  return check === undefined ? [] : [{ ...row, check }];
});

describe('each check fails when its rule is broken in a copy of the simulator', () => {
  const mutations = new Map(MUTATIONS.map((mutation) => [mutation.rule, mutation]));

  for (const { id, rule, check } of checks) {
    if (rule === undefined) continue;
    it(`${id} fails when ${rule} is broken`, async () => {
      const mutation = mutations.get(rule);
      if (mutation === undefined) throw new Error(`Rule ${rule} has no mutation. Add one to mutations.ts.`);
      await expectToFail(check, { start: copySimulator(mutation).startSimulator });
    });
  }

  // Otherwise a broken copy would count as a detected mutation.
  const ruleOfFile = new Map(MUTATIONS.map(({ file, rule }) => [file, rule]));
  for (const [file, rule] of ruleOfFile) {
    const check = checks.find((one) => one.rule === rule)?.check;
    it(`passes when ${file} is unchanged in the copy: ${rule}`, async () => {
      expect(check).toBeDefined();
      if (check !== undefined)
        expect(await failureOf(check, { start: copySimulator().startSimulator })).toBeUndefined();
    });
  }
});

describe('each check of a field fails when the field is missing', () => {
  for (const { id, dropField, check } of checks) {
    if (dropField === undefined) continue;
    it(`${id} fails without ${dropField}`, async () => {
      await expectToFail(check, { dropField });
    });
  }
});

describe('a mutation replaces its source where the simulator has it exactly once', () => {
  const mutation = { rule: 'some.rule', file: 'some.ts', source: 'a > b', mutated: 'true' };

  it('inserts the mutated text literally', () => {
    expect(mutate('if (a > b)', { ...mutation, mutated: "'$&'" })).toBe("if ('$&')");
  });

  it('fails when the source is missing, or occurs twice', () => {
    expect(() => mutate('if (b < a)', mutation)).toThrow(
      'The mutation of rule some.rule finds its source 0 times in src/simulator/some.ts, not once: a > b\n' +
        'Correct the entry in test/conformance/mutations.ts.',
    );
    expect(() => mutate('a > b && a > b', mutation)).toThrow('finds its source 2 times');
  });
});
