/** The routes of campaigns before they start: see {@link ENDPOINTS}. */
import { z } from 'zod';
import {
  campaignStateSchema,
  delimiterSchema,
  groupRecipientsSchema,
  newCampaignSchema,
  testSendSchema,
} from '../../contract/schemas.js';
import { begunMessageSchema } from './responses.js';
import { campaignListSchema, campaignPlanSchema, campaignSchema, importedSchema } from './campaign-responses.js';
import type { Endpoint } from './endpoint.js';

const MOST_SAMPLES = 20;

const lineNumbers = z
  .string()
  .max(MOST_SAMPLES * 12)
  .transform((text) => text.split(',').map((line) => Number(line)))
  .refine((lines) => lines.every((line) => Number.isInteger(line) && line > 0), 'is no list of line numbers, e.g. 2,17')
  .refine((lines) => lines.length <= MOST_SAMPLES, `has more than ${MOST_SAMPLES} lines`);

export const AUDIENCE_ENDPOINTS = {
  beginCampaign: {
    method: 'post',
    path: '/v1/campaigns',
    summary: 'Define a campaign',
    description: 'A draft, into which recipients are imported, and which is then started.',
    body: newCampaignSchema,
    takesKey: true,
    responses: {
      200: { description: 'It was there, made from the same request', schema: campaignSchema },
      201: { description: 'Written', schema: campaignSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
  },
  listCampaigns: {
    method: 'get',
    path: '/v1/campaigns',
    summary: 'List campaigns, newest first',
    query: z.strictObject({
      instance: z.string().optional(),
      state: campaignStateSchema.optional(),
      cursor: z.string().optional().describe('From the former page'),
      limit: z.coerce.number().int().min(1).max(500).optional().describe('Default: 50'),
    }),
    responses: { 200: { description: 'One page; `cursor` leads to the next', schema: campaignListSchema } },
    problems: ['INPUT_INVALID'],
  },
  defineCampaign: {
    method: 'put',
    path: '/v1/campaigns/{id}',
    summary: 'Define a campaign, or define a draft again',
    description:
      'Its recipients stay, unless it names another instance or default country: then they are imported again.',
    query: z.strictObject({
      planOnly: z
        .enum(['true'])
        .optional()
        .describe(
          'Only made for a plan: recipients can be imported and a plan asked for, but it never starts, is in no list, and is removed after six hours',
        ),
    }),
    body: newCampaignSchema,
    responses: {
      200: { description: 'It was there, and is now as asked', schema: campaignSchema },
      201: { description: 'Written', schema: campaignSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'CAMPAIGN_FROZEN', 'INPUT_TOO_LARGE'],
  },
  removePlan: {
    method: 'delete',
    path: '/v1/campaigns/{id}',
    summary: 'Remove a campaign that was only made for a plan',
    responses: {
      200: { description: 'It is removed, with its recipients', schema: z.object({ removed: z.boolean() }) },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN'],
  },
  importRecipients: {
    method: 'put',
    path: '/v1/campaigns/{id}/recipients',
    summary: 'Import the recipients, in place of those before',
    description:
      'A file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as it comes in, or the participants of a group. Every line gets a verdict. Nothing changes unless all of it was read; the same again changes nothing. While it runs, the campaign shows `importing`.',
    query: z.strictObject({ delimiter: delimiterSchema.optional() }),
    body: groupRecipientsSchema,
    rawBodies: {
      'text/csv':
        'With a head. One of the columns phone, phone_number, mobile, number, chatId holds the number, the others are variables',
      'application/x-ndjson': 'One object a line, with the same names',
    },
    takesLong: true,
    responses: { 200: { description: 'What became of the lines', schema: importedSchema } },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_FROZEN',
      'IMPORT_SUPERSEDED',
      'INPUT_INVALID',
      'INPUT_TOO_LARGE',
      'OPERATION_FAILED',
      'GATEWAY_UNREACHABLE',
    ],
  },
  getRejectedRecipients: {
    method: 'get',
    path: '/v1/campaigns/{id}/rejected-recipients.csv',
    summary: 'The lines that added no recipient to the audience',
    takesLong: true,
    responses: { 200: { description: 'line,reason,value', rawTypes: ['text/csv'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
  },
  planCampaign: {
    method: 'get',
    path: '/v1/campaigns/{id}/plan',
    summary: 'What the campaign would do if it were started now',
    description: 'Goes through the whole audience: with a million recipients it takes a minute.',
    query: z.strictObject({
      sampleLines: lineNumbers
        .optional()
        .describe(
          `Whose messages to show, at most ${MOST_SAMPLES}. Default: the first, the one in the middle and the last`,
        ),
    }),
    takesLong: true,
    responses: { 200: { description: 'The plan', schema: campaignPlanSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  sendTest: {
    method: 'post',
    path: '/v1/campaigns/{id}/test-sends',
    summary: "Send one recipient's message to one's own number",
    body: testSendSchema,
    takesKey: true,
    responses: { 202: { description: 'Begun as a single message', schema: begunMessageSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'INPUT_INVALID', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
  },
} as const satisfies Record<string, Endpoint>;
