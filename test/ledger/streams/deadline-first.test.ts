import { expect, it } from 'vitest';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';

const ledger = useLedger();

it('BLOCK-2 names a later deadline as the remedy if the cap of a campaign opens only after its deadline', async () => {
  const deadline = new Date(NOW + 30 * MINUTE).toISOString();
  const campaign = await new CampaignCast(ledger).running(3, { limits: { perDay: 2 }, deadline });
  await campaign.dispatched(3);
  const { waiting } = (await ledger.campaigns.progress(campaign.id, NOW)) ?? {};
  const remedy = `everpost campaign update ${campaign.id} --deadline TIME`;
  expect(waiting).toMatchObject({ code: 'DAILY_LIMIT_REACHED', remedy });
  expect(waiting).not.toHaveProperty('until');
});
