import { z } from 'zod';
import { type Shape, count, time, waitMs } from '../fields.js';
import { reply, route } from '../route.js';
import {
  AppError,
  type InstanceConfig,
  MessageWorkflows,
  Notifications,
  PAUSE_REASONS,
  type PauseReason,
  present,
  RESUMED_BY,
  type ResumedBy,
} from '../../../contract/index.js';
import { campaignStateSchema, waitingSchema } from '../../../contract/schemas.js';
import type { RouteDependencies } from '../route-dependencies.js';
import type { InstancePause } from '../../../ledger/index.js';
import { instanceCommandId } from '../../ids.js';
import { waitUntil, type WaitUntil } from '../../wait-until.js';
import { isPauseState } from '../../../domain/index.js';

const pauseFields = {
  reason: z.enum(PAUSE_REASONS),
  since: time.describe('When the account was first seen so, or the operator paused it'),
  witness: z.string().describe('Who said so: a notification, getStateInstance, or an operator'),
};

/** One account: its configuration without anything secret, how it is, and what waits for it. */
const instanceSchema = z
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
            .enum(RESUMED_BY)
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

export type InstanceStatus = Shape<typeof instanceSchema>;

/** Longer than a POST may take by default. */
const PAUSE_WAIT_MS = 25_000;

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
    async handle(_request, dependencies) {
      const names = dependencies.instances.names();
      return reply(200, { items: await Promise.all(names.map((name) => instanceStatus(dependencies, name))) });
    },
  }),
  getInstance: route({
    method: 'get',
    path: '/v1/instances/{name}',
    access: ['read', 'instance'],
    summary: 'One instance, without its tokens, and how it is',
    responses: { 200: { description: 'Configuration, state, pauses, and what waits', schema: instanceSchema } },
    problems: ['INSTANCE_NOT_FOUND'],
    handle: async ({ params: { name } }, dependencies) => reply(200, await instanceStatus(dependencies, name)),
  }),
  pauseInstance: route({
    method: 'post',
    path: '/v1/instances/{name}/pause',
    access: ['admin', 'instance'],
    summary: 'Pause an instance',
    description:
      "No message of the instance is posted until it is resumed. Answers when no POST is under way any more; items in the gateway's queue still go out. An operator's pause lasts until a resume. The same key pauses once: a later resume stays.",
    query: z.strictObject({ timeoutMs: waitMs(PAUSE_WAIT_MS) }),
    takesKey: true,
    responses: {
      200: { description: "The operator's pause, and how the instance is now", schema: pausedInstanceSchema },
      202: { description: 'It is paused, and a POST that began before is under way', schema: pausedInstanceSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { name }, query: { timeoutMs }, key, caller: { witness }, c }, dependencies) {
      const { waiting } = dependencies;
      const wait = { timeoutMs, witness, signal: waiting.signalOf(c) };
      const { pause, isStill } = await waiting.held(timeoutMs, () => pauseInstance(dependencies, name, key, wait));
      return reply(isStill ? 200 : 202, { pause, instance: await instanceStatus(dependencies, name) });
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
    async handle({ params: { name }, key, caller: { witness }, c }, dependencies) {
      const how = { witness, signal: dependencies.waiting.signalOf(c) };
      const resumed = await resumeInstance(dependencies, name, key, how);
      return reply(200, { resumed, instance: await instanceStatus(dependencies, name) });
    },
  }),
} as const;

/** @throws AppError INSTANCE_NOT_FOUND */
async function instanceStatus({ ledger, instances, clock }: RouteDependencies, name: string): Promise<InstanceStatus> {
  const config = instances.get(name);
  const view = await ledger.instances.view(name, clock.nowMs());
  const { depth, depthReadAt, releaseIntervalMs, ...dispatcher } = await ledger.dispatch.view(name);
  const { seen, connection, lastNotificationAt } = view;
  return {
    ...configuration(config),
    ...(seen && { state: seen.state, stateSince: seen.since, stateSeenAt: seen.seenAt }),
    ...present({ connection }),
    pauses: view.pauses.map((pause) => ({ ...pause, resumedBy: resumedBy(config, pause.reason) })),
    queue: present({ depth, readAt: depthReadAt, releaseIntervalMs }),
    dispatcher,
    waiting: {
      messages: view.pendingMessages,
      campaigns: view.waitingCampaigns,
      unknownOutcomes: view.unknownOutcomes,
    },
    closed: view.closed,
    ...present({ today: view.today, lastNotificationAt }),
  };
}

