import { hasReached, type Milestone } from '../contract/index.js';
import type { ApiClient } from '../client/index.js';
import type { MessageResponse } from './message-text.js';

/** The message once it got so far or can no longer, or when the time is up. */
export function waitForMessage(api: ApiClient, id: string, wait: Milestone, waitMs: number): Promise<MessageResponse> {
  return api.getMessage({ id, query: { wait }, waitMs, isDone: ({ state }) => hasReached(state, wait) });
}
