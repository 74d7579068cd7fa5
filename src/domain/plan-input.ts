/**
 * The one way from a campaign to a forecast. A plan and the expected end of a running campaign differ only in what they
 * know of its recipients.
 */
import {
  CAMPAIGN_DEADLINE_MS,
  isTimezone,
  present,
  type CampaignView,
  type InstanceSettings,
  type MessageCategory,
} from '../contract/index.js';
import type { OpenHours } from './open-hours.js';
import type { DailyCap, SendingRules } from './open-times.js';
import type { PlanInput, PlannedStream } from './planned-posts.js';
import { typingMsOf } from './typing.js';

/** What decides when a campaign sends. */
export interface PlannedCampaign extends Pick<
  CampaignView,
  'id' | 'instance' | 'priority' | 'content' | 'highWater' | 'sendingWindows' | 'limits' | 'deadlineAt'
> {
  readonly category: MessageCategory;
  /** Of its instance. */
  readonly settings: InstanceSettings;
}

/** Recipients of a campaign with the same local time. */
export interface PlannedRecipients extends Pick<PlannedStream, 'recipients' | 'lineAt'> {
  /** Absent if the campaign does not use their local time. */
  readonly timezone?: string | undefined;
}

/** A cap of the day, and how many messages count for it. */
export interface UsedCap extends DailyCap {
  readonly posted: number;
}

interface PlanFacts extends Pick<PlanInput, 'nowMs' | 'startMs' | 'others'> {
  readonly recipients: readonly PlannedRecipients[];
  readonly queue: Pick<PlanInput['queue'], 'depth' | 'releaseIntervalMs'>;
  /** The caps of today. */
  readonly caps: readonly UsedCap[];
  readonly online?: OpenHours | undefined;
}

export function planInput(campaign: PlannedCampaign, facts: PlanFacts): PlanInput {
  const { id, highWater, content, deadlineAt, limits } = campaign;
  const { nowMs, startMs, recipients, queue, caps, online, others } = facts;
  const jitter = limits?.jitter;
  return {
    nowMs,
    startMs,
    deadlineMs: deadlineAt === undefined ? startMs + CAMPAIGN_DEADLINE_MS : Date.parse(deadlineAt),
    // The first turns of timezones that open together do not depend on where the recipients come from.
    streams: recipients
      .toSorted((a, b) => (String(a.timezone) < String(b.timezone) ? -1 : 1))
      .map(({ timezone, ...some }) => ({ rules: rulesOfCampaign(campaign, timezone), ...some })),
    queue: { ...queue, highWater },
    typingMs: typingMsOf(content),
    posted: (scope, dayStartMs) =>
      caps.find((cap) => cap.scope === scope && cap.day.startMs === dayStartMs)?.posted ?? 0,
    ...present({ jitter: jitter && { ...jitter, seed: jitter.seed ?? id }, online, others }),
  };
}

export function rulesOfCampaign(campaign: PlannedCampaign, timezone?: string): SendingRules {
  const { id, instance, priority, category, settings, sendingWindows, limits } = campaign;
  return {
    instance,
    isUrgent: priority === 'urgent',
    isMarketing: category === 'marketing',
    settings,
    campaign: { id, timezone, sendingWindows, limits },
  };
}

/** The timezone in which operators read the times of a campaign. */
export function timezoneOfCampaign(
  windows: PlannedCampaign['sendingWindows'],
  { sendingWindows, quietHours, limits }: InstanceSettings,
): string {
  const all = [windows, sendingWindows, quietHours, limits].map((hours) => hours?.timezone);
  return all.find((zone) => zone !== undefined && isTimezone(zone)) ?? 'UTC';
}

/** The items of a queue some time after it was seen, less its releases since. */
export function leftInQueue(items: number, ageMs: number, releaseIntervalMs: number | undefined): number {
  return Math.max(items - Math.floor(Math.max(0, ageMs) / (releaseIntervalMs ?? Infinity)), 0);
}
