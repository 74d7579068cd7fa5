/** The cast and the clock of all conformance tests. */
export const CHAT = '15550000001@c.us';
export const OTHER_CHAT = '15550000002@c.us';
export const GROUP = '120363000000000001@g.us';
export const INSTANCE = '1101000001';
export const TOKEN = 'simulator-token';
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** The simulator's time at the start of a test; only `advance` moves it. */
export const START_MS = Date.parse('2026-01-01T00:00:00.000Z');

export type Json = Record<string, unknown>;
