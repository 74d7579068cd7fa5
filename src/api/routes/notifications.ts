import { z } from 'zod';
import { AppError, present } from '../../contract/index.js';
import { replayId } from '../../starter/index.js';
import { inputInvalid } from '../../domain/index.js';
import { assertNamesInstance, replayUnknown } from '../access.js';
import { bodyOf, isFromWebPage, isJson } from '../read-request.js';
import { reply, route, waitQuery } from '../route.js';
import { time, timeSchema } from '../../contract/schemas.js';

const DAY_MS = 24 * 60 * 60_000;

const counts = z.record(z.string(), z.number());

const summarySchema = z
  .object({
    instance: z.string().describe('The instance of the notifications'),
    lastAt: time.optional().describe('When the last of all retained notifications arrived'),
    came: z.number().describe('Notifications in the last 24 hours'),
    repeats: z.number().describe('Repetitions of one of them with the same content'),
    kinds: counts.describe('Counts by typeWebhook'),
    oddities: counts.describe(
      'Counts of unusual notifications: cut, malformed, another_instance, unknown_kind, incomplete, unreadable_chat, unknown_message_type',
    ),
    unknownTypes: counts.describe('Incoming messages of a type that this version does not know, by typeMessage'),
    waiting: z.number().describe('Notifications that are stored and not applied yet'),
    waitingSince: time.optional().describe('When the oldest of them arrived'),
    failed: z.number().describe('Retained notifications that could not be applied and were set aside'),
    lastFailure: z
      .object({ at: time, problem: z.string() })
      .optional()
      .describe('The newest of them: when it arrived, and why it could not be applied'),
    possibleOptOuts: z
      .number()
      .describe(
        'Messages that may mean STOP and wait for a decision, counted up to 10,000. See GET /v1/suppressions/possible',
      ),
    unsentToRuns: z.number().describe('What workflows of messages wait for, and Temporal has not taken yet'),
    unsentToRunsSince: time.optional().describe('When the oldest of them happened'),
    quotaExceeded: z
      .object({ at: time, quota: z.unknown().optional() })
      .optional()
      .describe("The last notification that the plan's limit was reached"),
  })
  .meta({ id: 'NotificationSummary' });

const replaySchema = z
  .object({
    id: z.string().describe('Id of the replay'),
    instance: z.string().optional().describe('The instance whose notifications are applied again. Absent: all'),
    since: time.describe('Notifications from this time on are applied again'),
    total: z.number().describe('How many notifications the replay applies again'),
    done: z.number().describe('How many were applied'),
    outcomes: counts.describe("Counts of the replay's outcomes so far"),
    begunAt: time.describe('When the replay was requested'),
    endedAt: time.optional().describe('When the replay ended'),
  })
  .meta({ id: 'Replay' });

const replayRequestSchema = z
  .strictObject({
    since: timeSchema.describe('Only notifications that arrived from this time on'),
    instance: z.string().min(1).exactOptional().describe('Only notifications of this instance. Default: all'),
  })
  .meta({ id: 'ReplayRequest' });

export const NOTIFICATION_ROUTES = {
  listNotifications: route('GET /v1/notifications', {
    access: ['read', 'named'],
    summary: 'Summarize the notifications of each instance',
    responses: { 200: { description: 'The summaries', schema: z.object({ items: z.array(summarySchema) }) } },
    async handle({ caller }, { ledger, instances, clock }) {
      const sinceMs = clock.nowMs() - DAY_MS;
      const items = await ledger.notifications.summaries(instances.names(), sinceMs, { among: caller.instances });
      return reply(200, { items });
    },
  }),
  beginReplay: route('POST /v1/notifications/replays', {
    access: ['admin', 'named'],
    summary: 'Replay stored notifications',
    description:
      'Applies them again, which is safe at any time: a notification that was applied before changes nothing. New notifications are applied first.',
    body: replayRequestSchema,
    bodyName: 'The replay',
    takesKey: true,
    responses: {
      202: { description: 'The replay has begun, or had begun before with the same key', schema: replaySchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ body: { since, instance }, key, caller }, { ledger, instances, clock, receiver }) {
      assertNamesInstance(caller, instance);
      const sinceMs = Date.parse(since);
      if (sinceMs > clock.nowMs()) throw inputInvalid('The replay', [{ path: 'since', message: 'is in the future' }]);
      if (instance !== undefined) instances.get(instance);
      const id = replayId(instance, key);
      const replay = { id, sinceMs, ...present({ instance }) };
      const begun = await ledger.replays.begin(replay, clock.nowMs());
      receiver.wake();
      return reply(202, begun, { location: `/v1/notifications/replays/${id}` });
    },
  }),
  getReplay: route('GET /v1/notifications/replays/{id}', {
    access: ['read', 'replay'],
    summary: 'Retrieve a replay',
    query: waitQuery(['end'], 'the replay has ended'),
    responses: { 200: { description: 'The replay and its progress', schema: replaySchema } },
    problems: ['REPLAY_NOT_FOUND'],
    async handle({ params: { id }, query: { wait, timeoutMs }, c }, { ledger, waiting }) {
      const found = await waiting.until(c, {
        id,
        reads: 'replay',
        read: async () => (await ledger.replays.view(id)) ?? replayUnknown(),
        isDone: ({ endedAt }) => wait === undefined || endedAt !== undefined,
        timeoutMs: wait === undefined ? 0 : timeoutMs,
      });
      return reply(200, found);
    },
  }),
  receiveNotification: route('POST /webhooks/{instance}', {
    access: 'gateway',
    summary: 'Receive a notification of the gateway',
    responses: { 200: { description: 'The notification is stored' } },
    problems: ['INSTANCE_NOT_FOUND', 'REQUEST_FORBIDDEN', 'WEBHOOK_UNVERIFIED'],
    async handle({ params: { instance }, c }, { instances, receiver, isExposed, isLocal }) {
      const authorization = c.req.header('Authorization');
      const someNeedNoToken = instances.names().some((name) => !instances.get(name).webhookTokens?.length);
      const isForeign = isFromWebPage(c) || (!isJson(c) && someNeedNoToken);
      if (isForeign && authorization === undefined && !isExposed())
        throw new AppError(
          'REQUEST_FORBIDDEN',
          `A notification for instance ${instance} is refused: without a webhook token, only a program on this machine may send it, as JSON and with a local Host header. Set a token: everpost doctor --fix`,
        );
      const isProgram = isLocal(c) && !isForeign && isJson(c);
      const contentType = c.req.header('Content-Type');
      await receiver.receive(instance, authorization, bodyOf(c), { isLocal: isProgram, ...present({ contentType }) });
      return c.body(null, 200);
    },
  }),
} as const;
