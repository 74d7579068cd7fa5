import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { AppError } from '../../contract/index.js';

/** A port that no program listens on now. */
export async function freePort(host: string): Promise<number> {
  return (await listenOnce(host, 0)) ?? 0;
}

async function listenOnce(host: string, port: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    return (probe.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    probe.close();
  }
}

/**
 * Finds out early that a port is taken, before anything else was started for nothing.
 * @throws AppError PORT_IN_USE
 */
export async function assertPortFree(host: string, port: number): Promise<void> {
  if ((await listenOnce(host, port)) !== undefined) return;
  throw new AppError(
    'PORT_IN_USE',
    `Nothing can listen on ${host}:${port}: another program does, or the address is not this machine's. Stop that program, or choose another port (EVERPOST_HTTP_PORT or --http-port; 0 picks a free one).`,
  );
}
