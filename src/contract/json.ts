import { AppError } from './errors.js';

/** The deepest nesting that is parsed. The gateway's own bodies have five levels, ours have ten. */
export const MAX_JSON_LEVELS = 100;

/** Thrown instead of a SyntaxError, so that a caller can name the reason. */
export class JsonTooDeepError extends Error {
  override readonly name = 'JsonTooDeepError';

  constructor() {
    super(`is nested more than ${MAX_JSON_LEVELS} levels deep`);
  }
}

/**
 * JSON.parse for untrusted text. The depth is counted before parsing: recursive functions would exhaust their stack on
 * a text of 20,000 brackets.
 * @throws JsonTooDeepError | SyntaxError
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_LEVELS && isTooDeep(text)) throw new JsonTooDeepError();
  return JSON.parse(text) as unknown;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

function isTooDeep(text: string): boolean {
  let levels = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) levels += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) levels -= 1;
    if (levels > MAX_JSON_LEVELS) return true;
  }
  return false;
}

/**
 * Canonical JSON: sorted keys, no `undefined`. Equal values give the same text and the same hash.
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
      `A value is refused: it is nested more than ${MAX_JSON_LEVELS} levels deep. Send a flatter value; nothing was begun.`,
    );
  }
  if (Array.isArray(value)) return value.map((one) => inOrder(one, levelsLeft - 1));
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, inOrder(field, levelsLeft - 1)]),
  );
}

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode half a surrogate pair. */
const NOT_STORABLE = /\0|\p{Surrogate}/gu;

/**
 * Matches one escape of a JSON text at a time, so that the second backslash of `\\u0000` is not taken as the start of
 * `\u0000`.
 */
const JSON_ESCAPE = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u0000|ud[89a-f][0-9a-f]{2}|.)/gis;
const NOT_STORABLE_ESCAPE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/i;

/** The text with U+FFFD in place of each character that the ledger cannot store. */
export function wellFormed(text: string): string {
  // The test first is cheaper: these characters are almost never present.
  return text.isWellFormed() && !text.includes('\0') ? text : text.replace(NOT_STORABLE, '\uFFFD');
}

/**
 * Makes a JSON text storable in any column of the ledger, including its keys. It works on the text, so that a deep
 * value cannot exhaust the stack and duplicate keys are kept.
 */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(JSON_ESCAPE, (escape) => (NOT_STORABLE_ESCAPE.test(escape) ? '\uFFFD' : escape));
}
