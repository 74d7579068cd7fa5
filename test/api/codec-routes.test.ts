import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { payloadCodec } from '../../src/codec/index.js';
import { parseEncryptionKeys } from '../../src/contract/index.js';
import { ownApi } from './api-parts.js';

const KEYS = parseEncryptionKeys(`one:${Buffer.alloc(32, 1).toString('base64')}`);
const UI = 'http://127.0.0.1:8233';

const anApi = (encryption = KEYS) => ownApi({ encryption, codecOrigins: [UI] });

/** In the format of the Web UI. */
async function encrypted(): Promise<object> {
  const [payload] = await payloadCodec(KEYS).encode([defaultPayloadConverter.toPayload('velvet otter')]);
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const metadata = Object.entries(payload?.metadata ?? {}).map(([key, value]) => [key, base64(value)]);
  return { metadata: Object.fromEntries(metadata), data: base64(payload?.data) };
}

describe('the codec endpoint', () => {
  it('decrypts what it encrypted, and leaves the rest unchanged', async () => {
    const { call } = await anApi();
    const plain = { metadata: { encoding: btoa('json/plain') }, data: btoa('"plain"') };
    const decoded = await call('POST', '/codec/decode', { payloads: [await encrypted(), plain] });
    expect(decoded).toMatchObject({ status: 200, body: { payloads: [{ data: btoa('"velvet otter"') }, plain] } });
    const encoded = await call('POST', '/codec/encode', { payloads: [plain] });
    expect(atob(encoded.body.payloads[0].metadata.encoding)).toBe('binary/encrypted');
    expect(await call('POST', '/codec/decode', encoded.body)).toMatchObject({ body: { payloads: [plain] } });
  });

  it('names a missing key', async () => {
    const { call } = await anApi(parseEncryptionKeys(`two:${Buffer.alloc(32).toString('base64')}`));
    const refused = await call('POST', '/codec/decode', { payloads: [await encrypted()] });
    expect(refused).toMatchObject({ status: 503, body: { code: 'ENCRYPTION_KEY_MISSING' } });
  });

  it('answers pages of the configured origins, and no others', async () => {
    const { call } = await anApi();
    const ask = (origin: string) =>
      call('OPTIONS', '/codec/decode', undefined, {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-namespace,authorization',
      });
    const allowed = await ask(UI);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(UI);
    expect(allowed.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-namespace');
    expect((await ask('http://127.0.0.1:9999')).headers.get('access-control-allow-origin')).toBeNull();
    const body = { payloads: [await encrypted()] };
    const from = (origin: string) => call('POST', '/codec/decode', body, { origin, 'sec-fetch-site': 'same-site' });
    expect(await from(UI)).toMatchObject({ status: 200 });
    expect(await from('http://127.0.0.1:9999')).toMatchObject({ status: 401 });
    // The same page may not request messages.
    expect(await call('GET', '/v1/messages', undefined, { origin: UI })).toMatchObject({ status: 401 });
  });
});
