/**
 * Finds the column with the numbers of recipients.
 *
 * PHONE-1 A column with a known name is taken if some of the first rows have something like a number in it. A column of
 *    a higher rank is taken before others, unless another one has more than twice as many numbers.
 * PHONE-2 Without such a column, one in which most values of the first rows are numbers is taken. A running number
 *    never is, nor a column without a name.
 * PHONE-3 Several equal columns are refused with their names: only the operator knows the right one.
 */
import type { Problem } from '../../contract/index.js';
import { readRecipient } from '../../domain/index.js';
import { listRefused, shownNames, shownText } from '../list-refused.js';
import { isOtherNumber, phoneRank } from './phone-names.js';

type Country = Parameters<typeof readRecipient>[1];
export type SampleRow = readonly string[];

interface Candidate {
  readonly at: number;
  readonly name: string;
  readonly rank: number;
  /** The values of the first rows that look like numbers. */
  readonly numbers: readonly string[];
}

/**
 * @returns undefined if there is none
 * @throws AppError INPUT_INVALID if there are several
 */
export function findPhoneColumn(
  names: readonly string[],
  rows: readonly SampleRow[],
  country: Country,
): { readonly at: number; readonly by: 'name' | 'content' } | undefined {
  const named = names.flatMap((name, at) => {
    const rank = phoneRank(name);
    const numbers = rows.map((row) => row[at] ?? '').filter((value) => isLikeNumber(value));
    return rank === undefined ? [] : [{ at, name, rank, numbers }];
  });
  const usable = named.filter(({ numbers }) => numbers.length > 0);
  if (usable.length > 0) return { at: bestOf(usable).at, by: 'name' };
  const byContent = columnsByContent(names, rows, country);
  if (byContent.length > 1) throw severalColumns(byContent);
  const [found] = byContent;
  if (found !== undefined) return { at: found.at, by: 'content' };
  // Every line of this column gets its verdict.
  return named.length === 0 ? undefined : { at: bestOf(named).at, by: 'name' };
}

/** @throws AppError INPUT_INVALID */
function bestOf(candidates: readonly Candidate[]): Candidate {
  const rank = Math.min(...candidates.map((candidate) => candidate.rank));
  const [best, ...equal] = candidates.filter((candidate) => candidate.rank === rank);
  if (best === undefined || equal.length > 0) throw severalColumns(candidates);
  if (candidates.some(({ numbers }) => numbers.length > 2 * best.numbers.length)) throw severalColumns(candidates);
  return best;
}

/** A name such as `number` is no candidate by name: many lists begin with a running number. */
function columnsByContent(names: readonly string[], rows: readonly SampleRow[], country: Country): Candidate[] {
  let left = MAX_READ_CELLS;
  return names.flatMap((name, at) => {
    if (name === '' || isOtherNumber(name)) return [];
    const values = rows.map((row) => row[at] ?? '').filter((value) => value.trim() !== '');
    const likely = values.filter((value) => isLikeNumber(value));
    if (likely.length === 0 || likely.length < values.length * LEAST_SHARE || left < likely.length) return [];
    left -= likely.length;
    const numbers = likely.filter((value) => 'chatId' in readRecipient(value, country));
    if (numbers.length < values.length * LEAST_SHARE || isRunning(numbers)) return [];
    return [{ at, name, rank: 0, numbers }];
  });
}

const LEAST_SHARE = 0.8;
/** A number takes some microseconds to read, and a file may have a thousand columns. */
const MAX_READ_CELLS = 2_000;
const MAX_NUMBER_CHARACTERS = 40;

/** Whether a text may be a number or a chat id, also one that cannot be read. */
export function isLikeNumber(value: string): boolean {
  if (value.length > MAX_NUMBER_CHARACTERS) return false;
  const digits = value.match(/\p{Nd}/gu)?.length ?? 0;
  return digits >= 6 && (!/\p{L}/u.test(value) || /@|wa\.me|^(?:tel|whatsapp|p):|e\+/i.test(value));
}

const LARGEST_STEP = 10n;

/** Whether most values are a little larger than the one before. Nothing but a phone number begins with a plus. */
function isRunning(values: readonly string[]): boolean {
  if (values.every((value) => value.trim().startsWith('+'))) return false;
  const numbers = values.map((value) => BigInt(value.replaceAll(/\D/g, '') || 0));
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0n));
  return steps.length > 0 && 2 * steps.filter((step) => step > 0n && step <= LARGEST_STEP).length > steps.length;
}

function severalColumns(candidates: readonly Candidate[]) {
  const problems: Problem[] = candidates.map(({ name, numbers }) => {
    // The beginning of a number shows its form and country.
    const sample = numbers[0] === undefined ? '' : `, the first one like ${numbers[0].trim().slice(0, 5)}…`;
    const count = numbers.length === 1 ? '1 number' : `${numbers.length} numbers`;
    return { path: 'phoneColumn', message: `may be "${shownText(name)}": ${count} in the first rows${sample}` };
  });
  return listRefused(
    `several columns may have the numbers: ${shownNames(candidates.map(({ name }) => name))}`,
    'Name one: --phone-column NAME, or phoneColumn in the API and in the campaign file.',
    problems,
  );
}
