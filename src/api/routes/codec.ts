import type { PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { reply, route } from '../route.js';

const base64 = z.string().regex(/^[\w+/-]*={0,2}$/);

const payloadsSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).exactOptional(), data: base64.exactOptional() }))
    .describe("Temporal's payloads in Temporal's JSON format: bytes are base64"),
});

type Payloads = z.output<typeof payloadsSchema>;

const shared = {
  access: ['admin', 'everything'],
  // Temporal's Web UI sends these requests repeatedly, and they change nothing.
  isAudited: false,
  body: payloadsSchema.meta({ id: 'GivenPayloads' }),
  bodyName: 'The payloads',
  responses: {
    200: {
      description: 'The same number of payloads, in the same order',
      schema: payloadsSchema.meta({ id: 'Payloads' }),
    },
  },
} as const;

/** The requests of Temporal's Web UI and command line to a codec server, see docs/privacy.md. */
export const CODEC_ROUTES = {
  decodePayloads: route('POST /codec/decode', {
    ...shared,
    summary: "Decrypt payloads of Temporal's histories",
    description:
      "Codec endpoint for Temporal's Web UI: configure `/codec`. Unencrypted payloads are returned unchanged.",
    problems: ['ENCRYPTION_KEY_MISSING'],
    handle: async ({ body }, { codec }) => reply(200, await convert(body, (payloads) => codec.decode(payloads))),
  }),
  encodePayloads: route('POST /codec/encode', {
    ...shared,
    summary: "Encrypt payloads for Temporal's histories",
    description: 'Uses the first key of EVERPOST_ENCRYPTION_KEYS. Without keys, payloads are returned unchanged.',
    handle: async ({ body }, { codec }) => reply(200, await convert(body, (payloads) => codec.encode(payloads))),
  }),
} as const;

async function convert({ payloads }: Payloads, by: PayloadCodec['encode']): Promise<Payloads> {
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
