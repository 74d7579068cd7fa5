const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Reads a duration as operators write it: a number and its unit, `500ms`, `15s`, `1.5m`, `24h`, `7d`.
 * @returns whole milliseconds
 * @throws Error naming the accepted form; a number without a unit is refused
 */
export function parseDurationMs(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (unitMs === undefined) throw new Error('must be a number with its unit, e.g. 500ms, 15s, 1m, 24h');
  return Math.round(Number(amount) * unitMs);
}

/**
 * @returns undefined for a text that is no URL. `URL.canParse` does not tell: Node 24 says yes to a host of 20,000
 *   characters
 * that `new URL` then throws at.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** NUL cannot be stored, and half a surrogate pair has no UTF-8: both would arrive as something else than was sent. */
export const UNSENDABLE = /\0|\p{Surrogate}/u;
export const UNSENDABLE_WORDS = 'holds a NUL or half of a surrogate pair, which cannot be sent as given';
/** Characters that break a line of a list, or steer the terminal that shows it. */
export const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;
export const BREAKS_LINE_WORDS = 'holds a line break or a control character';
export const MAX_CAMPAIGN_NAME_CHARACTERS = 200;
/** The most that an idempotency key may have. */
export const MAX_KEY_CHARACTERS = 255;

/** Longest id of a message or a chat. A longer one is none, and too long for an index of the ledger. */
export const LONGEST_GATEWAY_ID = 256;
/** Longest word of a small set, e.g. a state. */
export const LONGEST_GATEWAY_VALUE = 64;

/** Unix seconds by the document; a number this large can only be milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;
/** No gateway is older. */
const EARLIEST_MS = Date.UTC(2009, 0);
/** A gateway's clock may be wrong, and a simulator's is moved ahead by days. */
const MOST_AHEAD_MS = 366 * 24 * 60 * 60_000;

/**
 * The time that a notification gives for itself, in milliseconds by the gateway's clock.
 * @param timestamp  as it came: a number or its digits
 * @param receivedAtMs  when the notification came
 * @returns undefined where it is missing or cannot be true, so that no date leaves the range that the ledger can store
 */
export function gatewayTimeMs(timestamp: unknown, receivedAtMs: number): number | undefined {
  if (typeof timestamp !== 'number' && typeof timestamp !== 'string') return undefined;
  const given = Number(timestamp);
  const timeMs = Math.floor(given < FIRST_MILLISECONDS ? given * 1_000 : given);
  return timeMs >= EARLIEST_MS && timeMs <= receivedAtMs + MOST_AHEAD_MS ? timeMs : undefined;
}

/** The largest file that the gateway takes. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
