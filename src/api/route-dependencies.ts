import type { Context, Hono } from 'hono';
import { payloadCodec } from '../codec/index.js';
import type {
  ApiRequest,
  Clock,
  EncryptionKeys,
  Finding,
  InstanceDirectory,
  KeyLimits,
  Log,
  MessageId,
  MessageSnapshot,
  MetricsText,
  NamedSecret,
  Tracing,
} from '../contract/index.js';
import type { Doctor } from '../doctor/index.js';
import type { Ledger } from '../ledger/index.js';
import { createKeptCounts } from './report/kept-counts.js';
import {
  type AskGateway,
  type Background,
  campaignRuns as openCampaignRuns,
  type CheckOperation,
  createWaker,
  followCampaignWith,
  type LoadMeter,
  messageRuns,
  operationRuns,
  startAmendmentWith,
  syncScheduleWith,
  templateRuns,
  type TemporalAccess,
  temporalSchedules,
} from '../starter/index.js';
import type { findIdWith } from './find-id.js';
import type { KeyLimitsInUse } from './key-limits.js';
import type { Keyring } from './keyring.js';
import { type ChangeBell, createChangeBell, createWaiting } from './waiting.js';
import type { Refusals } from './refusals.js';

/** Enough for ten million recipients with a few values each. */
const DEFAULT_MAX_IMPORT_BYTES = 1024 ** 3;

export interface ApiOptions extends TemporalAccess {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly receiver: NotificationReceiver;
  /** Polls the witnesses of a message in doubt, and returns the row as they leave it. */
  readonly decideByEvidence: (id: MessageId) => Promise<MessageSnapshot>;
  /** The gateway module's `check`: that module has the limits. */
  readonly checkOperation: CheckOperation;
  readonly clock: Clock;
  /** The environment's current API keys. If there are none at the start, programs on this machine need no key. */
  readonly apiKeys: () => readonly NamedSecret[];
  /** What each key of the ledger may use. @default DEFAULT_KEY_LIMITS */
  readonly keyLimits?: KeyLimits;
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
  readonly metrics: ServerMetrics & { ofService(): Promise<MetricsText> };
  readonly log: Log;
  /** Counts the messages that are begun. */
  readonly load?: Pick<LoadMeter, 'count'>;
  /** Absent: no traces. */
  readonly tracing?: Tracing | undefined;
  /** Rings for every change of rows in this process. @default it never rings: waits poll */
  readonly bell?: ChangeBell;
  /** What the doctor cannot read in the ledger. @default it examines the ledger alone */
  readonly examination?: {
    temporal(): Promise<readonly Finding[]>;
    /** Asks the gateway about one account. */
    account(instance: string): Promise<readonly Finding[]>;
  };
  /** Temporal's Web UI for readers of the pages, without a trailing slash. @default pages link to no run */
  readonly temporalUiUrl?: string | undefined;
  /** Pages for browsers at the same address, which call the API with the keys of their readers. @default none */
  readonly pages?: (door: PagesDoor) => Hono;
}

/** What pages may use of the API's process: its routes, as every other caller does. */
export interface PagesDoor {
  /** One request to the API in place of the page's reader, from the reader's address. */
  ask(page: Context, url: string, init: RequestInit): Promise<Response>;
  /** A digest with the ledger's own key: equal in all its processes, and after a restart. */
  digest(text: string): Buffer;
  /** Temporal's Web UI, and the namespace of the runs in it. */
  readonly temporal: { readonly uiUrl: string | undefined; readonly namespace: string };
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the API closes. */
  readonly closing: AbortSignal;
}

/** What handlers use of the server. */
interface ServerDependencies {
  readonly closing: AbortSignal;
  readonly background: Background;
  readonly keyring: Keyring;
  readonly limits: KeyLimitsInUse;
  readonly refusals: Refusals;
  /** Whether other machines can reach us. */
  readonly isExposed: () => boolean;
  /** Whether a program or a browser on this machine sent the request. */
  readonly isLocal: (c: Context) => boolean;
  readonly doctor: Doctor;
}

/** The dependencies that are the same for every caller. */
export function sharedDependencies(options: ApiOptions, { closing, background, ...server }: ServerDependencies) {
  const { ledger, clock, log } = options;
  const { bell = createChangeBell(), maxImportBytes = DEFAULT_MAX_IMPORT_BYTES } = options;
  const campaignRuns = openCampaignRuns(options);
  const temporal = temporalSchedules(options);
  const wake = background.track(createWaker(options));
  return {
    ...options,
    ...server,
    bell,
    maxImportBytes,
    allowPrivateCallbacks: options.allowPrivateCallbacks ?? false,
    waiting: createWaiting(bell, closing, server.limits),
    runs: messageRuns(options),
    campaignRuns,
    templateRuns: templateRuns(options),
    operationRuns: operationRuns(options),
    temporal,
    sync: syncScheduleWith({ ledger, temporal, clock }),
    wake,
    followCampaign: background.track(followCampaignWith(campaignRuns, log)),
    startAmendment: background.track(startAmendmentWith(campaignRuns, log)),
    keptCounts: createKeptCounts({ ledger, clock, log, closing }),
    codec: payloadCodec(options.encryption),
  };
}

/** The dependencies of all routes' handlers and of the functions that they call, as the caller may use them. */
export interface RouteDependencies extends Readonly<ReturnType<typeof sharedDependencies>> {
  readonly findId: ReturnType<typeof findIdWith>;
  readonly askGateway: AskGateway;
}

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
}

/** The metrics that an HTTP server records its requests in. */
export interface ServerMetrics {
  apiRequested(request: ApiRequest): void;
  keyRateRefused(): void;
}
