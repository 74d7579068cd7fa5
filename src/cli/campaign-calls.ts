import { randomUUID } from 'node:crypto';
import {
  CAMPAIGN_END_STATES,
  type CampaignAnswer,
  type PacedProgress,
  type RetriedPeople,
  type RetryRequest,
} from '../contract/index.js';
import type { UpdateCampaign, ReportRow } from '../ledger/index.js';
import type { ShownCampaign } from '../starter/index.js';
import type { ApiRequests } from './api-requests.js';
import { askUntil } from './ask-until.js';

export type ReportFormat = 'csv' | 'ndjson' | 'json';

/** How people are picked: states, separated by commas, and a reason. */
export type PeopleFilter = Readonly<Record<string, string>>;

/** What commands ask about campaigns from their start on. */
export interface CampaignCalls {
  /** Starts it once, ever. */
  startCampaign(id: string): Promise<ShownCampaign>;
  campaigns(filter: Readonly<Record<string, string>>): Promise<{ items: ShownCampaign[]; cursor?: string }>;
  /** @returns as soon as it has ended, or when the time is up */
  campaignEnd(id: string, timeoutMs: number): Promise<ShownCampaign>;
  /** Answers once no further send can begin and those under way have ended. */
  pauseCampaign(id: string, key?: string): Promise<CampaignAnswer>;
  resumeCampaign(id: string, key?: string): Promise<CampaignAnswer>;
  /** As {@link pauseCampaign}. */
  cancelCampaign(id: string): Promise<CampaignAnswer>;
  updateCampaign(id: string, change: UpdateCampaign): Promise<PacedProgress>;
  retryCampaign(id: string, retry: RetryRequest, key?: string): Promise<RetriedPeople>;
  /** One page of its people and what became of each, by line. */
  recipients(
    id: string,
    filter?: PeopleFilter,
  ): Promise<{ readonly items: readonly ReportRow[]; readonly cursor?: string }>;
  /** Everybody, as it comes in. */
  report(id: string, format: ReportFormat, filter?: PeopleFilter): Promise<AsyncIterable<Uint8Array>>;
}

/** A stop waits for the POSTs under way, a retry may go through a million people. */
const STEER_WITHIN_MS = 10 * 60_000;

export function campaignCalls({ ask, fetchBody }: ApiRequests): CampaignCalls {
  const pathOf = (id: string): string => `/v1/campaigns/${encodeURIComponent(id)}`;

  /** The same wish until it is granted: what is taken and not done yet is answered with the progress alone. */
  async function steer<Answer extends object>(
    path: string,
    isGranted: (answer: object) => boolean,
    {
      method = 'POST',
      body,
      key = randomUUID(),
    }: { readonly method?: 'POST' | 'PATCH'; readonly body?: unknown; readonly key?: string | undefined } = {},
  ): Promise<Answer> {
    return askUntil<Answer>(STEER_WITHIN_MS, isGranted, (waitMs) =>
      ask(method, path, { key, query: { timeoutMs: String(waitMs) }, ...(body === undefined ? {} : { body }) }),
    );
  }

  const isAnswer = (answer: object): boolean => 'inGatewayQueue' in answer;

  return {
    startCampaign: (id) => ask('POST', `${pathOf(id)}/start`),
    campaigns: (filter) => ask('GET', '/v1/campaigns', { query: filter }),

    campaignEnd: (id, timeoutMs) =>
      askUntil<ShownCampaign>(
        timeoutMs,
        ({ state }) => CAMPAIGN_END_STATES.includes(state),
        (waitMs) => ask('GET', pathOf(id), { query: { wait: 'ended', timeoutMs: String(waitMs) } }),
      ),

    pauseCampaign: (id, key) => steer(`${pathOf(id)}/pause`, isAnswer, { key }),
    resumeCampaign: (id, key) => steer(`${pathOf(id)}/resume`, isAnswer, { key }),
    cancelCampaign: (id) => steer(`${pathOf(id)}/cancel`, isAnswer),
    updateCampaign: (id, change) => steer(pathOf(id), () => true, { method: 'PATCH', body: change }),
    retryCampaign: (id, retry, key) =>
      steer(`${pathOf(id)}/retry`, (answer) => 'people' in answer, { body: retry, key }),

    recipients: (id, filter = {}) => ask('GET', `${pathOf(id)}/recipients`, { query: filter }),
    report: (id, format, filter = {}) => fetchBody(`${pathOf(id)}/report.${format}`, filter),
  };
}
