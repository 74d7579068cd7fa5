import { describe, expect, it } from 'vitest';
import { useApi, type ApiResponse } from './api-parts.js';

const parts = useApi({ allowPrivateCallbacks: true });

const URL = 'https://a.example.com/hook?x=1';

async function anEndpoint(fields: object = { url: URL, authorization: 'Bearer velvet otter' }): Promise<string> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const created = await parts.call('POST', '/v1/event-endpoints', { instance: 'main', ...fields }, headers);
  expect(created.status).toBe(201);
  return created.body.id as string;
}

const change = (id: string, body: object): Promise<ApiResponse> =>
  parts.call('PATCH', `/v1/event-endpoints/${id}`, body);

describe("a change of an endpoint's URL", () => {
  it.each([
    'https://b.example.com/hook?x=1',
    'https://a.example.com.evil.example/hook',
    'https://example.com/hook',
    'https://a.example.com:8443/hook',
    'http://a.example.com/hook?x=1',
    'http://a.example.com:443/hook',
    'http://127.0.0.1:80/hook',
  ])('to the other origin of %s needs the header again, and changes nothing without it', async (url) => {
    const id = await anEndpoint();

    const refused = await change(id, { url, description: 'moved' });

    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'INPUT_INVALID', errors: [{ path: 'authorization' }] },
    });
    expect(refused.body.detail).toContain('Give the header for it, or null for none');
    const { body } = await parts.call('GET', `/v1/event-endpoints/${id}`);
    expect(body).toMatchObject({ url: URL, hasAuthorization: true });
    expect(body).not.toHaveProperty('description');
    expect(await change(id, { url, authorization: 'Bearer other' })).toMatchObject({
      status: 200,
      body: { url, hasAuthorization: true },
    });
    expect(await change(id, { url: URL, authorization: null })).toMatchObject({
      status: 200,
      body: { hasAuthorization: false },
    });
  });

  it.each(['https://a.example.com/other', 'https://A.example.COM:443/hook', 'https://a.example.com'])(
    'to %s, of the same origin, keeps the header',
    async (url) => {
      const id = await anEndpoint();
      expect(await change(id, { url })).toMatchObject({ status: 200, body: { hasAuthorization: true } });
    },
  );

  it('needs nothing more of an endpoint without a header', async () => {
    const id = await anEndpoint({ url: URL });
    expect(await change(id, { url: 'https://b.example.com/' })).toMatchObject({ status: 200 });
  });

  it('needs the header again when the endpoint had none to send it to', async () => {
    const id = await anEndpoint({ authorization: 'Bearer velvet otter' });
    expect(await change(id, { url: URL })).toMatchObject({ status: 422 });
    expect(await change(id, { url: URL, authorization: 'Bearer velvet otter' })).toMatchObject({ status: 200 });
  });

  it('and of its header at the same time never lead to the header at another origin', async () => {
    const id = await anEndpoint({ url: URL });
    const [moved, set] = await Promise.all([
      change(id, { url: 'https://b.example.com/' }),
      change(id, { authorization: 'Bearer velvet otter' }),
    ]);
    // Either order is right: a header that is set after the move is given for the new origin.
    expect(set.status).toBe(200);
    expect([200, 422]).toContain(moved.status);
  });
});
