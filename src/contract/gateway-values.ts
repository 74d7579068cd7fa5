/** Of an id of a message or a chat. A longer one is none, and too long for an index of the ledger. */
export const LONGEST_GATEWAY_ID = 256;
/** Of a word of a small set, e.g. a state. */
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
