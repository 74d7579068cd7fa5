/** The words for a campaign's progress, rate and end, which CLI and Web UI share. Pure. */
import type { CampaignProgress } from './schemas/shapes.js';

const BAR_CELLS = 20;

/** A time as operators read it: `2026-03-01 11:30:05 Europe/Lisbon`. */
export function localTime(at: string, timezone: string): string {
  const clock = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return `${clock.format(new Date(at))} ${timezone}`;
}

/** `[█████░░░░░] 45 %`, of recipients posted to or ended. */
export function progressBar({ done, donePercent, audience }: CampaignProgress, cells: number = BAR_CELLS): string {
  const full = audience === 0 ? 0 : Math.floor((done / audience) * cells);
  return `[${'█'.repeat(full)}${'░'.repeat(cells - full)}] ${donePercent} %`;
}

const MOST_NAMED = 3;

/** `main`, or `north, south, west and 17 more`: the accounts of a campaign. */
export function senderWords({
  instance,
  instances = [instance],
}: Pick<CampaignProgress, 'instance' | 'instances'>): string {
  const named = instances.slice(0, MOST_NAMED).join(', ');
  return instances.length <= MOST_NAMED ? named : `${named} and ${instances.length - MOST_NAMED} more`;
}

/** `one every 15 s, 4 a minute`, or for a pool only the second; undefined while the pace is unknown. */
export function rateWords({ releaseIntervalMs, perMinute }: CampaignProgress): string | undefined {
  if (perMinute === undefined) return undefined;
  if (releaseIntervalMs === undefined) return `${perMinute} a minute`;
  return `one every ${releaseIntervalMs / 1_000} s, ${perMinute} a minute`;
}

/**
 * When the last message leaves, or why that is unknown and until when at least; undefined for a campaign that does not
 * run.
 */
export function etaWords({ etaAt, etaUnknown, willExpire, waiting, timezone }: CampaignProgress): string | undefined {
  if (etaUnknown !== undefined && waiting?.until !== undefined)
    return `after ${localTime(waiting.until, timezone)} (${etaUnknown})`;
  if (etaAt === undefined) return etaUnknown && `unknown (${etaUnknown})`;
  const expire = willExpire === undefined ? '' : `; ${willExpire} recipients expire at the deadline`;
  return `${localTime(etaAt, timezone)}${expire}`;
}
