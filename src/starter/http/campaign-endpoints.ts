/** The routes of campaigns from their start on: see {@link ENDPOINTS}. */
import { z } from 'zod';
import { updateCampaignSchema, messageStateSchema, retryCampaignSchema } from '../../contract/schemas.js';
import {
  campaignResponseSchema,
  campaignProgressSchema,
  campaignSchema,
  reportPageSchema,
  retriedSchema,
} from './campaign-responses.js';
import type { Endpoint } from './endpoint.js';
import { waitMs } from './wait-query.js';

const STEER_WAIT_MS = 45_000;
const END_WAIT_MS = 25_000;

const steerQuery = z.strictObject({ timeoutMs: waitMs(STEER_WAIT_MS) });

/** All states together have half of it. */
const MAX_LIST_CHARACTERS = 500;

const stateList = z
  .string()
  .max(MAX_LIST_CHARACTERS)
  .transform((text) => text.split(','))
  .pipe(z.array(messageStateSchema))
  .optional()
  .describe('Only recipients in one of these states, separated by commas');

const reportFilter = {
  state: stateList,
  reason: z.string().min(1).optional().describe('Only recipients with this reason'),
};

const notDone = { description: 'Taken, and not done yet; ask again with the same key', schema: campaignProgressSchema };

/** A command takes effect once under its key, and never after one that was asked for later. */
const COMMAND_PROBLEMS = ['COMMAND_SUPERSEDED', 'IDEMPOTENCY_MISMATCH'] as const;

export const CAMPAIGN_ENDPOINTS = {
  getCampaign: {
    method: 'get',
    path: '/v1/campaigns/{id}',
    summary: 'A campaign as it stands',
    query: z.strictObject({
      wait: z.enum(['ended']).optional().describe('Respond when it ended, or after timeoutMs as it is then'),
      timeoutMs: waitMs(END_WAIT_MS),
    }),
    responses: { 200: { description: 'With its counts by state', schema: campaignSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  startCampaign: {
    method: 'post',
    path: '/v1/campaigns/{id}/start',
    summary: 'Start a campaign, once, ever',
    description: 'Its recipients and their values are fixed from then on. Durable from the 202 on.',
    takesLong: true,
    responses: {
      200: { description: 'It was started before', schema: campaignSchema },
      202: { description: 'Started', schema: campaignSchema },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_EMPTY', 'CAMPAIGN_INCOMPLETE', 'INPUT_INVALID', 'TEMPORAL_UNAVAILABLE'],
  },
  pauseCampaign: {
    method: 'post',
    path: '/v1/campaigns/{id}/pause',
    summary: 'Pause a campaign',
    description:
      "Answers when no further send can begin and those under way have ended; what is in the gateway's queue by then still goes out.",
    query: steerQuery,
    takesKey: true,
    responses: { 200: { description: 'It is paused', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
  },
  resumeCampaign: {
    method: 'post',
    path: '/v1/campaigns/{id}/resume',
    summary: 'Let a paused campaign go on',
    query: steerQuery,
    takesKey: true,
    responses: { 200: { description: 'It runs', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
  },
  cancelCampaign: {
    method: 'post',
    path: '/v1/campaigns/{id}/cancel',
    summary: 'Cancel a campaign',
    description: 'As a pause, but for good: every recipient who was not posted to ends cancelled.',
    query: steerQuery,
    takesKey: true,
    responses: { 200: { description: 'Nothing more is sent by it', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
  },
  updateCampaign: {
    method: 'patch',
    path: '/v1/campaigns/{id}',
    summary: 'Change the high water mark, text, deadline or name',
    description: 'Counts for every recipient who is posted to from then on; of a campaign that has ended, for a retry.',
    query: steerQuery,
    body: updateCampaignSchema,
    takesKey: true,
    responses: { 200: { description: 'As it is now', schema: campaignProgressSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_INCOMPLETE', 'INPUT_INVALID', ...COMMAND_PROBLEMS],
  },
  retryCampaign: {
    method: 'post',
    path: '/v1/campaigns/{id}/retry',
    summary: 'Take recipients up again who ended without the message',
    description:
      'Never a recipient whom the gateway is known to have accepted it for. A campaign that has ended runs again. Who is unknown or unresolved is asked about again, and posted to again only with maySendTwice.',
    query: steerQuery,
    body: retryCampaignSchema,
    takesKey: true,
    responses: { 200: { description: 'How many were taken up', schema: retriedSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'INPUT_INVALID', ...COMMAND_PROBLEMS],
  },
  listRecipients: {
    method: 'get',
    path: '/v1/campaigns/{id}/recipients',
    summary: 'The recipients of a campaign and what became of each',
    query: z.strictObject({
      ...reportFilter,
      cursor: z
        .string()
        .regex(/^\d{1,10}$/, 'is no cursor of this list')
        .optional()
        .describe('From the former page'),
      limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Default: 100'),
    }),
    responses: { 200: { description: 'One page, by line; `cursor` leads to the next', schema: reportPageSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  getReportCsv: {
    method: 'get',
    path: '/v1/campaigns/{id}/report.csv',
    summary: 'The whole report as CSV',
    query: z.strictObject(reportFilter),
    takesLong: true,
    responses: { 200: { description: 'A head, then a line for each recipient', rawTypes: ['text/csv'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  getReportNdjson: {
    method: 'get',
    path: '/v1/campaigns/{id}/report.ndjson',
    summary: 'The whole report, one JSON object a line',
    query: z.strictObject(reportFilter),
    takesLong: true,
    responses: { 200: { description: 'A line for each recipient', rawTypes: ['application/x-ndjson'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  getReportJson: {
    method: 'get',
    path: '/v1/campaigns/{id}/report.json',
    summary: 'The whole report with the campaign, as one JSON document',
    query: z.strictObject(reportFilter),
    takesLong: true,
    responses: {
      200: {
        description: '`campaign`, and in `items` every recipient',
        schema: z.object({ campaign: campaignSchema, items: reportPageSchema.shape.items }),
      },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
} as const satisfies Record<string, Endpoint>;
