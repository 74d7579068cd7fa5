/**
 * Cron expressions of schedules. Temporal computes the times of a schedule. This module decides which expressions
 * Temporal gets, and compares times with the clock of their timezone (docs/decisions/0036-schedules.md).
 */
import { Cron } from 'croner';
import type { ScheduleDefinition } from '../contract/index.js';
import { localTimeAt, offsetAt } from './local-time.js';

type Times = Pick<ScheduleDefinition, 'cron' | 'timezone' | 'startAt' | 'endAt'>;

const MOST_CHARACTERS = 200;
const FIELDS = 5;
const NICKNAME = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;
const NUMBER = String.raw`(?:\d{1,2}|[A-Z]{3})`;
const PART = String.raw`(?:\*|${NUMBER}(?:-${NUMBER})?)(?:/\d{1,2})?`;
/** Without the extensions of cron that Temporal does not have, e.g. `L`, `#`, `W` and `?`. */
const FIELD = new RegExp(String.raw`^${PART}(?:,${PART})*$`, 'i');

/** @returns the problem of a cron expression; undefined if it is valid */
export function cronProblem(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
  if (NICKNAME.test(text.trim())) return undefined;
  const fields = fieldsOf(text);
  if (fields.length !== FIELDS) {
    return `has ${fields.length} fields, not 5: minute, hour, day of month, month, day of week, e.g. 0 9 * * MON`;
  }
  const wrong = fields.find((field) => !FIELD.test(field));
  if (wrong !== undefined) return `has ${JSON.stringify(wrong)}, which is no list of numbers, ranges and names in cron`;
  try {
    cronOf(text, 'UTC');
    return undefined;
  } catch (error) {
    return `is not valid: ${error instanceof Error ? error.message.replace('CronPattern: ', '') : String(error)}`;
  }
}

/**
 * The expressions for Temporal, which combines the two fields for days by "and". In cron, an expression that restricts
 * both means "or".
 */
export function cronForTemporal(text: string): readonly string[] {
  const [minute, hour, day, month, weekday] = fieldsOf(text);
  if (day === undefined || day === '*' || weekday === '*') return [text.trim()];
  return [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`];
}

/** Whether valid expressions have a time after `nowMs`, within the schedule's own limits. */
export function hasTimeAfter({ cron, timezone = 'UTC', startAt, endAt }: Times, nowMs: number): boolean {
  const from = new Date(Math.max(nowMs, startAt === undefined ? 0 : Date.parse(startAt) - 1));
  const untilMs = endAt === undefined ? Infinity : Date.parse(endAt);
  return cron.some((text) => {
    const next = cronOf(text, timezone).nextRun(from);
    return next !== null && next.getTime() <= untilMs;
  });
}

function cronOf(text: string, timezone: string): Cron {
  return new Cron(text.trim(), { timezone, mode: '5-part' });
}

function fieldsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Whether each expression names single hours. If so, a local time that occurs twice in a night is one occurrence. */
function namesHours(cron: readonly string[]): boolean {
  return cron.every((text) => {
    const [first = '', hour] = fieldsOf(text);
    return hour === undefined ? !/^@hourly$/i.test(first) : /^\d{1,2}(,\d{1,2})*$/.test(hour);
  });
}

const DAY_MS = 24 * 60 * 60_000;

/** The most by which a timezone sets its clock back. */
export const LONGEST_REPEAT_MS = 3 * 60 * 60_000;

/**
 * Why a time that Temporal started is no occurrence of the schedule: on the day of a clock change Temporal starts some
 * expressions an hour late, and some twice (temporalio/temporal#8205).
 * @param othersMs  occurrences of the schedule near it
 * @returns undefined for an occurrence, also for what an operator triggered in Temporal: a time with seconds, or of
 *   another day
 */
export function clockChange({ cron, timezone = 'UTC' }: Times, atMs: number, othersMs: readonly number[]) {
  const at = new Date(atMs);
  const isClockSet = offsetAt(timezone, atMs - DAY_MS).offsetMs !== offsetAt(timezone, atMs + DAY_MS).offsetMs;
  if (at.getUTCSeconds() !== 0 || !isClockSet) return undefined;
  if (!cron.some((text) => cronOf(text, timezone).match(at))) {
    return `its local time is ${localTimeAt(timezone, atMs).dateTime}, which is no time of the schedule`;
  }
  if (!namesHours(cron)) return undefined;
  const localMs = (ms: number): number => ms + offsetAt(timezone, ms).offsetMs;
  const same = othersMs.find((ms) => ms !== atMs && localMs(ms) === localMs(atMs));
  return same === undefined ? undefined : `the same local time ran at ${new Date(same).toISOString()}`;
}
