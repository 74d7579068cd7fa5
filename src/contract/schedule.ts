import { firstAccountOf } from './campaign.js';
import { type CampaignId, type MessageId, isCampaignId } from './values/ids.js';

/**
 * A schedule's permanent name: like a campaign's, but at most 40 characters, so that campaign names of its runs fit.
 */
export type ScheduleId = string & { readonly __brand: 'ScheduleId' };

const MAX_SCHEDULE_ID_CHARACTERS = 40;

export function isScheduleId(word: string): word is ScheduleId {
  return isCampaignId(word) && word.length <= MAX_SCHEDULE_ID_CHARACTERS;
}

/** While the campaign of an earlier time has not ended, a new time is skipped, waits, or starts in parallel. */
export const SCHEDULE_OVERLAPS = ['skip', 'buffer', 'allow'] as const;

/** How late an occurrence may begin. */
export const DEFAULT_CATCHUP_WINDOW = '1h';

/** A run polls its campaign at least this often. */
export const SCHEDULE_RUN_POLL_MS = 60_000;

/** The account that the schedule sends through. */
export function instanceOfSchedule({
  campaign,
  message,
}: Partial<Record<'campaign' | 'message', Parameters<typeof firstAccountOf>[0]>>): string {
  return firstAccountOf(message ?? campaign ?? {});
}

/** `paused`: as Temporal was last seen. `ended`: it runs no more, and its note has the reason. */
export const SCHEDULE_STATES = ['active', 'paused', 'ended', 'deleted'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

export const SCHEDULE_RUN_KINDS = ['schedule', 'trigger', 'backfill'] as const;
export type ScheduleRunKind = (typeof SCHEDULE_RUN_KINDS)[number];

/** `started`: its campaign or message is written. `missed`: it could not begin in time. */
export const SCHEDULE_RUN_STATES = ['pending', 'started', 'skipped', 'missed', 'failed'] as const;
export type ScheduleRunState = (typeof SCHEDULE_RUN_STATES)[number];

/** Input of the workflow `scheduleRun`. Default of `at`: the time for which Temporal's schedule started the run. */
export interface ScheduleRunInput {
  readonly scheduleId: ScheduleId;
  readonly at?: string;
}

/** Result of the workflow `scheduleRun`. */
export interface ScheduleRunResult {
  readonly state: ScheduleRunState;
  readonly campaignId?: CampaignId;
  readonly messageId?: MessageId;
  readonly reason?: string;
}

/** The id of our schedule in Temporal. */
export function temporalScheduleId(id: ScheduleId): string {
  return `schedule:${id}`;
}

/** The workflow id of a schedule's runs, before the `-` and the time that Temporal appends. */
export function scheduleRunPrefix(id: ScheduleId): string {
  return `schedule-run:${id}`;
}

/** The name that Temporal's schedule gives a run, so that an occurrence has one run also when everpost starts it. */
export function scheduleRunWorkflowId(id: ScheduleId, at: string): string {
  return `${scheduleRunPrefix(id)}-${inSeconds(at)}`;
}

/** The id of an occurrence's campaign. It depends only on the occurrence. */
export function scheduledCampaignId(id: ScheduleId, at: string): CampaignId {
  return `${id}-${inSeconds(at).replaceAll(/[-:]/g, '').toLowerCase()}` as CampaignId;
}

function inSeconds(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
