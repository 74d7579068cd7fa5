import { AppError, ASSUMED_INTERVAL_MS, present, type OperationName } from '../../contract/index.js';
import type { CampaignView } from '../../ledger/index.js';
import type { AskGateway } from '../http/route-dependencies.js';
import type { Forecast } from '../http/campaign-responses.js';
import {
  simulateCampaign,
  type PlanDependencies,
  type PlannedAudience,
  type SimulationOptions,
} from './simulate-campaign.js';

/** A reason why a campaign cannot start, or a fact to know before its start. */
export interface PlanWarning {
  readonly code:
    | 'NO_RECIPIENTS'
    | 'IMPORT_UNFINISHED'
    | 'VALUES_MISSING'
    | 'CONTENT_REFUSED'
    | 'SUPPRESSED'
    | 'FREQUENCY_CAP'
    | 'TEMPLATE_NOT_FOUND'
    | 'TEMPLATE_PARAMETERS'
    | 'TEMPLATE_REFUSED'
    | 'TEMPLATE_NOT_APPROVED'
    | 'DEADLINE_TOO_SOON'
    | 'QUEUE_UNKNOWN'
    | 'PACE_ASSUMED';
  readonly text: string;
}

/** An older reading is taken again. */
const READING_GOOD_FOR_MS = 30_000;
/** A plan is useful without them. */
const ASK_FOR_MS = 10_000;
/** The least that can be set; no account that reports less has been seen to keep it. */
const LEAST_INTERVAL_MS = 500;

export async function forecast(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  audience: PlannedAudience,
  options: SimulationOptions,
): Promise<{ forecast: Forecast; warnings: PlanWarning[] }> {
  const { ledger, clock, askGateway } = dependencies;
  const { instance } = campaign;
  const known = await ledger.dispatch.view(instance);
  const knownReadAtMs = known.depthReadAt === undefined ? undefined : Date.parse(known.depthReadAt);
  const ask = askedFor(askGateway, instance, options.signal);
  const isFresh = knownReadAtMs !== undefined && clock.nowMs() - knownReadAtMs < READING_GOOD_FOR_MS;
  const [queue, settings] = await Promise.all([
    isFresh ? undefined : ask<readonly unknown[]>('showMessagesQueue'),
    known.releaseIntervalMs !== undefined
      ? undefined
      : ask<{ delaySendMessagesMilliseconds?: number | null }>('getSettings'),
  ]);
  const nowMs = clock.nowMs();
  const depth = queue?.length ?? leftOf(known.depth, nowMs - (knownReadAtMs ?? nowMs), known.releaseIntervalMs);
  const pace = paceOf(known.releaseIntervalMs, settings?.delaySendMessagesMilliseconds);
  const simulated = await simulateCampaign(
    dependencies,
    campaign,
    audience,
    { depth: depth ?? 0, releaseIntervalMs: pace.releaseIntervalMs },
    options,
  );
  return {
    forecast: {
      recipients: audience.recipients,
      ...(depth === undefined ? {} : { depth, depthFrom: queue === undefined ? 'estimated' : 'read' }),
      ...present({ depthReadAt: queue === undefined ? known.depthReadAt : new Date(nowMs).toISOString() }),
      ...pace,
      ...simulated,
    },
    warnings: [
      ...warnIf(
        depth === undefined,
        'QUEUE_UNKNOWN',
        "The gateway's queue could not be read: whatever is in it comes first.",
      ),
      ...warnIf(
        pace.intervalFrom === 'assumed',
        'PACE_ASSUMED',
        `The account's pace is not known: ${ASSUMED_INTERVAL_MS / 1_000} s a message are assumed.`,
      ),
      ...warnIf(
        simulated.notPosted > 0,
        'DEADLINE_TOO_SOON',
        `The deadline comes first: ${simulated.notPosted} recipients, who are not posted to by then, end expired.`,
      ),
    ],
  };
}

/** The depth now: an old reading less the releases since, if the pace is known. */
function leftOf(depth: number | undefined, ageMs: number, releaseIntervalMs: number | undefined): number | undefined {
  if (depth === undefined || releaseIntervalMs === undefined) return depth;
  return Math.max(depth - Math.floor(ageMs / releaseIntervalMs), 0);
}

/** The plan works without the response when it comes late or is a refusal. */
function askedFor(askGateway: AskGateway, instance: string, signal: AbortSignal) {
  return async <Result>(method: OperationName): Promise<Result | undefined> => {
    try {
      return await askGateway<Result>(method, instance, {}, { timeoutMs: ASK_FOR_MS, signal });
    } catch (error) {
      if (error instanceof AppError && error.next !== 'bug') return undefined;
      throw error;
    }
  };
}

function paceOf(
  seenMs: number | undefined,
  setMs: number | null | undefined,
): Pick<Forecast, 'releaseIntervalMs' | 'intervalFrom'> {
  if (seenMs !== undefined) return { releaseIntervalMs: seenMs, intervalFrom: 'learned' };
  if (setMs === undefined || setMs === null) return { releaseIntervalMs: ASSUMED_INTERVAL_MS, intervalFrom: 'assumed' };
  return { releaseIntervalMs: Math.max(setMs, LEAST_INTERVAL_MS), intervalFrom: 'settings' };
}

/** A list with this warning where it applies. */
export function warnIf(applies: boolean, code: PlanWarning['code'], text: string): readonly PlanWarning[] {
  return applies ? [{ code, text }] : [];
}
