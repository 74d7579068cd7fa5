import type { PayloadCodec } from '@temporalio/common';
import type { ApiRequest, Clock, InstanceDirectory, MetricsText, OperationName, Log } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { CampaignRuns, FollowCampaign, StartAmendment } from '../campaigns/campaign-runs.js';
import type { ChangeBell, WaitUntil, createWaiting } from '../waiting.js';
import type { Keyring } from '../keyring.js';
import type { LoadMeter } from '../background.js';
import type { CheckOperation } from '../messages/message-request.js';
import type { MessageRuns } from '../messages/message-runs.js';
import type { operationRuns } from '../temporal/activity-runs.js';
import type { SyncSchedule, TemporalSchedules } from '../schedules/temporal-schedules.js';
import type { TemplateRuns } from '../temporal/template-runs.js';
import type { WakeInstance } from '../temporal/wake-instance.js';
import type { OpenApiDocument } from './openapi/docs-page.js';
import type { findIdWith } from '../find-id.js';

/** The dependencies of all routes' handlers and of the functions that they call. */
export interface RouteDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly askGateway: AskGateway;
  readonly findId: ReturnType<typeof findIdWith>;
  readonly keyring: Keyring;
  /** Rings for every change of rows in this process. */
  readonly bell: ChangeBell;
  readonly waiting: ReturnType<typeof createWaiting>;
  /** Counts the messages that are begun. */
  readonly load?: Pick<LoadMeter, 'count'> | undefined;
  readonly runs: MessageRuns;
  readonly campaignRuns: CampaignRuns;
  readonly templateRuns: TemplateRuns;
  readonly operationRuns: ReturnType<typeof operationRuns>;
  readonly temporal: TemporalSchedules;
  readonly sync: SyncSchedule;
  readonly wake: WakeInstance;
  /** Wakes the dispatcher of an instance, and its campaigns, which then show why they wait. */
  readonly wakeAll: WakeInstance;
  readonly followCampaign: FollowCampaign;
  readonly startAmendment: StartAmendment;
  readonly receiver: NotificationReceiver;
  /** Signals the runs that wait for changes in the ledger. */
  readonly signalRuns: () => void;
  /** Encrypts and decrypts payloads in Temporal. */
  readonly codec: PayloadCodec;
  /** Whether other machines can reach us. */
  readonly isExposed: () => boolean;
  readonly allowPrivateCallbacks: boolean;
  readonly maxImportBytes: number;
  readonly metrics: () => Promise<MetricsText>;
  readonly document: () => OpenApiDocument;
}

/** Sends a query to an instance. */
export type AskGateway = <Result>(
  method: OperationName,
  instance: string,
  request: Readonly<Record<string, unknown>>,
  wait: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'>,
) => Promise<Result>;

/** Accepts the gateway's notifications. The webhooks module's receiver implements it. */
export interface NotificationReceiver {
  /** Reads the body only if the request is allowed. */
  receive(
    instance: string,
    authorization: string | undefined,
    rawBody: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    from: { readonly isLocal: boolean; readonly contentType?: string },
  ): Promise<unknown>;
  /** A replay has begun. */
  wake(): void;
  /** Signals the runs that wait for changes in the ledger. No caller waits for it. */
  signal(): void;
}

/** The metrics that an HTTP server records its requests in. */
export interface ServerMetrics {
  apiRequested(request: ApiRequest): void;
  keyRateRefused(): void;
}
