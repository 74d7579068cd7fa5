import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpBindings, serve } from '@hono/node-server';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import {
  AppError,
  type Clock,
  type InstanceDirectory,
  type KeyLimits,
  type NamedSecret,
  type Log,
  codeOf,
  isLoopback,
  portInUse,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { createKeyLimits } from '../key-limits.js';
import { createKeyring } from '../keyring.js';
import { assertProtected, guard, isFromThisMachine } from './guard.js';
import { createRefusals } from '../refusals.js';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections and waits a few seconds for the requests under way. */
  close(): Promise<void>;
}

/** Long enough for a request under way. Long polls have ended before. */
const CLOSE_GRACE_MS = 3_000;
const IDLE_SWEEP_MS = 20;

/** Largest size of a request's headers; larger ones get 431. Our own headers with a token are far smaller. */
const MAX_HEADER_BYTES = 8 * 1024;
/** A client that sends its headers slowly holds a connection no longer than this. */
const HEADERS_TIMEOUT_MS = 10_000;
/**
 * A request has to be complete within this time. Node's own limit of five minutes is too short for an import of ten
 * million recipients.
 */
const REQUEST_TIMEOUT_MS = 60 * 60_000;
/** A connection without traffic for this long is closed, e.g. if the caller stopped reading its report. */
const IDLE_TIMEOUT_MS = 15 * 60_000;

/**
 * @param fetch  also gets the socket's own request and response
 * @param portSetting  the setting by which an operator chooses another port
 * @throws AppError PORT_IN_USE | CONFIG_INVALID if the server cannot listen on the address
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
  return {
    url: `http://${shownHost}:${boundPort}`,
    port: boundPort,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // A kept-alive connection whose last response was just written counts as idle only now.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(giveUp);
    },
  };
}

function cannotListen(error: unknown, host: string, port: number, portSetting: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === 'EADDRINUSE') return portInUse('everpost', `${host}:${port}`, portSetting, error);
  return new AppError(
    'CONFIG_INVALID',
    `Cannot listen on ${host} port ${port} (${code}). Correct EVERPOST_HTTP_HOST or the port: ${portSetting}`,
    { cause: error },
  );
}

export interface EntranceOptions {
  readonly ledger: Pick<Ledger, 'digest' | 'apiKeys' | 'audit' | 'rateLimitBuckets'>;
  readonly clock: Clock;
  /** The environment's current API keys. If there are none at the start, programs on this machine need no key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** What each key of the ledger may use. @default DEFAULT_KEY_LIMITS */
  readonly keyLimits?: KeyLimits | undefined;
  /** The instances whose notifications are accepted. Beyond loopback each needs a webhook token. */
  readonly instances: InstanceDirectory;
  /** Whether a proxy forwards requests of other machines. */
  readonly isPublic: boolean;
  /** The setting by which an operator chooses another port. */
  readonly portSetting: string;
  /** The operationId of a request, for the audit list. */
  readonly operationOf: (c: Context) => string;
  readonly log: Log;
}

const NO_KEY =
  'EVERPOST_PUBLIC_URL names another machine, so every request to the API needs a key, and there is none. Create one and start again: export EVERPOST_API_KEYS=$(openssl rand -hex 32)';

/**
 * The entrance of an HTTP server: it requires keys, applies their rate limits, and listens only on a protected address.
 */
export function createEntrance(options: EntranceOptions) {
  const { ledger, clock, apiKeys, keyLimits, instances, isPublic, portSetting, operationOf, log } = options;
  const hasConfiguredKeys = apiKeys().length > 0;
  const keyring = createKeyring({ apiKeys: ledger.apiKeys, digest: ledger.digest, configured: apiKeys, clock, log });
  const limits = createKeyLimits(ledger.rateLimitBuckets, keyLimits);
  const refusals = createRefusals({ audit: ledger.audit, clock, log });
  const listening: Listening[] = [];
  // It stays exposed, and requires keys, if the list of keys becomes empty.
  let isExposed = isPublic;

  /** Whether a program or a browser on this machine sent the request. */
  const isLocal = (c: Context): boolean => !isExposed && isFromThisMachine(c);

  return {
    keyring,
    limits,
    refusals,
    guard: (origins?: readonly string[]): MiddlewareHandler =>
      guard({ keyring, limits, refusals, operationOf, isTrusted: (c) => !hasConfiguredKeys && isLocal(c) }, origins),
    /** Whether other machines can reach us. */
    isExposed: (): boolean => isExposed,
    isLocal,

    /**
     * @throws AppError PORT_IN_USE | CONFIG_INVALID (beyond loopback without API keys or webhook tokens, or if the
     *   server cannot listen on the address)
     */
    async listen(app: Hono, address: { readonly host: string; readonly port: number }): Promise<Listening> {
      const hasKeys = hasConfiguredKeys || (await ledger.apiKeys.anyAdmin(clock.nowMs()));
      assertProtected(address.host, { hasKeys, instances });
      if (!isLoopback(address.host)) isExposed = true;
      if (isExposed && !hasKeys) log({ level: 'warn', message: NO_KEY });
      const server = await listen((request, bindings) => app.fetch(request, bindings), { ...address, portSetting });
      listening.push(server);
      return server;
    },

    async close(): Promise<void> {
      await Promise.all(listening.map((server) => server.close()));
    },
  };
}
