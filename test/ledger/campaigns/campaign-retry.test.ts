import { describe, expect, it } from 'vitest';
import type { RetryRequest } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const LATER = NOW + MINUTE;
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;

const running = (recipients: number, definition?: Parameters<CampaignCast['draft']>[0]): Promise<CampaignCast> =>
  new CampaignCast(ledger).running(recipients, definition);
const retry = (campaign: CampaignCast, request: RetryRequest, nowMs = LATER) =>
  ledger.campaigns.retry(campaign.id, request, nowMs);

/** Proves CAMPAIGN-6. */
describe('a retry', () => {
  it('makes failed recipients pending, restarts the ended campaign, and keeps ids and evidence', async () => {
    const campaign = await running(3);
    const [reached] = await campaign.dispatched(1);
    const failed = await campaign.dispatched(1);
    await campaign.receive([reached as never], 'delivered');
    await campaign.receive(failed, 'no_account');
    await campaign.dispatched(1, REFUSED);
    expect(await campaign.endIfDone()).toMatchObject({ state: 'completed_with_failures' });

    expect(await retry(campaign, { scopes: ['no_account'] })).toMatchObject({
      recipients: 1,
      progress: { state: 'running', counts: { pending: 1, delivered: 1, rejected: 1 } },
    });
    expect(await campaign.endIfDone(LATER)).not.toHaveProperty('endedAt');

    const [again] = await campaign.dispatched(1, 'accepted', LATER);
    expect(again?.messageId).toBe(failed[0]?.messageId);
    await campaign.receive([again as never], 'delivered', LATER, LATER);
    expect(await campaign.endIfDone(LATER)).toMatchObject({
      state: 'completed_with_failures',
      counts: { delivered: 2 },
    });
    const view = await ledger.views.message(again?.messageId as never, NOW);
    expect(view).toMatchObject({ idMessage: `G-${again?.messageId}-${LATER}`, attempts: [{}, {}] });
    expect(view?.evidence.find(({ what }) => what === 'retried')).toMatchObject({
      witness: 'request',
      detail: { state: 'no_account', reason: 'no_account', idMessage: `G-${again?.messageId}-${NOW}` },
    });
  });

  it('includes only recipients with the requested reasons, and none who has the message', async () => {
    const campaign = await running(3);
    await campaign.dispatched(1, REFUSED);
    await campaign.dispatched(1, { ...REFUSED, code: 'GATEWAY_BUSY' });
    await campaign.receive(await campaign.dispatched(1), 'sent');
    await campaign.endIfDone();
    const allScopes = ['failed', 'rejected', 'no_account', 'expired', 'cancelled', 'unknown'] as const;
    const request = { scopes: allScopes, reasons: ['GATEWAY_REJECTED'], maySendTwice: true };
    expect(await retry(campaign, request)).toMatchObject({ recipients: 1 });
    expect(await campaign.states()).toEqual({ pending: 1, rejected: 1, sent: 1 });
  });

  it('leaves an ended campaign ended when no recipient matches', async () => {
    const campaign = await running(1);
    await campaign.receive(await campaign.dispatched(1), 'delivered');
    await campaign.endIfDone();
    expect(await retry(campaign, { scopes: ['failed', 'expired', 'cancelled'] })).toMatchObject({
      recipients: 0,
      progress: { state: 'completed' },
    });
  });

  it('retries recipients that a cancel left out, with or without a row, and the campaign is no longer cancelled', async () => {
    const campaign = await running(4);
    await campaign.receive(await campaign.dispatched(1), 'delivered');
    await campaign.dispatched(1, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    const lost = await campaign.dispatchedOne(LOST);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);

    expect(await retry(campaign, { scopes: ['cancelled'] })).toMatchObject({
      recipients: 2,
      progress: { state: 'running', counts: { pending: 2, unknown: 1, delivered: 1 } },
    });
    await ledger.dispatch.recordOutcomes([
      { token: lost.token, outcome: { kind: 'not_accepted', code: 'X' }, atMs: LATER },
    ]);
    expect(await campaign.states()).toEqual({ pending: 3, delivered: 1 });
    await campaign.receive(await campaign.dispatched(3, 'accepted', LATER), 'delivered', LATER, LATER);
    expect(await campaign.endIfDone(LATER)).toMatchObject({ state: 'completed' });
  });

  it('needs a new deadline after the old one has passed, for every pending recipient', async () => {
    const campaign = await running(2, { deadline: new Date(NOW + SECOND).toISOString() });
    await campaign.dispatched(1, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    expect(await campaign.endIfDone(LATER)).toMatchObject({ state: 'expired', counts: { expired: 2 } });
    await expect(retry(campaign, { scopes: ['expired'] })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      problems: [{ path: 'deadline' }],
    });

    const deadline = new Date(NOW + DAY).toISOString();
    expect(await retry(campaign, { scopes: ['expired'], deadline })).toMatchObject({
      recipients: 2,
      progress: { state: 'running', deadlineAt: deadline, counts: { pending: 2 } },
    });
    expect(await campaign.claim(2, LATER)).toHaveLength(2);
  });

  it('asks the witnesses again about an unknown recipient, and makes no recipient pending', async () => {
    const campaign = await running(2);
    const lost = await campaign.dispatchedOne(LOST);
    await campaign.markUnresolved(lost.messageId);
    await campaign.dispatchedOne(LOST);
    expect(await retry(campaign, { scopes: ['unknown'] })).toMatchObject({ recipients: 1 });
    expect(await campaign.states()).toEqual({ unknown: 2 });
    expect(await campaign.told(lost.messageId)).toContain('asked_again');
    // The recipient is unresolved again: the next retry asks again; this one has asked already.
    await campaign.markUnresolved(lost.messageId, LATER);
    expect(await retry(campaign, { scopes: ['unknown'] })).toMatchObject({ recipients: 0 });
    expect(await retry(campaign, { scopes: ['unknown'] }, LATER + 1)).toMatchObject({ recipients: 1 });
  });

  it('makes unknown recipients pending when it may send twice, once the lost request cannot be accepted any more', async () => {
    const campaign = await running(1);
    const lost = await campaign.dispatchedOne(LOST);
    const request = { scopes: ['unknown'], maySendTwice: true } as const;
    expect(await retry(campaign, request, NOW + SECOND)).toMatchObject({ recipients: 0 });
    expect(await retry(campaign, request, NOW + 35 * SECOND)).toMatchObject({ recipients: 1 });
    expect(await campaign.states()).toEqual({ pending: 1 });
    expect(await campaign.told(lost.messageId)).toContain('may_send_twice');
    expect(await campaign.claim(1, LATER)).toHaveLength(1);
  });

  it('keeps a paused campaign paused', async () => {
    const campaign = await running(2);
    await campaign.dispatched(1, REFUSED);
    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await retry(campaign, { scopes: ['rejected'] })).toMatchObject({
      recipients: 1,
      progress: { state: 'paused' },
    });
  });
});

