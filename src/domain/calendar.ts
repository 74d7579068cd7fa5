/**
 * Validates cron expressions before Temporal gets them, and finds two times with the same local time when the clock is
 * set back. Temporal computes the times of a schedule.
 */
import type { ScheduleCalendar, ScheduleDefinition } from '../contract/index.js';
import { offsetAt } from './local-time.js';

/** Every `step`-th number from `start` to `end`. */
export interface CalendarRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

interface Field {
  readonly name: keyof ScheduleCalendar;
  readonly least: number;
  readonly most: number;
  /** The names of the numbers, from `least` on. */
  readonly words?: readonly string[];
  readonly default: string;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The fields in the order of cron, then the year. Sunday is 0 or 7. */
const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, default: '0' },
  { name: 'hour', least: 0, most: 23, default: '0' },
  { name: 'dayOfMonth', least: 1, most: 31, default: '*' },
  { name: 'month', least: 1, most: 12, words: MONTHS, default: '*' },
  { name: 'dayOfWeek', least: 0, most: 7, words: DAYS, default: '*' },
  { name: 'year', least: 2000, most: 2100, default: '*' },
];
const CRON_FIELDS = FIELDS.slice(0, 5);
const MOST_CHARACTERS = 200;

export interface CalendarProblem {
  readonly field?: keyof ScheduleCalendar;
  readonly message: string;
}

export type CalendarRanges = Readonly<Record<keyof ScheduleCalendar, readonly CalendarRange[]>>;

/** @returns the problem of a cron expression; undefined if it is valid */
export function cronProblem(cron: string): string | undefined {
  if (cron.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
  const given = cron.trim().split(/\s+/);
  if (given.length !== CRON_FIELDS.length) {
    return `has ${given.length} fields, not 5: minute, hour, day of month, month, day of week, e.g. 0 9 * * MON`;
  }
  for (const [at, field] of CRON_FIELDS.entries()) {
    const text = given[at] ?? '';
    if (rangesOf(field, text) === undefined) return wrongField(field, text);
  }
  return undefined;
}

/** @returns the ranges of every field, or the problem of one field */
export function calendarRanges(calendar: ScheduleCalendar): CalendarRanges | CalendarProblem {
  const ranges: Partial<Record<keyof ScheduleCalendar, readonly CalendarRange[]>> = {};
  for (const field of FIELDS) {
    const text = String(calendar[field.name] ?? field.default);
    const read = text.length > MOST_CHARACTERS ? undefined : rangesOf(field, text);
    if (read === undefined) return { field: field.name, message: wrongField(field, text.slice(0, MOST_CHARACTERS)) };
    ranges[field.name] = read;
  }
  return ranges as CalendarRanges;
}

function wrongField({ name, least, most, words }: Field, text: string): string {
  const more = words === undefined ? '' : ` or ${words[0]} to ${words.at(-1)}`;
  return `has the ${name} ${JSON.stringify(text)}, which is no list of numbers from ${least} to ${most}${more}`;
}

function rangesOf(field: Field, text: string): readonly CalendarRange[] | undefined {
  const ranges = text.split(',').map((part) => rangeOf(field, part));
  return ranges.includes(undefined) ? undefined : ranges.filter((range) => range !== undefined);
}

function rangeOf(field: Field, part: string): CalendarRange | undefined {
  const [, from = '', to, every] = /^(\*|[A-Za-z0-9]{1,4})(?:-([A-Za-z0-9]{1,4}))?(?:\/(\d{1,4}))?$/.exec(part) ?? [];
  const step = every === undefined ? 1 : Number(every);
  if (step < 1) return undefined;
  if (from === '*') return to === undefined ? { start: field.least, end: lastOf(field), step } : undefined;
  const start = numberOf(field, from);
  const end = to === undefined ? (every === undefined ? start : lastOf(field)) : numberOf(field, to);
  if (start === undefined || end === undefined || start > end) return undefined;
  return { start, end, step };
}

/** The last day of a week is Saturday, since 7 means 0. */
function lastOf({ words, least, most }: Field): number {
  return words === undefined ? most : least + words.length - 1;
}

function numberOf({ least, most, words = [] }: Field, word: string): number | undefined {
  const named = words.indexOf(word.toUpperCase());
  if (named !== -1) return least + named;
  const number = /^\d+$/.test(word) ? Number(word) : NaN;
  return number >= least && number <= most ? number : undefined;
}

/** Whether it names single hours. If so, a local time that occurs twice in a night is one occurrence. */
function namesHours({ cron = [], calendars = [] }: Pick<ScheduleDefinition, 'cron' | 'calendars'>): boolean {
  const hours = [
    ...cron.map((text) => text.trim().split(/\s+/)[1] ?? '*'),
    ...calendars.map(({ hour = '0' }) => String(hour)),
  ];
  return hours.every((hour) => /^\d{1,2}(,\d{1,2})*$/.test(hour));
}

/** The most by which a timezone sets its clock back. */
export const LONGEST_REPEAT_MS = 3 * 60 * 60_000;

/**
 * Finds a time among the others with the same local time as this one, because the clock was set back in between.
 * @returns the other time in milliseconds since the epoch; undefined without one, or if the expression names every hour
 */
export function sameLocalTime(
  definition: Pick<ScheduleDefinition, 'cron' | 'calendars' | 'timezone'>,
  atMs: number,
  othersMs: readonly number[],
): number | undefined {
  if (!namesHours(definition)) return undefined;
  const { timezone = 'UTC' } = definition;
  const localMs = (ms: number): number => ms + offsetAt(timezone, ms).offsetMs;
  return othersMs.find(
    (ms) => ms !== atMs && Math.abs(atMs - ms) <= LONGEST_REPEAT_MS && localMs(ms) === localMs(atMs),
  );
}
