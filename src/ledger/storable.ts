import { wellFormed, wellFormedJson } from '../contract/index.js';

/**
 * What a statement is given in place of a parameter, whole or within an array: a text that PostgreSQL can store. JSON
 * goes through {@link jsonText} first, since its escapes hide the same characters.
 */
export function storable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return wellFormed(parameter);
  return Array.isArray(parameter) ? parameter.map(storable) : parameter;
}

/** The one way in which a value becomes JSON for a statement; test/ledger/storable.test.ts holds the ledger to it. */
export function jsonText(value: unknown): string {
  return wellFormedJson(JSON.stringify(value) ?? 'null');
}
