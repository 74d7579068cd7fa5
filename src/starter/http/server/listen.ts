import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpBindings, serve } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import { AppError, type Clock, type InstanceDirectory, type NamedSecret } from '../../../contract/index.js';
import type { Ledger } from '../../../ledger/index.js';
import { createKeyRates } from '../../keys/key-rates.js';
import { createKeyring } from '../../keys/keyring.js';
import type { Log } from '../../log.js';
import { assertProtected, guard, isLoopback } from './guard.js';

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
 * Limit of a request's headers. Larger ones are answered 431: no header of ours, a token included, is near it.
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

export interface EntranceOptions {
  readonly ledger: Pick<Ledger, 'apiKeys' | 'rateLimitBuckets'>;
  readonly clock: Clock;
  /** API keys of the environment, as they are now. None at first: this machine is served without a key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** Whose notifications are taken: beyond loopback each of these instances needs a token. */
  readonly instances: Pick<InstanceDirectory, 'names' | 'get'>;
  /** Whether a proxy passes on what other machines send. */
  readonly isPublic: boolean;
  /** The setting with which an operator chooses another port. */
  readonly portSetting: string;
  readonly log: Log;
}

/** How requests come in: with a key where one is needed, within its rate limit, at an address that is protected. */
export function createEntrance({ ledger, clock, apiKeys, instances, isPublic, portSetting, log }: EntranceOptions) {
  const hasConfiguredKeys = apiKeys().length > 0;
  const keyring = createKeyring({ apiKeys: ledger.apiKeys, configured: apiKeys, clock, log });
  const takeTurn = createKeyRates(ledger.rateLimitBuckets);
  const listening: Listening[] = [];
  let isExposed = isPublic;
  // An API that other machines reach is never opened again by a list of keys that became empty.
  let needsKey = hasConfiguredKeys;
  const guarded = { keyring, takeTurn, needsKey: () => needsKey };

  return {
    keyring,
    /** @param origins  whose pages are served without a key. @default none but our own */
    guard: (origins?: readonly string[]): MiddlewareHandler =>
      guard(origins === undefined ? guarded : { ...guarded, origins }),
    /** Whether other machines can reach us. */
    isExposed: (): boolean => isExposed,

    /**
     * @throws AppError PORT_IN_USE | CONFIG_INVALID (beyond loopback without API keys or webhook tokens, or an address
     *   that cannot be had)
     */
    async listen(app: Hono, address: { readonly host: string; readonly port: number }): Promise<Listening> {
      const hasKeys = hasConfiguredKeys || (await ledger.apiKeys.anyAdmin(clock.nowMs()));
      assertProtected(address.host, { hasKeys, instances });
      if (!isLoopback(address.host)) isExposed = needsKey = true;
      const server = await listen((request, bindings) => app.fetch(request, bindings), { ...address, portSetting });
      listening.push(server);
      return server;
    },

    async close(): Promise<void> {
      await Promise.all(listening.map((server) => server.close()));
    },
  };
}
