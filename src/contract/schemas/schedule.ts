import { z } from 'zod';
import { SCHEDULE_OVERLAPS, SCHEDULE_STATES, isScheduleId } from '../schedule.js';
import { definitionFields, groupIdSchema } from './campaign.js';
import { withOneContent } from './campaign-content.js';
import { columnOptionFields, listOptionFields } from './list-file.js';
import {
  catchupWindowSchema,
  durationSchema,
  exactText,
  httpUrl,
  sendRequestSchema,
  timeSchema,
  withSender,
} from './message.js';

/** The schedule, not the campaign, defines when its campaigns start. */
const {
  startAt: _startAt,
  missedStart: _missed,
  graceTime: _grace,
  deadline: _deadline,
  ...sentFields
} = definitionFields;

const scheduledCampaignSchema = withSender(withOneContent(z.strictObject(sentFields))).meta({
  id: 'ScheduledCampaign',
  description: 'The campaign that each run sends, without its times',
});

const scheduledMessageSchema = sendRequestSchema
  .omit({ sendAt: true, expiresAt: true, sensitive: true })
  .extend({
    expiresIn: durationSchema
      .exactOptional()
      .describe('How long after its time the message may be posted. Default: 24h'),
  })
  .meta({ id: 'ScheduledMessage', description: 'The message that each run sends, without its times' });

const READABLE_FILE = /\.(?:csv|tsv|txt|ndjson|jsonl|xlsx)$/i;
const MAX_PLACE_CHARACTERS = 2_000;
const MAX_QUERY_CHARACTERS = 20_000;
/** Only this prefix: other variables of a worker contain secrets that no API caller may use. */
const CONNECTION_VARIABLE = /^EVERPOST_SOURCE_[A-Z0-9_]{1,100}$/;

const placeSchema = exactText.min(1).max(MAX_PLACE_CHARACTERS);

const scheduleRecipientsSchema = z
  .union(
    [
      z.strictObject({
        file: placeSchema
          .regex(READABLE_FILE, 'does not end in .csv, .tsv, .txt, .ndjson, .jsonl or .xlsx')
          .describe("Path of the file on the worker's machine, below the instance's folder in EVERPOST_SOURCES_DIR"),
        ...listOptionFields,
      }),
      z.strictObject({
        url: httpUrl
          .max(MAX_PLACE_CHARACTERS)
          .describe('URL from which the worker fetches the file at each run. Redirects are not followed'),
        ...listOptionFields,
      }),
      z.strictObject({ group: groupIdSchema.describe('Chat id of the group whose participants are read at each run') }),
      z.strictObject({
        connection: z
          .union([
            z.strictObject({
              env: z
                .string()
                .regex(CONNECTION_VARIABLE, 'does not begin with EVERPOST_SOURCE_')
                .describe('Name of the variable. Only with an API key for every instance'),
            }),
            z.strictObject({
              file: placeSchema.describe(
                "Path of a file on the worker's machine, below the instance's folder in EVERPOST_SOURCES_DIR",
              ),
            }),
          ])
          .describe(
            'The environment variable or the file from which the worker reads the PostgreSQL connection string',
          ),
        query: exactText
          .min(1)
          .max(MAX_QUERY_CHARACTERS)
          .describe("The query, which runs read only. It returns the columns of a recipients' file"),
        ...columnOptionFields,
      }),
    ],
    { error: 'contains no file, url, group, or connection with its query' },
  )
  .meta({ id: 'ScheduleRecipients', description: 'The source from which each run reads its recipients' });

const MOST_TIMES = 20;

export const scheduleDefinitionFields = {
  campaign: scheduledCampaignSchema.exactOptional(),
  recipients: scheduleRecipientsSchema.exactOptional(),
  message: scheduledMessageSchema
    .exactOptional()
    .describe('The message that each run sends, in place of `campaign` and `recipients`'),
  cron: z
    .array(z.string())
    .min(1)
    .max(MOST_TIMES)
    .describe(
      'Minute, hour, day of month, month, day of week, e.g. 0 9 * * MON; or @daily and the like. Several: the times of all of them',
    ),
  timezone: z
    .string()
    .min(1)
    .max(100)
    .exactOptional()
    .describe('IANA name in any case, e.g. Europe/Lisbon. Default: UTC'),
  jitter: durationSchema
    .exactOptional()
    .describe('Temporal delays each start by a random part of this duration. Default: none'),
  startAt: timeSchema.exactOptional().describe('No run before this time'),
  endAt: timeSchema.exactOptional().describe('No run after this time'),
  overlap: z
    .enum(SCHEDULE_OVERLAPS)
    .exactOptional()
    .describe(
      'What Temporal does while the campaign of an earlier time has not ended, or its message was not posted. `skip`: it skips the time. `buffer`: one waits. `allow`: both run. Default: skip',
    ),
  catchupWindow: catchupWindowSchema
    .exactOptional()
    .describe('How late a run may begin, after an outage or while its recipients cannot be read. Default: 1h'),
};

const scheduleNoteSchema = exactText
  .min(1)
  .max(500)
  .refine((text) => !/\d{7}/.test(text), 'contains a number of seven digits or more: Temporal stores notes unencrypted')
  .describe('The reason, shown until the next pause or resume, and stored by Temporal unencrypted');

export const newScheduleSchema = z
  .strictObject({
    id: z
      .string()
      .refine(
        isScheduleId,
        'is not a schedule id: use at most 40 of a-z, 0-9, - and _, beginning with a letter or a digit',
      )
      .exactOptional()
      .describe('A permanent name that you choose. Default: derived from the Idempotency-Key'),
    ...scheduleDefinitionFields,
    paused: z.boolean().exactOptional().describe('True creates the schedule paused. Default: false'),
    note: scheduleNoteSchema.exactOptional(),
  })
  .refine(({ campaign, message }) => (campaign === undefined) !== (message === undefined), {
    path: ['campaign'],
    error: 'is missing, or is given together with message: give either campaign or message',
  })
  .refine(({ campaign, recipients }) => (campaign === undefined) === (recipients === undefined), {
    path: ['recipients'],
    error: 'belongs to a campaign: give both or neither',
  })
  .meta({ id: 'NewSchedule' });

const { campaign, recipients, message, cron, timezone, jitter, startAt, endAt, overlap, catchupWindow } =
  scheduleDefinitionFields;

export const updateScheduleSchema = z
  .strictObject({
    campaign,
    recipients,
    message,
    cron: cron.exactOptional(),
    timezone: timezone.unwrap().nullable().exactOptional(),
    jitter: jitter.unwrap().nullable().exactOptional(),
    startAt: startAt.unwrap().nullable().exactOptional(),
    endAt: endAt.unwrap().nullable().exactOptional(),
    overlap: overlap.unwrap().nullable().exactOptional(),
    catchupWindow: catchupWindow.unwrap().nullable().exactOptional(),
  })
  .meta({ id: 'UpdateSchedule', description: 'The fields that change. Null removes one, so that its default holds' });

export const scheduleStateSchema = z.enum(SCHEDULE_STATES).exclude(['deleted']);

export const scheduleNoteRequestSchema = z
  .strictObject({ note: scheduleNoteSchema.exactOptional() })
  .meta({ id: 'ScheduleNote' });

export const backfillScheduleSchema = z
  .strictObject({
    from: timeSchema.describe('The first time'),
    to: timeSchema.describe('The last time, not in the future'),
  })
  .meta({ id: 'BackfillSchedule' });
