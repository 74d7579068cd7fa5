import type { Terminal } from './terminal.js';

export interface Column<Row> {
  readonly header: string;
  /** Undefined shows as `-`. */
  readonly value: (row: Row) => string | number | undefined;
  readonly align?: 'right';
}

/** Where output goes to a file or a pipe. */
const DEFAULT_WIDTH = 100;
const GAP = '  ';
/** The last column is cut to what is left of the line, but not below this. */
const LEAST_LAST = 12;

/** A header and one line for each row. Only the last column is ever cut: what an operator copies stays whole. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number = DEFAULT_WIDTH,
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => oneLine(String(value(row) ?? '-'))));
  const lines = [columns.map(({ header }) => header), ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => displayWidth(line[at] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const room = Math.max(width - before, LEAST_LAST);
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
  /** What there are none of, e.g. `messages`. */
  readonly what: string;
}

/** Shows a page of a list: JSON and the table are for programs too, everything else is not. */
export function showPage<Row>(
  { terminal }: { readonly terminal: Terminal },
  json: true | undefined,
  { columns, page, what }: Listed<Row>,
): void {
  if (json) return terminal.out(JSON.stringify(page));
  if (page.items.length === 0) return terminal.err(`No ${what} found.`);
  for (const line of table(columns, page.items, terminal.columns?.())) terminal.out(line);
  if (page.cursor !== undefined) terminal.err(`More: the same command with --cursor ${page.cursor}`);
}

/** How long ago, in its largest unit: `45s`, `12m`, `5h`, `3d`. */
export function age(at: string | undefined, nowMs: number = Date.now()): string | undefined {
  if (at === undefined) return undefined;
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3_600) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Named facts, one a line; what is not known is left out. */
export function factLines(facts: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${value}`]));
}

/** The parts that are known, side by side. */
export function words(parts: readonly (string | undefined)[], between = '  '): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between);
}

/** Without line breaks, and without what would steer the terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
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

/** Columns that a terminal needs for it. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
