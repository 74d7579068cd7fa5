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

/** An older reading is repeated. */
const READING_GOOD_FOR_MS = 30_000;
/** The plan is useful without the responses. */
const ASK_FOR_MS = 10_000;
/** The shortest interval that an account can be set to. No account that reports a shorter one has kept it. */
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
        "The gateway's queue could not be read. Items that are in it are sent first.",
      ),
      ...warnIf(
        pace.intervalFrom === 'assumed',
        'PACE_ASSUMED',
        `The account's pace is unknown: the forecast assumes ${ASSUMED_INTERVAL_MS / 1_000} s for each message.`,
      ),
      ...warnIf(
        simulated.notPosted > 0,
        'DEADLINE_TOO_SOON',
        `The deadline is too early for ${simulated.notPosted} recipients: they end expired.`,
      ),
    ],
  };
}

/** The estimated depth now: that of the last reading, minus the releases since if the pace is known. */
function leftOf(depth: number | undefined, ageMs: number, releaseIntervalMs: number | undefined): number | undefined {
  if (depth === undefined || releaseIntervalMs === undefined) return depth;
  return Math.max(depth - Math.floor(ageMs / releaseIntervalMs), 0);
}

/** The plan continues without a response that is late or is a rejection. */
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

/** A list with this warning if it applies, else empty. */
export function warnIf(applies: boolean, code: PlanWarning['code'], text: string): readonly PlanWarning[] {
  return applies ? [{ code, text }] : [];
}
