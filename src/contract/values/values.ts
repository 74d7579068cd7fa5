const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Parses a duration: a number and its unit, `500ms`, `15s`, `1.5m`, `24h`, `7d`.
 * @returns whole milliseconds
 * @throws Error naming the accepted form; a number without a unit is refused
 */
export function parseDurationMs(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (unitMs === undefined) throw new Error('must be a number with its unit, e.g. 500ms, 15s, 1m, 24h');
  return Math.round(Number(amount) * unitMs);
}

const SIZE_UNITS = new Map([
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
]);

/** Parses a size, `512mb` or `2gb`, into bytes. @throws Error naming the accepted form */
export function parseSizeBytes(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([a-z]{2})$/.exec(text.trim().toLowerCase()) ?? [];
  const bytes = Number(amount) * (SIZE_UNITS.get(unit) ?? Number.NaN);
  if (!(bytes > 0)) throw new Error('must be a size such as 512mb or 2gb');
  return bytes;
}

/** Parses a rate, `20/s`, `600/m` or `1000/h`, into requests per second. @throws Error naming the accepted form */
export function parseRatePerSecond(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)\/([smh])$/.exec(text.trim()) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new Error('must be a number above 0 and a unit of time, e.g. 20/s, 600/m or 1000/h');
  }
  return Number(count) / (parseDurationMs(`1${unit}`) / 1_000);
}

/**
 * @returns undefined for a text that is not a URL. `URL.canParse` is not used: Node 24 accepts a host of 20,000
 * characters for which `new URL` then throws.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** NUL cannot be stored, and UTF-8 cannot encode half a surrogate pair: both would arrive changed. */
export const UNSENDABLE = /\0|\p{Surrogate}/u;
export const UNSENDABLE_WORDS =
  'contains a NUL character or half an emoji (a lone surrogate), which cannot be sent unchanged';
/** Characters that break a line of a list, or control the terminal that shows it. */
export const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;
export const BREAKS_LINE_WORDS = 'contains a line break or a control character';

/** The largest inputs, for the schemas and for the checks inside workflows, which cannot load zod. */
export const INPUT_LIMITS = {
  variantNameCharacters: 40,
  textCharacters: 20_000,
  recipientCharacters: 200,
  campaignNameCharacters: 200,
  keyCharacters: 255,
  reviewReasonCharacters: 500,
  highWater: 10_000,
  waitMs: 7 * 24 * 60 * 60 * 1000,
} as const;
/** The status of a template's review, e.g. `APPROVED`. */
export const REVIEW_STATUS = /^[A-Z][A-Z_]{0,63}$/;

/** Longest id of a message or a chat. A longer text is not an id, and is too long for an index of the ledger. */
export const LONGEST_GATEWAY_ID = 256;
/** Longest enum value, e.g. a state. */
export const LONGEST_GATEWAY_VALUE = 64;

/** The document says Unix seconds; a number this large must be milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;
/** The gateway did not exist before. */
const EARLIEST_MS = Date.UTC(2009, 0);
/** Tolerates a wrong clock of a gateway, and a simulator's clock that is days ahead. */
const MOST_AHEAD_MS = 366 * 24 * 60 * 60_000;

/**
 * The timestamp of a notification, in milliseconds by the gateway's clock.
 * @param timestamp  as it came: a number or its digits
 * @param receivedAtMs  when the notification came
 * @returns undefined if it is missing or implausible, so that every date is in the range that the ledger can store
 */
export function gatewayTimeMs(timestamp: unknown, receivedAtMs: number): number | undefined {
  if (typeof timestamp !== 'number' && typeof timestamp !== 'string') return undefined;
  const given = Number(timestamp);
  const timeMs = Math.floor(given < FIRST_MILLISECONDS ? given * 1_000 : given);
  return timeMs >= EARLIEST_MS && timeMs <= receivedAtMs + MOST_AHEAD_MS ? timeMs : undefined;
}

/** A year after the last one can still be stored, e.g. when the message expires that has to leave then. */
const SUPPORTED_TIMES = { firstMs: Date.parse('0001-01-01T00:00:00Z'), endMs: Date.parse('9999-01-01T00:00:00Z') };
export const SUPPORTED_TIMES_WORDS = 'is not in the years 1 to 9998';

/** Whether a time that a caller names can be stored and compared in the ledger. */
export function isSupportedTime(timeMs: number): boolean {
  return timeMs >= SUPPORTED_TIMES.firstMs && timeMs < SUPPORTED_TIMES.endMs;
}

/** The largest file that the gateway accepts. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
