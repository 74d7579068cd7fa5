import { AppError, present, type Problem } from '../contract/index.js';

/**
 * The error for a file that cannot be read as a list of recipients. Neither text contains a recipient's number: errors
 * are logged.
 * @param problem  continues `The recipients are refused: `
 * @param remedy  a sentence
 */
export function listRefused(
  problem: string,
  remedy: string,
  problems: readonly Problem[] = [{ path: 'recipients', message: problem }],
  cause?: unknown,
): AppError {
  return new AppError('INPUT_INVALID', `The recipients are refused: ${problem}. ${remedy} Nothing was changed.`, {
    problems,
    ...present({ cause }),
  });
}

/** The most characters of a foreign name or cell in an error. */
const MAX_SHOWN = 60;

/** Text of the file for an error, without the digits of a number. */
export function shownText(text: string): string {
  const short = text.trim().length > MAX_SHOWN ? `${text.trim().slice(0, MAX_SHOWN)}…` : text.trim();
  return short.replaceAll(/\p{Nd}(?:[\s().\-/]*\p{Nd}){4,}/gu, '…').replaceAll(/\p{Cc}|\p{Surrogate}/gu, ' ');
}

/** The names of columns for an error. */
export function shownNames(names: readonly string[]): string {
  const shown = names.filter((name) => name !== '').map((name) => `"${shownText(name)}"`);
  return shown.length > MAX_NAMES ? `${shown.slice(0, MAX_NAMES).join(', ')}, …` : shown.join(', ');
}

const MAX_NAMES = 40;
