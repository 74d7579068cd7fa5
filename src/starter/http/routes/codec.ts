import { z } from 'zod';
import { reply, route } from '../route.js';

const base64 = z.string().regex(/^[\w+/-]*={0,2}$/);

const payloadsSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).exactOptional(), data: base64.exactOptional() }))
    .describe("Temporal's payloads as its JSON writes them: bytes in base64"),
});

type Payloads = z.output<typeof payloadsSchema>;
type Convert = (payloads: Bytes[]) => Promise<Bytes[]>;

interface Bytes {
  readonly metadata?: Readonly<Record<string, Uint8Array>> | null;
  readonly data?: Uint8Array | null;
}

const shared = {
  method: 'post',
  access: ['admin', 'everything'],
  // Pages of the Web UI ask again and again, and nothing changes.
  isAudited: false,
  body: payloadsSchema.meta({ id: 'GivenPayloads' }),
  bodyName: 'The list of payloads',
  responses: { 200: { description: 'As many, in the same order', schema: payloadsSchema.meta({ id: 'Payloads' }) } },
} as const;

/** The requests of Temporal's Web UI and command line to a codec server, see docs/privacy.md. */
export const CODEC_ROUTES = {
  decodePayloads: route({
    ...shared,
    path: '/codec/decode',
    summary: "Decrypt payloads of Temporal's histories",
    description: 'For the Web UI: name `/codec` as its codec endpoint. What is not encrypted comes back as it is.',
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE', 'ENCRYPTION_KEY_MISSING'],
    handle: async ({ body }, { codec }) => reply(200, await convert(body, (payloads) => codec.decode(payloads))),
  }),
  encodePayloads: route({
    ...shared,
    path: '/codec/encode',
    summary: "Encrypt payloads for Temporal's histories",
    description: 'With the first of EVERPOST_ENCRYPTION_KEYS; without keys they come back as they are.',
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
    handle: async ({ body }, { codec }) => reply(200, await convert(body, (payloads) => codec.encode(payloads))),
  }),
} as const;

async function convert({ payloads }: Payloads, by: Convert): Promise<Payloads> {
  const bytes = payloads.map(({ metadata = {}, data = '' }) => ({
    metadata: mapValues(metadata, (value) => Buffer.from(value, 'base64')),
    data: Buffer.from(data, 'base64'),
  }));
  const converted = await by(bytes);
  return {
    payloads: converted.map(({ metadata, data }) => ({
      metadata: mapValues(metadata ?? {}, toBase64),
      data: toBase64(data ?? new Uint8Array()),
    })),
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
