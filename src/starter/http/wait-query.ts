import { z } from 'zod';

/** No request waits longer than this; a caller that wants to wait longer asks again. */
const MAX_WAIT_MS = 60_000;

/** `timeoutMs`, as every route has it that waits. */
export function waitMs(defaultMs: number) {
  return z.coerce
    .number()
    .int()
    .min(0)
    .transform((timeoutMs) => Math.min(timeoutMs, MAX_WAIT_MS))
    .default(defaultMs)
    .describe(`How long to wait, milliseconds; at most ${MAX_WAIT_MS}. Default: ${defaultMs}`);
}
