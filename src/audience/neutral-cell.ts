/**
 * Escapes cells that a spreadsheet would run as a formula.
 *
 * A cell that begins with one of {@link FORMULA_SIGNS} gets an apostrophe before it, and so does one that has such an
 * apostrophe already; reading removes one, so values are read as they were written. A sign and digits alone, as in
 * +15551234567, are a number to a spreadsheet too, and stay as they are.
 */
const FORMULA_SIGNS: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);
const SIGNED_DIGITS = /^[+-]\d+$/;

export function neutralCell(text: string): string {
  const needsOne = (beginsFormula(text) && !SIGNED_DIGITS.test(text)) || hasApostrophe(text);
  return needsOne ? `'${text}` : text;
}

/** The inverse of {@link neutralCell}. */
export function plainCell(cell: string): string {
  return hasApostrophe(cell) ? cell.slice(1) : cell;
}

/** `'=1` and, since it was written of that one, `''=1`. */
function hasApostrophe(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at += 1;
  return at > 0 && beginsFormula(text.slice(at));
}

function beginsFormula(text: string): boolean {
  return FORMULA_SIGNS.has(text.charAt(0));
}
