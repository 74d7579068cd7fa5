import { z } from 'zod';
import { isScheduleId, present, type ScheduleId, type ScheduleRun } from '../../../contract/index.js';
import {
  backfillScheduleSchema,
  newScheduleSchema,
  scheduleDefinitionFields,
  scheduleNoteRequestSchema,
  scheduleRunSchema,
  scheduleStateSchema,
} from '../../../contract/schemas.js';
import { scheduleUnknown, schedulesWith, type ShownSchedule } from '../../schedules/schedules.js';
import { pageFields, time } from '../fields.js';
import { reply, route } from '../route.js';

const shownFields = {
  id: z.string(),
  state: scheduleStateSchema,
  note: z.string().optional(),
  ...z.object(scheduleDefinitionFields).partial({ cron: true }).shape,
  nextRuns: z.array(time).optional().describe('By Temporal; absent while it is paused, or Temporal is away'),
  isSynced: z.boolean().describe('False while Temporal does not have the last change'),
  problem: z.string().optional().describe('Why Temporal does not take it'),
  createdAt: time,
};

const scheduleSchema = z.object(shownFields).meta({ id: 'Schedule' });
const scheduleWithRunsSchema = z
  .object({ ...shownFields, runs: z.array(scheduleRunSchema).describe('The latest first, at most 20') })
  .meta({ id: 'ScheduleWithRuns' });

const NOTED_COMMAND = {
  method: 'post',
  access: ['send', 'schedule'],
  body: scheduleNoteRequestSchema,
  takesKey: true,
  problems: ['SCHEDULE_NOT_FOUND', 'INPUT_INVALID', 'IDEMPOTENCY_MISMATCH'],
} as const;

export const SCHEDULE_ROUTES = {
  createSchedule: route({
    method: 'post',
    path: '/v1/schedules',
    access: ['send', 'named'],
    summary: 'Create a schedule of campaigns, or of messages',
    description:
      'Each of its times becomes a campaign with an id of its own, whose recipients are read then; or one message. Durable from the response on, also while Temporal is away.',
    body: newScheduleSchema,
    takesKey: true,
    responses: {
      200: { description: 'It was there, made from the same request', schema: scheduleSchema },
      201: { description: 'Created', schema: scheduleSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'SCHEDULE_DELETED', 'INPUT_TOO_LARGE'],
    async handle({ body, key }, dependencies) {
      const { schedule, isNew } = await schedulesWith(dependencies).create(body, key);
      return reply(isNew ? 201 : 200, shown(schedule), { location: `/v1/schedules/${schedule.id}`, isReplay: !isNew });
    },
  }),
  listSchedules: route({
    method: 'get',
    path: '/v1/schedules',
    access: ['read', 'named'],
    summary: 'List schedules with their next runs, newest first',
    query: z.strictObject({ state: scheduleStateSchema.exactOptional(), ...pageFields }),
    responses: {
      200: {
        description: 'One page; `cursor` leads to the next',
        schema: z
          .object({ items: z.array(scheduleSchema), cursor: z.string().optional() })
          .meta({ id: 'ScheduleList' }),
      },
    },
    problems: ['INPUT_INVALID'],
    async handle({ query, caller: { instances } }, dependencies) {
      const { items, ...page } = await schedulesWith(dependencies).list({ ...query, ...present({ instances }) });
      return reply(200, { ...page, items: items.map(shown) });
    },
  }),
  getSchedule: route({
    method: 'get',
    path: '/v1/schedules/{id}',
    access: ['read', 'schedule'],
    summary: 'A schedule with its next and its latest runs',
    responses: { 200: { description: 'As it stands', schema: scheduleWithRunsSchema } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params }, dependencies) {
      const { runs, ...schedule } = await schedulesWith(dependencies).view(idIn(params));
      return reply(200, { ...shown(schedule), runs: runs.map(shownRun) });
    },
  }),
  pauseSchedule: route({
    ...NOTED_COMMAND,
    path: '/v1/schedules/{id}/pause',
    summary: 'Pause a schedule',
    description: 'No run begins until it is resumed. Campaigns that have begun go on. The same key pauses once.',
    bodyName: 'The pause',
    responses: { 200: { description: 'It is paused', schema: scheduleSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, shown(await schedulesWith(dependencies).pause(idIn(params), { note, key, witness }))),
  }),
  resumeSchedule: route({
    ...NOTED_COMMAND,
    path: '/v1/schedules/{id}/resume',
    summary: 'Resume a paused schedule',
    description: 'Times that passed while it was paused are not made up; see backfill. The same key resumes once.',
    bodyName: 'The resume',
    responses: { 200: { description: 'It runs', schema: scheduleSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, shown(await schedulesWith(dependencies).resume(idIn(params), { note, key, witness }))),
  }),
  triggerSchedule: route({
    method: 'post',
    path: '/v1/schedules/{id}/trigger',
    access: ['send', 'schedule'],
    summary: 'Run a schedule now',
    description: 'Also a paused one. The same key runs once.',
    takesKey: true,
    responses: { 202: { description: 'The run', schema: scheduleRunSchema } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params, key }, dependencies) {
      const id = idIn(params);
      return reply(202, shownRun(await schedulesWith(dependencies).trigger(id, key)), {
        location: `/v1/schedules/${id}`,
      });
    },
  }),
  backfillSchedule: route({
    method: 'post',
    path: '/v1/schedules/{id}/backfill',
    access: ['send', 'schedule'],
    summary: 'Run a schedule for times that have passed',
    description:
      'For every one of its times in the range that has no run yet, one after the other unless its runs may overlap. Asked again it changes nothing.',
    body: backfillScheduleSchema,
    bodyName: 'The backfill',
    takesKey: true,
    responses: {
      202: { description: 'The runs that it adds', schema: z.object({ runs: z.array(scheduleRunSchema) }) },
    },
    problems: ['SCHEDULE_NOT_FOUND', 'INPUT_INVALID', 'TEMPORAL_UNAVAILABLE'],
    async handle({ params, body }, dependencies) {
      return reply(202, { runs: (await schedulesWith(dependencies).backfill(idIn(params), body)).map(shownRun) });
    },
  }),
  deleteSchedule: route({
    method: 'delete',
    path: '/v1/schedules/{id}',
    access: ['send', 'schedule'],
    summary: 'Delete a schedule',
    description:
      'Its campaigns and messages stay. Created again under the same id, it runs for none of the times that had a run.',
    responses: { 200: { description: 'It is deleted', schema: z.object({ deleted: z.boolean() }) } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params }, dependencies) {
      await schedulesWith(dependencies).remove(idIn(params));
      return reply(200, { deleted: true });
    },
  }),
} as const;

/** As it was given: an id that operators choose is never taken for a beginning. */
function idIn({ id }: { readonly id: string }): ScheduleId {
  return isScheduleId(id) ? id : scheduleUnknown('of this id');
}

function shown({ id, definition, state, version: _, ...rest }: ShownSchedule) {
  if (state === 'deleted') return scheduleUnknown(id);
  return { id, state, ...definition, ...rest };
}

function shownRun({ scheduleId: _, ...run }: ScheduleRun) {
  return run;
}
