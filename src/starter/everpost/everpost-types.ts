/** The arguments and results of the package's typed client. Types that need `skipLibCheck` must not be used here. */
import type {
  CampaignResponse,
  CampaignId,
  CancelResult,
  UpdatePace,
  EditResult,
  DispatchPlan,
  MessageId,
  MessageResult,
  Milestone,
  CampaignProgress,
  RetriedRecipients,
  RetryRequest,
  WaitForResult,
} from '../../contract/index.js';
import type { SendRequest } from '../../contract/schemas.js';
import type { CheckOperation } from '../messages/message-request.js';

/**
 * Temporal's client: `new Client({ connection })` of `@temporalio/client`. This is a structural type, because that
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
  /** The gateway module's `check`. @default none: only the worker checks the limits, and the message ends `rejected` */
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
  /** The workers' EVERPOST_ENCRYPTION_KEYS: `<id>:<32 bytes in base64>`. @default payloads are not encrypted */
  readonly encryptionKeys?: string;
}

/** The typed client for backends. It needs only Temporal. Every method throws AppError, see docs/errors.md. */
export interface Everpost {
  /**
   * Begins a message. The same key and request give the same message while Temporal retains its run, and permanently if
   * the ledger has its row.
   * @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH (same key, other request) | TEMPORAL_UNAVAILABLE (retry with
   *   the same key)
   */
  send(request: SendRequest & { readonly key?: string }): Promise<MessageHandle>;
  /** A handle on a message by its id. Sends no request. */
  message(id: MessageId): MessageHandle;
  /** A handle on a campaign by its id. Sends no request. The HTTP API defines, imports and starts campaigns. */
  campaign(id: CampaignId): CampaignHandle;
}

export interface ConnectedEverpost extends Everpost {
  /** Closes the connection to Temporal. */
  close(): Promise<void>;
}

export interface MessageHandle {
  readonly id: MessageId;
  /** @throws AppError MESSAGE_NOT_FOUND | TEMPORAL_UNAVAILABLE (no worker read it in time) */
  status(): Promise<MessageResult>;
  /**
   * Edits the text and waits for the outcome, at most until the message expires if it is not sent yet.
   * @param text the complete new text
   * @param options.key the same key and text give the same edit. @default a new edit for each call
   * @throws AppError EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE | MESSAGE_NOT_FOUND
   */
  edit(text: string, options?: { readonly key?: string }): Promise<EditResult>;
  /** @throws AppError MESSAGE_NOT_FOUND */
  cancel(): Promise<CancelResult>;
  /** Waits until the message's run ends, which is not before the edit window ends. */
  result(): Promise<MessageResult>;
  /**
   * Waits until the message reaches the state or ends in another way. Check the returned state.
   * @param options.timeoutMs returns the current state after this time, in milliseconds. @default one minute
   */
  waitFor(milestone: Milestone, options?: { readonly timeoutMs?: number }): Promise<WaitForResult>;
}

/** A campaign. Commands throw CAMPAIGN_NOT_STARTED if it has no run: before its start, and once its run has ended. */
export interface CampaignHandle {
  readonly id: CampaignId;
  /** A worker reads it from the ledger, also after the end. @throws AppError CAMPAIGN_NOT_FOUND | TEMPORAL_UNAVAILABLE */
  progress(): Promise<CampaignProgress>;
  /** The remaining work. Reads as {@link progress}. */
  plan(): Promise<DispatchPlan>;
  /**
   * Resolves once no further POST can begin and those under way have ended. @throws AppError CAMPAIGN_ENDED |
   * COMMAND_SUPERSEDED
   */
  pause(): Promise<CampaignResponse>;
  /** @throws AppError CAMPAIGN_ENDED | COMMAND_SUPERSEDED */
  resume(): Promise<CampaignResponse>;
  /** Like {@link pause}, but permanent. */
  cancel(): Promise<CampaignResponse>;
  /** Only the HTTP API can change the text. @throws AppError INPUT_INVALID | COMMAND_SUPERSEDED */
  update(change: UpdatePace): Promise<CampaignProgress>;
  /**
   * Retries recipients who ended without the message.
   * @param options.key the same key gives the same retry. @default a new retry for each call
   * @throws AppError INPUT_INVALID | COMMAND_SUPERSEDED
   */
  retry(retry: RetryRequest, options?: { readonly key?: string }): Promise<RetriedRecipients>;
}
