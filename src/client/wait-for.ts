/** How long a caller of the API waits, and until when. */
import { hasReached, isDecided, type Milestone } from '../contract/index.js';
import type { MessageView } from '../ledger/index.js';
import type { ApiClient, ApiResponse } from './client.js';

/** A message as far as it is known: at first its id and state. */
export type MessageResponse = Pick<MessageView, 'id' | 'state'> & Partial<MessageView>;

export type TemplateResponse = ApiResponse<'submitTemplate'>;

/** How far a command waits for a template to come. */
export type TemplateMilestone = 'submitted' | 'decided';

/** A stop of a campaign waits for the POSTs under way, a retry may go through a million recipients. */
export const STEER_WITHIN_MS = 10 * 60_000;

/** The message once it got so far or can no longer, or when the time is up. */
export function waitForMessage(api: ApiClient, id: string, wait: Milestone, waitMs: number): Promise<MessageResponse> {
  return api.getMessage({ id, query: { wait }, waitMs, isDone: ({ state }) => hasReached(state, wait) });
}

/** The template once it got so far, or when the time is up. */
export function waitForTemplate(
  api: ApiClient,
  { instance, elementName }: { readonly instance: string; readonly elementName: string },
  wait: TemplateMilestone,
  waitMs: number,
): Promise<TemplateResponse> {
  return api.getTemplate({
    instance,
    elementName,
    query: { wait },
    waitMs,
    isDone: (template) => isDecided(template) || (wait === 'submitted' && template.state === 'submitted'),
  });
}
