/** Times and numbers as the reader writes them. */
import { localTimeAt, offsetAt } from '../domain/index.js';
import type { Locale, Reader } from './reader.js';

const DAY_MS = 24 * 60 * 60_000;

/** Formats are expensive to make, and readers use a few. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf({ language, timezone = 'UTC' }: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = [language, timezone, ...Object.entries(options).flat()].join(' ');
  const known = formats.get(name) ?? new Intl.DateTimeFormat(language, { timeZone: timezone, ...options });
  if (formats.size < 1_000) formats.set(name, known);
  return known;
}

/** `14:05:09` today, `2 Mar, 14:05` in this year, `2 Mar 2025, 14:05` before; ` UTC` while the timezone is not known. */
export function localTime(at: string, locale: Locale, nowMs: number): string {
  const [atMs, day] = [Date.parse(at), formatOf(locale, { dateStyle: 'short' })];
  const isToday = day.format(atMs) === day.format(nowMs);
  const year = formatOf(locale, { year: 'numeric' });
  const isThisYear = year.format(atMs) === year.format(nowMs);
  const hours = { hour: '2-digit', minute: '2-digit' } as const;
  const date = { day: 'numeric', month: 'short', ...hours } as const;
  const options: Intl.DateTimeFormatOptions = isToday
    ? { ...hours, second: '2-digit' }
    : isThisYear
      ? date
      : { ...date, year: 'numeric' };
  const shown = formatOf(locale, options).format(atMs);
  return locale.timezone === undefined ? `${shown} UTC` : shown;
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `3 minutes`, of an interval in milliseconds; at least one second. */
export function lasting(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? (['second', 1_000] as const);
  const count = Math.max(1, Math.round(Math.abs(ms) / unitMs));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** @param at  absent: nothing is shown */
export function time(at: string | undefined, { locale, nowMs }: Reader) {
  if (at === undefined) return undefined;
  return (
    <time datetime={at} title={at}>
      {localTime(at, locale, nowMs)}
    </time>
  );
}

/** A page may show what happened while it was made. */
const MADE_WITHIN_MS = 5_000;

/** How long ago, or in how long; the exact time is in its title. */
export function ago(at: string | undefined, { locale, nowMs }: Reader) {
  if (at === undefined) return undefined;
  const passedMs = nowMs - Date.parse(at);
  return (
    <time datetime={at} title={localTime(at, locale, nowMs)}>
      {passedMs > -MADE_WITHIN_MS ? `${lasting(passedMs)} ago` : `in ${lasting(passedMs)}`}
    </time>
  );
}

/** The value of a field for a local time, `2026-03-01T11:00`. */
export function fieldTime(at: string | undefined, { timezone = 'UTC' }: Locale): string {
  return at === undefined ? '' : localTimeAt(timezone, Date.parse(at)).dateTime.slice(0, 16);
}

/** The moment of a field's local time. A text that is no time is left to the API, which refuses it. */
export function instantOf(local: string, { timezone = 'UTC' }: Locale): string {
  const asUtcMs = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtcMs)) return local;
  // The offset at the local time read as UTC differs from the right one only near a change of the clocks.
  const nearMs = asUtcMs - offsetAt(timezone, asUtcMs).offsetMs;
  return new Date(asUtcMs - offsetAt(timezone, nearMs).offsetMs).toISOString();
}

export function number(value: number, { locale }: Reader): string {
  return new Intl.NumberFormat(locale.language).format(value);
}

/** `1 recipient`, `2,000 recipients`. */
export function counted(value: number, what: string, reader: Reader): string {
  return `${number(value, reader)} ${what}${value === 1 ? '' : 's'}`;
}
