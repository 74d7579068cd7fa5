/** CAMPAIGN-8: a campaign that pauses itself. */
import { describe, expect, it } from 'vitest';
import type { CampaignDefinition } from '../../../src/contract/index.js';
import { evaluateOutcomes } from '../../../src/ledger/campaigns/steering/auto-pause.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast } from './campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';

const ledger = useLedger();

const SMALL = { failureRate: 0.5, sampleSize: 4, minSamples: 2 };

async function running(recipients: number, autoPause: NonNullable<CampaignDefinition['autoPause']> = SMALL) {
  return new CampaignCast(ledger).running(recipients, { autoPause });
}

const trips = async ({ id }: CampaignCast, nowMs = NOW): Promise<boolean> =>
  (await ledger.campaigns.pauseIfFailing(id, nowMs)) === 'paused';

describe('the outcomes of a campaign', () => {
  const limits = { failureRate: 0.3, sampleSize: 50, minSamples: 20 };
  const none = { arrived: 0, failed: 0, no_account: 0, rejected: 0 };

  it.each([
    ['fewer than the minimum', { ...none, no_account: 19 }, 'too_few'],
    ['a share as large as allowed', { ...none, arrived: 14, failed: 6 }, 'not_paused'],
    [
      'a larger share',
      { arrived: 13, failed: 1, no_account: 4, rejected: 2 },
      { reason: '7 of the last 20 did not arrive: 1 failed, 4 no_account, 2 rejected' },
    ],
    ['refusals alone', { ...none, rejected: 20 }, { reason: '20 of the last 20 did not arrive: 20 rejected' }],
  ])('are evaluated: %s', (_, outcomes, evaluated) => {
    expect(evaluateOutcomes(outcomes, limits)).toEqual(evaluated);
  });
});

describe('a campaign whose messages do not arrive', () => {
  it('CAMPAIGN-8 is paused with the reason, and no further recipient is claimed', async () => {
    const campaign = await running(6);
    const posted = await campaign.dispatched(3);
    await campaign.receive(posted.slice(0, 2), 'no_account', NOW + MINUTE);
    await campaign.receive(posted.slice(2), 'delivered', NOW + MINUTE);

    expect(await trips(campaign, NOW + 2 * MINUTE)).toBe(true);

    expect(await ledger.campaigns.progress(campaign.id, NOW)).toMatchObject({
      state: 'paused',
      waiting: {
        code: 'TOO_MANY_FAILURES',
        text: '2 of the last 3 did not arrive: 2 no_account',
        since: new Date(NOW + 2 * MINUTE).toISOString(),
      },
    });
    expect(await campaign.claim(3, NOW + 2 * MINUTE)).toEqual([]);
  });

  it('CAMPAIGN-8 shows the pause among its commands, as that of everpost', async () => {
    const campaign = await running(6);
    await campaign.receive(await campaign.dispatched(2), 'no_account', NOW + MINUTE);
    await trips(campaign, NOW + 2 * MINUTE);
    const at = new Date(NOW + 2 * MINUTE).toISOString();
    const what = '2 of the last 2 did not arrive: 2 no_account';
    expect((await ledger.audiences.view(campaign.id, NOW))?.commands).toEqual([
      { kind: 'pause', what, askedAt: at, begunAt: at, requestedBy: 'everpost' },
    ]);
  });

  it('CAMPAIGN-8 continues when an operator resumes it, and only later outcomes count', async () => {
    const campaign = await running(8);
    await campaign.receive(await campaign.dispatched(2), 'failed', NOW + MINUTE);
    await trips(campaign, NOW + MINUTE);
    const resumedMs = NOW + 2 * MINUTE;
    expect(await ledger.campaigns.resume(campaign.id, resumedMs)).toMatchObject({ state: 'running' });
    expect((await ledger.campaigns.progress(campaign.id, NOW))?.waiting).toBeUndefined();
    expect(await trips(campaign, resumedMs)).toBe(false);

    const again = await campaign.dispatched(2, 'accepted', resumedMs);
    await campaign.receive(again, 'failed', resumedMs + MINUTE, resumedMs);
    expect(await trips(campaign, resumedMs + MINUTE)).toBe(true);
  });

  it('CAMPAIGN-8 counts the newest outcomes only', async () => {
    const campaign = await running(8);
    await campaign.receive(await campaign.dispatched(4), 'delivered', NOW + MINUTE);
    const laterMs = NOW + 2 * MINUTE;
    await campaign.receive(await campaign.dispatched(3, 'accepted', laterMs), 'no_account', laterMs, laterMs);
    expect(await trips(campaign, laterMs)).toBe(true);
    expect((await ledger.campaigns.progress(campaign.id, NOW))?.waiting?.text).toBe(
      '3 of the last 4 did not arrive: 3 no_account',
    );
  });

  it('CAMPAIGN-8 counts recipients that the gateway rejects, and none that was never posted to', async () => {
    const refused = await running(4);
    await refused.dispatched(2, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    expect(await trips(refused)).toBe(true);

    const lapsed = await running(4);
    const compose = () => ({ content: { kind: 'text' as const, text: '' }, problem: 'message is empty' });
    await ledger.dispatch.readAhead(lapsed.id, { limit: 3, compose, nowMs: NOW });
    expect(await lapsed.states()).toEqual({ rejected: 3, pending: 1 });
    expect(await trips(lapsed)).toBe(false);
  });

  it("CAMPAIGN-8 stays running when the check is off, and an operator's pause stays the operator's", async () => {
    const off = await running(4, 'off');
    await off.dispatched(3, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    expect(await trips(off)).toBe(false);

    const paused = await running(4);
    await paused.dispatched(3, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    await ledger.campaigns.pause(paused.id, NOW);
    expect(await trips(paused)).toBe(false);
    expect((await ledger.campaigns.progress(paused.id, NOW))?.waiting).toEqual({
      code: 'PAUSED',
      since: new Date(NOW).toISOString(),
      remedy: `everpost campaign resume ${paused.id}`,
    });
  });

  it('CAMPAIGN-8 uses the defaults for what a definition omits', async () => {
    const campaign = await running(30, { minSamples: 25 });
    await campaign.dispatched(24, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    expect(await trips(campaign)).toBe(false);
    await campaign.dispatched(1, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    expect(await trips(campaign)).toBe(true);
  });

  it('CAMPAIGN-8 keeps the reason while the campaign is paused, and counts from zero after a retry', async () => {
    const campaign = await running(2);
    await campaign.dispatched(2, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    await trips(campaign);
    expect((await ledger.campaigns.progress(campaign.id, NOW))?.waiting?.code).toBe('TOO_MANY_FAILURES');

    expect(await campaign.endIfDone(NOW + MINUTE)).toMatchObject({ state: 'completed_with_failures' });
    await ledger.campaigns.retry(campaign.id, { scopes: ['rejected'] }, NOW + 2 * MINUTE);
    expect(await trips(campaign, NOW + 2 * MINUTE)).toBe(false);
  });
});
