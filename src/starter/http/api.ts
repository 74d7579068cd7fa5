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
import type { LoadMeter } from '../load-meter.js';
import type { Log } from '../log.js';
import type { CheckOperation } from '../message-request.js';
import type { TemporalAccess } from '../message-runs.js';
import { reported, type ApiMetrics } from './api-metrics.js';
import { dependenciesOfCallers } from './dependencies-of-callers.js';
import { createEntrance, type Entrance } from './entrance.js';
import { respondToErrors } from './error-responses.js';
import { isPublic, onlyHosts } from './exposure.js';
import { forPagesOf, hostnameOf } from './guard.js';
import type { OperationDocs } from './openapi.js';
import { responseProblem } from './problem.js';
import { methodsOf, serveRoutes } from './router.js';
import type { NotificationReceiver } from './route-dependencies.js';
import { SERVICE_ROUTES } from './routes/service.js';

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
  readonly metrics: ApiMetrics;
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
  listen(address: Parameters<Entrance['listen']>[1]): ReturnType<Entrance['listen']>;
  /** Answers what waits as it stands now, then stops listening and ends what it does in the background. */
  close(): Promise<void>;
}

export function createApi(options: ApiOptions): Api {
  const { apiKeys, publicUrl, allowedHosts = [], codecOrigins = [], metrics, log } = options;
  const { ledger, clock, instances } = options;
  const closing = new AbortController();
  const entrance = createEntrance({
    ledger,
    clock,
    apiKeys,
    instances,
    isPublic: isPublic(publicUrl),
    portSetting: 'EVERPOST_HTTP_PORT, or --http-port',
    log,
  });

  const app = new Hono();
  app.use(reported(metrics));
  app.use(requestId({ limitLength: 64 }));
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  app.use('/v1/*', entrance.guard());
  app.use(SERVICE_ROUTES.metrics.path, entrance.guard());
  app.use('/codec/*', forPagesOf(codecOrigins), entrance.guard(codecOrigins));
  const background = createBackground();
  const { isExposed, keyring } = entrance;
  serveRoutes(app, dependenciesOfCallers(options, { closing: closing.signal, background, isExposed, keyring }), log);
  respondToUnknownRoutes(app);
  respondToErrors(app, { metrics, log });

  return {
    fetch: async (request) => app.fetch(request),
    listen: (address) => entrance.listen(app, address),

    async close() {
      closing.abort();
      await entrance.close();
      await background.ended();
    },
  };
}

function respondToUnknownRoutes(app: Hono): void {
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === '') {
      return responseProblem(c, new AppError('ROUTE_NOT_FOUND', 'There is no such route. All are listed at /docs.'));
    }
    c.header('Allow', methods);
    const error = new AppError('ROUTE_NOT_FOUND', `This route has no ${c.req.method}, only ${methods}. See /docs.`);
    return responseProblem(c, error, 405);
  });
}
