import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CampaignId } from '../../../src/contract/index.js';
import { CampaignCast, DAY } from '../../ledger/campaigns/campaign-life-cast.js';
import { NOW } from '../../ledger/cast.js';
import { someApi, type ApiDependencies } from '../api-parts.js';

let parts: ApiDependencies;
let campaign: CampaignCast;
beforeAll(async () => {
  parts = await someApi();
  const { ledger } = parts;
  campaign = await new CampaignCast(ledger, 'main', 'old' as CampaignId).running(2);
  await ledger.campaigns.cancel(campaign.id, 'request', NOW);
  await campaign.endIfDone();
  await ledger.retention.removeMessages({ nowMs: NOW + 91 * DAY, keptSinceMs: NOW + DAY });
});
afterAll(() => parts.close());

/** RETENTION-4. */
it.each([
  ['GET', '/recipients'],
  ['GET', '/rejected-recipients.csv'],
  ['GET', '/report.csv'],
  ['GET', '/report.json'],
  ['GET', '/report.ndjson'],
  ['POST', '/retry', { scopes: ['cancelled'] }],
])(
  '%s …%s of a campaign whose recipients were deleted for its age answers 410',
  async (method, path, body?: object) => {
    expect(await parts.call(method, `/v1/campaigns/old${path}`, body)).toMatchObject({
      status: 410,
      body: { code: 'CAMPAIGN_RECIPIENTS_REMOVED' },
    });
  },
);

it('the totals of a campaign whose recipients were removed are still shown', async () => {
  expect(await parts.call('GET', '/v1/campaigns/old')).toMatchObject({
    status: 200,
    body: { state: 'cancelled', counts: { cancelled: 2 }, recipientsRemovedAt: new Date(NOW + 91 * DAY).toISOString() },
  });
});
