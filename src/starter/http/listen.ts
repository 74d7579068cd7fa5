import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve, type HttpBindings } from '@hono/node-server';
import { AppError } from '../../contract/index.js';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections and waits for the requests under way, a few seconds at most. */
  close(): Promise<void>;
}

/** Long enough for a request that is being worked on; long polls were ended before. */
const CLOSE_GRACE_MS = 3_000;
const IDLE_SWEEP_MS = 20;

/**
 * What a request has before its body. Larger ones are answered 431: no header of ours, a token included, is near it.
 */
const MAX_HEADER_BYTES = 8 * 1024;
/** A client that sends its headers byte by byte holds a connection no longer than this. */
const HEADERS_TIMEOUT_MS = 10_000;
/**
 * A request has to be complete within this time; Node's own five minutes would cut the import of ten million recipients
 * off.
 */
const REQUEST_TIMEOUT_MS = 60 * 60_000;
/**
 * A connection without traffic for this long is closed, for example that of a caller that stopped reading its report.
 */
const IDLE_TIMEOUT_MS = 15 * 60_000;

/**
 * @param fetch  given the socket's own request and response as well
 * @param portSetting  what an operator sets to have another port
 * @throws AppError PORT_IN_USE | CONFIG_INVALID when the address cannot be had
 */
export async function listen(
  fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  { host, port, portSetting }: { host: string; port: number; portSetting: string },
): Promise<Listening> {
  const serverOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = serve({
    fetch: (request, bindings) => fetch(request, bindings as HttpBindings),
    hostname: host,
    port,
    serverOptions,
  }) as Server;
  server.setTimeout(IDLE_TIMEOUT_MS);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(error, host, port, portSetting);
  }
  const { port: boundPort } = server.address() as AddressInfo;
  const shownHost =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shownHost}:${boundPort}`, port: boundPort, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection whose last response has just been written counts as idle only now.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(giveUp);
}

function cannotListen(error: unknown, host: string, port: number, portSetting: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EADDRINUSE') {
    return new AppError(
      'PORT_IN_USE',
      `Port ${port} on ${host} is taken by another program. Stop it, or choose another port: ${portSetting}`,
      { cause: error },
    );
  }
  return new AppError(
    'CONFIG_INVALID',
    `Cannot listen on ${host} port ${port} (${String(error.code)}). Correct EVERPOST_HTTP_HOST, or the port: ${portSetting}`,
    { cause: error },
  );
}
