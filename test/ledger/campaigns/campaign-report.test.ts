import { expect, it } from 'vitest';
import { SHORT_ID_PATTERN } from '../../../src/contract/index.js';
import type { Ledger, ReportRow } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast } from './campaign-life-cast.js';
import { NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;

/** Lines 2 to 7: delivered, rejected, accepted, and three without a message row. */
async function aCampaign(): Promise<CampaignCast> {
  const campaign = await new CampaignCast(ledger).running(6);
  await campaign.receive(await campaign.dispatched(1), 'delivered', NOW + SECOND);
  await campaign.dispatched(1, REFUSED);
  await campaign.dispatched(1);
  return campaign;
}

it('the report has every recipient of the audience, by line', async () => {
  const campaign = await aCampaign();
  const rows = await campaign.report();
  expect(rows).toHaveLength(6);
  expect(rows[0]).toEqual({
    line: 2,
    messageId: expect.stringMatching(new RegExp(`^msg_${SHORT_ID_PATTERN}$`)),
    number: '+1 555 000 0002',
    chatId: '15550000002@c.us',
    instance: campaign.instance,
    state: 'delivered',
    idMessage: `G-${rows[0]?.messageId}-${NOW}`,
    attempts: 1,
    acceptedAt: '2026-03-01T10:00:00.000Z',
    sentAt: '2026-03-01T10:00:01.000Z',
    deliveredAt: '2026-03-01T10:00:01.000Z',
    gatewaySentAt: '2026-03-01T10:00:01.000Z',
    gatewayDeliveredAt: '2026-03-01T10:00:01.000Z',
    evidence: 'receipt delivered',
    sentVersion: '1',
    shownVersion: '1',
  });
  expect(rows[1]).toMatchObject({ state: 'rejected', reason: 'GATEWAY_REJECTED', reasonText: 'bad chat', attempts: 1 });
  expect(rows[5]).toEqual({
    line: 7,
    messageId: expect.stringMatching(new RegExp(`^msg_${SHORT_ID_PATTERN}$`)),
    number: '+1 555 000 0007',
    chatId: '15550000007@c.us',
    state: 'pending',
    attempts: 0,
  });
});

it('the report has the recipient of a chat, in any spelling, with the other filters (REPORT-1)', async () => {
  const campaign = await aCampaign();
  const lines = async (filter: Partial<Parameters<Ledger['campaigns']['report']>[1]>) => {
    const { items } = await ledger.campaigns.report(campaign.id, { afterLine: 0, limit: 10, ...filter });
    return items.map(({ line }) => line);
  };
  const [delivered, pending] = ['15550000002@c.us', '15550000006@c.us'];
  expect(await lines({ chatId: delivered })).toEqual([2]);
  expect(await lines({ chatId: pending })).toEqual([6]);
  expect(await lines({ chatId: delivered, states: ['delivered'] })).toEqual([2]);
  expect(await lines({ chatId: delivered, states: ['pending'] })).toEqual([]);
  expect(await lines({ chatId: pending, states: ['pending'] })).toEqual([6]);
  expect(await lines({ chatId: pending, reason: 'cancelled' })).toEqual([]);
  expect(await lines({ chatId: '15559999999@c.us' })).toEqual([]);
});

it('pages of a filter follow each other without a gap (REPORT-1)', async () => {
  const campaign = await aCampaign();
  const states = ['pending', 'rejected', 'accepted'] as const;
  const lines: number[] = [];
  for (let afterLine: number | undefined = 0; afterLine !== undefined;) {
    const page: Awaited<ReturnType<Ledger['campaigns']['report']>> = await ledger.campaigns.report(campaign.id, {
      afterLine,
      limit: 2,
      states,
    });
    lines.push(...page.items.map(({ line }) => line));
    ({ afterLine } = page);
  }
  expect(lines).toEqual([3, 4, 5, 6, 7]);
});

it('the report is filtered by states and reason, also for recipients without a message', async () => {
  const campaign = await aCampaign();
  await ledger.campaigns.cancel(campaign.id, 'request', NOW + SECOND);
  const lines = async (filter: Partial<Parameters<Ledger['campaigns']['report']>[1]>) => {
    const { items } = await ledger.campaigns.report(campaign.id, { afterLine: 0, limit: 10, ...filter });
    return items.map(({ line }) => line);
  };
  expect(await lines({ states: ['delivered', 'accepted'] })).toEqual([2, 4]);
  expect(await lines({ states: ['cancelled'] })).toEqual([5, 6, 7]);
  expect(await lines({ reason: 'cancelled', afterLine: 5 })).toEqual([6, 7]);
  expect(await lines({ reason: 'GATEWAY_REJECTED' })).toEqual([3]);
  expect(await lines({ states: ['read'] })).toEqual([]);
  expect((await campaign.report())[5]).toMatchObject({
    state: 'cancelled',
    reason: 'cancelled',
    endedAt: '2026-03-01T10:00:01.000Z',
    evidence: 'campaign cancelled',
  });
});

it('the report has those who responded, page by page and with the other filters (REPORT-1)', async () => {
  const campaign = await new CampaignCast(ledger).running(6);
  await campaign.receive(await campaign.dispatched(5), 'sent', NOW, NOW);
  const recipients = await campaign.report();
  for (const [at, isOptOut] of [
    [4, false],
    [0, false],
    [2, true],
    [1, false],
  ] as const) {
    const { chatId = '' } = recipients[at] ?? {};
    await ledger.responses.record({
      instance: campaign.instance,
      chatId,
      atMs: NOW,
      idMessage: `${campaign.id}-${at}`,
      isOptOut,
    });
  }
  const page = async (filter: Partial<Parameters<Ledger['campaigns']['report']>[1]>) => {
    const { items, afterLine } = await ledger.campaigns.report(campaign.id, { afterLine: 0, limit: 2, ...filter });
    return [items.map(({ line }) => line), afterLine];
  };
  expect(await page({ response: 'replied' })).toEqual([[2, 3], 3]);
  expect(await page({ response: 'replied', afterLine: 3 })).toEqual([[6], undefined]);
  expect(await page({ response: 'opted_out' })).toEqual([[4], undefined]);
  expect(await page({ response: 'replied', states: ['sent'] })).toEqual([[2, 3], 3]);
  expect(await page({ response: 'replied', states: ['delivered', 'pending'] })).toEqual([[], undefined]);
  const [{ chatId: replied }, , { chatId: optedOut }] = recipients as [ReportRow, ReportRow, ReportRow];
  expect(await page({ response: 'replied', chatId: replied })).toEqual([[2], undefined]);
  expect(await page({ response: 'replied', chatId: optedOut })).toEqual([[], undefined]);
});
