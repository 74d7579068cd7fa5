/** Fields that several responses have. */
import { z } from 'zod';

/** RFC 3339. */
export const time = z.iso.datetime();

export const count = z.number().int();

export function countsOf<Name extends string>(names: readonly Name[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>);
}

/** The query parameters of every list. */
export const pageFields = {
  cursor: z.string().exactOptional().describe('The `cursor` of the previous page. Default: the first page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .exactOptional()
    .describe('The most items in a page, 1 to 500. Default: 50'),
};

/** The read-only output type of a schema, in which optional fields are absent, not undefined. */
export type Shape<Schema extends z.ZodType> = Exact<z.output<Schema>>;

type Exact<Value> = Value extends string | number | boolean
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Exact<Exclude<Value[Key], undefined>> }
      : Value;

/** When a message reached each state: by our own clock, and by the gateway's. */
export const milestoneFields = {
  acceptedAt: time.optional().describe("By everpost's clock, like the next three. These times never decrease"),
  sentAt: time.optional().describe('When the first receipt that implies `sent` arrived'),
  deliveredAt: time.optional().describe('When the first receipt that implies `delivered` arrived'),
  readAt: time.optional().describe('When the first receipt that implies `read` arrived'),
  gatewaySentAt: time.optional().describe("By the gateway's clock, in whole seconds"),
  gatewayDeliveredAt: time.optional().describe("By the gateway's clock"),
  gatewayReadAt: time.optional().describe("By the gateway's clock"),
};
