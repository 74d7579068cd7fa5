import { RECIPIENT_TIMEZONE } from '../../contract/index.js';
import { localTimeAt, type LocalTime } from '../../domain/index.js';
import { REPORT_TIMES, type ReportRow } from '../../ledger/index.js';
import { timezonesOfNumbers } from '../../audience/index.js';

/** Used for a recipient whose timezone is not known. */
const UTC = 'UTC';

/**
 * Gives the timezone of each row. With {@link RECIPIENT_TIMEZONE} it is that of the recipient: the one by which the
 * campaign sent, else that of its number's country if all clocks there agree, else UTC.
 */
export function timezoneOfRow(timezone: string, nowMs: number): (row: ReportRow) => string {
  if (timezone !== RECIPIENT_TIMEZONE) return () => timezone;
  const ofNumber = timezonesOfNumbers(nowMs);
  return ({ chatId, timezone: own }) => own ?? ofNumber(chatId) ?? UTC;
}

/** The row with its times in the timezone, as RFC 3339 with the offset. */
export function inTimezone(row: ReportRow, timezone: string): ReportRow {
  const local = timesOf(row, timezone).map(([name, { dateTime, offset }]) => [name, dateTime + offset]);
  return { ...row, ...Object.fromEntries(local), timezone };
}

/**
 * The times of a row for a spreadsheet: a date and a time that Excel and LibreOffice read as such, in whole seconds.
 * They cannot read an offset, and `+01:00` alone is a time for them. It is given separately, as `UTC+01:00`: several, if
 * it changed between the row's times.
 */
export function spreadsheetTimes(row: ReportRow, timezone: string) {
  const local = timesOf(row, timezone);
  const offsets = new Set(local.map(([, { offset }]) => `UTC${offset}`));
  const times = local.map(([name, { dateTime }]) => [name, dateTime.slice(0, 19).replace('T', ' ')]);
  return { ...Object.fromEntries(times), utcOffset: [...offsets].join(' ') } as Readonly<Record<string, string>>;
}

function timesOf(row: ReportRow, timezone: string): (readonly [name: string, time: LocalTime])[] {
  return REPORT_TIMES.flatMap((name) => {
    const at = row[name];
    return at === undefined ? [] : [[name, localTimeAt(timezone, Date.parse(at))] as const];
  });
}
