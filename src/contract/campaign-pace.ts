/**
 * Progress, pace and expected end of a campaign. API, CLI and Web UI all use these functions and texts, so that they
 * agree. Pure.
 */
import { campaignWaitMeans, isPause } from './campaign.js';
import type { CampaignPace, CampaignProgress, PacedProgress } from './schemas/shapes.js';

const MINUTE_MS = 60_000;
const BAR_CELLS = 20;

const OPTIONAL: readonly string[] = ['perMinute', 'etaAt', 'asOf', 'etaUnknown'] satisfies (keyof CampaignPace)[];

/** Recomputes the pace of a campaign as of now, in place of an earlier computation. */
export function withPace<Progress extends CampaignProgress>(
  campaign: Progress,
  nowMs: number,
): PacedProgress<Progress> {
  // Fields that are absent now must not survive from an earlier computation.
  const facts = Object.entries(campaign).filter(([name]) => !OPTIONAL.includes(name));
  return { ...(Object.fromEntries(facts) as unknown as Progress), ...paceOf(campaign, nowMs) };
}

function paceOf(campaign: CampaignProgress, nowMs: number): CampaignPace {
  const { audience, counts, releaseIntervalMs } = campaign;
  const done = audience - counts.pending;
  return {
    done,
    donePercent: audience === 0 ? 0 : Math.floor((done / audience) * 100),
    ...(releaseIntervalMs === undefined ? {} : { perMinute: perMinuteOf(releaseIntervalMs) }),
    ...etaOf(campaign, nowMs),
  };
}

function perMinuteOf(intervalMs: number): number {
  const perMinute = MINUTE_MS / Math.max(1, intervalMs);
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute);
}

/**
 * Assumes that all pending recipients are sent after the current queue, at the pace seen last. The result is in the
 * future, never overdue.
 */
function etaOf(campaign: CampaignProgress, nowMs: number): Pick<CampaignPace, 'etaAt' | 'asOf' | 'etaUnknown'> {
  const { state, counts, releaseIntervalMs, waiting } = campaign;
  if (state === 'paused') return { etaUnknown: waiting?.code ?? 'PAUSED' };
  if (state !== 'running') return {};
  const left = counts.pending + queuedNow(campaign, nowMs);
  if (left === 0) return { etaUnknown: waiting?.code ?? 'RECEIPTS' };
  const isStopped = waiting !== undefined && campaignWaitMeans(waiting.code) !== 'moves';
  if (isStopped && (counts.pending > 0 || isPause(waiting))) return { etaUnknown: waiting.code };
  if (releaseIntervalMs === undefined) return { etaUnknown: 'RATE_UNKNOWN' };
  const etaMs = nowMs + Math.max(1_000, left * releaseIntervalMs);
  return { etaAt: new Date(Math.ceil(etaMs / 1_000) * 1_000).toISOString(), asOf: new Date(nowMs).toISOString() };
}

/**
 * The last reading minus the items released since, but at least the items that this campaign is known to have in the
 * queue.
 */
function queuedNow({ depth, queueReadAt, releaseIntervalMs, counts, highWater }: CampaignProgress, nowMs: number) {
  if (depth === undefined || queueReadAt === undefined) return 0;
  const elapsedMs = Math.max(0, nowMs - Date.parse(queueReadAt));
  const released = releaseIntervalMs === undefined ? 0 : Math.floor(elapsedMs / Math.max(1, releaseIntervalMs));
  const ownSince = counts.pending === 0 ? 0 : Math.min(counts.accepted, highWater);
  return Math.max(0, depth - released, ownSince);
}

/** `[█████░░░░░] 45 %`, of recipients posted to or ended. */
export function progressBar({ done, donePercent, audience }: PacedProgress, cells: number = BAR_CELLS): string {
  const full = audience === 0 ? 0 : Math.floor((done / audience) * cells);
  return `[${'█'.repeat(full)}${'░'.repeat(cells - full)}] ${donePercent} %`;
}

/** `one every 15 s, 4 a minute`; undefined while the pace is unknown. */
export function rateWords({ releaseIntervalMs, perMinute }: PacedProgress): string | undefined {
  if (releaseIntervalMs === undefined || perMinute === undefined) return undefined;
  return `one every ${releaseIntervalMs / 1_000} s, ${perMinute} a minute`;
}

/**
 * When the last message leaves, or why that is unknown and until when at least; undefined for a campaign that is not
 * running.
 */
export function etaWords({ etaAt, etaUnknown, waiting }: PacedProgress): string | undefined {
  if (etaAt !== undefined) return `${etaAt.slice(0, 19)}Z`;
  if (etaUnknown !== undefined && waiting?.until !== undefined)
    return `after ${waiting.until.slice(0, 19)}Z (${etaUnknown})`;
  return etaUnknown === undefined ? undefined : `unknown (${etaUnknown})`;
}
