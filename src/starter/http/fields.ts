/** Fields that the queries and bodies of several routes have. */
import { z } from 'zod';

export { count, milestoneFields, pageFields, time, type Shape } from '../../contract/schemas.js';

/** One page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ items: z.array(item), cursor: z.string().optional() }).meta({ id });
}

/** RFC 3339 with any offset. */
export const anyTime = z.iso.datetime({ offset: true });

/** The longest wait of a request. A caller that waits longer repeats the request. */
const MAX_WAIT_MS = 60_000;

/** `timeoutMs` of every route that waits. */
export function waitMs(defaultMs: number) {
  return z.coerce
    .number()
    .int()
    .min(0)
    .transform((timeoutMs) => Math.min(timeoutMs, MAX_WAIT_MS))
    .default(defaultMs)
    .describe(`How long the request waits, in milliseconds, at most ${MAX_WAIT_MS}. Default: ${defaultMs}`);
}

/** The query parameter of lists whose objects belong to instances. */
export const instanceFilter = z.string().exactOptional().describe('Only objects of this instance. Default: all');
