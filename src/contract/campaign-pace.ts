/**
 * How far a campaign is, how fast, and until when: computed here for the API, the CLI and the Web UI alike, so that all
 * three say the same. Pure; the words are part of it.
 */
import { isPause } from './campaign.js';
import type { CampaignPace, CampaignProgress, PacedProgress } from './schemas/shapes.js';

const MINUTE_MS = 60_000;
const BAR_CELLS = 20;
/** With these a campaign still gets its turns: its end can be computed. */
const STILL_MOVES: readonly string[] = ['QUEUE_FULL'];

const OPTIONAL: readonly string[] = ['perMinute', 'etaAt', 'asOf', 'etaUnknown'] satisfies (keyof CampaignPace)[];

/** The same campaign as of now; what was computed before is replaced. */
export function withPace<Progress extends CampaignProgress>(
  campaign: Progress,
  nowMs: number,
): PacedProgress<Progress> {
  // A field that is absent now must not stay from an earlier computation.
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
 * Every recipient who is pending, behind all that is queued now, at the pace seen last: from now on, so it is never
 * overdue.
 */
function etaOf(campaign: CampaignProgress, nowMs: number): Pick<CampaignPace, 'etaAt' | 'asOf' | 'etaUnknown'> {
  const { state, counts, releaseIntervalMs, waiting } = campaign;
  if (state === 'paused') return { etaUnknown: waiting?.code ?? 'PAUSED' };
  if (state !== 'running') return {};
  const left = counts.pending + queuedNow(campaign, nowMs);
  if (left === 0) return { etaUnknown: waiting?.code ?? 'RECEIPTS' };
  const isStopped = waiting !== undefined && (isPause(waiting) || !STILL_MOVES.includes(waiting.code));
  if (isStopped && (counts.pending > 0 || isPause(waiting))) return { etaUnknown: waiting.code };
  if (releaseIntervalMs === undefined) return { etaUnknown: 'RATE_UNKNOWN' };
  const etaMs = nowMs + Math.max(1_000, left * releaseIntervalMs);
  return { etaAt: new Date(Math.ceil(etaMs / 1_000) * 1_000).toISOString(), asOf: new Date(nowMs).toISOString() };
}

/** The last reading less what was released since; at least what this campaign is known to have in the queue. */
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

/** `one every 15 s, 4 a minute`; undefined while nothing is known of it. */
export function rateWords({ releaseIntervalMs, perMinute }: PacedProgress): string | undefined {
  if (releaseIntervalMs === undefined || perMinute === undefined) return undefined;
  return `one every ${releaseIntervalMs / 1_000} s, ${perMinute} a minute`;
}

/** When the last one leaves, or why that is unknown; undefined for a campaign that does not run. */
export function etaWords({ etaAt, etaUnknown }: PacedProgress): string | undefined {
  if (etaAt !== undefined) return `${etaAt.slice(0, 19)}Z`;
  return etaUnknown === undefined ? undefined : `unknown (${etaUnknown})`;
}
