/**
 * Decides when messages of a stream may be claimed, how many in a day, and the pause between them, by the settings of
 * its campaign and its instance.
 *
 * LIMIT-1 A stream is open while the windows of its campaign and of its instance are open and no quiet hours close it.
 *    Quiet hours close streams of marketing messages. Urgent messages ignore the hours of the instance, and the
 *    evidence of the claim names the ignored hours.
 * LIMIT-2 A cap counts local days of the instance, or UTC days. A span never crosses the end of a day that has a cap.
 * LIMIT-10 A stream whose timezone is not known, by whatever way that came, is closed and says so. It delays no other.
 */
import {
  type CampaignId,
  type CampaignLimits,
  type InstanceSettings,
  type LocalHours,
  MAX_PER_DAY,
  type InstanceLimits,
  type Jitter,
} from '../contract/index.js';
import { localDayAt, type LocalDay, daysBetween } from './local-time.js';
import { hashOf, mixed } from './mixed-hash.js';
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
  /** Why the hours cannot be read, and what to correct. */
  readonly problem?: string;
  readonly caps: readonly DailyCap[];
}

interface NamedHours {
  readonly closedBy: ClosedBy;
  readonly open: OpenHours;
}

/** How soon hours that cannot be read are tried again: another version of everpost may know their timezone. */
const UNREADABLE_FOR_MS = 60 * 60_000;

/** LIMIT-10. */
export function openTimes(rules: SendingRules, nowMs: number): OpenTimes {
  try {
    return readableTimes(rules, nowMs);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const againAtMs = nowMs + UNREADABLE_FOR_MS;
    if (rules.isUrgent && Object.keys(rules.settings).length > 0) {
      // It ignores the hours of its instance (LIMIT-1).
      const times = openTimes({ ...rules, settings: {} }, nowMs);
      return { ...times, closesAtMs: Math.min(times.closesAtMs, againAtMs) };
    }
    const { instance, campaign, settings } = rules;
    const ofCampaign = campaign?.timezone ?? campaign?.sendingWindows?.timezone;
    const ofInstance = [settings.sendingWindows, settings.quietHours, settings.limits].map((one) => one?.timezone);
    const zones = new Set([ofCampaign, ...ofInstance].filter((zone) => zone !== undefined));
    const whose = campaign === undefined ? `instance ${instance}` : `campaign ${campaign.id} or instance ${instance}`;
    const problem = `The hours or limits of ${whose} have a timezone that is not known: ${[...zones].join(', ')}. Correct it`;
    return { opensAtMs: Infinity, closesAtMs: againAtMs, closedBy: 'SENDING_WINDOW_CLOSED', problem, caps: [] };
  }
}

function readableTimes(rules: SendingRules, nowMs: number): OpenTimes {
  const { isUrgent, isMarketing, settings, campaign } = rules;
  const ofCampaign = campaign?.sendingWindows && {
    ...campaign.sendingWindows,
    timezone: campaign.timezone ?? campaign.sendingWindows.timezone,
  };
  const quiet: NamedHours[] =
    settings.quietHours === undefined
      ? []
      : [{ closedBy: 'QUIET_HOURS', open: outsideQuietHours(settings.quietHours) }];
  const own = windows(ofCampaign);
  const ofInstance = windows(settings.sendingWindows);
  const holding = isUrgent ? own : [...own, ...ofInstance, ...(isMarketing ? quiet : [])];
  const ignored = isUrgent ? [...ofInstance, ...quiet] : [];
  const span = holding.map(({ open }) => open).reduce(bothOpen, ALWAYS_OPEN)(nowMs);
  const opensAtMs = span?.openAtMs ?? Infinity;
  const caps = span === undefined ? [] : capsOf(rules, opensAtMs);
  const closesAtMs = Math.min(
    span?.closesAtMs ?? nowMs + HORIZON_MS,
    ...caps.map(({ day }) => day.endMs),
    // When the ignored hours close, or open again.
    ...ignored.map(({ open }) => {
      const { openAtMs, closesAtMs: closing } = open(nowMs) ?? { openAtMs: nowMs, closesAtMs: nowMs + HORIZON_MS };
      return openAtMs > nowMs ? openAtMs : closing;
    }),
  );
  const closed = [...holding, ...ignored].find(({ open }) => open(nowMs)?.openAtMs !== nowMs);
  return { opensAtMs, closesAtMs, closedBy: closed?.closedBy, caps };
}

function windows(hours: LocalHours | undefined): NamedHours[] {
  return hours === undefined ? [] : [{ closedBy: 'SENDING_WINDOW_CLOSED', open: sendingHours(hours) }];
}

/** The caps of the day at this time; none if the timezone of the days is not known, which closes the stream. */
export function dailyCaps(rules: SendingRules, atMs: number): DailyCap[] {
  try {
    return capsOf(rules, atMs);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** @throws RangeError if the timezone is not known */
function capsOf({ instance, settings, campaign }: SendingRules, atMs: number): DailyCap[] {
  const { limits = { timezone: 'UTC' } } = settings;
  const perDay = campaign?.limits?.perDay;
  if (limits.perDay === undefined && limits.warmUp === undefined && perDay === undefined) return [];
  const day = localDayAt(limits.timezone, atMs);
  return [
    { scope: `instance:${instance}`, day, cap: dailyCap(limits, day.date) },
    { scope: `campaign:${campaign?.id ?? ''}`, day, cap: perDay },
  ].flatMap(({ cap, ...of }) => (cap === undefined ? [] : [{ ...of, cap }]));
}

/**
 * How many messages may be posted on a date. During a warm-up: perDay × (1 + growth)^(days since the first day), rounded
 * down once and not per day, so that a growth of less than one message adds up.
 * @param date  the local day from `localDayAt`, as `YYYY-MM-DD`
 * @returns undefined without a cap
 */
export function dailyCap(
  { perDay, warmUp }: Pick<InstanceLimits, 'perDay' | 'warmUp'>,
  date: string,
): number | undefined {
  if (warmUp === undefined) return perDay;
  const { growthPercent } = warmUp;
  const days = growthPercent === 0 ? 0 : Math.max(0, daysBetween(warmUp.firstDay, date));
  const most = BigInt(perDay ?? MAX_PER_DAY);
  // Computed in integers, since 100 × 1.15 is 114.99999999999999.
  let hundredths = BigInt(warmUp.perDay);
  let scale = 1n;
  for (let day = 0; day < days && hundredths < most * scale; day += 1) {
    hundredths *= BigInt(100 + growthPercent);
    scale *= 100n;
  }
  const cap = hundredths / scale;
  return Number(cap < most ? cap : most);
}

/**
 * The pause after the message of a line. All whole milliseconds from `minMs` to `maxMs` are equally likely. The same
 * seed and line give the same pause, so that a plan matches the campaign.
 */
export function jitterMs(seed: string, line: number, { minMs, maxMs }: Pick<Jitter, 'minMs' | 'maxMs'>): number {
  return minMs + Math.floor((mixed(hashOf(seed), line) / 2 ** 32) * (maxMs - minMs + 1));
}
