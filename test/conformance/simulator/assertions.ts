import { expect } from 'vitest';
import type { Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';

export type SimulatorAssertion = (sim: SimulatorDriver) => Promise<void>;

/** The assertions on the simulator, by the id of their row. */
export const SIMULATOR_ASSERTIONS = new Map<string, SimulatorAssertion>();

export function onSimulator(rowId: string, assertion: SimulatorAssertion): void {
  if (SIMULATOR_ASSERTIONS.has(rowId)) throw new Error(`Row ${rowId} has two assertions on the simulator. Keep one.`);
  SIMULATOR_ASSERTIONS.set(rowId, assertion);
}

export function expectOk(response: SimulatorResponse): void {
  expect(response.status, response.text).toBe(200);
}

/** A refusal with 400 whose message contains each of the words. */
export function expectRefused(response: SimulatorResponse, ...words: readonly string[]): void {
  expect(response.status, response.text).toBe(400);
  const message = String((response.json as Json | undefined)?.['message']);
  for (const word of words) expect(message).toContain(word);
}

/** The same, with the documented beginning of the message. */
export function expectValidationFailed(response: SimulatorResponse, ...words: readonly string[]): void {
  expectRefused(response, ...words);
  expect((response.json as Json)['message']).toMatch(/^Validation failed/);
}
