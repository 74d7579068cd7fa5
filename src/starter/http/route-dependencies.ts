import type { PayloadCodec } from '@temporalio/common';
import type { Clock, InstanceDirectory, MetricsText } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { BeginMessage } from '../begin-message.js';
import type { AskGateway } from '../campaigns/ask-gateway.js';
import type { Campaigns } from '../campaigns/campaigns.js';
import type { CampaignSteering } from '../campaigns/steer-campaign.js';
import type { CancelMessage } from '../cancel-message.js';
import type { EditMessage } from '../edit-message.js';
import type { EventEndpoints } from '../events/event-endpoints.js';
import type { FindId } from '../find-id.js';
import type { FindMessage } from '../find-message.js';
import type { InstanceStatus } from '../instances/instance-status.js';
import type { PauseInstance } from '../instances/pause-instance.js';
import type { ResumeInstance } from '../instances/resume-instance.js';
import type { CheckOperation } from '../message-request.js';
import type { Keys } from '../keys/keys.js';
import type { Operations } from '../operations.js';
import type { ResolveMessage } from '../resolve-message.js';
import type { Schedules } from '../schedules/schedules.js';
import type { SuppressionList } from '../suppressions/suppressions.js';
import type { Templates } from '../templates/templates.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { Waiting } from './waiting.js';

/** What the handlers of all routes work with. */
export interface RouteDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly waiting: Waiting;
  readonly findId: FindId;
  readonly findMessage: FindMessage;
  readonly beginMessage: BeginMessage;
  readonly editMessage: EditMessage;
  readonly cancelMessage: CancelMessage;
  readonly resolveMessage: ResolveMessage;
  readonly campaigns: Campaigns;
  readonly steering: CampaignSteering;
  readonly schedules: Schedules;
  readonly templates: Templates;
  readonly suppressions: SuppressionList;
  readonly eventEndpoints: EventEndpoints;
  readonly operations: Operations;
  readonly askGateway: AskGateway;
  readonly instanceStatus: (name: string) => Promise<InstanceStatus>;
  readonly pauseInstance: PauseInstance;
  readonly resumeInstance: ResumeInstance;
  readonly keys: Keys;
  readonly receiver: NotificationReceiver;
  /** Encrypts and decrypts payloads in Temporal. */
  readonly codec: PayloadCodec;
  /** Whether other machines can reach us. */
  readonly isExposed: () => boolean;
  readonly allowPrivateCallbacks: boolean;
  readonly maxImportBytes: number;
  readonly metrics: () => Promise<MetricsText>;
  readonly document: OpenApiDocument;
  /** The document as a page. */
  readonly docs: string;
}

/** Takes the gateway's notifications; the webhooks module's receiver is one. */
export interface NotificationReceiver {
  /** Reads the body only of a request that may be taken. */
  receive(
    instance: string,
    authorization: string | undefined,
    rawBody: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    from: { readonly isLocal: boolean; readonly contentType?: string },
  ): Promise<unknown>;
  /** A replay was begun. */
  wake(): void;
  /** Signals the runs that wait for what has changed in the ledger. Nothing waits for it. */
  signal(): void;
}
