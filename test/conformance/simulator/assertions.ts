import { expect } from 'vitest';
import type { Json } from '../scene.js';
import type { Answer, SimulatorDriver } from '../simulator-driver.js';

export type SimulatorAssertion = (sim: SimulatorDriver) => Promise<void>;

/** What is asserted on the simulator, by the id of its row. */
export const SIMULATOR_ASSERTIONS = new Map<string, SimulatorAssertion>();

export function onSimulator(rowId: string, assertion: SimulatorAssertion): void {
  if (SIMULATOR_ASSERTIONS.has(rowId)) throw new Error(`Row ${rowId} has two assertions on the simulator. Keep one.`);
  SIMULATOR_ASSERTIONS.set(rowId, assertion);
}

export function expectOk(answer: Answer): void {
  expect(answer.status, answer.text).toBe(200);
}

/** A refusal with 400 whose message contains each of the words. */
export function expectRefused(answer: Answer, ...words: readonly string[]): void {
  expect(answer.status, answer.text).toBe(400);
  const message = String((answer.json as Json | undefined)?.['message']);
  for (const word of words) expect(message).toContain(word);
}

/** The same, with a message that begins as the document shows for most operations. */
export function expectValidationFailed(answer: Answer, ...words: readonly string[]): void {
  expectRefused(answer, ...words);
  expect((answer.json as Json)['message']).toMatch(/^Validation failed/);
}
