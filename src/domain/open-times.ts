/**
 * Decides when messages of a stream may be claimed, by the settings of its campaign and its instance. Pure rules.
 *
 * LIMIT-1 A stream is open while the windows of its campaign and of its instance are open and no quiet hours close it.
 *    Quiet hours close streams of marketing messages. Urgent messages ignore the hours of the instance, and the
 *    evidence of the claim names the ignored hours.
 * LIMIT-2 A cap counts local days of the instance, or UTC days. A span never crosses the end of a day that has a cap.
 */
import type { CampaignId, CampaignLimits, InstanceSettings, LocalHours } from '../contract/index.js';
import { dailyCap } from './limits.js';
import { localDayAt, type LocalDay } from './local-time.js';
import { ALWAYS_OPEN, bothOpen, HORIZON_MS, outsideQuietHours, sendingHours, type OpenHours } from './open-hours.js';

export type ClosedBy = 'SENDING_WINDOW_CLOSED' | 'QUIET_HOURS';

/** The settings that a stream's times depend on. */
export interface SendingRules {
  readonly instance: string;
  readonly isUrgent: boolean;
  readonly isMarketing: boolean;
  readonly settings: InstanceSettings;
  readonly campaign?: {
    readonly id: CampaignId;
    /** The timezone of the recipients, if the campaign uses their local time. */
    readonly timezone: string | undefined;
    readonly sendingWindows: LocalHours | undefined;
    readonly limits: CampaignLimits | undefined;
  };
}

/** The cap of one scope on one day. */
export interface DailyCap {
  readonly scope: string;
  readonly day: LocalDay;
  readonly cap: number;
}

export interface OpenTimes {
  /** When the stream opens; Infinity if not within the horizon. */
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  /** Why the stream is closed until then. For an open urgent stream: the hours that it ignores. */
  readonly closedBy: ClosedBy | undefined;
  readonly caps: readonly DailyCap[];
}

interface NamedHours {
  readonly closedBy: ClosedBy;
  readonly open: OpenHours;
}

export function openTimes(rules: SendingRules, nowMs: number): OpenTimes {
  const { holding, passed } = hoursOf(rules);
  const span = holding.map(({ open }) => open).reduce(bothOpen, ALWAYS_OPEN)(nowMs);
  const opensAtMs = span?.openAtMs ?? Infinity;
  const caps = span === undefined ? [] : dailyCaps(rules, opensAtMs);
  const closesAtMs = Math.min(
    span?.closesAtMs ?? nowMs + HORIZON_MS,
    ...caps.map(({ day }) => day.endMs),
    ...passed.map(({ open }) => changeOf(open, nowMs)),
  );
  const closed = [...holding, ...passed].find(({ open }) => !isOpen(open, nowMs));
  return { opensAtMs, closesAtMs, closedBy: closed?.closedBy, caps };
}

function hoursOf({ isUrgent, isMarketing, settings, campaign }: SendingRules) {
  const { sendingWindows, quietHours } = settings;
  const ofCampaign = campaign?.sendingWindows && {
    ...campaign.sendingWindows,
    timezone: campaign.timezone ?? campaign.sendingWindows.timezone,
  };
  const own = windows(ofCampaign);
  const quiet: NamedHours[] =
    quietHours === undefined ? [] : [{ closedBy: 'QUIET_HOURS', open: outsideQuietHours(quietHours) }];
  if (isUrgent) return { holding: own, passed: [...windows(sendingWindows), ...quiet] };
  return { holding: [...own, ...windows(sendingWindows), ...(isMarketing ? quiet : [])], passed: [] };
}

function windows(hours: LocalHours | undefined): NamedHours[] {
  return hours === undefined ? [] : [{ closedBy: 'SENDING_WINDOW_CLOSED', open: sendingHours(hours) }];
}

function isOpen(open: OpenHours, nowMs: number): boolean {
  return open(nowMs)?.openAtMs === nowMs;
}

/** When the hours close, or open again. */
function changeOf(open: OpenHours, nowMs: number): number {
  const span = open(nowMs);
  if (span === undefined) return nowMs + HORIZON_MS;
  return span.openAtMs > nowMs ? span.openAtMs : span.closesAtMs;
}

/** The caps of the day at this time. */
export function dailyCaps({ instance, settings, campaign }: SendingRules, atMs: number): DailyCap[] {
  const { limits = { timezone: 'UTC' } } = settings;
  const perDay = campaign?.limits?.perDay;
  if (limits.perDay === undefined && limits.warmUp === undefined && perDay === undefined) return [];
  const day = localDayAt(limits.timezone, atMs);
  return [
    { scope: `instance:${instance}`, day, cap: dailyCap(limits, day.date) },
    { scope: `campaign:${campaign?.id ?? ''}`, day, cap: perDay },
  ].flatMap(({ cap, ...of }) => (cap === undefined ? [] : [{ ...of, cap }]));
}
