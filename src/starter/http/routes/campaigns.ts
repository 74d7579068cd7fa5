import { z } from 'zod';
import { CAMPAIGN_END_STATES, present, withPace, type CampaignId } from '../../../contract/index.js';
import {
  amendCampaignSchema,
  amendmentPlanSchema,
  amendmentSchema,
  campaignProgressSchema,
  campaignResponseSchema,
  campaignSchema,
  campaignStateSchema,
  newCampaignSchema,
  offlineSchema,
  retriedSchema,
  retryCampaignSchema,
  testSendSchema,
  timeSchema,
  timezoneSchema,
  updateCampaignSchema,
} from '../../../contract/schemas.js';
import { beginCampaign, defineCampaign, testSend, viewCampaign } from '../../campaigns/campaigns.js';
import { planCampaign } from '../../campaigns/plan-campaign.js';
import { templateProblems } from '../../campaigns/read-campaign.js';
import { steeringWith, type Granted, type Wish } from '../../campaigns/steer-campaign.js';
import { inputInvalid } from '../../../domain/index.js';
import {
  amendmentListSchema,
  campaignListSchema,
  campaignPlanSchema,
  planPeriodSchema,
} from '../campaign-responses.js';
import { pageFields, waitMs } from '../fields.js';
import { reply, route, type RouteRequest } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';
import { begunMessageSchema } from './messages.js';

const STEER_WAIT_MS = 45_000;
const END_WAIT_MS = 25_000;

const steerQuery = z.strictObject({ timeoutMs: waitMs(STEER_WAIT_MS) });

const MOST_SAMPLES = 20;

const lineNumbers = z
  .string()
  .max(MOST_SAMPLES * 12)
  .transform((text) => text.split(',').map((line) => Number(line)))
  .refine((lines) => lines.every((line) => Number.isInteger(line) && line > 0), 'is no list of line numbers, e.g. 2,17')
  .refine((lines) => lines.length <= MOST_SAMPLES, `has more than ${MOST_SAMPLES} lines`);

const notDone = { description: 'Taken, and not done yet; ask again with the same key', schema: campaignProgressSchema };

/** A command takes effect once under its key, and never after one that was asked for later. */
const COMMAND = { access: ['send', 'campaign'], query: steerQuery, takesKey: true } as const;
const COMMAND_PROBLEMS = ['COMMAND_SUPERSEDED', 'IDEMPOTENCY_MISMATCH'] as const;

