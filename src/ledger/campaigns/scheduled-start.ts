/** CAMPAIGN-9. Campaigns with a start time. */
import type { Updateable } from 'kysely';
import { CAMPAIGN_DEADLINE_MS, DEFAULT_GRACE_TIME, parseDurationMs } from '../../contract/index.js';
import type { CampaignsTable } from '../schema.js';
import type { CampaignRow } from './campaign-row.js';

type StartColumns = Pick<CampaignRow, 'start_at' | 'definition'>;

/** True once its start time has come, and not by more than the grace time ago. */
export function mayBegin(row: StartColumns, nowMs: number): boolean {
  return (row.start_at === null || row.start_at.getTime() <= nowMs) && !isMissed(row, nowMs);
}

export function isMissed({ start_at, definition }: StartColumns, nowMs: number): boolean {
  if (start_at === null) return false;
  return start_at.getTime() + parseDurationMs(definition.graceTime ?? DEFAULT_GRACE_TIME) < nowMs;
}

/** A campaign begins to run. */
export function begun(row: Pick<CampaignRow, 'deadline_at'>, nowMs: number) {
  return {
    state: 'running',
    started_at: new Date(nowMs),
    deadline_at: row.deadline_at ?? new Date(nowMs + CAMPAIGN_DEADLINE_MS),
  } as const satisfies Updateable<CampaignsTable>;
}

/** An operator resumes a campaign: one that has not begun begins now, unless its start time is to come. */
export function resumed(row: CampaignRow, nowMs: number): Updateable<CampaignsTable> {
  if (row.started_at !== null) return { state: 'running' };
  return row.start_at !== null && row.start_at.getTime() > nowMs ? { state: 'scheduled' } : begun(row, nowMs);
}
