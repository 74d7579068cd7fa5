import { z } from 'zod';
import { AppError, JOB_KINDS } from '../../../contract/index.js';
import {
  groupIdSchema,
  groupSnapshotSchema,
  recurringJobSchema,
  storySchema,
  pageFields,
} from '../../../contract/schemas.js';
import { groupDataOf } from '../../../domain/index.js';
import { jobId } from '../../../starter/index.js';
import { jobUnknown } from '../../access.js';
import { WAIT_MS, reply, route, instanceFilter, onePage } from '../../route.js';

const MOST_SNAPSHOTS = 100;

const newJobSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    kind: z.enum(JOB_KINDS).describe('`stories`: stores incoming stories. `group`: stores the data of a group'),
    groupId: groupIdSchema.exactOptional().describe('Chat id of the group. Only for the kind `group`'),
    everyMinutes: z
      .number()
      .min(1)
      .max(10_080)
      .describe('Minutes between two runs, at most 10,080. The account shows stories for a day'),
  })
  .refine(({ kind, groupId }) => (kind === 'group') === (groupId !== undefined), {
    path: ['groupId'],
    message: 'is only for the kind group',
  })
  .meta({ id: 'NewRecurringJob' });

export const ACCOUNT_ROUTES = {
  beginJob: route('POST /v1/jobs', {
    access: ['send', 'named'],
    summary: 'Create a recurring job that reads account data',
    description: 'The first run is due at once. A request for an existing job changes its interval.',
    body: newJobSchema,
    bodyName: 'The job',
    responses: {
      200: { description: 'The job existed, and now has this interval', schema: recurringJobSchema },
      201: { description: 'The new job', schema: recurringJobSchema },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ body: { everyMinutes, ...asked } }, { ledger, instances, clock }) {
      instances.get(asked.instance);
      const id = jobId(asked.instance, asked.kind, asked.groupId);
      const everyMs = Math.round(everyMinutes * 60_000);
      const { job, isNew } = await ledger.account.openJob({ ...asked, id, everyMs, nowMs: clock.nowMs() });
      return reply(isNew ? 201 : 200, job);
    },
  }),
  listJobs: route('GET /v1/jobs', {
    access: ['read', 'named'],
    summary: 'List recurring jobs',
    responses: { 200: { description: 'All recurring jobs', schema: z.object({ items: z.array(recurringJobSchema) }) } },
    handle: async ({ caller: { instances } }, { ledger }) =>
      reply(200, { items: await ledger.account.jobs(instances) }),
  }),
  stopJob: route('DELETE /v1/jobs/{id}', {
    access: ['send', 'job'],
    summary: 'Stop a recurring job',
    responses: {
      200: { description: 'The job is stopped. Its stored data stays', schema: z.object({ stopped: z.boolean() }) },
    },
    problems: ['OPERATION_NOT_FOUND'],
    async handle({ params: { id } }, { ledger }) {
      if (await ledger.account.stopJob(id)) return reply(200, { stopped: true });
      return jobUnknown(id);
    },
  }),
  listStories: route('GET /v1/stories', {
    access: ['read', 'named'],
    summary: 'List stored stories, newest first',
    query: z.strictObject({ instance: instanceFilter, ...pageFields }),
    responses: onePage(storySchema, 'StoryList'),
    handle: async ({ query, caller: { instances } }, { ledger }) =>
      reply(200, await ledger.account.stories({ ...query, instances })),
  }),
  takeSnapshot: route('POST /v1/groups/{instance}/{groupId}/snapshots', {
    access: ['send', 'instance'],
    alsoNeeds: 'read',
    summary: 'Take a snapshot of a group',
    takesLong: true,
    responses: {
      200: { description: 'The snapshot, with the changes since the previous one', schema: groupSnapshotSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'OPERATION_FAILED', 'GATEWAY_UNREACHABLE'],
    async handle({ params: { instance, groupId }, c }, { ledger, clock, askGateway, waiting }) {
      const wait = { timeoutMs: WAIT_MS, signal: waiting.signalOf(c) };
      const found = await askGateway<Record<string, unknown>>('getGroupData', instance, { groupId }, wait);
      await ledger.account.storeSnapshot(instance, groupId, groupDataOf(found), clock.nowMs());
      const [newest] = await ledger.account.snapshots(instance, groupId, 1);
      if (newest !== undefined) return reply(200, newest);
      throw new AppError(
        'INTERNAL',
        `The snapshot of group ${groupId} is missing although it was stored. Report this bug.`,
      );
    },
  }),
  listSnapshots: route('GET /v1/groups/{instance}/{groupId}/snapshots', {
    access: ['read', 'instance'],
    summary: 'List snapshots of a group, newest first',
    responses: {
      200: {
        description: `The newest snapshots, at most ${MOST_SNAPSHOTS}`,
        schema: z.object({ items: z.array(groupSnapshotSchema) }).meta({ id: 'GroupSnapshotList' }),
      },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ params: { instance, groupId } }, { ledger, instances }) {
      instances.get(instance);
      return reply(200, { items: await ledger.account.snapshots(instance, groupId, MOST_SNAPSHOTS) });
    },
  }),
} as const;
