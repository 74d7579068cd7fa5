import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MessageId, MessageState } from '../contract/index.js';
import type { AudienceView } from '../ledger/index.js';
import type { ShownCampaign } from '../starter/index.js';
import type { CampaignPlan } from '../starter/index.js';
import type { ApiRequests } from './api-requests.js';

export type ImportResponse = AudienceView & { readonly unchanged: boolean };

export interface BegunTest {
  readonly id: MessageId;
  readonly state: MessageState;
}

/** What commands ask about campaigns before their start. */
export interface AudienceCalls {
  campaign(id: string): Promise<ShownCampaign>;
  /** Writes the campaign, or gives a draft this definition. */
  defineCampaign(id: string, definition: unknown): Promise<ShownCampaign>;
  /** Writes a campaign that is only there for a plan: it never starts, and is to be removed. */
  defineForPlan(id: string, definition: unknown): Promise<ShownCampaign>;
  removePlan(id: string): Promise<void>;
  importFile(
    id: string,
    file: {
      readonly type: string;
      readonly body: Readable;
      readonly sizeBytes?: number | undefined;
      readonly delimiter?: string | undefined;
    },
  ): Promise<ImportResponse>;
  importGroup(id: string, group: string): Promise<ImportResponse>;
  /** CSV, as it comes in. */
  rejects(id: string): Promise<AsyncIterable<Uint8Array>>;
  plan(id: string, sampleLines?: string): Promise<CampaignPlan>;
  testSend(id: string, test: { readonly to: string; readonly line: number }, key?: string): Promise<BegunTest>;
}

export function audienceCalls({ ask, fetchBody }: ApiRequests): AudienceCalls {
  const pathOf = (id: string): string => `/v1/campaigns/${encodeURIComponent(id)}`;
  return {
    campaign: (id) => ask('GET', pathOf(id)),
    defineCampaign: (id, definition) => ask('PUT', pathOf(id), { body: definition }),
    defineForPlan: (id, definition) => ask('PUT', pathOf(id), { body: definition, query: { planOnly: 'true' } }),
    removePlan: async (id) => void (await ask('DELETE', pathOf(id))),

    importFile: (id, { type, body, sizeBytes, delimiter }) =>
      ask('PUT', `${pathOf(id)}/recipients`, {
        stream: { type, body, sizeBytes },
        timeoutMs: 0,
        ...(delimiter === undefined ? {} : { query: { delimiter } }),
      }),

    importGroup: (id, group) => ask('PUT', `${pathOf(id)}/recipients`, { body: { group } }),
    rejects: (id) => fetchBody(`${pathOf(id)}/rejected-recipients.csv`),

    // It goes through the whole audience.
    plan: (id, sampleLines) =>
      ask('GET', `${pathOf(id)}/plan`, {
        timeoutMs: 0,
        ...(sampleLines === undefined ? {} : { query: { sampleLines } }),
      }),

    testSend: (id, test, key = randomUUID()) => ask('POST', `${pathOf(id)}/test-sends`, { body: test, key }),
  };
}
