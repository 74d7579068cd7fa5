import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import {
  AppError,
  type Clock,
  type EncryptionKeys,
  type InstanceDirectory,
  type NamedSecret,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { createBackground } from '../background.js';
import type { ChangeBell } from '../change-bell.js';
import { createKeyRates } from '../keys/key-rates.js';
import { createKeyring } from '../keys/keyring.js';
import type { LoadMeter } from '../load-meter.js';
import type { Log } from '../log.js';
import type { CheckOperation } from '../message-request.js';
import type { TemporalAccess } from '../message-runs.js';
import { dependenciesOfCallers } from './dependencies-of-callers.js';
import { assertProtected, isPublic, onlyHosts } from './exposure.js';
import { forPagesOf, guard, hostnameOf, isLoopback } from './guard.js';
import { listen, type Listening } from './listen.js';
import type { OperationDocs } from './openapi.js';
import { responseProblem } from './problem.js';
import { methodsOf, serveRoutes } from './router.js';
import type { NotificationReceiver } from './route-dependencies.js';

export interface ApiOptions extends TemporalAccess {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly receiver: NotificationReceiver;
  /** The gateway module's `check`: the limits live with its contracts. */
  readonly checkOperation: CheckOperation;
  /** The gateway module's contracts, for the OpenAPI document. */
  readonly operationDocs: OperationDocs;
  readonly clock: Clock;
  /** API keys of the environment, as they are now. None at first: this machine is served without a key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** Where the gateway reaches the receiver. Beyond loopback, every notification needs a token. */
  readonly publicUrl?: string | undefined;
  /** Names by which requests may address us, besides loopback and the public URL's. @default every name */
  readonly allowedHosts?: readonly string[];
  /** Whether messages may name status callbacks on this machine or in a private network. @default false */
  readonly allowPrivateCallbacks?: boolean;
  /** Absent: payloads in Temporal are not encrypted. */
  readonly encryption?: EncryptionKeys;
  /** Whose pages may have payloads decrypted. @default none but our own */
  readonly codecOrigins?: readonly string[];
  /** The most that an import of recipients or suppressions may weigh. @default 1 GB */
  readonly maxImportBytes?: number;
  readonly log: Log;
  /** everpost's own, for the OpenAPI document. */
  readonly version: string;
  /** Counts the messages that are begun. */
  readonly load?: Pick<LoadMeter, 'count'>;
  /** Rung by every change of rows in this process. @default one that is never rung: waiting polls */
  readonly bell?: ChangeBell;
}

export interface Api {
  /** Answers one request without a server, e.g. in a test. */
  fetch(request: Request): Promise<Response>;
  /**
   * @throws AppError PORT_IN_USE | CONFIG_INVALID (beyond loopback without API keys or webhook tokens, or an address
   *   that cannot be had)
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<Listening>;
  /** Answers what waits as it stands now, then stops listening and ends what it does in the background. */
  close(): Promise<void>;
}

export function createApi(options: ApiOptions): Api {
  const { ledger, clock, apiKeys, publicUrl, allowedHosts = [], codecOrigins = [], log } = options;
  const closing = new AbortController();
  const hasConfiguredKeys = apiKeys().length > 0;
  const keyring = createKeyring({ apiKeys: ledger.apiKeys, configured: apiKeys, clock, log });
  const listening: Listening[] = [];
  let isExposed = isPublic(publicUrl);
  // An API that other machines reach is never opened again by a list of keys that became empty.
  let needsKey = hasConfiguredKeys;

  const app = new Hono();
  app.use(requestId({ limitLength: 64 }));
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  const takeTurn = createKeyRates(ledger.rateLimitBuckets);
  const guarded = { keyring, takeTurn, needsKey: () => needsKey };
  app.use('/v1/*', guard(guarded));
  app.use('/codec/*', forPagesOf(codecOrigins), guard({ ...guarded, origins: codecOrigins }));
  const background = createBackground();
  const shared = { closing: closing.signal, background, isExposed: () => isExposed, keyring };
  serveRoutes(app, dependenciesOfCallers(options, shared), log);
  responseProblems(app, log);

  return {
    fetch: async (request) => app.fetch(request),

    async listen(address) {
      const hasKeys = hasConfiguredKeys || (await ledger.apiKeys.anyAdmin(clock.nowMs()));
      assertProtected(address.host, { hasKeys, instances: options.instances });
      if (!isLoopback(address.host)) isExposed = needsKey = true;
      const server = await listen((request, bindings) => app.fetch(request, bindings), address);
      listening.push(server);
      return server;
    },

    async close() {
      closing.abort();
      await Promise.all(listening.map((server) => server.close()));
      await background.ended();
    },
  };
}

function responseProblems(app: Hono, log: Log): void {
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === '') {
      return responseProblem(c, new AppError('ROUTE_NOT_FOUND', 'There is no such route. All are listed at /docs.'));
    }
    c.header('Allow', methods);
    const error = new AppError('ROUTE_NOT_FOUND', `This route has no ${c.req.method}, only ${methods}. See /docs.`);
    return responseProblem(c, error, 405);
  });

  app.onError((error, c) => {
    const known = error instanceof AppError ? error : internal(error);
    if (known.next === 'bug') {
      log({
        level: 'error',
        message: 'A request failed by a bug',
        route: c.req.routePath,
        requestId: c.get('requestId'),
        error: error.stack,
      });
    }
    return responseProblem(c, known);
  });
}

function internal(cause: Error): AppError {
  return new AppError('INTERNAL', 'The request failed by a bug of everpost; its log tells more. Please report it.', {
    cause,
  });
}
