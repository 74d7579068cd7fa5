import { z } from 'zod';
import { MessageWorkflows, PAUSE_REASONS, Notifications } from '../../../contract/index.js';
import { campaignStateSchema } from '../../../contract/schemas.js';
import { waitingSchema } from '../campaign-responses.js';
import { time, waitMs } from '../fields.js';
import { reply, route } from '../route.js';

/** Longer than a POST may take by default. */
const PAUSE_WAIT_MS = 25_000;

const count = z.number().int();

const pauseFields = {
  reason: z.enum(PAUSE_REASONS),
  since: time.describe('When the account was first seen so, or the operator paused it'),
  witness: z.string().describe('Who said so: a notification, getStateInstance, or an operator'),
};

export const instanceSchema = z
  .object({
    name: z.string(),
    idInstance: z.string(),
    baseUrl: z.string(),
    mediaUrl: z.string().optional(),
    capabilities: z.array(z.string()).optional(),
    restricted: z.boolean().describe('Only the chats listed in the configuration may be written to'),
    webhookAuthorization: z.boolean().describe('Notifications are accepted with a token only'),
    notifications: z.enum(Object.values(Notifications)).describe('Pushed by the gateway, or asked for'),
    messageWorkflows: z
      .enum(Object.values(MessageWorkflows))
      .describe('Whether each message by HTTP has a workflow, or only one that needs it'),
    state: z.string().optional().describe("The gateway's word, e.g. authorized; absent until it is known"),
    stateSince: time.optional().describe('Since when it is known to be in this state'),
    stateSeenAt: time.optional().describe('When it was seen in it last'),
    connection: z
      .object({ status: z.string(), since: time })
      .optional()
      .describe("Of the gateway with the network: the gateway's word, e.g. online. Pauses nothing"),
    pauses: z
      .array(
        z.object({
          ...pauseFields,
          resumedBy: z
            .enum(['operator', 'authorized'])
            .describe('operator: an operator resumes it. authorized: it ends once the account is authorized'),
        }),
      )
      .describe('Why nothing is sent; empty when it is not paused'),
    queue: z
      .object({
        depth: count.optional().describe("Items in the gateway's queue, whatever their source, as read last"),
        readAt: time.optional(),
        releaseIntervalMs: z.number().optional().describe('Between two releases'),
      })
      .describe('Empty until it was read'),
    dispatcher: z
      .object({
        worker: z.string().optional(),
        servedSince: time.optional().describe('Absent while no worker serves it, because nothing is due'),
        seenAt: time.optional(),
        inFlight: count.optional().describe('POSTs under way'),
        window: count.optional().describe('How many may be under way'),
      })
      .describe('The worker that dispatches its messages, or did so last; empty before the first message'),
    waiting: z.object({
      messages: count.describe('Single messages that have not been posted, counted up to 10,000'),
      campaigns: z
        .array(
          z.object({
            id: z.string(),
            state: campaignStateSchema,
            waiting: waitingSchema,
          }),
        )
        .describe('Campaigns that dispatch nothing at the moment, and why'),
      unknownOutcomes: count.describe(
        'Messages whose response was lost, counted up to 100, and whose outcome is not known yet',
      ),
    }),
    closed: z
      .array(
        z.object({
          messages: z.enum(['all', 'marketing']).describe('all: every message that is not urgent'),
          code: z.string().describe('SENDING_WINDOW_CLOSED, QUIET_HOURS or DAILY_LIMIT_REACHED'),
          text: z.string().optional(),
          since: time.optional(),
          until: time.optional().describe('Absent: no open time comes within 400 days'),
        }),
      )
      .describe('What its hours and limits keep back now; empty when they keep back nothing'),
    today: z
      .object({ posted: count, cap: count, until: time.describe('When the next day begins') })
      .optional()
      .describe("By the day of the instance's clock; absent without a daily cap"),
    lastNotificationAt: time.optional().describe('When its last notification came in'),
  })
  .meta({ id: 'Instance' });

const pausedInstanceSchema = z
  .object({ pause: z.object(pauseFields), instance: instanceSchema })
  .meta({ id: 'PausedInstance' });

export const INSTANCE_ROUTES = {
  listInstances: route({
    method: 'get',
    path: '/v1/instances',
    access: ['read', 'named'],
    summary: 'The configured instances, without their tokens, and how they are',
    responses: { 200: { description: 'All of them', schema: z.object({ items: z.array(instanceSchema) }) } },
    problems: [],
    async handle(_request, { instances, instanceStatus }) {
      return reply(200, { items: await Promise.all(instances.names().map(instanceStatus)) });
    },
  }),
  getInstance: route({
    method: 'get',
    path: '/v1/instances/{name}',
    access: ['read', 'instance'],
    summary: 'One instance, without its tokens, and how it is',
    responses: { 200: { description: 'Configuration, state, pauses, and what waits', schema: instanceSchema } },
    problems: ['INSTANCE_NOT_FOUND'],
    handle: async ({ params: { name } }, { instanceStatus }) => reply(200, await instanceStatus(name)),
  }),
  pauseInstance: route({
    method: 'post',
    path: '/v1/instances/{name}/pause',
    access: ['admin', 'instance'],
    summary: 'Pause an instance',
    description:
      "No message of the instance is posted until it is resumed. Answers when no POST is under way any more; items in the gateway's queue still go out. An operator's pause does not end by itself. The same key pauses once: a later resume stays.",
    query: z.strictObject({ timeoutMs: waitMs(PAUSE_WAIT_MS) }),
    takesKey: true,
    responses: {
      200: { description: "The operator's pause, and how the instance is now", schema: pausedInstanceSchema },
      202: { description: 'It is paused, and a POST that began before is under way', schema: pausedInstanceSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle(request, { pauseInstance, instanceStatus, waiting }) {
      const { params, query, key, caller, c } = request;
      const [{ name }, { timeoutMs }, { witness }] = [params, query, caller];
      const wait = { timeoutMs, witness, signal: waiting.signalOf(c) };
      const { pause, isStill } = await waiting.held(timeoutMs, () => pauseInstance(name, key, wait));
      return reply(isStill ? 200 : 202, { pause, instance: await instanceStatus(name) });
    },
  }),
  resumeInstance: route({
    method: 'post',
    path: '/v1/instances/{name}/resume',
    access: ['admin', 'instance'],
    summary: 'Resume a paused instance',
    description:
      'Ends all pauses of the instance. After a yellow card, a block or a suspension it is refused until the account is authorized again. Without a pause it changes nothing. The same key resumes once: a pause that came later stays.',
    takesKey: true,
    responses: {
      200: {
        description: 'The pauses that it ended, and how the instance is now',
        schema: z
          .object({ resumed: z.array(z.object(pauseFields)), instance: instanceSchema })
          .meta({ id: 'ResumedInstance' }),
      },
    },
    problems: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_AUTHORIZED', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { name }, key, caller: { witness }, c }, { resumeInstance, instanceStatus, waiting }) {
      const resumed = await resumeInstance(name, key, { witness, signal: waiting.signalOf(c) });
      return reply(200, { resumed, instance: await instanceStatus(name) });
    },
  }),
} as const;
