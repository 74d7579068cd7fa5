import { z } from 'zod';
import { isScheduleId, present, type ScheduleId, type ScheduleRun } from '../../contract/index.js';
import {
  backfillScheduleSchema,
  newScheduleSchema,
  scheduleDefinitionFields,
  scheduleNoteRequestSchema,
  scheduleRunSchema,
  scheduleStateSchema,
  updateScheduleSchema,
  count,
  pageFields,
  time,
} from '../../contract/schemas.js';
import { scheduleUnknown } from '../../ledger/index.js';
import { schedulesWith } from '../schedules.js';
import { reply, route, onePage } from '../route.js';

const stateFields = {
  id: z.string().describe('Id of the schedule'),
  state: scheduleStateSchema,
  note: z.string().optional().describe('The reason for the last pause or resume, from Temporal, or for the end'),
  nextRuns: z
    .array(time)
    .optional()
    .describe('The next times, from Temporal. Absent while the schedule is paused or Temporal is unavailable'),
  isSynced: z.boolean().describe('False while Temporal does not have the last change'),
  problem: z.string().optional().describe('Why Temporal rejects the schedule'),
  createdAt: time.describe('When the schedule was created'),
};
const healthFields = {
  counts: z
    .object({
      missed: count.describe('Times that began too late: Temporal or the workers were away'),
      overlapped: count.describe('Times that Temporal skipped, since an earlier campaign had not ended'),
      failed: count.describe('Runs that failed'),
    })
    .describe('Times without a campaign or message. Temporal counts the overlapped ones since it has the schedule'),
  failure: scheduleRunSchema
    .pick({ at: true, state: true, reason: true, text: true })
    .optional()
    .describe('The latest run, if it was missed, failed, or fails and is retried. Absent once a later run started'),
  blockedBy: scheduleRunSchema
    .pick({ at: true, campaignId: true, messageId: true })
    .optional()
    .describe('The open run that the overlap policy compares the next time with'),
};
const shownFields = { ...stateFields, ...healthFields, ...scheduleDefinitionFields };

/** The response to a command: without what the schedule sends, and without the texts of its runs. */
const scheduleProgressSchema = z.object(stateFields).meta({ id: 'ScheduleProgress' });
const scheduleSchema = z.object(shownFields).meta({ id: 'Schedule' });
const scheduleWithRunsSchema = z
  .object({ ...shownFields, runs: z.array(scheduleRunSchema).describe('The latest runs, newest first, at most 20') })
  .meta({ id: 'ScheduleWithRuns' });

const NOTED_COMMAND = {
  access: ['send', 'schedule'],
  body: scheduleNoteRequestSchema,
  takesKey: true,
  problems: ['SCHEDULE_NOT_FOUND', 'SCHEDULE_ENDED', 'TEMPORAL_UNAVAILABLE'],
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
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'SCHEDULE_DELETED', 'SCHEDULE_RUNS_OPEN'],
    async handle({ body, key, caller }, dependencies) {
      const { schedule, isNew } = await schedulesWith(dependencies).create(body, { key, caller });
      return reply(isNew ? 201 : 200, schedule, { location: `/v1/schedules/${schedule.id}`, isReplay: !isNew });
    },
  }),
  listSchedules: route('GET /v1/schedules', {
    access: ['read', 'named'],
    summary: 'List schedules with their next runs, newest first',
    query: z.strictObject({
      state: scheduleStateSchema.exactOptional().describe('Only schedules in this state. Default: all'),
      failing: z
        .enum(['true'])
        .exactOptional()
        .describe(
          'True lists only schedules that need an operator: with a `problem` or a `failure`. Default: all schedules',
        ),
      ...pageFields,
    }),
    responses: onePage(scheduleSchema, 'ScheduleList'),
    async handle({ query: { failing, ...query }, caller: { instances } }, dependencies) {
      const filter = { ...query, isFailing: failing !== undefined, ...present({ instances }) };
      return reply(200, await schedulesWith(dependencies).list(filter));
    },
  }),
  getSchedule: route('GET /v1/schedules/{id}', {
    access: ['read', 'schedule'],
    summary: 'Retrieve a schedule with its next and latest runs',
    responses: { 200: { description: 'The schedule', schema: scheduleWithRunsSchema } },
    problems: ['SCHEDULE_NOT_FOUND'],
    async handle({ params }, dependencies) {
      const { runs, ...schedule } = await schedulesWith(dependencies).view(idIn(params));
      return reply(200, { ...schedule, runs: runs.map(shownRun) });
    },
  }),
  updateSchedule: route('PATCH /v1/schedules/{id}', {
    access: ['send', 'schedule'],
    summary: 'Change a schedule in place',
    description:
      'Changes what the schedule sends, when, and its policies. A run that has not started yet ends; campaigns that have started continue.',
    body: updateScheduleSchema,
    bodyName: 'The change',
    responses: { 200: { description: 'The schedule is changed', schema: scheduleProgressSchema } },
    problems: ['SCHEDULE_NOT_FOUND', 'SCHEDULE_ENDED', 'INSTANCE_NOT_FOUND'],
    async handle({ params, body, caller }, dependencies) {
      // Another key may have sent the note.
      const { note: _, ...progress } = await schedulesWith(dependencies).update(idIn(params), body, caller);
      return reply(200, progress);
    },
  }),
  pauseSchedule: route('POST /v1/schedules/{id}/pause', {
    ...NOTED_COMMAND,
    summary: 'Pause a schedule',
    description:
      'Temporal starts no run until the schedule is resumed. Runs that have begun continue. The same key takes effect once.',
    bodyName: 'The pause',
    responses: { 200: { description: 'The schedule is paused', schema: scheduleProgressSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, await schedulesWith(dependencies).steer(idIn(params), 'pause', { note, key, witness })),
  }),
  resumeSchedule: route('POST /v1/schedules/{id}/resume', {
    ...NOTED_COMMAND,
    summary: 'Resume a paused schedule',
    description:
      'Times that passed during the pause are not run. To run them, use a backfill. The same key takes effect once.',
    bodyName: 'The resume',
    responses: { 200: { description: 'The schedule runs', schema: scheduleProgressSchema } },
    handle: async ({ params, body: { note }, key, caller: { witness } }, dependencies) =>
      reply(200, await schedulesWith(dependencies).steer(idIn(params), 'resume', { note, key, witness })),
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
      "Adds a run for each time in the range that has none, at most 100. They run one after the other unless the schedule's overlap is `allow`. A repeated request changes nothing.",
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
      'Campaigns and messages of the schedule stay. A schedule of the same id can be created once they have ended; times that had a run are not run again.',
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

function shownRun({ scheduleId: _, ...run }: ScheduleRun) {
  return run;
}
