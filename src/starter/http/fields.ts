/** Fields of queries and bodies that several routes have. */
import { z } from 'zod';

export { count, milestoneFields, time, type Shape } from '../../contract/schemas.js';

/** One page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ items: z.array(item), cursor: z.string().optional() }).meta({ id });
}

/** RFC 3339, with any offset. */
export const anyTime = z.iso.datetime({ offset: true });

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

/** As every list has them. */
export const pageFields = {
  cursor: z.string().exactOptional().describe('From the former page'),
  limit: z.coerce.number().int().min(1).max(500).exactOptional().describe('Default: 50'),
};
