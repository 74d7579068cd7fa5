/** A recipient whose outcome an operator states after the campaign has ended. */
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;

/** A campaign of three: one has the message, one is unresolved, one was pending when it ended. */
async function ended(how: 'cancelled' | 'expired') {
  const deadline = new Date(NOW + MINUTE).toISOString();
  const campaign = await new CampaignCast(ledger).running(3, { deadline });
  await campaign.receive(await campaign.dispatched(1), 'delivered');
  const unresolved = await campaign.dispatchedOne(LOST);
  await campaign.markUnresolved(unresolved.messageId);
  if (how === 'cancelled') await ledger.campaigns.cancel(campaign.id, 'request', NOW + SECOND);
  const at = how === 'cancelled' ? NOW + 2 * SECOND : NOW + MINUTE;
  expect(await campaign.endIfDone(at)).toMatchObject({ state: how, counts: { unresolved: 1, delivered: 1, [how]: 1 } });
  return { campaign, id: unresolved.messageId, token: unresolved.token };
}

describe.each(['cancelled', 'expired'] as const)('an unresolved recipient of a campaign that ended %s', (how) => {
  it('ends the same way when an operator states that it was not accepted, with evidence', async () => {
    const { campaign, id } = await ended(how);

    const resolved = await ledger.reconciling.resolve(
      id,
      { outcome: 'not_accepted', witness: 'loopback' },
      NOW + 2 * MINUTE,
    );

    expect(resolved).toMatchObject({ state: how });
    const view = await ledger.views.message(id, NOW);
    expect(view).toMatchObject({ state: how, endedAt: new Date(NOW + 2 * MINUTE).toISOString() });
    expect(view?.evidence.map(({ witness, what }) => `${witness} ${what}`).slice(-2)).toEqual([
      'loopback resolved_not_accepted',
      expect.stringMatching(how),
    ]);
    expect(await campaign.states()).toEqual({ delivered: 1, [how]: 2 });
    expect((await campaign.report()).map(({ state }) => state)).toEqual(['delivered', how, how]);
    expect(await campaign.endIfDone(NOW + 2 * MINUTE)).toMatchObject({ state: how });
  });

  it('ends the same way when late evidence shows that it was not accepted', async () => {
    const { campaign, id, token } = await ended(how);
    const notAccepted = { kind: 'not_accepted', code: 'GATEWAY_BUSY' } as const;
    await ledger.dispatch.recordOutcomes([{ token, outcome: notAccepted, atMs: NOW + 2 * MINUTE }]);
    expect(await ledger.messages.snapshot(id)).toMatchObject({ state: how });
    expect(await campaign.states()).toEqual({ delivered: 1, [how]: 2 });
    expect(await campaign.told(id)).toContain(how === 'cancelled' ? 'cancelled' : 'expired_before_sending');
  });

  it('is retried afterwards', async () => {
    const { campaign, id } = await ended(how);
    await ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, NOW + 2 * MINUTE);
    const deadline = new Date(NOW + DAY).toISOString();

    const retried = await ledger.campaigns.retry(campaign.id, { scopes: [how], deadline }, NOW + 3 * MINUTE);

    expect(retried).toMatchObject({ recipients: 2, progress: { state: 'running', counts: { pending: 2 } } });
    const claimed = await campaign.dispatched(2, 'accepted', NOW + 3 * MINUTE);
    await campaign.receive(claimed, 'delivered', NOW + 3 * MINUTE, NOW + 3 * MINUTE);
    expect(await campaign.endIfDone(NOW + 4 * MINUTE)).toMatchObject({ state: 'completed', counts: { delivered: 3 } });
  });

  it('counts as sent when an operator states that it was accepted', async () => {
    const { campaign, id } = await ended(how);
    await ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'loopback' }, NOW + 2 * MINUTE);
    expect(await campaign.states()).toEqual({ delivered: 1, sent: 1, [how]: 1 });
  });
});
