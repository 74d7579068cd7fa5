/**
 * Every route there is: what it reads and what it answers. The handlers and the OpenAPI document both follow from this.
 */
import { z } from 'zod';
import { MILESTONES } from '../../contract/index.js';
import {
  editRequestSchema,
  resolveRequestSchema,
  messageStateSchema,
  operationRequestSchema,
  recipientSchema,
  sendRequestSchema,
} from '../../contract/schemas.js';
import {
  begunMessageSchema,
  cancelSchema,
  resolveSchema,
  editSchema,
  healthSchema,
  messageListSchema,
  foundMessageSchema,
  operationSchema,
} from './responses.js';
import { AUDIENCE_ENDPOINTS } from './audience-endpoints.js';
import { CAMPAIGN_ENDPOINTS } from './campaign-endpoints.js';
import type { Endpoint } from './endpoint.js';
import { INSTANCE_ENDPOINTS } from './instance-endpoints.js';
import { SUPPRESSION_ENDPOINTS } from './suppression-endpoints.js';
import { TEMPLATE_ENDPOINTS } from './template-endpoints.js';
import { waitMs } from './wait-query.js';
import { NOTIFICATION_ENDPOINTS } from './notification-endpoints.js';

export type { Endpoint, EndpointResponse } from './endpoint.js';

const EDIT_WAIT_MS = 25_000;
const OPERATION_WAIT_MS = 25_000;
const MESSAGE_WAIT_MS = 25_000;

const waitForEnd = z
  .enum(['', 'true', 'end'])
  .transform(() => true)
  .optional()
  .describe('Respond with the result, or after timeoutMs as it is then');

const operationQuery = z.strictObject({ wait: waitForEnd, timeoutMs: waitMs(OPERATION_WAIT_MS) });

