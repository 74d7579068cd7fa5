/**
 * Escapes cells that a spreadsheet would run as a formula.
 *
 * A cell that begins with one of {@link FORMULA_SIGNS} gets an apostrophe before it. A cell that already has such an
 * apostrophe gets another one; reading removes one, so that values are read as they were written. A sign with digits
 * and blanks, as in +15551234567 and +49 1511 2345678, is a number or text for a spreadsheet and stays unchanged.
 */
const FORMULA_SIGNS: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);
const SIGNED_DIGITS = /^[+-]\d+(?: \d+)*$/;

export function neutralCell(text: string): string {
  const needsOne = (beginsFormula(text) && !SIGNED_DIGITS.test(text)) || hasApostrophe(text);
  return needsOne ? `'${text}` : text;
}

/** The inverse of {@link neutralCell}. */
export function plainCell(cell: string): string {
  return hasApostrophe(cell) ? cell.slice(1) : cell;
}

/** Matches `'=1` and its escaped form `''=1`. */
function hasApostrophe(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at += 1;
  return at > 0 && beginsFormula(text.slice(at));
}

function beginsFormula(text: string): boolean {
  return FORMULA_SIGNS.has(text.charAt(0));
}
