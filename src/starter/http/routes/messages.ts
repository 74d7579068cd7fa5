import { z } from 'zod';
import { MILESTONES, hasReached, present } from '../../../contract/index.js';
import {
  contentSchema,
  messageStateSchema,
  recipientSchema,
  resolveRequestSchema,
  sendRequestSchema,
} from '../../../contract/schemas.js';
import { beginMessage } from '../../messages/begin-message.js';
import { cancelMessage, resolveMessage } from '../../messages/change-message.js';
import { findMessage } from '../../messages/find-message.js';
import { readMessageRequest } from '../../messages/message-request.js';
import { milestoneFields, pageFields, pageOf, time, waitMs } from '../fields.js';
import { reply, route } from '../route.js';
import { editFields } from './edits.js';
import { foundMessageId } from '../access.js';

const MESSAGE_WAIT_MS = 25_000;

export const begunMessageSchema = z
  .object({
    id: z.string(),
    state: messageStateSchema,
    instance: z.string(),
    kind: z.string(),
    warnings: z.array(z.string()).optional().describe('What the gateway advises against but takes'),
  })
  .meta({ id: 'BegunMessage' });

const messageFields = {
  id: z.string(),
  instance: z.string(),
  chatId: z.string().optional(),
  content: contentSchema,
  state: messageStateSchema,
  version: z.number(),
  priority: z.string(),
  category: z.string(),
  onUnknown: z.string(),
  reference: z.string().optional(),
  statusCallback: z.string().optional(),
  requestedBy: z
    .string()
    .optional()
    .describe('Who asked for it: key:<name>, loopback (no key was needed) or temporal; absent in a campaign'),
  idMessage: z.string().optional().describe("The gateway's id"),
  reason: z.string().optional().describe('Stable word for why it ended as it did'),
  reasonText: z.string().optional().describe("The gateway's own words"),
  createdAt: time,
  sendAt: time.optional().describe('Not posted before this, where the request said so'),
  typing: z.string().optional().describe('How long typing is shown before it'),
  expiresAt: time,
  ...milestoneFields,
  endedAt: time.optional(),
  editableUntil: time.optional(),
  workflowId: z.string().optional().describe('The workflow that sends it, unless that is `message:<id>`'),
  mayLeaveUntil: time.optional().describe('While accepted without a receipt: until when the gateway may still send it'),
  campaignId: z.string().optional().describe('The campaign that it belongs to'),
  line: z.number().int().optional().describe("The recipient's line in the campaign's file"),
};

const messageListItemSchema = z.object(messageFields).meta({ id: 'MessageListItem' });

const attemptSchema = z
  .object({
    token: z.string(),
    claimedAt: time,
    postingDeadlineAt: time.describe('Its request never leaves after this'),
    outcome: z.enum(['accepted', 'rejected', 'not_accepted', 'unknown']).optional(),
    outcomeAt: time.optional(),
    idMessage: z.string().optional().describe("The gateway's id"),
    code: z.string().optional().describe('Of its failure; see docs/errors.md'),
    text: z.string().optional().describe("The gateway's own words"),
    httpStatus: z.number().int().optional(),
    retryAt: time.optional().describe('Where it was surely not accepted: when the next attempt is due'),
  })
  .meta({ id: 'Attempt' });

/** Right after its start, before its row is written: what the run is known to be. */
const startedMessageSchema = z
  .object({
    id: z.string(),
    state: messageStateSchema,
    instance: z.string().optional(),
    kind: z.string().optional(),
    reason: z.string().optional(),
    createdAt: time,
    evidence: z.array(z.never()).max(0),
    attempts: z.array(z.never()).max(0),
    edits: z.array(z.never()).max(0),
  })
  .meta({ id: 'StartedMessage', description: 'A message that is not in the ledger yet' });