export const CAMPAIGN_ROUTES = {
  beginCampaign: route({
    method: 'post',
    path: '/v1/campaigns',
    access: ['send', 'named'],
    summary: 'Define a campaign',
    description: 'A draft, into which recipients are imported, and which is then started.',
    body: newCampaignSchema,
    takesKey: true,
    responses: {
      200: { description: 'It was there, made from the same request', schema: campaignSchema },
      201: { description: 'Written', schema: campaignSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
    async handle({ body, key }, dependencies) {
      const { campaign, isNew } = await beginCampaign(dependencies, body, key);
      return reply(isNew ? 201 : 200, campaign, { location: `/v1/campaigns/${campaign.id}`, isReplay: !isNew });
    },
  }),
  listCampaigns: route({
    method: 'get',
    path: '/v1/campaigns',
    access: ['read', 'named'],
    summary: 'List campaigns, newest first',
    query: z.strictObject({
      instance: z.string().exactOptional(),
      state: campaignStateSchema.exactOptional(),
      ...pageFields,
    }),
    responses: { 200: { description: 'One page; `cursor` leads to the next', schema: campaignListSchema } },
    problems: ['INPUT_INVALID'],
    async handle({ query, caller: { instances } }, { ledger, clock }) {
      const { items, ...page } = await ledger.audiences.list({ ...query, ...present({ instances }) }, clock.nowMs());
      return reply(200, { ...page, items: items.map((campaign) => withPace(campaign, clock.nowMs())) });
    },
  }),
  defineCampaign: route({
    method: 'put',
    path: '/v1/campaigns/{id}',
    access: ['send', 'campaignOrNew'],
    summary: 'Define a campaign, or define a draft again',
    description:
      'Its recipients stay, unless it names another instance or default country: then they are imported again.',
    query: z.strictObject({
      planOnly: z
        .enum(['true'])
        .optional()
        .describe(
          'Only made for a plan: recipients can be imported and a plan asked for, but it never starts, is in no list, and is removed after six hours',
        ),
    }),
    body: newCampaignSchema,
    responses: {
      200: { description: 'It was there, and is now as asked', schema: campaignSchema },
      201: { description: 'Written', schema: campaignSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN', 'INPUT_TOO_LARGE'],
    async handle({ params, query: { planOnly }, body }, dependencies) {
      const how = { isPlanOnly: planOnly !== undefined };
      const { campaign, isNew } = await defineCampaign(dependencies, wholeCampaignId(params.id), body, how);
      return reply(isNew ? 201 : 200, campaign, { location: `/v1/campaigns/${campaign.id}` });
    },
  }),
  removePlan: route({
    method: 'delete',
    path: '/v1/campaigns/{id}',
    access: ['send', 'campaign'],
    summary: 'Remove a campaign that was only made for a plan',
    takesLong: true,
    responses: {
      200: { description: 'It is removed, with its recipients', schema: z.object({ removed: z.boolean() }) },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN'],
    async handle({ params }, { ledger }) {
      await ledger.audiences.removePlan(wholeCampaignId(params.id));
      return reply(200, { removed: true });
    },
  }),
  getCampaign: route({
    method: 'get',
    path: '/v1/campaigns/{id}',
    access: ['read', 'campaign'],
    summary: 'A campaign as it stands',
    query: z.strictObject({
      wait: z.enum(['ended']).optional().describe('Respond when it ended, or after timeoutMs as it is then'),
      timeoutMs: waitMs(END_WAIT_MS),
    }),
    responses: { 200: { description: 'With its counts by state', schema: campaignSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
    async handle({ params, query: { wait, timeoutMs }, c }, dependencies) {
      const { ledger, waiting } = dependencies;
      const id = await foundCampaignId(params.id, dependencies);
      if (wait !== undefined) {
        await waiting.until(c, {
          id,
          reads: 'campaign',
          read: () => ledger.campaigns.state(id),
          isDone: (state) => state === undefined || CAMPAIGN_END_STATES.includes(state),
          timeoutMs,
        });
      }
      return reply(200, await viewCampaign(dependencies, id));
    },
  }),
  planCampaign: route({
    method: 'get',
    path: '/v1/campaigns/{id}/plan',
    access: ['read', 'campaign'],
    summary: 'What the campaign would do if it were started now',
    description: 'Goes through the whole audience: with a million recipients it takes a minute.',
    query: z.strictObject({
      sampleLines: lineNumbers
        .optional()
        .describe(
          `Whose messages to show, at most ${MOST_SAMPLES}. Default: the first, the one in the middle and the last`,
        ),
      startAt: timeSchema.optional().describe('Default: now'),
      by: planPeriodSchema.optional().describe('Rows. Default: hours, where it takes at most three days'),
      offline: offlineSchema
        .optional()
        .describe('Hours of every day in which the phone or the gateway is away, e.g. 22:00-06:00,12:00-13:00'),
      timezone: timezoneSchema
        .optional()
        .describe("By whose clock. Default: the one of the campaign's windows, else of its instance, else UTC"),
    }),
    takesLong: true,
    responses: { 200: { description: 'The plan', schema: campaignPlanSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
    async handle({ params, query, c }, dependencies) {
      const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const signal = dependencies.waiting.signalOf(c);
      return reply(200, await planCampaign(dependencies, campaign, { ...query, signal }));
    },
  }),
  sendTest: route({
    method: 'post',
    path: '/v1/campaigns/{id}/test-sends',
    access: ['send', 'campaign'],
    summary: "Send one recipient's message to one's own number",
    body: testSendSchema,
    bodyName: 'The test',
    takesKey: true,
    responses: { 202: { description: 'Begun as a single message', schema: begunMessageSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'INPUT_INVALID', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
    async handle({ params, body, key, caller: { witness } }, dependencies) {
      const campaignId = wholeCampaignId(params.id);
      const { request, begun } = await testSend(dependencies, campaignId, body, { key, witness });
      const { id, state, isReplay } = begun;
      const test = { id, state, instance: request.instance, kind: request.content.kind };
      return reply(202, test, { location: `/v1/messages/${id}`, isReplay });
    },
  }),
  startCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/start',
    access: ['send', 'campaign'],
    summary: 'Start a campaign, once, ever',
    description:
      'Its recipients and their values are fixed from then on. Durable from the 202 on. With `startAt` it is scheduled, and begins at that time.',
    takesLong: true,
    responses: {
      200: { description: 'It was started before', schema: campaignSchema },
      202: { description: 'Started', schema: campaignSchema },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_EMPTY', 'CAMPAIGN_INCOMPLETE', 'INPUT_INVALID', 'TEMPORAL_UNAVAILABLE'],
    async handle({ params }, dependencies) {
      const id = wholeCampaignId(params.id);
      const { isReplay } = await steeringWith(dependencies).start(id);
      const campaign = await viewCampaign(dependencies, id);
      return reply(isReplay ? 200 : 202, campaign, { location: `/v1/campaigns/${id}`, isReplay });
    },
  }),
  pauseCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/pause',
    ...COMMAND,
    summary: 'Pause a campaign',
    description:
      "Answers when no further send can begin and those under way have ended; what is in the gateway's queue by then still goes out.",
    responses: { 200: { description: 'It is paused', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) => granted(request, dependencies, steeringWith(dependencies).pause),
  }),
  resumeCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/resume',
    ...COMMAND,
    summary: 'Let a paused campaign go on',
    responses: { 200: { description: 'It runs', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) => granted(request, dependencies, steeringWith(dependencies).resume),
  }),
  cancelCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/cancel',
    ...COMMAND,
    summary: 'Cancel a campaign',
    description: 'As a pause, but for good: every recipient who was not posted to ends cancelled.',
    responses: { 200: { description: 'Nothing more is sent by it', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) => granted(request, dependencies, steeringWith(dependencies).cancel),
  }),
  updateCampaign: route({
    method: 'patch',
    path: '/v1/campaigns/{id}',
    ...COMMAND,
    summary: 'Change the high water mark, text, deadline, name or start time',
    description: 'Counts for every recipient who is posted to from then on; of a campaign that has ended, for a retry.',
    body: updateCampaignSchema,
    bodyName: 'The change of campaign {id}',
    responses: { 200: { description: 'As it is now', schema: campaignProgressSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_INCOMPLETE', 'INPUT_INVALID', ...COMMAND_PROBLEMS],
    async handle(request, dependencies) {
      const { params, body } = request;
      const problems = body.content === undefined ? [] : templateProblems(body.content, dependencies.checkOperation);
      if (problems.length > 0) throw inputInvalid(`The change of campaign ${params.id}`, problems);
      return granted(request, dependencies, (id, wish) => steeringWith(dependencies).update(id, body, wish));
    },
  }),
  retryCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/retry',
    ...COMMAND,
    summary: 'Take recipients up again who ended without the message',
    description:
      'Never retries a recipient whose message the gateway is known to have accepted. A campaign that has ended runs again. Unknown and unresolved messages are reconciled again, and posted again only with maySendTwice.',
    body: retryCampaignSchema,
    bodyName: 'The retry of campaign {id}',
    responses: { 200: { description: 'How many were taken up', schema: retriedSchema }, 202: notDone },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_NOT_STARTED',
      'CAMPAIGN_RECIPIENTS_REMOVED',
      'INPUT_INVALID',
      ...COMMAND_PROBLEMS,
    ],
    handle: (request, dependencies) =>
      granted(request, dependencies, (id, wish) => steeringWith(dependencies).retry(id, request.body, wish)),
  }),
  amendCampaign: route({
    method: 'post',
    path: '/v1/campaigns/{id}/amend',
    ...COMMAND,
    summary: 'Give the recipients a new text, also those who were sent an older one',
    description:
      'Recipients who were not posted to get the new text, or are cancelled. Messages that were sent less than 15 minutes ago are edited, as many as can be in time, the newest first. Durable from the response on.',
    body: amendCampaignSchema,
    bodyName: 'The amendment of campaign {id}',
    responses: { 200: { description: 'Begun; `counts` show how it stands', schema: amendmentSchema }, 202: notDone },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_NOT_STARTED',
      'CAMPAIGN_INCOMPLETE',
      'EDIT_NOT_TEXT',
      'INPUT_INVALID',
      ...COMMAND_PROBLEMS,
    ],
    handle: (request, dependencies) =>
      granted(request, dependencies, (id, wish) => steeringWith(dependencies).amend(id, request.body, wish)),
  }),
  planAmendment: route({
    method: 'post',
    path: '/v1/campaigns/{id}/amendment-plan',
    access: ['read', 'campaign'],
    summary: 'What an amendment could do for each recipient now',
    body: amendCampaignSchema,
    bodyName: 'The amendment of campaign {id}',
    takesLong: true,
    responses: { 200: { description: 'How many can be edited, and how many not', schema: amendmentPlanSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'EDIT_NOT_TEXT', 'INPUT_INVALID'],
    handle: async ({ params, body }, dependencies) =>
      reply(200, await steeringWith(dependencies).planAmendment(wholeCampaignId(params.id), body)),
  }),
  listAmendments: route({
    method: 'get',
    path: '/v1/campaigns/{id}/amendments',
    access: ['read', 'campaign'],
    summary: 'The amendments of a campaign, newest first',
    responses: { 200: { description: 'All of them', schema: amendmentListSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      return reply(200, { items: await dependencies.ledger.amendments.list(id) });
    },
  }),
} as const;

/** A command that is taken and not done yet is answered with the campaign's progress. */
async function granted<Result extends object>(
  {
    params,
    query: { timeoutMs },
    key,
    caller: { witness },
    c,
  }: RouteRequest<{ readonly id: string }, z.output<typeof steerQuery>, unknown, string>,
  dependencies: RouteDependencies,
  ask: (id: CampaignId, wish: Wish) => Promise<Granted<Result>>,
) {
  const { waiting } = dependencies;
  const id = wholeCampaignId(params.id);
  const response = await waiting.held(timeoutMs, () =>
    ask(id, { key, witness, timeoutMs, signal: waiting.signalOf(c) }),
  );
  if (response !== 'waiting') return reply(200, response);
  return reply(202, await steeringWith(dependencies).progress(id));
}
