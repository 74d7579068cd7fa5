import { z } from 'zod';
import {
  MessageWorkflows,
  Notifications,
  PAUSE_REASONS,
  present,
  type PauseReason,
  type InstanceConfig,
} from '../../contract/index.js';
import { campaignStateSchema, waitingSchema } from '../../contract/schemas.js';
import { count, time, type Shape } from '../http/fields.js';
import type { RouteDependencies } from '../http/route-dependencies.js';

export const pauseFields = {
  reason: z.enum(PAUSE_REASONS),
  since: time.describe('When the account was first seen so, or the operator paused it'),
  witness: z.string().describe('Who said so: a notification, getStateInstance, or an operator'),
};

/** One account: its configuration without anything secret, how it is, and what waits for it. */
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

export type InstanceStatus = Shape<typeof instanceSchema>;

/** @throws AppError INSTANCE_NOT_FOUND */
export async function instanceStatus(
  { ledger, instances, clock }: RouteDependencies,
  name: string,
): Promise<InstanceStatus> {
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

function resumedBy({ autoResume = [] }: InstanceConfig, reason: PauseReason): 'operator' | 'authorized' {
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
