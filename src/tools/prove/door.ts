import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Teardown } from '../../compose/index.js';

const HOST = '127.0.0.1';

/**
 * One address in front of several processes, as a load balancer is: each connection goes to one of them that listens.
 * @returns its port
 */
export async function openDoor(ports: readonly number[], teardown: Teardown): Promise<number> {
  const sockets = new Set<Socket>();
  let turn = 0;

  function join(one: Socket, other: Socket): void {
    sockets.add(one);
    one.on('error', () => one.destroy());
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    turn += 1;
    const first = turn;
    void (async () => {
      for (const at of ports.keys()) {
        const upstream = await reach(ports[(first + at) % ports.length] ?? 0);
        if (upstream === undefined) continue;
        join(client, upstream);
        join(upstream, client);
        return;
      }
      client.destroy();
    })();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  teardown.add('door', () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** @returns undefined when nothing listens there */
function reach(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
