/** What the API answers, as schemas for its OpenAPI document; a test holds them against the types that are sent. */
import { z } from 'zod';
import { EditState, OPERATION_NAMES } from '../../contract/index.js';
import { contentSchema, messageStateSchema } from '../../contract/schemas.js';

const time = z.iso.datetime();

export const begunMessageSchema = z
  .object({
    id: z.string(),
    state: messageStateSchema,
    instance: z.string(),
    kind: z.string(),
    warnings: z.array(z.string()).optional().describe('What the gateway advises against but takes'),
  })
  .meta({ id: 'BegunMessage' });

/** By our own clock, and what the gateway says by its own. */
export const milestoneFields = {
  acceptedAt: time.optional().describe('By our own clock, as are the next three; they never run backwards'),
  sentAt: time.optional().describe('When the first receipt that implies it came'),
  deliveredAt: time.optional(),
  readAt: time.optional(),
  gatewaySentAt: time.optional().describe('What the gateway says, by its own clock, in whole seconds'),
  gatewayDeliveredAt: time.optional(),
  gatewayReadAt: time.optional(),
};

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
  idMessage: z.string().optional().describe("The gateway's id"),
  reason: z.string().optional().describe('Stable word for why it ended as it did'),
  reasonText: z.string().optional().describe("The gateway's own words"),
  createdAt: time,
  expiresAt: time,
  ...milestoneFields,
  endedAt: time.optional(),
  editableUntil: time.optional(),
  workflowId: z.string().optional().describe('The workflow that sends it, unless that is `message:<id>`'),
  mayLeaveUntil: time.optional().describe('While accepted and not heard of: until when the gateway may still send it'),
  campaignId: z.string().optional().describe('The campaign that it belongs to'),
  line: z.number().int().optional().describe("The recipient's line in the campaign's file"),
};

export const messageListItemSchema = z.object(messageFields).meta({ id: 'MessageListItem' });

const editFields = {
  id: z.string(),
  state: z.enum(Object.values(EditState)),
  via: z.enum(['before_send', 'gateway']).optional(),
  text: z.string().optional(),
  requestedAt: time.optional(),
  postedAt: time.optional(),
  endedAt: time.optional(),
  idMessageGiven: z.string().optional(),
  idMessageReturned: z.string().optional(),
  reason: z.string().optional(),
};

export const editSchema = z
  .object({
    ...editFields,
    messageId: z.string(),
    outcome: z.enum(Object.values(EditState)).optional().describe('Its state, once it has ended'),
  })
  .meta({ id: 'Edit' });

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
export const startedMessageSchema = z
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

export const messageSchema = z
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
      .describe('What its statusCallback is told, in order'),
  })
  .meta({ id: 'Message' });

export const foundMessageSchema = z.union([messageSchema, startedMessageSchema]);

export const messageListSchema = z
  .object({ items: z.array(messageListItemSchema), cursor: z.string().optional() })
  .meta({ id: 'MessageList' });

export const resolveSchema = z.object({ id: z.string(), state: messageStateSchema }).meta({ id: 'Resolved' });

export const cancelSchema = z
  .object({
    id: z.string(),
    cancelled: z.boolean().describe('True when it will surely never be posted'),
    state: messageStateSchema,
  })
  .meta({ id: 'Cancellation' });

export const operationSchema = z
  .object({
    id: z.string(),
    method: z.enum(OPERATION_NAMES),
    instance: z.string().optional(),
    state: z.enum(['pending', 'sending', 'done', 'failed', 'may_have_happened']),
    result: z.unknown().optional().describe("The gateway's response, secret fields removed"),
    code: z.string().optional(),
    text: z.string().optional().describe("The gateway's own words"),
    createdAt: time.optional(),
    endedAt: time.optional(),
  })
  .meta({ id: 'Operation' });

export const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    code: z.string().describe('Stable; docs/errors.md describes each one'),
    detail: z.string().describe('What failed, why, and what to do'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    candidates: z
      .array(z.string())
      .optional()
      .describe('Of ID_AMBIGUOUS: ids that begin with the given one, at most 5'),
    retryAfterMs: z.number().optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' });
