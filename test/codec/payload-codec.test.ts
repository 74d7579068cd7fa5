import { createDecipheriv } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataConverter, payloadCodec } from '../../src/codec/index.js';
import { parseEncryptionKeys } from '../../src/contract/index.js';
import { runs } from '../support/runs.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const TEXT = defaultPayloadConverter.toPayload({ text: 'velvet otter' });

const codecOf = (keys: string) => payloadCodec(parseEncryptionKeys(keys));

async function encrypted(keys: string, payload: Payload = TEXT): Promise<Payload> {
  const [first = {}] = await codecOf(keys).encode([payload]);
  return first;
}

describe('the payload codec', () => {
  it("writes the format of Temporal's samples", async () => {
    const { metadata, data } = await encrypted(OLD);
    const words = Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, String(value)]));
    expect(words).toEqual({
      encoding: 'binary/encrypted',
      'encryption-cipher': 'AES/GCM/NoPadding',
      'encryption-key-id': 'old',
    });
    const bytes = Buffer.from(data ?? []);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32, 1), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    const read = proto.temporal.api.common.v1.Payload.decode(plain);
    expect(defaultPayloadConverter.fromPayload(read)).toEqual({ text: 'velvet otter' });
  });

  it('never writes the same bytes twice', async () => {
    expect((await encrypted(OLD)).data).not.toEqual((await encrypted(OLD)).data);
  });

  it('reads after a rotation what the earlier key encrypted, and encrypts with the new one (CODEC-2)', async () => {
    const before = await encrypted(OLD);
    const rotated = codecOf(`${NEW},${OLD}`);
    const [read = {}] = await rotated.decode([before]);
    expect(defaultPayloadConverter.fromPayload(read)).toEqual({ text: 'velvet otter' });
    expect(String((await encrypted(`${NEW},${OLD}`)).metadata?.['encryption-key-id'])).toBe('new');
  });

  it('reads unencrypted payloads (CODEC-1)', async () => {
    expect(await codecOf(OLD).decode([TEXT])).toEqual([TEXT]);
    expect(await payloadCodec(undefined).encode([TEXT])).toEqual([TEXT]);
  });

  it('names the missing key (CODEC-3)', async () => {
    const payload = await encrypted(OLD);
    for (const codec of [codecOf(NEW), payloadCodec(undefined)]) {
      await expect(codec.decode([payload])).rejects.toMatchObject({
        code: 'ENCRYPTION_KEY_MISSING',
        next: 'human',
        message: expect.stringContaining('key old'),
      });
    }
  });

  it('encrypts failures only with keys', () => {
    expect(dataConverter(undefined).failureConverterPath).toBeUndefined();
    expect(dataConverter(parseEncryptionKeys(OLD)).failureConverterPath).toMatch(/\.cjs$/);
  });

  it('refuses every changed or foreign byte without another effect', async () => {
    const { data } = await encrypted(OLD);
    const bytes = Buffer.from(data ?? []);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 80 }),
          fc
            .tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
            .map(([at, flip]) => bytes.map((byte, index) => (index === at ? byte ^ flip : byte))),
        ),
        fc.oneof(fc.constant(Buffer.from('old')), fc.uint8Array({ maxLength: 70 })),
        async (foreign, id) => {
          const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': id };
          await expect(codecOf(OLD).decode([{ metadata, data: foreign }])).rejects.toMatchObject({
            code: 'ENCRYPTION_KEY_MISSING',
          });
        },
      ),
      { numRuns: runs(50) },
    );
  });
});

describe('the encryption keys', () => {
  it.each(['', 'one', 'one:short', `one:${'A'.repeat(50)}`, `${OLD},${OLD}`, `a b:${'A'.repeat(43)}=`])(
    'are refused without being shown: %s',
    (text) => {
      let message = '';
      try {
        parseEncryptionKeys(text);
      } catch (error) {
        message = String(error);
      }
      expect(message).not.toBe('');
      expect(message).not.toContain('AAAA');
    },
  );
});
