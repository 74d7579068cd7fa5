/** PostgreSQL stores every text but these: U+0000, and half a surrogate pair, which UTF-8 cannot write. */
const NOT_STORABLE = /\0|\p{Surrogate}/gu;

/**
 * One escape of a JSON text after another, so that the backslash of `\\u0000` is not read as the beginning of `\u0000`.
 */
const JSON_ESCAPE = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u0000|ud[89a-f][0-9a-f]{2}|.)/gis;
const NOT_STORABLE_ESCAPE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/i;

/** The text with U+FFFD in place of each character that the ledger cannot store. */
export function wellFormed(text: string): string {
  // To search for what is hardly ever there, one character after another, costs more.
  return text.isWellFormed() && !text.includes('\0') ? text : text.replace(NOT_STORABLE, '\uFFFD');
}

/**
 * A JSON text, of a gateway or made here, whose values and keys the ledger can store in any column. It works on the
 * text: a deep value cannot exhaust the stack, and keys that are given twice stay as they are.
 */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(JSON_ESCAPE, (escape) => (NOT_STORABLE_ESCAPE.test(escape) ? '\uFFFD' : escape));
}
