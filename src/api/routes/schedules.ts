import { z } from 'zod';
import { isScheduleId, present, type ScheduleId, type ScheduleRun } from '../../contract/index.js';
import {
  backfillScheduleSchema,
  newScheduleSchema,
  scheduleDefinitionFields,
  scheduleNoteRequestSchema,
  scheduleRunSchema,
  scheduleStateSchema,
  pageFields,
  time,
} from '../../contract/schemas.js';
import { scheduleUnknown, schedulesWith, type ShownSchedule } from '../schedules.js';
import { reply, route, onePage } from '../route.js';

const stateFields = {
  id: z.string().describe('Id of the schedule'),
  state: scheduleStateSchema,
  note: z.string().optional().describe('The reason for the last pause or resume, or for the end'),
  nextRuns: z
    .array(time)
    .optional()
    .describe('The next times, from Temporal. Absent while the schedule is paused or Temporal is unavailable'),
  isSynced: z.boolean().describe('False while Temporal does not have the last change'),
  problem: z.string().optional().describe('Why Temporal rejects the schedule'),
  createdAt: time.describe('When the schedule was created'),
};
const shownFields = { ...stateFields, ...scheduleDefinitionFields };

/** The response to a command: without what the schedule sends. */
const scheduleProgressSchema = z.object(stateFields).meta({ id: 'ScheduleProgress' });
const scheduleSchema = z.object(shownFields).meta({ id: 'Schedule' });
const scheduleWithRunsSchema = z
  .object({ ...shownFields, runs: z.array(scheduleRunSchema).describe('The latest runs, newest first, at most 20') })
  .meta({ id: 'ScheduleWithRuns' });

const NOTED_COMMAND = {
  access: ['send', 'schedule'],
  body: scheduleNoteRequestSchema,
  takesKey: true,
  problems: ['SCHEDULE_NOT_FOUND', 'SCHEDULE_ENDED', 'IDEMPOTENCY_MISMATCH'],
} as const;

export const SCHEDULE_ROUTES = {
  createSchedule: route('POST /v1/schedules', {
    access: ['send', 'named'],
    summary: 'Create a schedule of campaigns or messages',
    description:
      'Each time becomes a campaign with its own id, whose recipients are read at that time, or one message. The schedule is durable once the response is sent, also while Temporal is unavailable.',
    body: newScheduleSchema,
    takesKey: true,
    responses: {
      200: { description: 'The same request had created the schedule', schema: scheduleSchema },
      201: { description: 'The new schedule', schema: scheduleSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'SCHEDULE_DELETED'],
    async handle({ body, key, caller }, dependencies) {
      const { schedule, isNew } = await schedulesWith(dependencies).create(body, { key, caller });
      return reply(isNew ? 201 : 200, shown(schedule), { location: `/v1/schedules/${schedule.id}`, isReplay: !isNew });
    },
  }),
  listSchedules: route('GET /v1/schedules', {
    access: ['read', 'named'],
    summary: 'List schedules with their next runs, newest first',
    query: z.strictObject({
      state: scheduleStateSchema.exactOptional().describe('Only schedules in this state. Default: all'),
      ...pageFields,
    }),
    responses: onePage(scheduleSchema, 'ScheduleList'),
    async handle({ query, caller: { instances } }, dependencies) {
      const { items, ...page } = await schedulesWith(dependencies).list({ ...query, ...present({ instances }) });
      return reply(200, { ...page, items: items.map(shown) });
    },
  }),
  getSchedule: route('GET /v1/schedules/{id}', {
    access: ['read', 'schedule'],
    summary: 'Retrieve a schedule with its next and latest runs',
    responses: { 200: { description: 'The schedule', schema: scheduleWithRunsSchema } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params }, dependencies) {
      const { runs, ...schedule } = await schedulesWith(dependencies).view(idIn(params));
      return reply(200, { ...shown(schedule), runs: runs.map(shownRun) });
    },
  }),
  pauseSchedule: route('POST /v1/schedules/{id}/pause', {
    ...NOTED_COMMAND,
    summary: 'Pause a schedule',
    description:
      'No run begins until the schedule is resumed. Campaigns that have begun continue. The same key takes effect once.',
    bodyName: 'The pause',
    responses: { 200: { description: 'The schedule is paused', schema: scheduleProgressSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, progressOf(await schedulesWith(dependencies).pause(idIn(params), { note, key, witness }))),
  }),
  resumeSchedule: route('POST /v1/schedules/{id}/resume', {
    ...NOTED_COMMAND,
    summary: 'Resume a paused schedule',
    description:
      'Times that passed during the pause are not run. To run them, use a backfill. The same key takes effect once.',
    bodyName: 'The resume',
    responses: { 200: { description: 'The schedule runs', schema: scheduleProgressSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, progressOf(await schedulesWith(dependencies).resume(idIn(params), { note, key, witness }))),
  }),
  triggerSchedule: route('POST /v1/schedules/{id}/trigger', {
    access: ['send', 'schedule'],
    summary: 'Run a schedule now',
    description: 'A paused schedule can be run, too. The same key gives one run.',
    takesKey: true,
    responses: { 202: { description: 'The run', schema: scheduleRunSchema } },
    problems: ['SCHEDULE_NOT_FOUND', 'SCHEDULE_ENDED'],
    async handle({ params, key }, dependencies) {
      const id = idIn(params);
      return reply(202, shownRun(await schedulesWith(dependencies).trigger(id, key)), {
        location: `/v1/schedules/${id}`,
      });
    },
  }),
  backfillSchedule: route('POST /v1/schedules/{id}/backfill', {
    access: ['send', 'schedule'],
    summary: 'Backfill the runs of a schedule for past times',
    description:
      "Adds a run for each time in the range that has none. They run one after the other unless the schedule's overlap is `allow`. A repeated request changes nothing.",
    body: backfillScheduleSchema,
    bodyName: 'The backfill',
    takesKey: true,
    responses: {
      202: { description: 'The added runs', schema: z.object({ runs: z.array(scheduleRunSchema) }) },
    },
    problems: ['SCHEDULE_NOT_FOUND', 'SCHEDULE_ENDED', 'TEMPORAL_UNAVAILABLE'],
    async handle({ params, body }, dependencies) {
      return reply(202, { runs: (await schedulesWith(dependencies).backfill(idIn(params), body)).map(shownRun) });
    },
  }),
  deleteSchedule: route('DELETE /v1/schedules/{id}', {
    access: ['send', 'schedule'],
    summary: 'Delete a schedule',
    description:
      'Campaigns and messages of the schedule stay. If the schedule is created again under the same id, times that had a run are not run again.',
    responses: { 200: { description: 'The schedule is deleted', schema: z.object({ deleted: z.boolean() }) } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params }, dependencies) {
      await schedulesWith(dependencies).remove(idIn(params));
      return reply(200, { deleted: true });
    },
  }),
} as const;

/** Requires the complete id: an id that an operator chose is never treated as the beginning of another. */
function idIn({ id }: { readonly id: string }): ScheduleId {
  return isScheduleId(id) ? id : scheduleUnknown('of this id');
}

function shown(schedule: ShownSchedule) {
  return { ...progressOf(schedule), ...schedule.definition };
}

function progressOf({ state, definition: _, version: _version, ...rest }: ShownSchedule) {
  return state === 'deleted' ? scheduleUnknown(rest.id) : { ...rest, state };
}

function shownRun({ scheduleId: _, ...run }: ScheduleRun) {
  return run;
}
