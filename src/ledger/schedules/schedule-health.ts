/** SCHEDULE-8: what an operator has to see of schedules. Everything is read by indexes. */
import { sql, type RawBuilder } from 'kysely';
import type { ScheduleId, ScheduleRun } from '../../contract/index.js';
import { isoTime } from '../storage/statements.js';

interface HealthRow {
  readonly id: ScheduleId;
  readonly missed: number;
  readonly failed: number;
  readonly failure: Pick<ScheduleRun, 'at' | 'state' | 'reason' | 'text'> | null;
  readonly openRun: Pick<ScheduleRun, 'at' | 'campaignId' | 'messageId'> | null;
}

/** The latest run of a schedule that has started, or could not. */
function latestRun(schedule: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select r.* from schedule_runs r
    where r.schedule_id = ${schedule} and (r.state in ('started', 'missed', 'failed') or r.tries > 0)
    order by r.at desc limit 1`;
}

/** Whether a row of `schedules` needs an operator: Temporal rejects it, or its latest run could not start. */
export const IS_FAILING: RawBuilder<boolean> = sql<boolean>`(schedules.problem is not null or exists (
  select from (${latestRun(sql.ref('schedules.id'))}) failure where failure.state <> 'started'))`;

/**
 * One row for each schedule `s`: how many of its runs were missed and failed; the latest run if it was missed, failed or
 * fails, and no run has started since; the oldest run of Temporal that is open.
 */
export function healthRows(which: RawBuilder<unknown>): RawBuilder<HealthRow> {
  const at = isoTime('r.at');
  return sql<HealthRow>`
    select s.id, bad.missed, bad.failed, failure.shown as failure, open.shown as "openRun"
    from schedules s
    cross join lateral (
      select count(*) filter (where r.state = 'missed')::integer as missed,
        count(*) filter (where r.state = 'failed')::integer as failed
      from schedule_runs r where r.schedule_id = s.id and r.state in ('missed', 'failed')) bad
    left join lateral (
      select json_strip_nulls(json_build_object('at', ${at}, 'state', r.state, 'reason', r.reason, 'text', r.text)) as shown
      from (${latestRun(sql.ref('s.id'))}) r where r.state <> 'started') failure on true
    left join lateral (
      select json_strip_nulls(
        json_build_object('at', ${at}, 'campaignId', r.campaign_id, 'messageId', r.message_id)) as shown
      from schedule_runs r
      where r.schedule_id = s.id and r.ended_at is null and r.kind = 'schedule' and r.state = 'started'
      order by r.at limit 1) open on true
    where ${which}`;
}
