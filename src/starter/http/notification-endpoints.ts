/** The routes about notifications: see {@link ENDPOINTS}. */
import { z } from 'zod';
import type { Endpoint } from './endpoint.js';
import { waitMs } from './wait-query.js';

const REPLAY_WAIT_MS = 25_000;

const time = z.iso.datetime();
const counts = z.record(z.string(), z.number());

const summarySchema = z
  .object({
    instance: z.string(),
    lastAt: time.optional().describe('When the last one came, of all that are kept'),
    came: z.number().describe('In the last 24 hours'),
    repeats: z.number().describe('How often one of them came again, with the same content'),
    kinds: counts.describe('By typeWebhook'),
    oddities: counts.describe('cut, malformed, another_instance, unknown_kind, incomplete'),
    waiting: z.number().describe('Stored, and not applied yet'),
    waitingSince: time.optional().describe('When the oldest of those came'),
    failed: z.number().describe('Of all that are kept, those that could not be applied and were set aside'),
    lastFailure: z
      .object({ at: time, problem: z.string() })
      .optional()
      .describe('The newest of those: when it came, and why it could not be applied'),
    pendingSignals: z.number().describe('Messages that changed and whose workflows have not been signalled yet'),
    pendingSignalsSince: time.optional().describe('When the oldest of those changed'),
    quotaExceeded: z.object({ at: time, quota: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'NotificationSummary' });

const replaySchema = z
  .object({
    id: z.string(),
    instance: z.string().optional().describe('Absent: all of them'),
    since: time,
    total: z.number().describe('How many notifications it applies again'),
    done: z.number(),
    outcomes: counts.describe('What became of those that are done, this time'),
    begunAt: time,
    endedAt: time.optional(),
  })
  .meta({ id: 'Replay' });

export const replayRequestSchema = z
  .strictObject({
    since: z.iso.datetime({ offset: true }).describe('Those that came from then on; ISO 8601'),
    instance: z.string().min(1).exactOptional().describe('Only those of this one'),
  })
  .meta({ id: 'ReplayRequest' });

export const NOTIFICATION_ENDPOINTS = {
  listNotifications: {
    method: 'get',
    path: '/v1/notifications',
    summary: 'What the gateway has told of each instance, counted',
    responses: { 200: { description: 'As it stands', schema: z.object({ items: z.array(summarySchema) }) } },
    problems: [],
  },
  beginReplay: {
    method: 'post',
    path: '/v1/notifications/replays',
    summary: 'Apply stored notifications again',
    description: 'Safe at any time: what they say is true already where it was applied. New ones go first.',
    body: replayRequestSchema,
    takesKey: true,
    responses: { 202: { description: 'Begun, or begun before by the same key', schema: replaySchema } },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
  },
  getReplay: {
    method: 'get',
    path: '/v1/notifications/replays/{id}',
    summary: 'How far a replay is',
    query: z.strictObject({
      wait: z.enum(['end']).optional().describe('Respond when it has ended, or after timeoutMs as it is then'),
      timeoutMs: waitMs(REPLAY_WAIT_MS),
    }),
    responses: { 200: { description: 'As it stands', schema: replaySchema } },
    problems: ['REPLAY_NOT_FOUND', 'INPUT_INVALID'],
  },
} as const satisfies Record<string, Endpoint>;
