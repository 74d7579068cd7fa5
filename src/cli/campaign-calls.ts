import { randomUUID } from 'node:crypto';
import {
  CAMPAIGN_END_STATES,
  type CampaignResponse,
  type PacedProgress,
  type RetriedRecipients,
  type RetryRequest,
} from '../contract/index.js';
import type { UpdateCampaign, ReportRow } from '../ledger/index.js';
import type { ShownCampaign } from '../starter/index.js';
import type { ApiRequests } from './api-requests.js';
import { askUntil } from './ask-until.js';

export type ReportFormat = 'csv' | 'ndjson' | 'json';

/** How recipients are picked: states, separated by commas, and a reason. */
export type RecipientsFilter = Readonly<Record<string, string>>;

/** What commands ask about campaigns from their start on. */
export interface CampaignCalls {
  /** Starts it once, ever. */
  startCampaign(id: string): Promise<ShownCampaign>;
  campaigns(filter: Readonly<Record<string, string>>): Promise<{ items: ShownCampaign[]; cursor?: string }>;
  /** @returns as soon as it has ended, or when the time is up */
  campaignEnd(id: string, timeoutMs: number): Promise<ShownCampaign>;
  /** Answers once no further send can begin and those under way have ended. */
  pauseCampaign(id: string, key?: string): Promise<CampaignResponse>;
  resumeCampaign(id: string, key?: string): Promise<CampaignResponse>;
  /** As {@link pauseCampaign}. */
  cancelCampaign(id: string): Promise<CampaignResponse>;
  updateCampaign(id: string, change: UpdateCampaign): Promise<PacedProgress>;
  retryCampaign(id: string, retry: RetryRequest, key?: string): Promise<RetriedRecipients>;
  /** One page of its recipients and what became of each, by line. */
  recipients(
    id: string,
    filter?: RecipientsFilter,
  ): Promise<{ readonly items: readonly ReportRow[]; readonly cursor?: string }>;
  /** Every recipient, as it comes in. */
  report(id: string, format: ReportFormat, filter?: RecipientsFilter): Promise<AsyncIterable<Uint8Array>>;
}

/** A stop waits for the POSTs under way, a retry may go through a million recipients. */
const STEER_WITHIN_MS = 10 * 60_000;

export function campaignCalls({ ask, fetchBody }: ApiRequests): CampaignCalls {
  const pathOf = (id: string): string => `/v1/campaigns/${encodeURIComponent(id)}`;

  /** The same wish until it is granted: what is taken and not done yet is answered with the progress alone. */
  async function steer<Result extends object>(
    path: string,
    isGranted: (response: object) => boolean,
    {
      method = 'POST',
      body,
      key = randomUUID(),
    }: { readonly method?: 'POST' | 'PATCH'; readonly body?: unknown; readonly key?: string | undefined } = {},
  ): Promise<Result> {
    return askUntil<Result>(STEER_WITHIN_MS, isGranted, (waitMs) =>
      ask(method, path, { key, query: { timeoutMs: String(waitMs) }, ...(body === undefined ? {} : { body }) }),
    );
  }

  const isResponse = (response: object): boolean => 'inGatewayQueue' in response;

  return {
    startCampaign: (id) => ask('POST', `${pathOf(id)}/start`),
    campaigns: (filter) => ask('GET', '/v1/campaigns', { query: filter }),

    campaignEnd: (id, timeoutMs) =>
      askUntil<ShownCampaign>(
        timeoutMs,
        ({ state }) => CAMPAIGN_END_STATES.includes(state),
        (waitMs) => ask('GET', pathOf(id), { query: { wait: 'ended', timeoutMs: String(waitMs) } }),
      ),

    pauseCampaign: (id, key) => steer(`${pathOf(id)}/pause`, isResponse, { key }),
    resumeCampaign: (id, key) => steer(`${pathOf(id)}/resume`, isResponse, { key }),
    cancelCampaign: (id) => steer(`${pathOf(id)}/cancel`, isResponse),
    updateCampaign: (id, change) => steer(pathOf(id), () => true, { method: 'PATCH', body: change }),
    retryCampaign: (id, retry, key) =>
      steer(`${pathOf(id)}/retry`, (response) => 'recipients' in response, { body: retry, key }),

    recipients: (id, filter = {}) => ask('GET', `${pathOf(id)}/recipients`, { query: filter }),
    report: (id, format, filter = {}) => fetchBody(`${pathOf(id)}/report.${format}`, filter),
  };
}
