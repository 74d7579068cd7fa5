import { z } from 'zod';
import { reply, route, waitMs } from '../../route.js';
import {
  AppError,
  type InstanceConfig,
  MessageWorkflows,
  Notifications,
  PAUSE_REASONS,
  present,
  RESUMED_BY,
} from '../../../contract/index.js';
import { campaignStateSchema, pageFields, waitingSchema, type Shape, count, time } from '../../../contract/schemas.js';
import type { RouteDependencies } from '../../route-dependencies.js';
import { cursorsOf, textPart, type InstancePause } from '../../../ledger/index.js';
import { commandId } from '../../../starter/index.js';
import { waitUntil, type WaitUntil } from '../../waiting.js';
import { isPauseState } from '../../../domain/index.js';

const pauseFields = {
  reason: z.enum(PAUSE_REASONS),
  since: time.describe('When the account was first seen in this state, or the operator paused the instance'),
  witness: z.string().describe('Source of the pause: a notification, getStateInstance, or an operator'),
};

/** One account: its configuration without secrets, its state, and what waits for it. */
const instanceSchema = z
  .object({
    name: z.string().describe('Name of the instance in the configuration'),
    idInstance: z.string().describe("The gateway's id of the instance"),
    baseUrl: z.string().describe("The gateway's address"),
    mediaUrl: z.string().optional().describe('Host for uploads, if the gateway has a separate one'),
    capabilities: z.array(z.string()).optional().describe('Operations that the instance supports. Absent: all'),
    restricted: z.boolean().describe('True if messages may be sent only to the allowedRecipients of the configuration'),
    webhookAuthorization: z.boolean().describe('True if notifications need a token'),
    notifications: z
      .enum(Object.values(Notifications))
      .describe('`push`: the gateway pushes notifications. `poll`: a worker polls them'),
    messageWorkflows: z
      .enum(Object.values(MessageWorkflows))
      .describe('`always`: each message has a workflow. `on_demand`: only messages that need one'),
    state: z.string().optional().describe("The gateway's name of the state, e.g. authorized. Absent until it is known"),
    stateSince: time.optional().describe('Since when the account is known to be in this state'),
    stateSeenAt: time.optional().describe('When the account was last seen in this state'),
    connection: z
      .object({ status: z.string(), since: time })
      .optional()
      .describe("The gateway's connection to the network, by the gateway's name, e.g. online. Pauses nothing"),
    pauses: z
      .array(
        z.object({
          ...pauseFields,
          resumedBy: z
            .enum(RESUMED_BY)
            .describe(
              '`operator`: an operator resumes the instance. `authorized`: the pause ends once the account is authorized',
            ),
        }),
      )
      .describe('Why nothing is sent. Empty if the instance is not paused'),
    queue: z
      .object({
        reading: z
          .object({ items: count, at: time })
          .optional()
          .describe('The last reading: how many items from all sources the gateway listed'),
        estimate: z
          .object({ items: count, at: time })
          .optional()
          .describe(
            'How many items a worker estimated: the reading, the messages posted since, and what left at the release interval. Absent until it was read, or found unreadable',
          ),
        releaseIntervalMs: z.number().optional().describe("Milliseconds between two releases of the gateway's queue"),
        standstill: z
          .object({
            items: count,
            since: time.describe('Since when no item is known to have left the queue'),
            remedy: z.string().describe('What an operator can do'),
          })
          .optional()
          .describe(
            'Present if the queue stands still: it has items, the account is authorized, and the gateway has released nothing for many release intervals',
          ),
      })
      .describe("The gateway's queue. Empty until it was read"),
    dispatcher: z
      .object({
        worker: z.string().optional(),
        servedSince: time.optional().describe('Absent while no worker serves the instance because nothing is due'),
        seenAt: time.optional(),
        inFlight: count.optional().describe('POSTs under way'),
        window: count.optional().describe('The most POSTs that may be under way'),
      })
      .describe("The worker that dispatches the instance's messages, or did so last. Empty before the first message"),
    waiting: z.object({
      messages: count.describe('Single messages that were not posted yet, counted up to 10,000'),
      campaigns: z
        .array(
          z.object({
            id: z.string(),
            state: campaignStateSchema,
            waiting: waitingSchema,
          }),
        )
        .describe('Campaigns that post nothing at the moment, and why'),
      unknownOutcomes: count.describe('Messages with an unknown outcome after a lost response, counted up to 100'),
    }),
    closed: z
      .array(
        z.object({
          messages: z.enum(['all', 'marketing']).describe('`all`: every message that is not urgent'),
          code: z.string().describe('SENDING_WINDOW_CLOSED, QUIET_HOURS or DAILY_LIMIT_REACHED'),
          text: z.string().optional(),
          since: time.optional(),
          until: time.optional().describe('Absent if nothing opens within 400 days'),
        }),
      )
      .describe("Messages that the instance's hours and limits delay now"),
    today: z
      .object({ posted: count, cap: count, until: time.describe('When the next day begins') })
      .optional()
      .describe("Messages of the current day in the instance's timezone. Absent without a daily cap"),
    wentBack: z
      .object({
        foundAt: time.describe('When it was found'),
        foundBy: z
          .enum(['command', 'database', 'dispatcher'])
          .describe(
            '`command`: everpost restore. `database`: the ledger is in another database, or its standby was promoted. `dispatcher`: a worker or Temporal knows what the ledger does not',
          ),
        knownUntil: time.optional().describe('What happened after this time may be unknown to the ledger'),
        unresolved: count.describe('Messages that may have been sent since, counted up to 10,000'),
      })
      .optional()
      .describe(
        'Present while messages are unresolved because the ledger was restored from an older copy (LEDGER_WENT_BACK)',
      ),
    lastNotificationAt: time.optional().describe('When the last notification arrived'),
  })
  .meta({ id: 'Instance' });

