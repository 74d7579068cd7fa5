import { describe, expect, it } from 'vitest';
import { RULES, type RuleId } from '../../src/simulator/index.js';
import { ROWS } from './rows.js';
import { SIMULATOR_ASSERTIONS, type SimulatorAssertion } from './simulator/all.js';
import { SimulatorDriver, type DriverOptions } from './simulator-driver.js';

function isRule(word: string): word is RuleId {
  return (RULES as readonly string[]).includes(word);
}

/** The error with which an assertion fails against this mutant; `undefined` when it notices nothing. */
async function failureOf(assertion: SimulatorAssertion, mutant: DriverOptions): Promise<unknown> {
  const sim = await SimulatorDriver.start(mutant);
  try {
    await assertion(sim);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await sim.close();
  }
}

async function expectToFail(assertion: SimulatorAssertion, mutant: DriverOptions): Promise<void> {
  const failure = await failureOf(assertion, mutant);
  expect(failure, 'the check passes although what it checks is gone').toBeInstanceOf(Error);
  // Anything but a failed expectation would be a check that broke, not one that found something.
  expect((failure as Error).name, String(failure)).toBe('AssertionError');
}

describe('each check fails when its rule is switched off in the simulator', () => {
  for (const { id, rule } of ROWS) {
    const assertion = SIMULATOR_ASSERTIONS.get(id);
    if (assertion === undefined || rule === undefined || !isRule(rule)) continue;
    it(`${id} notices that ${rule} is off`, async () => {
      await expectToFail(assertion, { ruleOff: rule });
    });
  }
});

describe('each check of a field fails when the field is gone', () => {
  for (const { id, dropField } of ROWS) {
    const assertion = SIMULATOR_ASSERTIONS.get(id);
    if (assertion === undefined || dropField === undefined) continue;
    it(`${id} notices that ${dropField} is gone`, async () => {
      await expectToFail(assertion, { dropField });
    });
  }
});