export const ENDPOINTS = {
  sendMessage: {
    method: 'post',
    path: '/v1/messages',
    summary: 'Send a message',
    description:
      'Durable from the 202 on: carried to one honest end state through outages and restarts. Taken also while Temporal is away.',
    body: sendRequestSchema,
    takesKey: true,
    responses: { 202: { description: 'Begun, or begun before by the same key', schema: begunMessageSchema } },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
  },
  listMessages: {
    method: 'get',
    path: '/v1/messages',
    summary: 'List messages, newest first',
    query: z.strictObject({
      instance: z.string().optional(),
      state: messageStateSchema.optional(),
      to: recipientSchema.optional(),
      reference: z.string().optional(),
      idMessage: z.string().optional().describe("The gateway's id"),
      cursor: z.string().optional().describe('From the former page'),
      limit: z.coerce.number().int().min(1).max(500).optional().describe('Default: 50'),
    }),
    responses: { 200: { description: 'One page; `cursor` leads to the next', schema: messageListSchema } },
    problems: ['INPUT_INVALID'],
  },
  getMessage: {
    method: 'get',
    path: '/v1/messages/{id}',
    summary: 'A message with its evidence',
    query: z.strictObject({
      wait: z
        .enum(MILESTONES)
        .optional()
        .describe('Respond when it got so far or ended, or after timeoutMs as it is then'),
      timeoutMs: waitMs(MESSAGE_WAIT_MS),
    }),
    responses: { 200: { description: 'As it stands', schema: foundMessageSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  editMessage: {
    method: 'post',
    path: '/v1/messages/{id}/edits',
    summary: 'Edit the text of a message',
    description:
      'Before it left, the text is replaced. Sent, it is edited at the gateway within 15 minutes. In between the edit waits for `sent`.',
    query: z.strictObject({ timeoutMs: waitMs(EDIT_WAIT_MS) }),
    body: editRequestSchema,
    takesKey: true,
    responses: {
      200: { description: 'How it ended', schema: editSchema },
      202: { description: 'Not ended yet; ask again', schema: editSchema },
    },
    problems: [
      'MESSAGE_NOT_FOUND',
      'ID_AMBIGUOUS',
      'EDIT_NOT_TEXT',
      'EDIT_NOT_POSSIBLE',
      'INPUT_INVALID',
      'IDEMPOTENCY_MISMATCH',
    ],
  },
  getEdit: {
    method: 'get',
    path: '/v1/messages/{id}/edits/{editId}',
    summary: 'An edit as it stands',
    query: z.strictObject({ timeoutMs: waitMs(0) }),
    responses: {
      200: { description: 'How it ended', schema: editSchema },
      202: { description: 'Not ended yet; ask again', schema: editSchema },
    },
    problems: ['EDIT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
  },
  cancelMessage: {
    method: 'post',
    path: '/v1/messages/{id}/cancel',
    summary: 'Cancel a message that has not left yet',
    description: 'While it is being posted, the response waits for the end of that.',
    responses: { 200: { description: 'Whether that was still possible', schema: cancelSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
  },
  resolveMessage: {
    method: 'post',
    path: '/v1/messages/{id}/resolve',
    summary: 'Resolve a message that is unknown or unresolved',
    description:
      '`accepted` ends the question. `not_accepted` makes it pending again, so look at the phone first; not before the lost request can no longer be accepted.',
    body: resolveRequestSchema,
    responses: { 200: { description: 'What the message says now', schema: resolveSchema } },
    problems: [
      'MESSAGE_NOT_FOUND',
      'ID_AMBIGUOUS',
      'RESOLVE_NOT_POSSIBLE',
      'MESSAGE_CLAIMED_ELSEWHERE',
      'INPUT_INVALID',
    ],
  },
  ...AUDIENCE_ENDPOINTS,
  ...CAMPAIGN_ENDPOINTS,
  ...TEMPLATE_ENDPOINTS,
  ...SUPPRESSION_ENDPOINTS,
  ...NOTIFICATION_ENDPOINTS,
  beginOperation: {
    method: 'post',
    path: '/v1/operations/{method}',
    summary: 'Run a gateway operation as a durable job',
    description:
      'Sends become messages, an edit of our own message becomes its edit. Everything else is repeated for days where repeating it is safe, and left at most once where it is not.',
    query: operationQuery,
    body: operationRequestSchema,
    takesKey: true,
    responses: {
      200: { description: 'Ended', schema: operationSchema },
      202: { description: 'Begun', schema: operationSchema },
    },
    problems: ['OPERATION_NOT_FOUND', 'INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
  },
  getOperation: {
    method: 'get',
    path: '/v1/operations/{method}/{id}',
    summary: 'An operation as it stands',
    query: operationQuery,
    responses: { 200: { description: 'As it stands', schema: operationSchema } },
    problems: ['OPERATION_NOT_FOUND', 'ID_AMBIGUOUS'],
  },
  ...INSTANCE_ENDPOINTS,
  receiveNotification: {
    method: 'post',
    path: '/webhooks/{instance}',
    summary: "The gateway's notifications",
    auth: 'gateway',
    responses: { 200: { description: 'Stored' } },
    problems: ['INSTANCE_NOT_FOUND', 'REQUEST_FORBIDDEN', 'WEBHOOK_UNVERIFIED'],
  },
  livez: {
    method: 'get',
    path: '/livez',
    summary: 'The process runs',
    auth: 'none',
    responses: { 200: { description: 'It does', schema: healthSchema } },
    problems: [],
  },
  readyz: {
    method: 'get',
    path: '/readyz',
    summary: 'The ledger can be reached',
    description: 'Temporal may be away: messages are taken then, and sent when it is back.',
    auth: 'none',
    responses: { 200: { description: 'It can', schema: healthSchema } },
    problems: ['LEDGER_UNAVAILABLE'],
  },
  openapi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    auth: 'none',
    responses: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
    problems: [],
  },
  docs: {
    method: 'get',
    path: '/docs',
    summary: 'This document as a page',
    auth: 'none',
    responses: { 200: { description: 'HTML', rawTypes: ['text/html'] } },
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