export type InstanceStatus = Shape<typeof instanceSchema>;

const pausedInstanceSchema = z
  .object({ pause: z.object(pauseFields), instance: instanceSchema })
  .meta({ id: 'PausedInstance' });

const CURSORS = cursorsOf('instances', textPart);

export const INSTANCE_ROUTES = {
  listInstances: route('GET /v1/instances', {
    access: ['read', 'named'],
    summary: 'List instances with their states, by name',
    query: z.strictObject({
      unwell: z
        .enum(['true'])
        .exactOptional()
        .describe(
          'True lists only instances that an operator has to look at: paused, standing still, offline, not authorized, or with messages that may have been sent while the ledger was older. Default: all',
        ),
      cursor: pageFields.cursor,
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .exactOptional()
        .describe('The most items in a page, 1 to 500. Default: all'),
    }),
    responses: {
      200: {
        description: 'The configured instances, without their tokens; `cursor` leads to the next page',
        schema: z.object({
          items: z.array(instanceSchema),
          names: z.array(z.string()).describe('The names of all instances that the key may use'),
          cursor: z.string().optional(),
        }),
      },
    },
    async handle({ query: { unwell, cursor, limit = Infinity } }, dependencies) {
      const names = dependencies.instances.names();
      const [last = ''] = cursor === undefined ? [] : CURSORS.read(cursor);
      const listed = unwell === undefined ? names.toSorted() : await dependencies.ledger.views.unwell(names);
      const rest = listed.filter((name) => name > last);
      const page = rest.slice(0, limit);
      const [end] = rest.length > page.length ? page.slice(-1) : [];
      const items = await instanceStates(dependencies, page);
      return reply(200, { items, names: [...names], ...(end === undefined ? {} : { cursor: CURSORS.write(end) }) });
    },
  }),
  getInstance: route('GET /v1/instances/{name}', {
    access: ['read', 'instance'],
    summary: 'Retrieve an instance',
    responses: {
      200: { description: 'Configuration without tokens, state, pauses, and what waits', schema: instanceSchema },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    handle: async ({ params: { name } }, dependencies) => reply(200, await instanceStatus(dependencies, name)),
  }),
  pauseInstance: route('POST /v1/instances/{name}/pause', {
    access: ['admin', 'instance'],
    summary: 'Pause an instance',
    description:
      'Pauses the instance until an operator resumes it: no message is posted. Responds when no POST is under way. The gateway still sends the items in its queue. A repeated request with the same key does not pause again after a resume.',
    query: z.strictObject({ timeoutMs: waitMs() }),
    takesKey: true,
    responses: {
      200: { description: "The operator's pause, and the instance's state", schema: pausedInstanceSchema },
      202: {
        description: 'The instance is paused, and a POST that began before is under way',
        schema: pausedInstanceSchema,
      },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { name }, query: { timeoutMs }, key, caller: { witness }, c }, dependencies) {
      const { pause, isStill } = await dependencies.waiting.held(c, timeoutMs, (wait) =>
        pauseInstance(dependencies, name, key, { ...wait, witness }),
      );
      return reply(isStill ? 200 : 202, { pause, instance: await instanceStatus(dependencies, name) });
    },
  }),
  resumeInstance: route('POST /v1/instances/{name}/resume', {
    access: ['admin', 'instance'],
    summary: 'Resume a paused instance',
    description:
      'Ends all pauses of the instance; without a pause it changes nothing. After a yellow card, a block or a suspension it is rejected until the account is authorized again. A repeated request with the same key does not end a later pause.',
    takesKey: true,
    responses: {
      200: {
        description: "The pauses that ended, and the instance's state",
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

type Read = Pick<RouteDependencies, 'ledger' | 'instances' | 'clock'>;

/** @throws AppError INSTANCE_NOT_FOUND */
export function instanceStates(dependencies: Read, names: readonly string[]): Promise<InstanceStatus[]> {
  return Promise.all(names.map((name) => instanceStatus(dependencies, name)));
}

/** @throws AppError INSTANCE_NOT_FOUND */
async function instanceStatus({ ledger, instances, clock }: Read, name: string): Promise<InstanceStatus> {
  const config = instances.get(name);
  const view = await ledger.views.instance(name, clock.nowMs());
  const {
    reading,
    estimate,
    standstill,
    releaseIntervalMs,
    settings: _,
    ...dispatcher
  } = await ledger.dispatch.view(name);
  const { seen, connection, lastNotificationAt } = view;
  const { autoResume = [] } = config;
  const run = (method: string) => `everpost operation run ${method} --instance ${name}`;
  const remedy = `Check that the phone is on, online and linked. Then reboot the account: ${run('reboot')}. If the queue still stands half an hour later, clear it, which removes its items: ${run('clearMessagesQueue')}`;
  return {
    ...configuration(config),
    ...(seen && { state: seen.state, stateSince: seen.since, stateSeenAt: seen.seenAt }),
    ...present({ connection }),
    pauses: view.pauses.map((pause) => {
      const isAutomatic = autoResume.some((state) => state === pause.reason);
      return { ...pause, resumedBy: isAutomatic ? 'authorized' : 'operator' };
    }),
    queue: present({
      reading,
      estimate,
      releaseIntervalMs,
      standstill: standstill && { ...standstill, remedy },
    }),
    dispatcher,
    waiting: {
      messages: view.pendingMessages,
      campaigns: view.waitingCampaigns,
      unknownOutcomes: view.unknownOutcomes,
    },
    closed: view.closed,
    ...present({ today: view.today, wentBack: view.wentBack, lastNotificationAt }),
  };
}

/** Lists each field, so that a new secret field cannot appear in a response. */
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
 * An operator's command that pauses an instance until it is resumed. It waits until no POST is under way. A repeated
 * command does not pause again.
 * @returns `isStill`: false while a POST that began before the pause is under way
 * @throws AppError INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
async function pauseInstance(
  { ledger, instances, clock, bell, wake }: RouteDependencies,
  name: string,
  key: string,
  { timeoutMs, signal, witness }: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'> & { readonly witness: string },
) {
  instances.get(name);
  const command = commandId('instance', name, 'pause', key);
  const pause = await ledger.instances.pauseByOperator(name, command, witness, clock.nowMs());
  void wake(name);
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
 * An operator's command that resumes an instance. It ends the pauses that began before the request, once: a repeated
 * command ends no later pause.
 * @returns the pauses that it ended; none if the instance was not paused
 * @throws AppError INSTANCE_NOT_FOUND | INSTANCE_NOT_AUTHORIZED
 */
async function resumeInstance(
  dependencies: RouteDependencies,
  name: string,
  key: string,
  { signal, witness }: { readonly signal: AbortSignal; readonly witness: string },
): Promise<readonly InstancePause[]> {
  const { ledger, instances, clock, wake } = dependencies;
  instances.get(name);
  const id = commandId('instance', name, 'resume', key);
  const command = await ledger.instances.askResume(name, id, witness, clock.nowMs());
  if (command.resumed !== undefined) return command.resumed;
  const pauses = await ledger.instances.pauses(name);
  if (pauses.length === 0) return ledger.instances.recordResume(name, id, []);
  if (pauses.some(({ reason }) => isPauseState(reason))) await readState(dependencies, name, signal);
  const off = await ledger.instances.resume(name, 'operator', clock.nowMs(), { until: command.until });
  const resumed = await ledger.instances.recordResume(name, id, off);
  void wake(name);
  return resumed;
}

/** The last known state may be a minute old. It decides if the gateway cannot be asked. */
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
