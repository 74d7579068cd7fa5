/** KEPT-1: the counts of a campaign are kept, and one count runs at a time. */
import { describe, expect, it } from 'vitest';
import { createKeptCounts } from '../../../src/api/report/kept-counts.js';
import type { CampaignId } from '../../../src/contract/index.js';
import type { CampaignView, Ledger } from '../../../src/ledger/index.js';
import { CSV, useCampaigns, RECIPIENTS } from './drafts.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const HOUR = 60 * 60_000;

/** A ledger that counts what it is asked. */
function aCounter() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const summaryPart = async (id: CampaignId) => {
    asked.push(id);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { outcomes: [{ state: 'pending', reason: null, recipients: asked.length }], events: [], isLast: true };
  };
  let nowMs = NOW;
  const closing = new AbortController();
  const keptCounts = createKeptCounts({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that a count uses
    ledger: { campaigns: { summaryPart } } as unknown as Ledger,
    clock: { nowMs: () => nowMs },
    log: () => undefined,
    closing: closing.signal,
  });
  const signal = new AbortController().signal;
  return {
    asked,
    pass: (ms: number) => (nowMs += ms),
    count: (id: string, timeoutMs = 60_000) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that a count uses
      keptCounts({ id, startedAt: new Date(NOW).toISOString() } as CampaignView, { timeoutMs, signal }),
    /** Ends the count that runs. */
    async end() {
      while (waiting.length === 0) await Promise.resolve();
      waiting.shift()?.();
    },
  };
}

const recipientsOf = (kept: Awaited<ReturnType<ReturnType<typeof aCounter>['count']>>) =>
  kept?.counted.outcomes.map(({ recipients }) => recipients);

describe('the counts of a campaign', () => {
  it('are one for all who ask, and are kept for a while', async () => {
    const counter = aCounter();
    const both = Promise.all([counter.count('one'), counter.count('one')]);
    await counter.end();
    expect((await both).map(recipientsOf)).toEqual([[1], [1]]);
    counter.pass(1_000);
    expect(recipientsOf(await counter.count('one'))).toEqual([1]);
    expect(counter.asked).toEqual(['one']);
  });

  it('are those of before while the next count runs', async () => {
    const counter = aCounter();
    const first = counter.count('one');
    await counter.end();
    await first;
    counter.pass(HOUR);
    expect(recipientsOf(await counter.count('one'))).toEqual([1]);
    await counter.end();
    await expect.poll(async () => recipientsOf(await counter.count('one'))).toEqual([2]);
  });

  it('of another campaign come after them', async () => {
    const counter = aCounter();
    const [one, other] = [counter.count('one'), counter.count('other')];
    await counter.end();
    await one;
    await counter.end();
    await other;
    expect(counter.asked).toEqual(['one', 'other']);
  });

  it('are absent while the first count takes longer than the request waits', async () => {
    const counter = aCounter();
    expect(await counter.count('one', 0)).toBeUndefined();
    await counter.end();
    await expect.poll(async () => recipientsOf(await counter.count('one'))).toEqual([1]);
  });
});

describe('the summary of a campaign', () => {
  const { parts, aCampaign } = useCampaigns();

  it('has its recipients by reason, and no period before anything happened', async () => {
    const { path } = await aCampaign();
    await parts.call('PUT', `${path}/recipients`, RECIPIENTS, CSV);
    expect(await parts.call('GET', `${path}/summary?timezone=Europe/Lisbon`)).toMatchObject({
      status: 200,
      body: { asOf: expect.any(String), outcomes: [{ state: 'pending', recipients: 3 }], periods: [] },
    });
    expect((await parts.call('GET', '/v1/campaigns/none/summary')).status).toBe(404);
  });
});
