/** SCHEDULE-8: what an operator has to see of schedules. Everything is read by indexes. */
import { sql, type RawBuilder } from 'kysely';
import type { CampaignId, MessageId, ScheduleId, ScheduleRunState } from '../../contract/index.js';
import { shown } from '../storage/statements.js';
import type { Db } from '../storage/store.js';

interface HealthRow {
  readonly id: ScheduleId;
  readonly missed: number;
  readonly failed: number;
  readonly failure_at: Date | null;
  readonly failure_state: ScheduleRunState;
  readonly failure_reason: string | null;
  readonly failure_text: string | null;
  readonly open_at: Date | null;
  readonly open_campaign_id: CampaignId | null;
  readonly open_message_id: MessageId | null;
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
  return sql<HealthRow>`
    select s.id, bad.missed, bad.failed, failure.at as failure_at, failure.state as failure_state,
      failure.reason as failure_reason, failure.text as failure_text,
      open.at as open_at, open.campaign_id as open_campaign_id, open.message_id as open_message_id
    from schedules s
    cross join lateral (
      select count(*) filter (where r.state = 'missed')::integer as missed,
        count(*) filter (where r.state = 'failed')::integer as failed
      from schedule_runs r where r.schedule_id = s.id and r.state in ('missed', 'failed')) bad
    left join lateral (${latestRun(sql.ref('s.id'))}) failure on failure.state <> 'started'
    left join lateral (
      select r.* from schedule_runs r
      where r.schedule_id = s.id and r.ended_at is null and r.kind = 'schedule' and r.state = 'started'
      order by r.at limit 1) open on true
    where ${which}`;
}

export async function healthOf(db: Db, ids: readonly ScheduleId[]) {
  const { rows } = await healthRows(sql`s.id = any(${ids}::text[])`).execute(db);
  return new Map(rows.map((row) => [row.id, healthView(row)]));
}

function healthView({ missed, failed, ...row }: HealthRow) {
  const failure = { at: row.failure_at, state: row.failure_state, reason: row.failure_reason, text: row.failure_text };
  const open = { at: row.open_at, campaign_id: row.open_campaign_id, message_id: row.open_message_id };
  return {
    missed,
    failed,
    ...(failure.at === null ? {} : { failure: shown({ ...failure, at: failure.at }, 'at', 'state', 'reason', 'text') }),
    ...(open.at === null ? {} : { openRun: shown({ ...open, at: open.at }, 'at', 'campaign_id', 'message_id') }),
  };
}
