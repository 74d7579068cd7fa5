import { AppError } from './errors.js';
import { MAX_JSON_LEVELS } from './parse-json.js';

/**
 * JSON with its keys in order and without `undefined`, so that two equal values are one text and one hash.
 * @throws AppError INPUT_INVALID when the value is nested too deeply
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value, MAX_JSON_LEVELS)) ?? 'null';
}

function inOrder(value: unknown, levelsLeft: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (levelsLeft === 0) {
    throw new AppError(
      'INPUT_INVALID',
      `A value is refused: it is nested more than ${MAX_JSON_LEVELS} levels deep. Send a flatter one; nothing was begun.`,
    );
  }
  if (Array.isArray(value)) return value.map((one) => inOrder(one, levelsLeft - 1));
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, inOrder(field, levelsLeft - 1)]),
  );
}
