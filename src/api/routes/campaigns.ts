import { z } from 'zod';
import { CAMPAIGN_END_STATES, present, type CampaignId } from '../../contract/index.js';
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
  resumeCampaignSchema,
  retryCampaignSchema,
  startCampaignSchema,
  testSendSchema,
  timeSchema,
  timezoneSchema,
  updateCampaignSchema,
  pageFields,
} from '../../contract/schemas.js';
import { beginCampaign, defineCampaign, viewCampaign } from '../campaigns/campaigns.js';
import { planCampaign } from '../campaigns/plan-campaign.js';
import { testCampaign } from '../campaigns/test-campaign.js';
import { templateProblems, unknownAccounts } from '../../starter/index.js';
import { steeringWith, type Granted, type Wish } from '../campaigns/steer-campaign.js';
import { inputInvalid } from '../../domain/index.js';
import { campaignPlanSchema, planPeriodSchema } from '../campaigns/plan-schema.js';
import { chatIdOf } from '../read-request.js';
import { reply, route, type RouteRequest, instanceFilter, waitMs, waitQuery, onePage } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';
import { begunMessageSchema } from './messages.js';

const STEER_WAIT_MS = 45_000;

const steerQuery = z.strictObject({ timeoutMs: waitMs(STEER_WAIT_MS) });

const MOST_SAMPLES = 20;

const lineNumbers = z
  .string()
  .max(MOST_SAMPLES * 12)
  .transform((text) => text.split(',').map((line) => Number(line)))
  .refine(
    (lines) => lines.every((line) => Number.isInteger(line) && line > 0),
    'is not a list of line numbers, e.g. 2,17',
  )
  .refine((lines) => lines.length <= MOST_SAMPLES, `contains more than ${MOST_SAMPLES} lines`);

const notDone = {
  description: 'The request was accepted and is not done. Repeat it with the same key',
  schema: campaignProgressSchema,
};

/** A command takes effect once under its key, and never after a command that was requested later. */
const COMMAND = { access: ['send', 'campaign'], query: steerQuery, takesKey: true } as const;
const COMMAND_PROBLEMS = ['COMMAND_SUPERSEDED', 'IDEMPOTENCY_MISMATCH'] as const;

