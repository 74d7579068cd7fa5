import { randomUUID } from 'node:crypto';
import type {
  CancelResult,
  EditId,
  EditOutcome,
  MessageId,
  MessageRequest,
  MessageState,
  Milestone,
} from '../contract/index.js';
import type { EditView, MessageListItem, MessageView, OperationView } from '../ledger/index.js';
import { createApiRequests, type ApiClientOptions } from './api-requests.js';
import { askUntil } from './ask-until.js';
import { audienceCalls, type AudienceCalls } from './audience-calls.js';
import { campaignCalls, type CampaignCalls } from './campaign-calls.js';
import { instanceCalls, type InstanceCalls } from './instance-calls.js';
import { suppressionCalls, type SuppressionCalls } from './suppression-calls.js';
import { templateCalls, type TemplateCalls } from './template-calls.js';
import { notificationCalls, type NotificationCalls } from './notification-calls.js';

/** What the API answers to a message's request: its id at once, the rest as far as it is known. */
export type MessageResponse = Pick<MessageView, 'id' | 'state'> & Partial<MessageView>;

export type EditResponse = { readonly id: EditId } & (
  | ({ readonly outcome: EditOutcome } & Partial<EditView>)
  | ({ readonly state: 'pending' } & Partial<Omit<EditView, 'state'>>)
);

export interface NewMessage extends Omit<MessageRequest, 'chatId' | 'content'> {
  /** Phone digits or a chat id. */
  readonly to?: string;
  /** Whatever the caller wrote: the API checks it, and names all problems at once. */
  readonly content: unknown;
}

export interface WaitUntil {
  readonly state: Milestone;
  readonly timeoutMs: number;
}

export interface ApiClient
  extends AudienceCalls, CampaignCalls, InstanceCalls, SuppressionCalls, TemplateCalls, NotificationCalls {
  readonly url: string;
  send(message: NewMessage, key?: string): Promise<MessageResponse>;
  /** @returns as soon as the state is reached or cannot be reached any more, or when the time is up */
  message(id: string, wait?: WaitUntil): Promise<MessageResponse>;
  messages(filter: Readonly<Record<string, string>>): Promise<{ items: MessageListItem[]; cursor?: string }>;
  edit(id: string, text: string, options: { readonly timeoutMs: number; readonly key?: string }): Promise<EditResponse>;
  cancel(id: string): Promise<CancelResult & { readonly id: MessageId }>;
  resolve(
    id: string,
    outcome: 'accepted' | 'not_accepted',
  ): Promise<{ readonly id: MessageId; readonly state: MessageState }>;
  operation(
    method: string,
    body: { readonly instance: string; readonly request: unknown },
    options: { readonly timeoutMs: number; readonly key?: string },
  ): Promise<OperationView>;
  /** Whether the API and what it needs are there; the reasons when not. */
  ready(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * The HTTP API as commands use it. Every method throws AppError: API_UNREACHABLE when nothing answers, else the code
 * that the API answered with.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const requests = createApiRequests(options);
  const { url, ask } = requests;

  return {
    url,
    ...audienceCalls(requests),
    ...campaignCalls(requests),
    ...instanceCalls(requests),
    ...templateCalls(requests),
    ...suppressionCalls(requests),
    ...notificationCalls(requests),

    send: (message, key = randomUUID()) => ask('POST', '/v1/messages', { body: message, key }),

    async message(id, wait) {
      const path = `/v1/messages/${encodeURIComponent(id)}`;
      if (wait === undefined) return ask('GET', path);
      return askUntil<MessageResponse>(
        wait.timeoutMs,
        ({ state }) => hasReached(state, wait.state) || canNeverReach(state),
        (timeoutMs) => ask('GET', path, { query: { wait: wait.state, timeoutMs: String(timeoutMs) } }),
      );
    },

    messages: (filter) => ask('GET', '/v1/messages', { query: filter }),

    edit: (id, text, { timeoutMs, key = randomUUID() }) =>
      askUntil<EditResponse>(
        timeoutMs,
        (response) => 'outcome' in response,
        (waitMs) =>
          ask('POST', `/v1/messages/${encodeURIComponent(id)}/edits`, {
            body: { text },
            key,
            query: { timeoutMs: String(waitMs) },
          }),
      ),

    cancel: (id) => ask('POST', `/v1/messages/${encodeURIComponent(id)}/cancel`, { key: randomUUID() }),
    resolve: (id, outcome) => ask('POST', `/v1/messages/${encodeURIComponent(id)}/resolve`, { body: { outcome } }),

    operation: (method, body, { timeoutMs, key = randomUUID() }) =>
      askUntil<OperationView>(
        timeoutMs,
        ({ state }) => state !== 'pending' && state !== 'sending',
        (waitMs) =>
          ask('POST', `/v1/operations/${encodeURIComponent(method)}`, {
            body,
            key,
            query: { wait: 'true', timeoutMs: String(waitMs) },
          }),
      ),

    ready: () => ask('GET', '/readyz'),
    close: () => requests.close(),
  };
}

/** States by how far they are; a state outside of it is an end or a doubt. */
const WAY: readonly MessageState[] = ['pending', 'sending', 'accepted', 'sent', 'delivered', 'read'];
const ENDS: readonly MessageState[] = ['rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed'];

/** Whether a message in `state` has come as far as `wanted`; `end` is delivered, or an end without delivery. */
export function hasReached(state: MessageState, wanted: WaitUntil['state']): boolean {
  if (wanted === 'end') return ENDS.includes(state) || WAY.indexOf(state) >= WAY.indexOf('delivered');
  return WAY.indexOf(state) >= WAY.indexOf(wanted);
}

/** Whether the message ended without ever being delivered. */
export function canNeverReach(state: MessageState): boolean {
  return ENDS.includes(state);
}
