/** A client whose connection is closed while Temporal is unavailable. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { temporalClient } from '../../src/compose/temporal.js';
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
