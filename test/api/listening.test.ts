/** Over a real port: the other tests call the API without one. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { useLedger } from '../support/ledger/ledger.js';
import { eventually } from '../support/eventually.js';
import { JSON_TYPE, ownApi, someApi, someKeys } from './api-parts.js';

const HELLO = { instance: 'main', to: '+1 555 000 0001', content: { kind: 'text', text: 'Hello' } };

const ledger = useLedger();

describe('listening', () => {
  it('answers over HTTP, shows its port, and stops when closed', async () => {
    const parts = await someApi({ ledger });
    const { url, port } = await parts.api.listen({ host: '127.0.0.1', port: 0 });

    expect(port).toBeGreaterThan(0);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    await parts.close();
    await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  });

  it('refuses a body over the limit in a way that the caller can read, however large', async () => {
    const parts = await ownApi({ ledger });
    const { url } = await parts.api.listen({ host: '127.0.0.1', port: 0 });

    for (const sizeBytes of [150_000, 5_000_000]) {
      const response = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: 'x'.repeat(sizeBytes),
      });
      expect(response.status).toBe(413);
      await response.body?.cancel();
    }
  });

  it('answers a waiting caller when it closes', async () => {
    const parts = await ownApi({ ledger });
    const { url } = await parts.api.listen({ host: '127.0.0.1', port: 0 });
    const { id } = (await parts.call('POST', '/v1/messages', HELLO)).body as { readonly id: string };
    const view = vi.spyOn(ledger.views, 'message');
    const waiting = fetch(`${url}/v1/messages/${id}?wait=end&timeoutMs=60000`);
    await eventually(() => expect(view).toHaveBeenCalled());

    await parts.api.close();
    expect((await (await waiting).json()) as object).toMatchObject({ id, state: 'pending' });
  });

  it('on a port in use fails, and names the port and the remedy', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const parts = await ownApi({ ledger });

    await expect(parts.api.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringMatching(new RegExp(`${port}.*--http-port`)),
    });
    taken.close();
  });

  it('on an address of another machine fails with the correction', async () => {
    const parts = await ownApi({ ledger, apiKeys: someKeys('token') });

    await expect(parts.api.listen({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
