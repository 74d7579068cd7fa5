import { foldedName, inputInvalid } from '../../domain/index.js';

/** Requests all of the recipients' own columns. */
export const ALL_COLUMNS = 'all';

/** An error shows no more names than this. */
const MOST_SHOWN = 50;

/**
 * The requested columns, in the order of the source. A name is compared without case, accents, blanks and punctuation,
 * unless a column has exactly this name.
 * @param requested  names, separated by commas, or {@link ALL_COLUMNS}
 * @param known  the columns of the audience
 * @throws AppError INPUT_INVALID with every unknown name
 */
export function chosenColumns(requested: string, known: readonly string[]): readonly string[] {
  const names = requested.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === ALL_COLUMNS) return known;
  const chosen = new Set<string>();
  const unknown: string[] = [];
  for (const name of names) {
    const found = known.includes(name) ? [name] : known.filter((column) => foldedName(column) === foldedName(name));
    if (found.length === 0) unknown.push(name);
    for (const column of found) chosen.add(column);
  }
  if (unknown.length === 0) return known.filter((column) => chosen.has(column));
  const shown = known.slice(0, MOST_SHOWN).join(', ');
  const more = known.length > MOST_SHOWN ? `, and ${known.length - MOST_SHOWN} more` : '';
  const have = known.length === 0 ? 'the recipients have no columns of their own' : `the columns are: ${shown}${more}`;
  const problems = unknown.map((name) => ({ path: 'columns', message: `has the unknown name "${name}"; ${have}` }));
  throw inputInvalid('The report', problems);
}

/** Precedes the name of a recipient's column that is the same as another one of the report. */
const PREFIX = 'recipient.';

/**
 * The headers of the recipients' own columns. One that equals an earlier header, also in another case, gets a prefix.
 * @param ours  the other headers
 */
export function ownHeaders(columns: readonly string[], ours: readonly string[]): string[] {
  const taken = new Set(ours.map(foldedName));
  return columns.map((column) => {
    let header = column;
    while (taken.has(foldedName(header))) header = PREFIX + header;
    taken.add(foldedName(header));
    return header;
  });
}
