import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { AppError, codeOf, portInUse } from '../../contract/index.js';

/**
 * Chooses ports that nothing listens on: the given ones, or free ones for 0. Holds all of them while it chooses, so
 * that no two are equal, and then releases them: another process may still take one.
 * @throws AppError PORT_IN_USE if a given port is taken
 */
export async function choosePorts(ip: string, asked: readonly number[]): Promise<number[]> {
  const servers = asked.map(() => createServer());
  try {
    const ports: number[] = [];
    for (const [index, server] of servers.entries()) {
      const port = asked[index] ?? 0;
      server.listen(port, ip);
      await once(server, 'listening').catch((error: unknown) => {
        if (codeOf(error) !== 'EADDRINUSE') throw error;
        throw portInUse("Temporal's dev server", `${ip}:${port}`, '0 picks a free one', error);
      });
      ports.push((server.address() as AddressInfo).port);
    }
    return ports;
  } finally {
    for (const server of servers) server.close();
  }
}

/** The given ports if all are free, else any free ones. */
export async function preferPorts(ip: string, asked: readonly number[]): Promise<number[]> {
  return choosePorts(ip, asked).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'PORT_IN_USE') throw error;
    return choosePorts(
      ip,
      asked.map(() => 0),
    );
  });
}
