/** A client whose connection is closed while Temporal is unavailable. */
import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { Connection } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { ensureServerSetup, temporalClient } from '../../src/compose/temporal.js';
import { localTemporal } from '../../src/compose/temporal-place.js';
import { eventually } from '../support/eventually.js';

it('a closed client fails its calls under way and later ones, and throws nothing elsewhere', async () => {
  let tries = 0;
  const server = createServer((socket) => {
    tries += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { client, close } = temporalClient(localTemporal(`127.0.0.1:${port}`, { namespace: 'default' }));
  const ask = () => client.withDeadline(Date.now() + 60_000, () => client.workflowService.getSystemInfo({}));

  const asked = ask();
  const failed = expect(asked).rejects.toMatchObject({ code: 14 });
  await eventually(() => expect(tries).toBeGreaterThan(0));
  await close();

  await failed;
  await expect(ask()).rejects.toMatchObject({ code: 14 });
});

it('a server that refuses the credentials is said to refuse them, and not to be away', async () => {
  const server = createHttp2Server().on('stream', (stream) => {
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });

  await expect(ensureServerSetup(connection, { namespace: 'shop', searchAttributes: {} })).rejects.toMatchObject({
    code: 'TEMPORAL_UNAVAILABLE',
    message:
      `Temporal at 127.0.0.1:${port} refused our credentials for namespace "shop": 16 UNAUTHENTICATED. ` +
      'Check TEMPORAL_API_KEY or TEMPORAL_TLS, and that they may use this namespace.',
  });
});
