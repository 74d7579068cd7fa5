import { randomUUID } from 'node:crypto';
import type { NotificationSummary, ReplayView } from '../ledger/index.js';
import type { ApiRequests } from './api-requests.js';

export interface NewReplay {
  /** ISO 8601. */
  readonly since: string;
  readonly instance?: string;
}

/** What commands ask of the API about notifications. */
export interface NotificationCalls {
  /** Of the last day, one for each instance. */
  notifications(): Promise<readonly NotificationSummary[]>;
  replay(replay: NewReplay): Promise<ReplayView>;
  /** @returns when it has ended, or after so long as it is then */
  replayEnd(id: string, timeoutMs: number): Promise<ReplayView>;
}

export function notificationCalls({ ask }: Pick<ApiRequests, 'ask'>): NotificationCalls {
  return {
    notifications: async () => (await ask<{ items: NotificationSummary[] }>('GET', '/v1/notifications')).items,
    replay: (body) => ask('POST', '/v1/notifications/replays', { body, key: randomUUID() }),
    replayEnd: (id, timeoutMs) =>
      ask('GET', `/v1/notifications/replays/${id}`, { query: { wait: 'end', timeoutMs: String(timeoutMs) } }),
  };
}
