import { localTime, type CampaignProgress } from '../contract/index.js';
import { type Terminal, printable } from './terminal.js';

export interface Column<Row> {
  readonly header: string;
  /** Undefined is printed as `-`. */
  readonly value: (row: Row) => string | number | undefined;
  readonly align?: 'right';
}

/** Used when output goes to a file or a pipe. */
const DEFAULT_WIDTH = 100;
const GAP = '  ';
/** The last column is cut to the rest of the line, but never below this width. */
const MIN_LAST_WIDTH = 12;

/** A header and one line for each row. Only the last column is cut, so that an operator can copy whole ids. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number = DEFAULT_WIDTH,
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => printable(String(value(row) ?? '-').trim())));
  const lines = [columns.map(({ header }) => header), ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => displayWidth(line[at] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const room = Math.max(width - before, MIN_LAST_WIDTH);
  return lines.map((line) =>
    line
      .map((cell, at) => {
        if (at === columns.length - 1) return cut(cell, room);
        const padding = ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
        return columns[at]?.align === 'right' ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
}

export interface Listed<Row> {
  readonly columns: readonly Column<Row>[];
  readonly page: { readonly items: readonly Row[]; readonly cursor?: string | undefined };
  /** The plural noun for an empty list, e.g. `messages`. */
  readonly what: string;
}

/** Prints a page of a list. Only JSON and the table go to standard output. */
export function showPage<Row>(
  { terminal }: { readonly terminal: Terminal },
  json: true | undefined,
  { columns, page, what }: Listed<Row>,
): void {
  if (json) return terminal.out(JSON.stringify(page));
  if (page.items.length === 0) return terminal.err(`No ${what} found.`);
  for (const line of table(columns, page.items, terminal.columns?.())) terminal.out(line);
  if (page.cursor !== undefined) terminal.err(`More: run the same command with --cursor ${page.cursor}`);
}

/** The time since `at`, in its largest unit: `45s`, `12m`, `5h`, `3d`. */
export function age(at: string | undefined, nowMs: number = Date.now()): string | undefined {
  if (at === undefined) return undefined;
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3_600) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Named facts, one a line, or a line for each value of a list; omits undefined ones. */
export function factLines(facts: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(facts).flatMap(([name, value = []]) => [value].flat().map((one) => `  ${name}: ${one}`));
}

/** One line for each name with a count above 0. */
export function countLines<Name extends string>(
  names: readonly Name[],
  counts: Readonly<Record<Name, number>>,
): string[] {
  return names.filter((name) => counts[name] > 0).map((name) => `  ${name.padEnd(16)} ${counts[name]}`);
}

/** `no errors`, `1 error`, `2 errors`. */
export function counted(count: number, noun: string, none = '0'): string {
  return `${count === 0 ? none : count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Joins the parts that are neither undefined nor empty. */
export function words(parts: readonly (string | undefined)[], between = '  '): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between);
}

/** Why it waits, since when, until when if known, and the command that ends it. */
export function waitingWords({
  waiting,
  timezone,
}: Pick<CampaignProgress, 'waiting'> & { readonly timezone?: string }): string | undefined {
  if (waiting === undefined) return undefined;
  const time = (at: string) => (timezone === undefined ? at : localTime(at, timezone));
  const text = waiting.text === undefined ? '' : ` (${waiting.text})`;
  const until = waiting.until === undefined ? '' : ` until ${time(waiting.until)}`;
  const asOf = waiting.asOf === undefined ? '' : `, estimated at ${time(waiting.asOf)}`;
  const remedy = waiting.remedy === undefined ? '' : `. Remedy: ${waiting.remedy}`;
  return `${waiting.code}${text} since ${time(waiting.since)}${until}${asOf}${remedy}`;
}

function cut(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  let kept = '';
  let left = room - 1;
  for (const character of text) {
    left -= displayWidth(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The number of columns that a terminal needs for the text. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
