import {
  AppError,
  isTimezone,
  parseUrl,
  present,
  type Problem,
  type ScheduleDefinition,
  type ScheduleId,
} from '../../contract/index.js';
import { z } from 'zod';
import { newScheduleSchema } from '../../contract/schemas.js';
import { calendarRanges, cronProblem, inputInvalid, namesPrivateHost, problemsOf } from '../../domain/index.js';
import { firstOfEach, problemIf, readCampaign, type CampaignChecks } from '../campaigns/read-campaign.js';
import { readMessageRequest } from '../messages/message-request.js';

export interface ReadSchedule {
  readonly id?: ScheduleId;
  readonly definition: ScheduleDefinition;
  readonly isPaused: boolean;
  readonly note?: string;
}

export interface ScheduleChecks extends CampaignChecks {
  /** Whether recipients may be read from this machine or a private network, and callbacks posted there. */
  readonly allowPrivateCallbacks: boolean;
}

/** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND, both with all problems */
export function readSchedule(value: unknown, checks: ScheduleChecks): ReadSchedule {
  const read = newScheduleSchema.safeParse(value);
  const { campaign, message } = z.looseObject({}).catch({}).parse(value);
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(campaign === undefined ? [] : problemsIn('campaign', () => readCampaign(campaign, checks))),
    ...(message === undefined ? [] : problemsIn('message', () => readMessageRequest(withoutExpiry(message), checks))),
    ...(read.success ? [...timeProblems(read.data), ...sourceProblems(read.data, checks)] : []),
  ];
  if (!read.success || problems.length > 0) throw inputInvalid('The schedule', firstOfEach(problems));
  const { id, paused = false, note, ...definition } = read.data;
  return { ...present({ id, note }), definition, isPaused: paused };
}

/** Prefixes the problems that the reader of a part finds with the part's path. @throws AppError INSTANCE_NOT_FOUND */
function problemsIn(part: string, read: () => unknown): Problem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    return (error.problems ?? []).map(({ path, message }) => ({
      path: path === '' ? part : `${part}.${path}`,
      message,
    }));
  }
}

/** A single message has no such field. It is checked with the schedule. */
function withoutExpiry(message: unknown): unknown {
  const read = z.looseObject({}).safeParse(message);
  if (!read.success) return message;
  const { expiresIn: _, ...rest } = read.data;
  return rest;
}

function timeProblems({ cron = [], calendars = [], timezone, startAt, endAt }: ScheduleDefinition): Problem[] {
  const isUnknownTimezone = timezone !== undefined && !isTimezone(timezone);
  const isReversed = startAt !== undefined && endAt !== undefined && endAt <= startAt;
  return [
    ...cron.flatMap((text, at) => {
      const message = cronProblem(text);
      return message === undefined ? [] : [{ path: `cron[${at}]`, message }];
    }),
    ...calendars.flatMap((calendar, at) => {
      const ranges = calendarRanges(calendar);
      return 'message' in ranges ? [{ path: `calendars[${at}]`, message: ranges.message }] : [];
    }),
    ...problemIf(isUnknownTimezone, 'timezone', 'is not an IANA timezone, e.g. Europe/Lisbon'),
    ...problemIf(isReversed, 'endAt', 'is not after startAt'),
  ];
}

function sourceProblems(
  { recipients }: ScheduleDefinition,
  { allowPrivateCallbacks }: ScheduleChecks,
): readonly Problem[] {
  const url = recipients !== undefined && 'url' in recipients ? parseUrl(recipients.url) : undefined;
  return problemIf(
    url !== undefined && !allowPrivateCallbacks && namesPrivateHost(url),
    'recipients.url',
    'is on this machine or in a private network. To allow this, set EVERPOST_ALLOW_PRIVATE_TARGETS=yes',
  );
}
