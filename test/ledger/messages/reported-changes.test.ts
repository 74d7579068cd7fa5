/** Events of campaigns and templates, from the triggers that record them to an endpoint's deliveries. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventType } from '../../../src/contract/index.js';
import type { DueDelivery } from '../../../src/ledger/index.js';
import { CampaignCast } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND, useOwnCast } from '../cast.js';
import { PLAIN_TEMPLATE } from '../../support/template.js';

const LATER = Date.now() + 60 * MINUTE;

const the = useOwnCast();

async function endpoint(...types: readonly EventType[]): Promise<string> {
  const id = `evp_${randomUUID()}`;
  const given = { id, instance: the.instance, url: 'https://example.com/hook', events: types, raw: false };
  await the.ledger.eventEndpoints.create({ ...given, requestHash: 'h' }, NOW);
  return id;
}

/** Claims and delivers until nothing is left: the endpoint's events, in its order. */
async function delivered(): Promise<Pick<DueDelivery, 'type' | 'endpointId'>[] & { data: string }[]> {
  const got: DueDelivery[] = [];
  for (;;) {
    const claim = { nowMs: LATER, leaseMs: MINUTE, perTarget: 100, limit: 1_000, underWay: {} };
    const { due } = await the.ledger.deliveries.claim(claim);
    const own = due.filter(({ instance }) => instance === the.instance);
    if (own.length === 0) return got;
    // DELIVER-1: one delivery of a key at a time.
    expect(new Set(own.map(({ data }) => keyOf(data))).size).toBe(own.length);
    await the.ledger.deliveries.record(
      own.map((delivery) => ({ delivery })),
      LATER,
    );
    got.push(...own);
  }
}

function keyOf(data: string): string {
  const { id, elementName } = JSON.parse(data) as { id?: string; elementName?: string };
  return id ?? elementName ?? '';
}

const dataOf = (deliveries: readonly { data: string }[]): unknown[] =>
  deliveries.map(({ data }) => JSON.parse(data) as unknown);

describe('campaign.state_changed', () => {
  const aCampaign = () => new CampaignCast(the.ledger, the.instance);

  it('comes for each state that a campaign enters, in order, with its version', async () => {
    const id = await endpoint('campaign.state_changed');
    const campaign = await aCampaign().running(1, { reference: 'spring' });
    await the.ledger.campaigns.pause(campaign.id, NOW + SECOND);
    await the.ledger.campaigns.resume(campaign.id, NOW + 2 * SECOND);
    await campaign.receive(await campaign.dispatched(1), 'sent');
    await campaign.endIfDone(NOW + 3 * SECOND);

    const got = await delivered();
    expect(got.every(({ type, endpointId }) => type === 'campaign.state_changed' && endpointId === id)).toBe(true);
    expect(dataOf(got)).toMatchObject(
      ['running', 'paused', 'running', 'completed'].map((state) => ({ id: campaign.id, state, reference: 'spring' })),
    );
    const versions = dataOf(got).map((data) => (data as { version: number }).version);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect(new Set(versions).size).toBe(versions.length);
  });

  it('does not come again for a command that changes nothing, nor for an early settle', async () => {
    await endpoint('campaign.state_changed');
    const campaign = await aCampaign().running(2);
    await the.ledger.campaigns.pause(campaign.id, NOW);
    await delivered();

    await the.ledger.campaigns.pause(campaign.id, NOW + SECOND);
    await campaign.endIfDone(NOW + SECOND);
    expect(dataOf(await delivered())).toEqual([]);
  });

  it('comes side by side for several campaigns, and for each in its own order', async () => {
    await endpoint('campaign.state_changed');
    const campaigns = [await aCampaign().running(1), await aCampaign().running(1)];
    for (const campaign of campaigns) await the.ledger.campaigns.pause(campaign.id, NOW);

    const got = dataOf(await delivered()) as { id: string; state: string }[];
    for (const { id } of campaigns) {
      expect(got.filter((one) => one.id === id).map(({ state }) => state)).toEqual(['running', 'paused']);
    }
    expect(got).toHaveLength(4);
  });
});

describe('template.reviewed', () => {
  async function submitted(): Promise<{ instance: string; elementName: string }> {
    const key = { instance: the.instance, elementName: 'order_ready' };
    await the.ledger.templates.submit(
      { ...key, definition: PLAIN_TEMPLATE, definitionHash: 'd', requestedAt: '' },
      NOW,
    );
    const token = randomUUID();
    await the.ledger.templates.claim({ key, token, reconcileAfterMs: NOW });
    const reading = { templateId: 't-1', status: 'PENDING' };
    await the.ledger.templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, NOW);
    return key;
  }

  it('comes for each status that a reading shows first, in order, and never for the same one again', async () => {
    const id = await endpoint('template.reviewed');
    const key = await submitted();
    const read = (status: string, reason?: string) =>
      the.ledger.templates.recordReading(key, {
        reading: { templateId: 't-1', status, ...(reason === undefined ? {} : { reason }) },
        witness: 'getTemplateById',
        nowMs: NOW + SECOND,
      });
    await read('PENDING');
    await read('APPROVED');
    await read('APPROVED');
    await read('DISABLED', 'too many complaints');

    const got = await delivered();
    expect(got.every(({ type, endpointId }) => type === 'template.reviewed' && endpointId === id)).toBe(true);
    expect(dataOf(got)).toEqual([
      { elementName: 'order_ready', templateId: 't-1', status: 'PENDING' },
      { elementName: 'order_ready', templateId: 't-1', status: 'APPROVED' },
      { elementName: 'order_ready', templateId: 't-1', status: 'DISABLED', reason: 'too many complaints' },
    ]);
  });

  it('comes once for the decision of an operator, however often it is repeated', async () => {
    await endpoint('template.reviewed');
    const key = await submitted();
    await delivered();
    for (let time = 0; time < 2; time += 1) {
      await the.ledger.templates.setReview(key, { status: 'REJECTED', reason: 'wording' }, NOW + SECOND);
    }
    expect(dataOf(await delivered())).toMatchObject([{ status: 'REJECTED', reason: 'wording' }]);
  });

  it('does not come to an endpoint that wants other events', async () => {
    await endpoint('campaign.state_changed');
    await submitted();
    expect(await delivered()).toEqual([]);
  });
});
