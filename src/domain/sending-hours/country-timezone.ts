/** The timezone of a phone number, where all clocks of its country show the same. */
import { offsetAt } from '../local-time.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const WEEKS = 53;

/** Node 20 has the field, later ones the method; TypeScript's library knows neither. */
interface LocaleTimezones {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[];
}

/**
 * @param country ISO 3166, e.g. `DE`
 * @param atMs from when on the clocks are compared, for a year
 * @returns undefined for a country with several times, or one that the runtime does not know
 */
export function countryTimezone(country: string, atMs: number): string | undefined {
  const locale = new Intl.Locale(`und-${country}`) as LocaleTimezones;
  const [first, ...others] = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  if (first === undefined) return undefined;
  const times = Array.from({ length: WEEKS }, (_, week) => atMs + week * WEEK_MS);
  const isSame = (other: string) => times.every((at) => offsetAt(first, at).offsetMs === offsetAt(other, at).offsetMs);
  return others.every(isSame) ? first : undefined;
}
