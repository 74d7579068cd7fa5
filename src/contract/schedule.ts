import { type CampaignId, type MessageId, isCampaignId } from './ids.js';

/** A schedule's name for good: as a campaign's, at most 40 characters, so that its runs' campaigns can be named after it. */
export type ScheduleId = string & { readonly __brand: 'ScheduleId' };

const MAX_SCHEDULE_ID_CHARACTERS = 40;

export function isScheduleId(word: string): word is ScheduleId {
  return isCampaignId(word) && word.length <= MAX_SCHEDULE_ID_CHARACTERS;
}

/** While the campaign of an earlier run still runs, or its message was not posted yet, a run is skipped, waits, or starts beside it. */
export const SCHEDULE_OVERLAPS = ['skip', 'buffer', 'allow'] as const;
export type ScheduleOverlap = (typeof SCHEDULE_OVERLAPS)[number];

/** The account that it sends through. */
export function instanceOfSchedule({
  campaign,
  message,
}: Partial<Record<'campaign' | 'message', { readonly instance: string }>>): string {
  return (message ?? campaign)?.instance ?? '';
}

export const SCHEDULE_STATES = ['active', 'paused', 'deleted'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

export const SCHEDULE_RUN_KINDS = ['schedule', 'trigger', 'backfill'] as const;
export type ScheduleRunKind = (typeof SCHEDULE_RUN_KINDS)[number];

/** `pending`: its recipients are being read, or are read again; `waiting`: for the end of what an earlier run sends. */
export const SCHEDULE_RUN_STATES = ['pending', 'waiting', 'started', 'skipped', 'failed'] as const;
export type ScheduleRunState = (typeof SCHEDULE_RUN_STATES)[number];

/** Input of the workflow `scheduleRun`. Without `at` it is the time that Temporal's schedule has started it for. */
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

/** Temporal's schedule has the id of ours behind this, and so have its runs, each followed by `-` and its time. */
export function temporalScheduleId(id: ScheduleId): string {
  return `schedule:${id}`;
}

/** Before the time that Temporal adds. */
export function scheduleRunPrefix(id: ScheduleId): string {
  return `schedule-run:${id}`;
}

/** As Temporal's schedule names it, so that an occurrence has one run, also where everpost starts it. */
export function scheduleRunWorkflowId(id: ScheduleId, at: string): string {
  return `${scheduleRunPrefix(id)}-${inSeconds(at)}`;
}

/** The id of the campaign of one occurrence: nothing else has a part in it. */
export function scheduledCampaignId(id: ScheduleId, at: string): CampaignId {
  return `${id}-${inSeconds(at).replaceAll(/[-:]/g, '').toLowerCase()}` as CampaignId;
}

function inSeconds(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
