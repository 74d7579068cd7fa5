// The ports that docker-compose.yml publishes, at the addresses of its services.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Listens at each port that the file publishes, or at a free one where it is taken.
 * @param {import('./compose.js').Compose} compose
 * @param {Readonly<Record<string, string>>} addresses  by service
 */
export async function publishPorts({ services }, addresses) {
  /** @type {Record<string, string>} */
  const published = {};
  /** @type {import('node:net').Server[]} */
  const servers = [];
  for (const [name, { ports = [] }] of Object.entries(services)) {
    for (const port of ports) {
      const [host = '', outside = '', inside = ''] = port.split(':');
      const server = forwarder(addresses[name] ?? '', Number(inside));
      const free = await listen(server, host, Number(outside)).catch(() => listen(server, host, 0));
      published[`${host}:${outside}`] = `${host}:${free}`;
      servers.push(server);
    }
  }
  return {
    /** By the address in the file. @type {Readonly<Record<string, string>>} */
    published,
    close: () => {
      for (const server of servers) server.close();
    },
  };
}

/** @param {string} host  @param {number} port */
function forwarder(host, port) {
  return createServer((socket) => {
    const service = connect(port, host);
    socket.pipe(service).pipe(socket);
    socket.on('error', () => service.destroy());
    service.on('error', () => socket.destroy());
  });
}

/**
 * @param {import('node:net').Server} server
 * @param {string} host
 * @param {number} port
 * @returns {Promise<number>} the port
 */
async function listen(server, host, port) {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}
