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
  acceptedAt: time.optional(),
  sentAt: time.optional(),
  deliveredAt: time.optional(),
  readAt: time.optional(),
  endedAt: time.optional(),
  editableUntil: time.optional(),
  workflowId: z.string().optional().describe('The workflow that sends it, unless that is `message:<id>`'),
  mayLeaveUntil: time.optional().describe('While accepted and not heard of: until when the gateway may still send it'),
};

export const messageListItemSchema = z.object(messageFields).meta({ id: 'MessageListItem' });

export const editSchema = z
  .object({
    id: z.string(),
    messageId: z.string(),
    state: z.enum(Object.values(EditState)),
    outcome: z.enum(Object.values(EditState)).optional().describe('Its state, once it has ended'),
    via: z.enum(['before_send', 'gateway']).optional(),
    text: z.string().optional(),
    requestedAt: time.optional(),
    postedAt: time.optional(),
    endedAt: time.optional(),
    idMessageGiven: z.string().optional(),
    idMessageAnswered: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Edit' });

export const messageSchema = z
  .object({
    ...messageFields,
    waiting: z
      .object({
        code: z.string().describe('What stood in the way of its last attempt; docs/errors.md says what to do about it'),
        text: z.string().optional().describe("The gateway's own words"),
        since: time.describe('Since when nothing else has stood in the way'),
        nextTryAt: time.optional(),
        twin: z.string().optional().describe('The equal message to the same chat whose outcome is not known yet'),
      })
      .optional()
      .describe('What a planned message waits for'),
    evidence: z.array(
      z.object({
        at: time,
        witness: z.string(),
        what: z.string(),
        detail: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    attempts: z.array(z.record(z.string(), z.unknown())),
    edits: z.array(editSchema),
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
  .meta({
    id: 'Message',
    description: 'Right after its start, before its row is written, only id, state and kind are known',
  });

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
    state: z.enum(['open', 'posting', 'done', 'failed', 'may_have_happened']),
    result: z.unknown().optional().describe("The gateway's answer, secret fields removed"),
    code: z.string().optional(),
    text: z.string().optional().describe("The gateway's own words"),
    createdAt: time.optional(),
    endedAt: time.optional(),
  })
  .meta({ id: 'Operation' });

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    code: z.string().describe('Stable; docs/errors.md describes each one'),
    detail: z.string().describe('What failed, why, and what to do'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retryAfterMs: z.number().optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' });