const messageSchema = z
  .object({
    ...messageFields,
    waiting: z
      .object({
        code: z.string().describe('What stood in the way of its last attempt; docs/errors.md says what to do about it'),
        text: z.string().optional().describe("The gateway's own words"),
        since: time.describe('Since when nothing else has stood in the way'),
        nextTryAt: time.optional(),
        identical: z.string().optional().describe('The equal message to the same chat whose outcome is not known yet'),
      })
      .optional()
      .describe('What a pending message waits for'),
    unknown: z
      .object({
        since: time.describe('When the request began to leave'),
        witnessesUntil: time.describe("Until when the gateway's queue, journal and notifications are watched"),
        atLatest: time.describe('Until when at the latest, where one of them cannot be asked'),
        // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
        then: z
          .enum(['unresolved', 'presume_or_unresolved'])
          .describe(
            '`unresolved`: an operator resolves it. `presume_or_unresolved`: sent again once it is presumed never to have been accepted, else unresolved',
          ),
      })
      .optional()
      .describe('While its state is `unknown`: how long it is tried to find out, and what follows'),
    evidence: z.array(
      z.object({
        at: time,
        witness: z.string(),
        what: z.string(),
        detail: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    attempts: z.array(attemptSchema),
    edits: z.array(z.object(editFields).meta({ id: 'MessageEdit' })),
    callbacks: z
      .array(
        z.object({
          state: messageStateSchema,
          at: time.describe('When the state was reached'),
          tries: z.number(),
          deliveredAt: time.optional(),
          givenUpAt: time.optional(),
          problem: z.string().optional().describe('What the last try failed of'),
          nextTryAt: time.optional(),
        }),
      )
      .optional()
      .describe('What is posted to its statusCallback, in order'),
  })
  .meta({ id: 'Message' });

const foundMessageSchema = z.union([messageSchema, startedMessageSchema]);

const resolveSchema = z.object({ id: z.string(), state: messageStateSchema }).meta({ id: 'Resolved' });

const cancelSchema = z
  .object({
    id: z.string(),
    cancelled: z.boolean().describe('True when it will surely never be posted'),
    state: messageStateSchema,
  })
  .meta({ id: 'Cancellation' });

export const MESSAGE_ROUTES = {
  sendMessage: route({
    method: 'post',
    path: '/v1/messages',
    access: ['send', 'named'],
    isAudited: false,
    summary: 'Send a message',
    description:
      'Durable from the 202 on: carried to one honest end state through outages and restarts. Taken also while Temporal is away.',
    body: sendRequestSchema,
    takesKey: true,
    responses: { 202: { description: 'Begun, or begun before by the same key', schema: begunMessageSchema } },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
    async handle({ body, key, caller: { witness } }, dependencies) {
      const { request, warnings } = readMessageRequest(body, dependencies);
      const { id, state, isReplay } = await beginMessage(dependencies, request, { key, witness });
      const begun = {
        id,
        state,
        instance: request.instance,
        kind: request.content.kind,
        ...(warnings.length === 0 ? {} : { warnings }),
      };
      return reply(202, begun, { location: `/v1/messages/${id}`, isReplay });
    },
  }),
  listMessages: route({
    method: 'get',
    path: '/v1/messages',
    access: ['read', 'named'],
    summary: 'List messages, newest first',
    query: z.strictObject({
      instance: z.string().exactOptional(),
      state: messageStateSchema.exactOptional(),
      to: recipientSchema.exactOptional(),
      reference: z.string().exactOptional(),
      idMessage: z.string().exactOptional().describe("The gateway's id"),
      ...pageFields,
    }),
    responses: {
      200: {
        description: 'One page; `cursor` leads to the next',
        schema: pageOf(messageListItemSchema, 'MessageList'),
      },
    },
    problems: ['INPUT_INVALID'],
    async handle({ query: { to, ...rest }, caller: { instances } }, { ledger }) {
      const filter = { ...rest, ...present({ chatId: to, instances }) };
      return reply(200, await ledger.messages.list(filter));
    },
  }),
  getMessage: route({
    method: 'get',
    path: '/v1/messages/{id}',
    access: ['read', 'message'],
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
    async handle({ params, query: { wait, timeoutMs }, c }, dependencies) {
      const { ledger, waiting } = dependencies;
      const id = await foundMessageId(params.id, dependencies);
      const found = await findMessage(dependencies, id);
      if (wait === undefined || hasReached(found.state, wait)) return reply(200, found);
      // Many callers may wait at once: until the wait is over, only the columns that show its end are read.
      await waiting.until(c, {
        id,
        reads: 'state',
        read: () => ledger.messages.snapshot(id),
        isDone: (row) => row !== undefined && hasReached(row.state, wait),
        timeoutMs,
      });
      return reply(200, await waiting.share(`message ${id}`, () => findMessage(dependencies, id)));
    },
  }),
  cancelMessage: route({
    method: 'post',
    path: '/v1/messages/{id}/cancel',
    access: ['send', 'message'],
    summary: 'Cancel a message that has not left yet',
    description: 'While it is being posted, the response waits for the end of that.',
    responses: { 200: { description: 'Whether that was still possible', schema: cancelSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params, caller: { witness }, c }, dependencies) {
      const id = await foundMessageId(params.id, dependencies);
      const how = { witness, signal: dependencies.waiting.signalOf(c) };
      const result = await cancelMessage(dependencies, id, how);
      return reply(200, { id, ...result });
    },
  }),
  resolveMessage: route({
    method: 'post',
    path: '/v1/messages/{id}/resolve',
    access: ['admin', 'message'],
    summary: 'Resolve a message that is unknown or unresolved',
    description:
      '`accepted` ends the question. `not_accepted` makes it pending again, so look at the phone first; not before the lost request can no longer be accepted.',
    body: resolveRequestSchema,
    bodyName: 'The resolution of {id}',
    responses: { 200: { description: 'What the message says now', schema: resolveSchema } },
    problems: [
      'MESSAGE_NOT_FOUND',
      'ID_AMBIGUOUS',
      'RESOLVE_NOT_POSSIBLE',
      'MESSAGE_CLAIMED_ELSEWHERE',
      'INPUT_INVALID',
    ],
    async handle({ params, body: { outcome }, caller: { witness } }, dependencies) {
      const id = await foundMessageId(params.id, dependencies);
      const { state } = await resolveMessage(dependencies, id, { outcome, witness });
      return reply(200, { id, state });
    },
  }),
} as const;
