/**
 * Computes local times. Only this file imports the time library, JavaScript's `Temporal`, which is not the service
 * Temporal (docs/decisions/0017-time-library.md).
 */
import { Temporal } from 'temporal-polyfill';
import { isTimezone } from '../contract/index.js';

/** An interval with a constant offset: local time = UTC + offset. */
interface Offset {
  readonly fromMs: number;
  /** When the offset changes next; Infinity if it never changes. */
  readonly untilMs: number;
  readonly offsetMs: number;
}

/** A cache, since finding an offset change takes up to a millisecond, and there are only two per year. */
const known = new Map<string, Offset[]>();

/**
 * @param timezone  an IANA name
 * @throws RangeError if the runtime does not know the name
 */
export function offsetAt(timezone: string, atMs: number): Offset {
  const offsets = known.get(timezone) ?? [];
  const found = offsets.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  if (found !== undefined) return found;
  const local = zoned(timezone, atMs);
  const untilMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
  const offset = { fromMs: atMs, untilMs, offsetMs: local.offsetNanoseconds / 1e6 };
  known.set(timezone, [...offsets.filter((other) => other.untilMs !== untilMs), offset]);
  return offset;
}

/** A time as a clock of a timezone shows it. */
export interface LocalTime {
  /** `2026-03-01T11:00:00.000` */
  readonly dateTime: string;
  /** The difference to UTC, e.g. `+01:00`. */
  readonly offset: string;
}

/** @throws RangeError if the runtime does not know the timezone */
export function localTimeAt(timezone: string, atMs: number): LocalTime {
  const { offsetMs } = offsetAt(timezone, atMs);
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return {
    dateTime: new Date(atMs + offsetMs).toISOString().slice(0, -1),
    offset: `${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`,
  };
}

/** A local date, which has 23 to 25 hours in most timezones. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly startMs: number;
  /** When the next date begins. */
  readonly endMs: number;
}

/** @param days  how many dates the result covers; `date` is the first one */
export function localDayAt(timezone: string, atMs: number, days = 1): LocalDay {
  const start = zoned(timezone, atMs).startOfDay();
  const end = start.add({ days }).startOfDay();
  return { date: String(start.toPlainDate()), startMs: start.epochMilliseconds, endMs: end.epochMilliseconds };
}

/** The IANA name of a timezone in its own spelling, e.g. `Europe/Lisbon` for `europe/lisbon`; undefined if unknown. */
export function canonicalTimezone(text: string): string | undefined {
  return isTimezone(text) ? zoned(text, 0).timeZoneId : undefined;
}

function zoned(timezone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(timezone);
}

/** The number of days from one date to another. */
export function daysBetween(from: string, until: string): number {
  return Temporal.PlainDate.from(from).until(until, { largestUnit: 'days' }).days;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const WEEKS = 53;

/**
 * The timezone of a country that has only one local time.
 * @param country  an ISO 3166 code, e.g. `DE`
 * @param atMs  the start of the year in which the local times are compared
 * @returns undefined for a country with several local times or an unknown country
 */
export function countryTimezone(country: string, atMs: number): string | undefined {
  // Node 20 has the field and later versions the method. TypeScript's library has neither.
  const locale = new Intl.Locale(`und-${country}`) as {
    readonly timeZones?: readonly string[];
    getTimeZones?(): readonly string[];
  };
  const [first, ...others] = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  if (first === undefined) return undefined;
  const times = Array.from({ length: WEEKS }, (_, week) => atMs + week * WEEK_MS);
  const isOne = times.every((at) => others.every((one) => offsetAt(first, at).offsetMs === offsetAt(one, at).offsetMs));
  return isOne ? first : undefined;
}
