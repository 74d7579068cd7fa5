/**
 * Names the columns of a list, and says which of them has the number and which are variables.
 *
 * COLUMN-1 A later column with the same name gets a number: `name`, `name 2`. Names are the same if {@link foldedName}
 *    makes them equal, so that a variable matches one column.
 * COLUMN-2 A column without a name is no variable.
 * COLUMN-3 A column that a caller names must exist. It may be written as in the file, or in another case, without accents
 *    and blanks.
 */
import type { ListFacts } from '../../contract/index.js';
import { foldedName, readRecipient } from '../../domain/index.js';
import { listRefused, shownNames, shownText } from '../list-refused.js';
import type { RecipientSource } from '../recipient-source.js';
import { findPhoneColumn, isLikeNumber, type SampleRow } from './phone-column.js';
import { phoneRank } from './phone-names.js';

export interface ListColumns {
  /** The name of each column, in order. */
  readonly names: readonly string[];
  /** The place of the number's column. */
  readonly numberAt: number;
  /** The place of the column with the recipient's timezone. */
  readonly timezoneAt: number | undefined;
  readonly variables: readonly { readonly name: string; readonly at: number }[];
}

/** As {@link foldedName} gives it: `Timezone`, `time zone`, `time_zone`. */
const TIMEZONE_COLUMN = 'timezone';

interface ColumnOptions extends Pick<RecipientSource, 'phoneColumn' | 'map' | 'defaultCountry' | 'onColumns'> {
  readonly facts: ListFacts;
}

/**
 * @param header  the names as they are written
 * @param rows  the first rows
 * @throws AppError INPUT_INVALID if the number's column is not known, or a named column does not exist
 */
export function listColumns(
  header: readonly string[],
  rows: readonly SampleRow[],
  options: ColumnOptions,
): ListColumns {
  const { phoneColumn, map = {}, defaultCountry, facts, onColumns } = options;
  const names = uniqueNames(header);
  onColumns?.(names, rows);
  const mapped = Object.entries(map).map(([name, column]) => {
    return { name, at: placeOf(column, names, rows, `map.${name}`) };
  });
  const kept = names.flatMap((name, at) =>
    name === '' || mapped.some((variable) => variable.at === at) ? [] : [{ name, at }],
  );
  const taken = mapped.find(({ name }) => kept.some((column) => foldedName(column.name) === foldedName(name)));
  if (taken !== undefined) {
    throw listRefused(
      `map gives a column the name ${taken.name}, which another column has`,
      'Map that column to another name too, or use another variable.',
    );
  }
  const shownAs = names.map((name, at) => mapped.find((variable) => variable.at === at)?.name ?? name);
  const found =
    phoneColumn === undefined
      ? findPhoneColumn(shownAs, rows, defaultCountry)
      : { at: placeOf(phoneColumn, shownAs, rows, 'phoneColumn', names), by: 'option' as const };
  if (found === undefined) throw noPhoneColumn(names, rows, options);
  if (found.by === 'content' && isLikeNumber(names[found.at] ?? '')) throw headerMissing();
  facts.phoneColumn = { name: names[found.at] ?? '', by: found.by };
  const variables = [...kept, ...mapped]
    .filter(({ at }) => at !== found.at)
    .toSorted((one, other) => one.at - other.at);
  const timezoneAt = variables.find(({ name }) => foldedName(name) === TIMEZONE_COLUMN)?.at;
  return { names, numberAt: found.at, timezoneAt, variables };
}

/** More than any usual list has. */
const MAX_COLUMNS = 1_000;

function uniqueNames(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const named = names.filter((name) => name !== '').length;
  if (named > MAX_COLUMNS) {
    throw listRefused(`they have ${named} columns, more than ${MAX_COLUMNS}`, 'Remove those that are not needed.');
  }
  const taken = new Set<string>();
  return names.map((name) => {
    if (name === '') return name;
    let unique = name;
    for (let count = 2; taken.has(foldedName(unique)); count += 1) unique = `${name} ${count}`;
    taken.add(foldedName(unique));
    return unique;
  });
}

/**
 * The place of a column that a caller names.
 * @param others  the same columns by other names
 */
function placeOf(
  given: string,
  names: readonly string[],
  rows: readonly SampleRow[],
  path: string,
  others: readonly string[] = names,
): number {
  for (const list of [names, others]) {
    const exact = list.indexOf(given.trim());
    if (exact !== -1) return exact;
    const folded = list.findIndex((name) => name !== '' && foldedName(name) === foldedName(given));
    if (folded !== -1) return folded;
  }
  const problem = `${path} names the column "${shownText(given)}", which does not exist`;
  const columns = `The columns are ${shownNames(names)}.`;
  const title = titleText(rows, (cell) => foldedName(cell) === foldedName(given));
  throw listRefused(problem, `${columns} ${title}`.trimEnd(), [{ path, message: `names no column. ${columns}` }]);
}

/** How many of the first rows are searched for the header. */
const MAX_TITLE_ROWS = 20;

/** The remedy if the header is below other rows. */
function titleText(rows: readonly SampleRow[], isKnown: (cell: string) => boolean): string {
  const above = rows
    .slice(0, MAX_TITLE_ROWS)
    .findIndex((row) => row.some((cell) => cell.trim() !== '' && isKnown(cell)));
  if (above === -1) return '';
  const first = rows.slice(0, above + 1).map((row) => `"${shownText(row.filter((cell) => cell !== '').join(' | '))}"`);
  return `A row below looks like the header: remove the rows above it. The next rows are ${first.join(', ')}.`;
}

function noPhoneColumn(names: readonly string[], rows: readonly SampleRow[], { defaultCountry, facts }: ColumnOptions) {
  const title = titleText(rows, (cell) => phoneRank(cell) !== undefined);
  if (title !== '') return listRefused(`the header is not the first row, ${shownNames(names)}`, title);
  const isData = names.some((name) => name.length < 40 && 'chatId' in readRecipient(name, defaultCountry));
  if (isData) return headerMissing();
  const others = facts.sheets?.filter((name) => name !== facts.sheet) ?? [];
  return listRefused(
    `no column has a known name for the number, and none is recognised by its values. The columns are ${shownNames(names)}`,
    'Name the column: --phone-column NAME, or phoneColumn in the API and in the campaign file.' +
      (others.length === 0 ? '' : ` Or name another sheet: ${shownNames(others)} (sheet, --sheet).`),
  );
}

function headerMissing() {
  return listRefused(
    'the first row has a number, so the header is missing',
    'Write a row with the names of the columns above it, e.g. phone and name.',
  );
}
