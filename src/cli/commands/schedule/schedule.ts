import type { ApiResponse } from '../../../client/index.js';
import { DEFAULT_CATCHUP_WINDOW, present } from '../../../contract/index.js';
import { scheduleStateSchema } from '../../../contract/schemas.js';
import type { CommandGroup } from '../../command-group.js';
import { choice, required } from '../../options.js';
import { factLines, words } from '../../table.js';
import { addScheduleCreateCommand, scheduleLine, type ScheduleResponse } from './schedule-create.js';

const SCHEDULE = { '<id>': 'the schedule' } as const;
const NOTE = { '--note <words>': 'the reason; shown until the next pause or resume' } as const;
const JSON_HELP = 'print the schedule as one line of JSON';

export function addScheduleCommands(program: CommandGroup): void {
  const schedule = program.group('schedule', 'Start campaigns or send messages at calendar times.');
  addScheduleCreateCommand(schedule);
  schedule.list('list', {
    description: 'List schedules with their next runs, newest first.',
    options: { '--state <state>': choice(scheduleStateSchema.options, 'only schedules in this state') },
    help: `Example:
  everpost schedule list --state active`,
    call: (api, query) => api.listSchedules({ query }),
    what: 'schedules',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'STATE', value: ({ state }) => state },
      { header: 'NEXT', value: ({ nextRuns }) => nextRuns?.[0] },
      { header: 'TIMES', value: ({ cron }) => cron.join('; ') },
      { header: 'TIMEZONE', value: ({ timezone = 'UTC' }) => timezone },
      { header: 'NOTE', value: ({ note }) => note },
      { header: 'PROBLEM', value: problemOf },
    ],
  });
  schedule.call('show', {
    description: 'Show a schedule: what it sends, its next runs, and the outcome of the latest ones.',
    arguments: SCHEDULE,
    json: JSON_HELP,
    help: `Example:
  everpost schedule show weekly`,
    call: (api, { id }) => api.getSchedule({ id }),
    lines: scheduleStory,
  });
  schedule.call('pause', {
    description: 'Pause a schedule: Temporal starts no run until it is resumed.',
    arguments: SCHEDULE,
    options: NOTE,
    json: JSON_HELP,
    help: `Campaigns that have started continue. To pause one: everpost campaign pause ID

Example:
  everpost schedule pause weekly --note "shop is closed"`,
    call: (api, { id, note }) => api.pauseSchedule({ id, body: present({ note }) }),
    lines: scheduleLine,
  });
  schedule.call('resume', {
    description: 'Resume a paused schedule. Times that passed during the pause are not run.',
    arguments: SCHEDULE,
    options: NOTE,
    json: JSON_HELP,
    help: `Example:
  everpost schedule resume weekly`,
    call: (api, { id, note }) => api.resumeSchedule({ id, body: present({ note }) }),
    lines: scheduleLine,
  });
  schedule.call('trigger', {
    description: 'Run a schedule now, even if it is paused.',
    arguments: SCHEDULE,
    options: { '--key <key>': 'idempotency key: the same key runs once' },
    json: 'print the run as one line of JSON',
    help: `Example:
  everpost schedule trigger weekly`,
    call: (api, { id, key }) => api.triggerSchedule({ id, key }),
    lines: runLine,
  });
  schedule.call('backfill', {
    description: 'Run a schedule for each of its times in a range that has no run yet.',
    arguments: SCHEDULE,
    options: {
      '--from <time>': required('the first time, e.g. 2030-01-31T00:00:00Z'),
      '--to <time>': required('the last time, not in the future'),
    },
    json: 'print { runs } as one line of JSON',
    help: `Unless the schedule has --overlap allow, the runs wait for each other. A second backfill of the same range adds no run.

Example:
  everpost schedule backfill weekly --from 2030-01-01T00:00:00Z --to 2030-01-31T00:00:00Z`,
    call: (api, { id, from, to }) => api.backfillSchedule({ id, body: { from, to } }),
    lines({ runs }, _, { terminal }) {
      if (runs.length === 0) terminal.err('Every time in this range already has a run.');
      return runs.map(runLine);
    },
  });
  schedule.call('delete', {
    description: 'Delete a schedule. Its campaigns and messages stay.',
    arguments: SCHEDULE,
    json: 'print { deleted } as one line of JSON',
    help: `Campaigns that have started continue. Before the schedule can be created again, wait for their end, or cancel
them: everpost campaign cancel ID

Example:
  everpost schedule delete weekly`,
    call: (api, { id }) => api.deleteSchedule({ id }),
    lines: (_, { id }) => `${id} is deleted`,
  });
}

type ScheduleWithRuns = ApiResponse<'getSchedule'>;

function scheduleStory(schedule: ScheduleWithRuns): string[] {
  const { campaign, recipients, message, timezone = 'UTC', overlap = 'skip', counts, blockedBy } = schedule;
  return [
    `${schedule.id}  ${schedule.state}`,
    ...factLines({
      note: schedule.note,
      instance: (message ?? campaign)?.instance,
      message: message && words([message.content.kind, message.to], ' to '),
      times: `${schedule.cron.join('; ')} in ${timezone}`,
      'not before': schedule.startAt,
      'not after': schedule.endAt,
      jitter: schedule.jitter && `up to ${schedule.jitter}`,
      recipients: recipients && recipientsWords(recipients),
      overlap,
      'catch-up window': schedule.catchupWindow ?? DEFAULT_CATCHUP_WINDOW,
      counts: `${counts.missed} missed, ${counts.overlapped} skipped by overlap, ${counts.failed} failed`,
      'blocked by': blockedBy && `${blockedBy.campaignId ?? blockedBy.messageId}, which has not ended`,
      problem: problemOf(schedule),
      'next runs': schedule.nextRuns?.join('  '),
      temporal: schedule.isSynced ? undefined : 'does not have the last change yet',
    }),
    ...(schedule.runs.length === 0 ? [] : ['runs:', ...schedule.runs.map((run) => `  ${runLine(run)}`)]),
  ];
}

/** Why a schedule needs an operator. */
function problemOf({ problem, failure }: ScheduleResponse): string | undefined {
  if (problem !== undefined) return problem;
  return failure && words([failure.state === 'pending' ? 'fails' : failure.state, failure.at, failure.reason]);
}

/** One line for a run: time, state and reason. */
function runLine(run: ScheduleWithRuns['runs'][number]): string {
  const { at, kind, state, campaignId, campaignState, messageId, messageState, reason, text, tries } = run;
  const [id, sent] = [campaignId ?? messageId, campaignState ?? messageState];
  return words([
    at,
    kind === 'schedule' ? undefined : kind,
    state,
    sent === undefined ? id : `${id} (${sent})`,
    reason,
    text,
    tries > 0 && state === 'pending' ? `failed ${tries} times, retried automatically` : undefined,
  ]);
}

function recipientsWords(recipients: NonNullable<ScheduleResponse['recipients']>): string {
  if ('file' in recipients) return `file ${recipients.file}`;
  if ('group' in recipients) return `group ${recipients.group}`;
  if ('url' in recipients) return `URL ${recipients.url}`;
  const { connection, query } = recipients;
  const place = 'env' in connection ? `variable ${connection.env}` : `file ${connection.file}`;
  return `query ${JSON.stringify(query)}, connection in ${place}`;
}
