import { payloadCodec } from '../../codec/index.js';
import type {
  Caller,
  EncryptionKeys,
  Clock,
  InstanceDirectory,
  MetricsText,
  NamedSecret,
  Log,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { Background, LoadMeter } from '../background.js';
import { askByOperation } from '../operations.js';
import {
  campaignRuns as openCampaignRuns,
  createCampaignWaker,
  followCampaignWith,
  startAmendmentWith,
} from '../campaigns/campaign-runs.js';
import { createChangeBell, type ChangeBell, createWaiting } from '../waiting.js';
import type { Keyring } from '../keyring.js';
import type { CheckOperation } from '../messages/message-request.js';
import { messageRuns } from '../messages/message-runs.js';
import { operationRuns } from '../temporal/activity-runs.js';
import { syncScheduleWith, temporalSchedules } from '../schedules/temporal-schedules.js';
import { templateRuns } from '../temporal/template-runs.js';
import type { TemporalAccess } from '../temporal/temporal-call.js';
import { createWaker } from '../temporal/wake-instance.js';
import { onlyInstances } from './access.js';
import type { OpenApiDocument } from './openapi/docs-page.js';
import { openApiDocument, type OperationDocs } from './openapi/openapi.js';
import { DEFAULT_MAX_IMPORT_BYTES } from './read-request.js';
import type { NotificationReceiver, RouteDependencies, ServerMetrics } from './route-dependencies.js';
import { findIdWith } from '../find-id.js';

export interface ApiOptions extends TemporalAccess {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly receiver: NotificationReceiver;
  /** The gateway module's `check`: that module has the limits. */
  readonly checkOperation: CheckOperation;
  /** The gateway module's contracts, for the OpenAPI document. */
  readonly operationDocs: OperationDocs;
  readonly clock: Clock;
  /** The environment's current API keys. If there are none at the start, programs on this machine need no key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** The address by which the gateway reaches the receiver. Beyond loopback, every notification needs a token. */
  readonly publicUrl?: string | undefined;
  /**
   * Host names by which requests may address the server, besides loopback and the public URL's host. @default every
   * name
   */
  readonly allowedHosts?: readonly string[];
  /** Whether messages may name status callbacks on this machine or in a private network. @default false */
  readonly allowPrivateCallbacks?: boolean;
  /** Absent: payloads in Temporal are not encrypted. */
  readonly encryption?: EncryptionKeys;
  /** Origins of web pages that may decrypt payloads. @default only our own */
  readonly codecOrigins?: readonly string[];
  /** The largest import of recipients or suppressions, in bytes. @default 1 GB */
  readonly maxImportBytes?: number;
  readonly metrics: ServerMetrics & { ofLedger(): Promise<MetricsText> };
  readonly log: Log;
  /** everpost's version, for the OpenAPI document. */
  readonly version: string;
  /** Counts the messages that are begun. */
  readonly load?: Pick<LoadMeter, 'count'>;
  /** Rings for every change of rows in this process. @default it never rings: waits poll */
  readonly bell?: ChangeBell;
}

interface Shared {
  readonly closing: AbortSignal;
  readonly background: Background;
  readonly isExposed: () => boolean;
  readonly keyring: Keyring;
}

/**
 * The dependencies of handlers, as their caller sees them: a key that is limited to some instances sees no others
 * (ACCESS-2).
 */
export function dependenciesOfCallers(
  options: ApiOptions,
  { closing, background, isExposed, keyring }: Shared,
): (caller: Caller | undefined) => RouteDependencies {
  const { ledger, clock, log, checkOperation, load, receiver, metrics } = options;
  const {
    bell = createChangeBell(),
    maxImportBytes = DEFAULT_MAX_IMPORT_BYTES,
    allowPrivateCallbacks = false,
  } = options;
  const campaignRuns = openCampaignRuns(options);
  const temporal = temporalSchedules(options);
  const wake = background.track(createWaker(options));
  const wakeCampaigns = background.track(createCampaignWaker({ ...options, campaigns: ledger.campaigns }));
  let document: OpenApiDocument | undefined;
  const shared = {
    ledger,
    clock,
    log,
    checkOperation,
    load,
    receiver,
    keyring,
    isExposed,
    bell,
    maxImportBytes,
    allowPrivateCallbacks,
    waiting: createWaiting(bell, closing),
    runs: messageRuns(options),
    campaignRuns,
    templateRuns: templateRuns(options),
    operationRuns: operationRuns(options),
    temporal,
    sync: syncScheduleWith({ ledger, temporal, clock }),
    wake,
    wakeAll: async (instance: string) => void (await Promise.all([wake(instance), wakeCampaigns(instance)])),
    followCampaign: background.track(followCampaignWith(campaignRuns, log)),
    startAmendment: background.track(startAmendmentWith(campaignRuns, log)),
    signalRuns: () => receiver.signal(),
    codec: payloadCodec(options.encryption),
    metrics: () => metrics.ofLedger(),
    // Computed at the first request: it takes an eighth of the time that a process needs to start.
    document: () => (document ??= openApiDocument({ version: options.version, operations: options.operationDocs })),
  };

  function seenIn(instances: InstanceDirectory, own?: readonly string[]): RouteDependencies {
    const dependencies: RouteDependencies = {
      ...shared,
      instances,
      findId: findIdWith({ ledger, instances: own }),
      askGateway: (...asked) => askByOperation(dependencies, ...asked),
    };
    return dependencies;
  }

  const unlimited = seenIn(options.instances);
  const limited = new Map<string, RouteDependencies>();

  return (caller) => {
    const own = caller?.instances;
    if (own === undefined) return unlimited;
    const list = own.join(' ');
    const known = limited.get(list) ?? seenIn(onlyInstances(options.instances, own), own);
    limited.set(list, known);
    return known;
  };
}