describe('a late receipt of an earlier try', () => {
  it('does not end the new try when it reports a failure', async () => {
    const campaign = await running(1);
    const posted = await campaign.dispatched(1);
    await campaign.receive(posted, 'failed');
    await campaign.endIfDone();
    await retry(campaign, { scopes: ['failed'] });
    await campaign.receive(posted, 'no_account', LATER);
    expect(await campaign.states()).toEqual({ pending: 1 });
    await campaign.dispatched(1, 'accepted', LATER);
    await campaign.receive(posted, 'failed', LATER + 1);
    expect(await campaign.states()).toEqual({ accepted: 1 });
  });

  it('counts when it reports a delivery, and nothing more is posted', async () => {
    const campaign = await running(1);
    const posted = await campaign.dispatched(1);
    await campaign.receive(posted, 'failed');
    await campaign.endIfDone();
    await retry(campaign, { scopes: ['failed'] });
    await campaign.receive(posted, 'delivered', LATER);
    expect(await campaign.states()).toEqual({ delivered: 1 });
    expect(await campaign.claim(1, LATER)).toEqual([]);
    expect(await ledger.views.message(posted[0]?.messageId as never, NOW)).toMatchObject({
      idMessage: `G-${posted[0]?.messageId}-${NOW}`,
      acceptedAt: new Date(NOW).toISOString(),
    });
    expect(await campaign.endIfDone(LATER)).toMatchObject({ state: 'completed' });
  });
});
