import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { AppError } from '../../contract/index.js';

/**
 * Settles on ports that nothing listens on: the asked ones, or free ones for 0. All are held at once while choosing, so
 * that no two are equal, and released before returning: another process may still take one until ours listens.
 * @throws AppError PORT_IN_USE when an asked port is taken
 */
export async function choosePorts(ip: string, asked: readonly number[]): Promise<number[]> {
  const servers = asked.map(() => createServer());
  try {
    const ports: number[] = [];
    for (const [index, server] of servers.entries()) {
      const port = asked[index] ?? 0;
      server.listen(port, ip);
      await once(server, 'listening').catch((error: unknown) => {
        throw portError(error, ip, port);
      });
      ports.push((server.address() as AddressInfo).port);
    }
    return ports;
  } finally {
    for (const server of servers) server.close();
  }
}

/** The asked ports where they are free; else any. */
export async function preferPorts(ip: string, asked: readonly number[]): Promise<number[]> {
  return choosePorts(ip, asked).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'PORT_IN_USE') throw error;
    return choosePorts(
      ip,
      asked.map(() => 0),
    );
  });
}

function portError(cause: unknown, ip: string, port: number): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EADDRINUSE') return cause;
  return new AppError(
    'PORT_IN_USE',
    `Temporal's dev server cannot listen on port ${port} of ${ip}: another program does. ` +
      `Stop that one, or choose another port (0 picks a free one).`,
    { cause },
  );
}