export const CAMPAIGN_ROUTES = {
  beginCampaign: route('POST /v1/campaigns', {
    access: ['send', 'named'],
    summary: 'Create a campaign',
    description: 'Creates a draft. Import recipients into it, then start it.',
    body: newCampaignSchema,
    takesKey: true,
    responses: {
      200: { description: 'The same request had created the campaign', schema: campaignSchema },
      201: { description: 'The new campaign', schema: campaignSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ body, key }, dependencies) {
      const { campaign, isNew } = await beginCampaign(dependencies, body, key);
      return reply(isNew ? 201 : 200, campaign, { location: `/v1/campaigns/${campaign.id}`, isReplay: !isNew });
    },
  }),
  listCampaigns: route('GET /v1/campaigns', {
    access: ['read', 'named'],
    summary: 'List campaigns, newest first',
    query: z.strictObject({
      instance: instanceFilter,
      state: campaignStateSchema.exactOptional().describe('Only campaigns in this state. Default: all'),
      ...pageFields,
    }),
    responses: onePage(campaignSchema, 'CampaignList'),
    async handle({ query, caller: { instances } }, { ledger, clock }) {
      return reply(200, await ledger.audiences.list({ ...query, ...present({ instances }) }, clock.nowMs()));
    },
  }),
  defineCampaign: route('PUT /v1/campaigns/{id}', {
    access: ['send', 'campaignOrNew'],
    summary: 'Create a campaign, or replace the definition of a draft',
    description:
      'The recipients stay, unless the new definition has another instance or default country. Then import them again.',
    query: z.strictObject({
      planOnly: z
        .enum(['true'])
        .optional()
        .describe(
          'True creates the campaign only for a plan. It accepts recipients and plans, never starts, is in no list, and is removed after six hours. Default: false',
        ),
    }),
    body: newCampaignSchema,
    responses: {
      200: { description: 'The campaign existed, and now has this definition', schema: campaignSchema },
      201: { description: 'The new campaign', schema: campaignSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN'],
    async handle({ params, query: { planOnly }, body }, dependencies) {
      const how = { isPlanOnly: planOnly !== undefined };
      const { campaign, isNew } = await defineCampaign(dependencies, wholeCampaignId(params.id), body, how);
      return reply(isNew ? 201 : 200, campaign, { location: `/v1/campaigns/${campaign.id}` });
    },
  }),
  removePlan: route('DELETE /v1/campaigns/{id}', {
    access: ['send', 'campaign'],
    summary: 'Delete a campaign that was created only for a plan',
    takesLong: true,
    responses: {
      200: { description: 'The campaign and its recipients are deleted', schema: z.object({ removed: z.boolean() }) },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN'],
    async handle({ params }, { ledger }) {
      await ledger.audiences.removePlan(wholeCampaignId(params.id));
      return reply(200, { removed: true });
    },
  }),
  getCampaign: route('GET /v1/campaigns/{id}', {
    access: ['read', 'campaign'],
    summary: 'Retrieve a campaign',
    query: waitQuery(['ended'], 'the campaign has ended'),
    responses: { 200: { description: 'The campaign with its counts by state', schema: campaignSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
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
  planCampaign: route('GET /v1/campaigns/{id}/plan', {
    access: ['read', 'campaign'],
    summary: 'Plan a campaign',
    description:
      'Simulates a start of the campaign. Reads the whole audience, which takes about a minute for a million recipients.',
    query: z.strictObject({
      sampleLines: lineNumbers
        .optional()
        .describe(
          `Lines whose messages are shown, separated by commas, at most ${MOST_SAMPLES}. Default: the first, the middle and the last one`,
        ),
      startAt: timeSchema.optional().describe('When the simulated campaign starts. Default: now'),
      by: planPeriodSchema
        .optional()
        .describe('Period of each row. Default: hours if the campaign takes at most three days, else days'),
      offline: offlineSchema
        .optional()
        .describe(
          'Hours of each day in which the phone or the gateway is unavailable, e.g. 22:00-06:00,12:00-13:00. Default: none',
        ),
      timezone: timezoneSchema
        .optional()
        .describe(
          "IANA name of the timezone for `offline` and the rows. Default: the timezone of the campaign's windows, else of its instance, else UTC",
        ),
    }),
    takesLong: true,
    responses: { 200: { description: 'The plan', schema: campaignPlanSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params, query, c }, dependencies) {
      const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const signal = dependencies.waiting.signalOf(c);
      return reply(200, await planCampaign(dependencies, campaign, { ...query, signal }));
    },
  }),
  testCampaign: route('POST /v1/campaigns/{id}/test', {
    access: ['send', 'campaign'],
    summary: 'Send a test of a campaign',
    description:
      "Sends the campaign's current content, with the values of one line, to any number. The test is a message of its own, marked with `testOf`: it is in no count, report or limit of the campaign, and goes at once, also outside of sending windows. The suppression list applies.",
    body: testSendSchema,
    bodyName: 'The test',
    takesKey: true,
    responses: { 202: { description: 'The test has begun as a message of its own', schema: begunMessageSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_EMPTY', 'CAMPAIGN_ENDED', 'CAMPAIGN_INCOMPLETE', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params, body, key, trace, caller: { witness } }, dependencies) {
      const asked = { chatId: chatIdOf('The test', body), ...present({ line: body.line, variant: body.variant }) };
      const test = await testCampaign(dependencies, wholeCampaignId(params.id), asked, { key, witness, trace });
      const { isReplay, ...begun } = test;
      return reply(202, begun, { location: `/v1/messages/${begun.id}`, isReplay });
    },
  }),
  startCampaign: route('POST /v1/campaigns/{id}/start', {
    access: ['send', 'campaign'],
    summary: 'Start a campaign',
    description:
      'Starts the campaign once and freezes its recipients and their values. The start is durable once the response is 202. A campaign with `startAt` is scheduled and begins at that time. If more than 5 % of the lines of its recipients were rejected, it starts only with `acceptRejected`.',
    body: startCampaignSchema,
    bodyName: 'The start of campaign {id}',
    mayOmitBody: true,
    takesLong: true,
    responses: {
      200: { description: 'The campaign had been started before', schema: campaignProgressSchema },
      202: { description: 'The campaign has started or is scheduled', schema: campaignProgressSchema },
    },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_EMPTY',
      'CAMPAIGN_ENDED',
      'CAMPAIGN_INCOMPLETE',
      'CAMPAIGN_REJECTED_LINES',
      'INPUT_INVALID',
      'TEMPORAL_UNAVAILABLE',
    ],
    async handle({ params, body, caller: { witness } }, dependencies) {
      const id = wholeCampaignId(params.id);
      const steering = steeringWith(dependencies);
      const { isReplay } = await steering.start(id, { ...body, requestedBy: witness });
      return reply(isReplay ? 200 : 202, await steering.progress(id), { location: `/v1/campaigns/${id}`, isReplay });
    },
  }),
  pauseCampaign: route('POST /v1/campaigns/{id}/pause', {
    ...COMMAND,
    summary: 'Pause a campaign',
    description:
      'Responds when no further POST can begin and those under way have ended. The gateway still sends the items in its queue.',
    responses: { 200: { description: 'The campaign is paused', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) => granted(request, dependencies, steeringWith(dependencies).pause),
  }),
  resumeCampaign: route('POST /v1/campaigns/{id}/resume', {
    ...COMMAND,
    summary: 'Resume a paused campaign, or one account that its automatic pause has stopped',
    body: resumeCampaignSchema,
    bodyName: 'The resume of campaign {id}',
    mayOmitBody: true,
    responses: { 200: { description: 'The campaign runs', schema: campaignResponseSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) =>
      granted(request, dependencies, (id, wish) => steeringWith(dependencies).resume(id, request.body, wish)),
  }),
  cancelCampaign: route('POST /v1/campaigns/{id}/cancel', {
    ...COMMAND,
    summary: 'Cancel a campaign',
    description:
      'Stops the campaign permanently. Recipients who were not posted to end cancelled. Responds like a pause.',
    responses: {
      200: { description: 'The campaign posts nothing more', schema: campaignResponseSchema },
      202: notDone,
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ENDED', ...COMMAND_PROBLEMS],
    handle: (request, dependencies) => granted(request, dependencies, steeringWith(dependencies).cancel),
  }),
  updateCampaign: route('PATCH /v1/campaigns/{id}', {
    ...COMMAND,
    summary: "Update a campaign's high water mark, text, deadline, name, start time or accounts",
    description:
      'The change applies to every recipient who is posted to later. In a campaign that has ended it applies to a retry.',
    body: updateCampaignSchema,
    bodyName: 'The change of campaign {id}',
    responses: { 200: { description: 'The campaign after the change', schema: campaignProgressSchema }, 202: notDone },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_INCOMPLETE', 'INSTANCE_NOT_FOUND', ...COMMAND_PROBLEMS],
    async handle(request, dependencies) {
      const { params, body } = request;
      const problems = body.content === undefined ? [] : templateProblems(body.content, dependencies.checkOperation);
      if (problems.length > 0) throw inputInvalid(`The change of campaign ${params.id}`, problems);
      const unknown = unknownAccounts(body.instances, dependencies.instances);
      if (unknown !== undefined) throw unknown;
      return granted(request, dependencies, (id, wish) => steeringWith(dependencies).update(id, body, wish));
    },
  }),
  retryCampaign: route('POST /v1/campaigns/{id}/retry', {
    ...COMMAND,
    summary: 'Retry recipients who ended without the message',
    description:
      'Never retries a recipient who has the message, or may still get it. A campaign that has ended runs again. One that was cancelled before it began is started, with all checks of a start. Unknown and unresolved messages are reconciled again, and posted again only with `maySendTwice`.',
    body: retryCampaignSchema,
    bodyName: 'The retry of campaign {id}',
    responses: { 200: { description: 'How many recipients are retried', schema: retriedSchema }, 202: notDone },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_NOT_STARTED',
      'CAMPAIGN_RECIPIENTS_REMOVED',
      'CAMPAIGN_INCOMPLETE',
      'CAMPAIGN_REJECTED_LINES',
      'CAMPAIGN_STOPPED',
      ...COMMAND_PROBLEMS,
    ],
    handle: (request, dependencies) =>
      granted(request, dependencies, (id, wish) => steeringWith(dependencies).retry(id, request.body, wish)),
  }),
  amendCampaign: route('POST /v1/campaigns/{id}/amend', {
    ...COMMAND,
    summary: 'Amend the text of a campaign, also for recipients who were sent an older one',
    description:
      'Recipients who were not posted to get the new text or are cancelled. Messages sent less than 15 minutes ago are edited, newest first, as many as possible in time. The amendment is durable once the response is sent.',
    body: amendCampaignSchema,
    bodyName: 'The amendment of campaign {id}',
    responses: {
      200: {
        description: 'The amendment has begun. `counts` shows its progress',
        schema: amendmentSchema.omit({ textBefore: true }).meta({ id: 'BegunAmendment' }),
      },
      202: notDone,
    },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_NOT_STARTED',
      'CAMPAIGN_INCOMPLETE',
      'EDIT_NOT_TEXT',
      ...COMMAND_PROBLEMS,
    ],
    handle: (request, dependencies) =>
      granted(request, dependencies, async (id, wish) => {
        const amendment = await steeringWith(dependencies).amend(id, request.body, wish);
        if (amendment === 'waiting') return amendment;
        const { textBefore: _, ...begun } = amendment;
        return begun;
      }),
  }),
  planAmendment: route('POST /v1/campaigns/{id}/amendment-plan', {
    access: ['read', 'campaign'],
    summary: 'Plan an amendment',
    body: amendCampaignSchema,
    bodyName: 'The amendment of campaign {id}',
    takesLong: true,
    responses: {
      200: { description: 'How many recipients can be edited, and how many cannot', schema: amendmentPlanSchema },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_STARTED', 'EDIT_NOT_TEXT'],
    handle: async ({ params, body }, dependencies) =>
      reply(200, await steeringWith(dependencies).planAmendment(wholeCampaignId(params.id), body)),
  }),
  listAmendments: route('GET /v1/campaigns/{id}/amendments', {
    access: ['read', 'campaign'],
    summary: 'List the amendments of a campaign, newest first',
    responses: {
      200: {
        description: 'All amendments of the campaign',
        schema: z.object({ items: z.array(amendmentSchema) }).meta({ id: 'AmendmentList' }),
      },
    },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      return reply(200, { items: await steeringWith(dependencies).amendments(id) });
    },
  }),
} as const;

/** Responds with the campaign's progress to a command that was accepted and is not done. */
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
  const response = await waiting.held(c, timeoutMs, (wait) => ask(id, { key, witness, ...wait }));
  if (response !== 'waiting') return reply(200, response);
  return reply(202, await steeringWith(dependencies).progress(id));
}
