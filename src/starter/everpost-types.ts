/** The arguments and results of the package's typed client. Only types that compile without `skipLibCheck` belong here. */
import type {
  CampaignResponse,
  CampaignId,
  CancelResult,
  UpdatePace,
  EditResult,
  DispatchPlan,
  MessageId,
  MessageResult,
  MessageStatus,
  Milestone,
  PacedProgress,
  RetriedRecipients,
  RetryRequest,
} from '../contract/index.js';
import type { SendRequest } from '../contract/schemas.js';
import type { CheckOperation } from './messages/message-request.js';

/**
 * Temporal's client: `new Client({ connection })` of `@temporalio/client`. Described by its shape, because that
 * package's own declaration files do not compile without `skipLibCheck`.
 */
export interface TemporalClient {
  readonly connection: object;
  readonly workflow: {
    start(...args: never[]): Promise<unknown>;
    getHandle(...args: never[]): unknown;
  };
  withDeadline(...args: never[]): Promise<unknown>;
}

export interface ClientOptions {
  /** @default the queue of all everpost workers */
  readonly taskQueue?: string | undefined;
  /** How long one request to Temporal may take, milliseconds. @default 5000 */
  readonly temporalTimeoutMs?: number | undefined;
  /**
   * The gateway module's `check`. @default none: limits are then checked by the worker, and the message ends `rejected`
   */
  readonly checkOperation?: CheckOperation;
}

export interface EverpostOptions extends ClientOptions {
  readonly client: TemporalClient;
}

export interface ConnectOptions extends ClientOptions {
  /** The address of Temporal's server. @default `TEMPORAL_ADDRESS`, else 127.0.0.1:7233 */
  readonly address?: string;
  /** @default `TEMPORAL_NAMESPACE`, else `default` */
  readonly namespace?: string;
  /** As EVERPOST_ENCRYPTION_KEYS of the workers: `<id>:<32 bytes in base64>`. @default payloads are not encrypted */
  readonly encryptionKeys?: string;
}

/**
 * The typed client for backends: needs Temporal, and nothing else. Every method throws AppError, see docs/errors.md.
 */
export interface Everpost {
  /**
   * Begins a message. Idempotent by key: the same key and request give the same message, for as long as Temporal keeps
   * its run and for ever where the ledger has its row.
   * @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH (same key, other request) | TEMPORAL_UNAVAILABLE (ask again
   *   with the same key)
   */
  send(request: SendRequest & { readonly key?: string }): Promise<MessageHandle>;
  /** A handle on a message by its id; asks nothing yet. */
  message(id: MessageId): MessageHandle;
  /** A handle on a campaign by its id; asks nothing yet. Campaigns are defined, filled and started by the HTTP API. */
  campaign(id: CampaignId): CampaignHandle;
}

export interface ConnectedEverpost extends Everpost {
  /** Closes the connection to Temporal. */
  close(): Promise<void>;
}

export interface MessageHandle {
  readonly id: MessageId;
  /** @throws AppError MESSAGE_NOT_FOUND */
  status(): Promise<MessageStatus>;
  /**
   * Edits the text, and waits for how that ended: up to the message's own expiry if it was not sent yet.
   * @param text the whole new text
   * @param options.key the same key and text are one edit. @default a new edit each time
   * @throws AppError EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE | MESSAGE_NOT_FOUND
   */
  edit(text: string, options?: { readonly key?: string }): Promise<EditResult>;
  /** @throws AppError MESSAGE_NOT_FOUND */
  cancel(): Promise<CancelResult>;
  /** Waits until the message's run ends: no sooner than its edit window. */
  result(): Promise<MessageResult>;
  /**
   * Waits until the message got as far as that, or ended another way: look at the state.
   * @param options.timeoutMs gives the status as it is after this long. @default one minute
   */
  waitFor(milestone: Milestone, options?: { readonly timeoutMs?: number }): Promise<MessageStatus>;
}

/** A campaign that was started. What changes it throws CAMPAIGN_NOT_STARTED once its run has ended. */
export interface CampaignHandle {
  readonly id: CampaignId;
  /** Also after its end, for as long as Temporal remembers the run. */
  progress(): Promise<PacedProgress>;
  plan(): Promise<DispatchPlan>;
  /**
   * Answers once no further send can begin and those under way have ended. @throws AppError CAMPAIGN_ENDED |
   * COMMAND_SUPERSEDED
   */
  pause(): Promise<CampaignResponse>;
  /** @throws AppError CAMPAIGN_ENDED | COMMAND_SUPERSEDED */
  resume(): Promise<CampaignResponse>;
  /** As {@link pause}, for good. */
  cancel(): Promise<CampaignResponse>;
  /** A new text goes by the HTTP API. @throws AppError INPUT_INVALID | COMMAND_SUPERSEDED */
  update(change: UpdatePace): Promise<PacedProgress>;
  /**
   * Takes recipients up again who ended without the message.
   * @param options.key the same key is one retry. @default a new one each time
   * @throws AppError INPUT_INVALID | COMMAND_SUPERSEDED
   */
  retry(retry: RetryRequest, options?: { readonly key?: string }): Promise<RetriedRecipients>;
}
