import { Hono } from 'hono';
import { payloadCodec } from '../../codec/index.js';
import {
  AppError,
  type Clock,
  type EncryptionKeys,
  type InstanceDirectory,
  type Secret,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { createBackground } from '../background.js';
import { beginMessageWith } from '../begin-message.js';
import { amendmentRuns, startAmendmentWith } from '../campaigns/amendment-runs.js';
import { askGatewayWith } from '../campaigns/ask-gateway.js';
import { campaignRuns as openCampaignRuns } from '../campaigns/campaign-runs.js';
import { createCampaigns } from '../campaigns/campaigns.js';
import { followCampaignWith } from '../campaigns/follow-campaign.js';
import { createCampaignSteering } from '../campaigns/steer-campaign.js';
import { createCampaignWaker } from '../campaigns/wake-campaigns.js';
import { cancelMessageWith } from '../cancel-message.js';
import { resolveMessageWith } from '../resolve-message.js';
import { createChangeBell, type ChangeBell } from '../change-bell.js';
import { editMessageWith } from '../edit-message.js';
import { findIdWith } from '../find-id.js';
import { findMessageWith } from '../find-message.js';
import { instanceStatusWith } from '../instances/instance-status.js';
import { pauseInstanceWith } from '../instances/pause-instance.js';
import { resumeInstanceWith } from '../instances/resume-instance.js';
import type { LoadMeter } from '../load-meter.js';
import type { Log } from '../log.js';
import type { CheckOperation } from '../message-request.js';
import { messageRuns, type TemporalAccess } from '../message-runs.js';
import { operationRuns } from '../operation-runs.js';
import { createOperations } from '../operations.js';
import { assertProtected, isPublic, onlyHosts } from './exposure.js';
import { forPagesOf, guard, hostnameOf, isLoopback } from './guard.js';
import { docsPage } from './docs-page.js';
import { listen, type Listening } from './listen.js';
import { openApiDocument, type OperationDocs } from './openapi.js';
import { responseProblem } from './problem.js';
import { DEFAULT_MAX_IMPORT_BYTES } from './read-request.js';
import { methodsOf, serveRoutes } from './router.js';
import { createSchedules } from '../schedules/schedules.js';
import { syncScheduleWith } from '../schedules/sync-schedule.js';
import { temporalSchedules } from '../schedules/temporal-schedules.js';
import { createSuppressionList } from '../suppressions/suppressions.js';
import { createTemplates } from '../templates/templates.js';
import { templateRuns } from '../templates/template-runs.js';
import { createWaker } from '../wake-instance.js';
import { createWaiting } from './waiting.js';
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
  /** API keys that are accepted, as Bearer tokens. None: only this machine is served. */
  readonly apiKeys: readonly Secret[];
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
  const {
    ledger,
    instances,
    checkOperation,
    clock,
    apiKeys,
    publicUrl,
    allowedHosts = [],
    codecOrigins = [],
  } = options;
  const closing = new AbortController();
  const { bell = createChangeBell(), maxImportBytes = DEFAULT_MAX_IMPORT_BYTES } = options;
  const waiting = createWaiting(bell, closing.signal);
  const runs = messageRuns(options);
  const campaignRuns = openCampaignRuns(options);
  const background = createBackground();
  const wake = background.track(createWaker(options));
  const followCampaign = background.track(followCampaignWith({ runs: campaignRuns, log: options.log }));
  const startAmendment = background.track(startAmendmentWith({ runs: amendmentRuns(options), log: options.log }));
  const signalRuns = () => options.receiver.signal();
  const core = { ledger, instances, runs, clock, bell, wake, followCampaign, signalRuns };
  const beginMessage = beginMessageWith({ ...core, load: options.load });
  const editMessage = editMessageWith(core);
  const findMessage = findMessageWith(core);
  const findId = findIdWith(core);
  const dependencies = { ledger, clock, instances, checkOperation, beginMessage, findMessage, findId, editMessage };
  const reachable = () => runs.reachable();
  const templates = createTemplates({ ...core, reachable, runs: templateRuns(options) });
  const operations = createOperations({ ...dependencies, templates, runs: operationRuns(options) });
  const askGateway = askGatewayWith({ operations, bell });
  const wakeCampaigns = background.track(createCampaignWaker({ ...options, campaigns: ledger.campaigns }));
  const wakeAll = async (instance: string) => void (await Promise.all([wake(instance), wakeCampaigns(instance)]));
  const document = openApiDocument({ version: options.version, operations: options.operationDocs });
  const temporal = temporalSchedules(options);
  const listening: Listening[] = [];
  let isExposed = isPublic(publicUrl);

  const app = new Hono();
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  app.use('/v1/*', guard(apiKeys));
  app.use('/codec/*', forPagesOf(codecOrigins), guard(apiKeys, codecOrigins));
  serveRoutes(app, {
    ...dependencies,
    waiting,
    cancelMessage: cancelMessageWith(core),
    resolveMessage: resolveMessageWith(core),
    campaigns: createCampaigns({ ...dependencies, askGateway }),
    steering: createCampaignSteering({ ...core, checkOperation, startAmendment, runs: campaignRuns }),
    schedules: createSchedules({
      ...options,
      temporal,
      sync: syncScheduleWith({ ledger, temporal, clock }),
      allowPrivate: options.allowPrivateCallbacks ?? false,
    }),
    templates,
    suppressions: createSuppressionList({ ledger, instances, clock }),
    operations,
    askGateway,
    instanceStatus: instanceStatusWith(dependencies),
    pauseInstance: pauseInstanceWith({ ...core, wake: wakeAll }),
    resumeInstance: resumeInstanceWith({ ...core, askGateway, wake: wakeAll }),
    receiver: options.receiver,
    codec: payloadCodec(options.encryption),
    isExposed: () => isExposed,
    allowPrivateCallbacks: options.allowPrivateCallbacks ?? false,
    maxImportBytes,
    document,
    docs: docsPage(document),
  });
  responseProblems(app, options.log);

  return {
    fetch: async (request) => app.fetch(request),

    async listen(address) {
      assertProtected(address.host, { apiKeys, instances });
      isExposed ||= !isLoopback(address.host);
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
      log({ level: 'error', message: 'A request failed by a bug', route: c.req.routePath, error: error.stack });
    }
    return responseProblem(c, known);
  });
}

function internal(cause: Error): AppError {
  return new AppError('INTERNAL', 'The request failed by a bug of everpost; its log tells more. Please report it.', {
    cause,
  });
}
