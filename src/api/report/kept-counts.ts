/**
 * The counts of campaigns by reason and over time, for pages that show them again and again.
 *
 * KEPT-1 A count reads every message of a campaign (SUMMARY-1), so one count runs at a time, its result is for all
 *    callers, and the next one of the campaign begins {@link REST} times as long after it as it took: the counts cost
 *    one part in {@link REST} of the ledger's time, however many pages are open.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Log } from '../../contract/index.js';
import type { CampaignView, Ledger } from '../../ledger/index.js';
import { countCampaign, type CountedCampaign } from './summary.js';

const REST = 50;
/** Of a small campaign, so that a page changes while it is looked at. */
const LEAST_REST_MS = 3_000;
/** A campaign that was not asked for lately is counted again. */
const MOST_CAMPAIGNS = 100;

export interface KeptCount {
  readonly counted: CountedCampaign;
  readonly asOfMs: number;
  /** When the next count may begin. */
  readonly nextMs: number;
}

interface Dependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the API closes. */
  readonly closing: AbortSignal;
}

export function createKeptCounts({ ledger, clock, log, closing }: Dependencies) {
  const known = new Map<string, KeptCount>();
  const counting = new Map<string, Promise<void>>();
  let last = Promise.resolve();

  async function count(campaign: CampaignView): Promise<void> {
    const begunMs = performance.now();
    const asOfMs = clock.nowMs();
    const counted = await countCampaign(ledger, campaign, { nowMs: asOfMs, signal: closing });
    const tookMs = performance.now() - begunMs;
    known.delete(campaign.id);
    known.set(campaign.id, { counted, asOfMs, nextMs: asOfMs + Math.max(LEAST_REST_MS, REST * tookMs) });
    const [oldest = ''] = known.keys();
    if (known.size > MOST_CAMPAIGNS) known.delete(oldest);
  }

  /** After the counts before it. */
  function begin(campaign: CampaignView): Promise<void> {
    const begun = last.then(() => count(campaign)).finally(() => counting.delete(campaign.id));
    counting.set(campaign.id, begun);
    last = begun.catch((error: unknown) => {
      if (!closing.aborted) log({ level: 'warn', message: 'a campaign could not be counted', id: campaign.id, error });
    });
    return begun;
  }

  /**
   * The newest count, which may be of some time ago; a first one is waited for, unless the signal ends the wait.
   * @throws the error of the first count
   */
  return async (
    campaign: CampaignView,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<KeptCount | undefined> => {
    const { id } = campaign;
    const found = known.get(id);
    const isDue = (found?.nextMs ?? 0) <= clock.nowMs();
    const running = isDue ? (counting.get(id) ?? begin(campaign)) : undefined;
    if (found !== undefined) return known.get(id);
    const over = new AbortController();
    const isLate = wait(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    try {
      await Promise.race([running, isLate.catch(() => undefined)]);
    } finally {
      over.abort();
    }
    return known.get(id);
  };
}
