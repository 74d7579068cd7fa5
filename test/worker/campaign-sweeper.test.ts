import { describe, expect, onTestFinished, test } from 'vitest';
import type { CampaignId, LastRunWithId } from '../../src/contract/index.js';
import { campaignSweeper } from '../../src/worker/index.js';
import { CampaignCast, NAMESPACE } from '../ledger/campaigns/campaign-life-cast.js';
import { NOW } from '../ledger/cast.js';
import { aLedger } from '../support/ledger/ledger.js';

/** A running campaign whose last run is as given. */
async function swept(last: LastRunWithId) {
  const ledger = await aLedger();
  onTestFinished(() => ledger.close());
  const campaign = await new CampaignCast(ledger).running(2);
  const started: CampaignId[] = [];
  const drivers = {
    lastRun: () => Promise.resolve(last),
    follow: ({ id }: { id: CampaignId }) => Promise.resolve(void started.push(id)),
    waitAgain: () => Promise.resolve(),
  };
  const clock = { nowMs: () => NOW };
  const { round } = campaignSweeper({ ledger, drivers, namespace: NAMESPACE, clock, log: () => undefined });
  return { ledger, campaign, started, round, state: () => ledger.campaigns.state(campaign.id) };
}

describe('the sweeper of campaigns', () => {
  test.each(['terminated', 'cancelled'] as const)(
    'cancels a campaign whose run an operator %s, but not again after a retry',
    async (status) => {
      const { ledger, campaign, started, round, state } = await swept({ status, runId: 'r1' });
      await round();
      expect(await state()).toBe('cancelling');
      await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW);
      await round();
      expect(await state()).toBe('running');
      expect(started.at(-1)).toBe(campaign.id);
    },
  );

  test('does not cancel a campaign that its cancelled run has cancelled, and that was retried since', async () => {
    const { ledger, campaign, round, state } = await swept({ status: 'cancelled', runId: 'r1' });
    await ledger.campaigns.cancel(campaign.id, 'workflow cancelled', NOW, { id: 'run-cancelled:r1' });
    await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW);
    await round();
    expect(await state()).toBe('running');
  });
});
