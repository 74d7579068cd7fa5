import type { Hono, MiddlewareHandler } from 'hono';
import type { Clock, InstanceDirectory, NamedSecret } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { createKeyRates } from '../keys/key-rates.js';
import { createKeyring, type Keyring } from '../keys/keyring.js';
import type { Log } from '../log.js';
import { assertProtected } from './exposure.js';
import { guard, isLoopback } from './guard.js';
import { listen, type Listening } from './listen.js';

export interface EntranceOptions {
  readonly ledger: Pick<Ledger, 'apiKeys' | 'rateLimitBuckets'>;
  readonly clock: Clock;
  /** API keys of the environment, as they are now. None at first: this machine is served without a key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** Whose notifications are taken: beyond loopback each of these instances needs a token. */
  readonly instances: Pick<InstanceDirectory, 'names' | 'get'>;
  /** Whether a proxy passes on what other machines send. */
  readonly isPublic: boolean;
  /** What an operator sets to have another port. */
  readonly portSetting: string;
  readonly log: Log;
}

/** How requests come in: with a key where one is needed, within its rate limit, at an address that is protected. */
export interface Entrance {
  readonly keyring: Keyring;
  /** @param origins  whose pages are served without a key. @default none but our own */
  guard(origins?: readonly string[]): MiddlewareHandler;
  /** Whether other machines can reach us. */
  isExposed(): boolean;
  /**
   * @throws AppError PORT_IN_USE | CONFIG_INVALID (beyond loopback without API keys or webhook tokens, or an address
   *   that cannot be had)
   */
  listen(app: Hono, address: { readonly host: string; readonly port: number }): Promise<Listening>;
  close(): Promise<void>;
}

export function createEntrance({
  ledger,
  clock,
  apiKeys,
  instances,
  isPublic,
  portSetting,
  log,
}: EntranceOptions): Entrance {
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
    guard: (origins) => guard(origins === undefined ? guarded : { ...guarded, origins }),
    isExposed: () => isExposed,

    async listen(app, address) {
      const hasKeys = hasConfiguredKeys || (await ledger.apiKeys.anyAdmin(clock.nowMs()));
      assertProtected(address.host, { hasKeys, instances });
      if (!isLoopback(address.host)) isExposed = needsKey = true;
      const server = await listen((request, bindings) => app.fetch(request, bindings), { ...address, portSetting });
      listening.push(server);
      return server;
    },

    async close() {
      await Promise.all(listening.map((server) => server.close()));
    },
  };
}
