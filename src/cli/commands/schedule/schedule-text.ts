import type { ApiResponse } from '../../../client/index.js';
import { factLines, type Column } from '../../table.js';

export type ScheduleResponse = ApiResponse<'createSchedule'>;
type ScheduleWithRuns = ApiResponse<'getSchedule'>;
export type RunResponse = ScheduleWithRuns['runs'][number];

export const SCHEDULE_COLUMNS: readonly Column<ScheduleResponse>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'NEXT', value: ({ nextRuns }) => nextRuns?.[0] },
  { header: 'TIMES', value: timesOf },
  { header: 'TIMEZONE', value: ({ timezone = 'UTC' }) => timezone },
  { header: 'NOTE', value: ({ note }) => note },
];

/** One schedule in one line: id, state and its next run. */
export function scheduleLine({ id, state, note, nextRuns, problem }: ScheduleResponse): string {
  const next = nextRuns?.[0];
  return [id, state, note, next && `next run ${next}`, problem].filter((word) => word !== undefined).join('  ');
}

export function scheduleStory(schedule: ScheduleWithRuns): string[] {
  const { campaign, recipients, message, timezone = 'UTC', overlap = 'skip', graceTime = '1h' } = schedule;
  const { missedStart = message === undefined ? 'hold' : 'skip' } = schedule;
  const facts: Readonly<Record<string, string | undefined>> = {
    note: schedule.note,
    instance: (message ?? campaign)?.instance,
    message: message && [message.content.kind, message.to].filter((word) => word !== undefined).join(' to '),
    times: `${timesOf(schedule)} in ${timezone}`,
    'not before': schedule.startAt,
    'not after': schedule.endAt,
    jitter: schedule.jitter && `up to ${schedule.jitter}`,
    recipients: recipients && recipientsWords(recipients),
    'an earlier one still runs': overlap,
    'missed start': `${missedStart}, after ${graceTime}`,
    'next runs': schedule.nextRuns?.join('  '),
    temporal: schedule.problem ?? (schedule.isSynced ? undefined : 'does not have the last change yet'),
  };
  return [
    `${schedule.id}  ${schedule.state}`,
    ...factLines(facts),
    ...(schedule.runs.length === 0 ? [] : ['runs:', ...schedule.runs.map((run) => `  ${runLine(run)}`)]),
  ];
}

/** One run: its time, what became of it and why, and the command for what waits for an operator. */
export function runLine(run: RunResponse): string {
  const { at, kind, state, campaignId, campaignState, messageId, messageState, reason, text, tries } = run;
  const [id, sent] = [campaignId ?? messageId, campaignState ?? messageState];
  const isHeld = campaignState === 'paused' && run.startMissedAt !== undefined;
  const words = [
    at,
    kind === 'schedule' ? undefined : kind,
    state,
    sent === undefined ? id : `${id} (${sent})`,
    reason,
    text,
    tries > 0 && state === 'pending' ? `failed ${tries} times, tried again` : undefined,
    isHeld ? `its start was missed; start it: everpost campaign resume ${campaignId}` : undefined,
  ];
  return words.filter((word) => word !== undefined).join('  ');
}

function timesOf({ cron = [], calendars = [] }: Pick<ScheduleResponse, 'cron' | 'calendars'>): string {
  const fields = calendars.map((calendar) =>
    Object.entries(calendar)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
  return [...cron, ...fields].join('; ');
}

function recipientsWords(recipients: NonNullable<ScheduleResponse['recipients']>): string {
  if ('file' in recipients) return `file ${recipients.file}`;
  if ('group' in recipients) return `group ${recipients.group}`;
  if ('url' in recipients) return `URL ${recipients.url}`;
  const { connection, query } = recipients;
  const place = 'env' in connection ? `variable ${connection.env}` : `file ${connection.file}`;
  return `query ${JSON.stringify(query)}, connection in ${place}`;
}