function resumedBy({ autoResume = [] }: InstanceConfig, reason: PauseReason): ResumedBy {
  return autoResume.some((state) => state === reason) ? 'authorized' : 'operator';
}

/** Field by field, so that nothing secret can slip in with a new one. */
function configuration(instance: InstanceConfig) {
  const { name, idInstance, baseUrl, mediaUrl, capabilities, allowedRecipients, webhookTokens = [] } = instance;
  return {
    name,
    idInstance,
    baseUrl,
    ...present({ mediaUrl, capabilities }),
    restricted: allowedRecipients !== undefined,
    webhookAuthorization: webhookTokens.length > 0,
    notifications: instance.notifications ?? 'push',
    messageWorkflows: instance.messageWorkflows ?? 'always',
  };
}

/**
 * An operator's command that an instance posts nothing until it is resumed. It waits until no POST is under way.
 * Delivered again it does not pause again.
 * @returns `isStill`: false while messages whose POST began before the pause are still being posted
 * @throws AppError INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
async function pauseInstance(
  { ledger, instances, clock, bell, wakeAll }: RouteDependencies,
  name: string,
  key: string,
  { timeoutMs, signal, witness }: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'> & { readonly witness: string },
) {
  instances.get(name);
  const commandId = instanceCommandId(name, 'pause', key);
  const pause = await ledger.instances.pauseByOperator(name, commandId, witness, clock.nowMs());
  void wakeAll(name);
  const isStill = await waitUntil(bell, {
    id: `instance ${name}`,
    read: async () => {
      const { sending, reconcileAfterMs = 0 } = await ledger.instances.underWay(name);
      return sending === 0 || reconcileAfterMs <= clock.nowMs();
    },
    isDone: (isDone) => isDone,
    timeoutMs,
    signal,
  });
  return { pause, isStill };
}

/** An operator waits for the response. */
const ASK_FOR_MS = 10_000;

/**
 * An operator's command that resumes an instance. It ends the pauses that began before it was asked for, once:
 * delivered again it ends no pause that came since.
 * @returns the pauses that it ended; none when it was not paused
 * @throws AppError INSTANCE_NOT_FOUND | INSTANCE_NOT_AUTHORIZED
 */
async function resumeInstance(
  dependencies: RouteDependencies,
  name: string,
  key: string,
  { signal, witness }: { readonly signal: AbortSignal; readonly witness: string },
): Promise<readonly InstancePause[]> {
  const { ledger, instances, clock, wakeAll } = dependencies;
  instances.get(name);
  const commandId = instanceCommandId(name, 'resume', key);
  const command = await ledger.instances.askResume(name, commandId, witness, clock.nowMs());
  if (command.resumed !== undefined) return command.resumed;
  const pauses = await ledger.instances.pauses(name);
  if (pauses.length === 0) return ledger.instances.recordResume(name, commandId, []);
  if (pauses.some(({ reason }) => isPauseState(reason))) await readState(dependencies, name, signal);
  const off = await ledger.instances.resume(name, 'operator', clock.nowMs(), { until: command.until });
  const resumed = await ledger.instances.recordResume(name, commandId, off);
  void wakeAll(name);
  return resumed;
}

/** The state that was seen last may be a minute old. It decides when the gateway cannot be asked. */
async function readState(
  { ledger, clock, askGateway }: RouteDependencies,
  instance: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const wait = { timeoutMs: ASK_FOR_MS, signal };
    const { stateInstance } = await askGateway<{ stateInstance?: unknown }>('getStateInstance', instance, {}, wait);
    if (typeof stateInstance !== 'string') return;
    await ledger.instanceStates.record({ instance, state: stateInstance, atMs: clock.nowMs() });
  } catch (error) {
    if (!(error instanceof AppError) || error.next === 'bug' || error.code === 'LEDGER_UNAVAILABLE') throw error;
  }
}
