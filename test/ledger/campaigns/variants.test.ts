/** Variants and the hold-out of a campaign in the ledger: who gets what, and what each variant achieved. */
import { describe, expect, it } from 'vitest';
import type { CampaignDefinition, CampaignId, MessageId, RetryScope } from '../../../src/contract/index.js';
import { isHeldOut, variantFor } from '../../../src/domain/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { NOW, SECOND } from '../cast.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';

const ledger = useLedger();

const text = (words: string) => ({ kind: 'text', text: words }) as const;
const VARIANTS = [
  { name: 'A', share: '50%', content: text('Hello {{name}}') },
  { name: 'B', share: '50%', content: text('Good day {{name|you}}') },
];
const WORDS: Readonly<Record<string, string>> = { A: 'Hello', B: 'Good day' };

const running = (recipients: number, definition: Partial<CampaignDefinition> = {}) =>
  new CampaignCast(ledger).running(recipients, { variants: VARIANTS, ...definition });

async function view(id: CampaignId) {
  return (await ledger.audiences.view(id, NOW))!;
}

async function resultsOf(id: CampaignId) {
  const { variants = [] } = await view(id);
  return Object.fromEntries(variants.map(({ name, results }) => [name, results]));
}

const textOf = async (id: MessageId) => (await ledger.views.message(id, NOW))?.content;

const sentTo = { content: text(''), variants: VARIANTS, winner: null };

describe('a campaign with variants', () => {
  it('gives each recipient the variant of the hash, in message and report, and counts each (VARIANT-1)', async () => {
    const campaign = await running(40);
    const claimed = await campaign.dispatched(40);
    for (const { chatId = '', content } of claimed) {
      const name = variantFor(sentTo, chatId)?.name ?? '';
      expect(content).toMatchObject({ text: expect.stringMatching(new RegExp(`^${WORDS[name]} P`)) as string });
    }
    await campaign.receive(claimed.slice(0, 30), 'delivered');
    const report = await campaign.report();
    for (const { chatId, variant, messageId } of report) {
      expect(variant).toBe(variantFor(sentTo, chatId)?.name);
      expect(await ledger.views.message(messageId, NOW)).toMatchObject({ variant });
    }
    const { A, B } = await resultsOf(campaign.id);
    const ofA = report.filter(({ variant }) => variant === 'A');
    expect([A?.recipients, B?.recipients]).toEqual([ofA.length, 40 - ofA.length]);
    expect(A).toMatchObject({
      posted: ofA.length,
      delivered: { count: ofA.filter(({ state }) => state === 'delivered').length },
    });
    expect((await view(campaign.id)).comparison?.[0]).toMatch(/^Delivered: A .* %, B|^Delivered: A .* of \d+, B .*\./);
  });

  it('counts replies and opt-outs for the variant of their recipient', async () => {
    const campaign = await running(10);
    await campaign.receive(await campaign.dispatched(10), 'sent');
    for (const { chatId, line } of await campaign.report()) {
      const { instance } = campaign;
      const response = { instance, chatId, idMessage: `R${line}`, atMs: NOW + SECOND, isOptOut: line === 2 };
      await ledger.responses.record(response);
    }
    const { A, B } = await resultsOf(campaign.id);
    expect((A?.replied.count ?? 0) + (B?.replied.count ?? 0)).toBe(9);
    const [first] = await campaign.report();
    const [own, other] = first?.variant === 'A' ? [A, B] : [B, A];
    expect([own?.optedOut.count, other?.optedOut.count]).toEqual([1, 0]);
  });

  it('sends the winner to everyone who was not posted to, and the split again without it (VARIANT-3)', async () => {
    const campaign = await running(30);
    await campaign.dispatched(10);
    const { contentVersion } = await view(campaign.id);
    await ledger.campaigns.update(campaign.id, { winner: 'B' }, NOW);
    expect(await view(campaign.id)).toMatchObject({ winner: 'B', contentVersion: contentVersion + 1 });
    const claimed = await campaign.dispatched(10);
    expect(claimed.map(({ content }) => content)).toEqual(
      Array.from({ length: 10 }, () => ({ kind: 'text', text: expect.stringMatching(/^Good day/) as string })),
    );
    await ledger.campaigns.update(campaign.id, { winner: null }, NOW);
    const rest = await campaign.dispatched(10);
    for (const { chatId = '', messageId } of rest) {
      expect(await ledger.views.message(messageId, NOW)).toMatchObject({ variant: variantFor(sentTo, chatId)?.name });
    }
    const { A, B } = await resultsOf(campaign.id);
    expect((A?.recipients ?? 0) + (B?.recipients ?? 0)).toBe(30);
    expect((await campaign.report()).filter(({ variant }) => variant === 'A')).toHaveLength(A?.recipients ?? 0);
  });

  it('keeps the variant of a recipient in a retry, and counts it once', async () => {
    const campaign = await running(6);
    const claimed = await campaign.dispatched(6, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
    const before = new Map((await campaign.report()).map(({ messageId, variant }) => [messageId, variant]));
    await campaign.endIfDone(NOW + SECOND);
    await ledger.campaigns.retry(campaign.id, { scopes: ['rejected'] }, NOW + 2 * SECOND);
    const again = await campaign.dispatched(6, 'accepted', NOW + 3 * SECOND);
    expect(again).toHaveLength(claimed.length);
    for (const { messageId, variant } of await campaign.report()) expect(variant).toBe(before.get(messageId));
    const { A, B } = await resultsOf(campaign.id);
    expect([(A?.recipients ?? 0) + (B?.recipients ?? 0), A?.failed.count, B?.failed.count]).toEqual([6, 0, 0]);
  });

  it('shows a recipient that was not read yet with the same variant', async () => {
    const campaign = await running(4);
    for (const { messageId, chatId } of await campaign.report()) {
      const name = variantFor(sentTo, chatId)?.name ?? '';
      expect(await textOf(messageId)).toMatchObject({ text: expect.stringMatching(new RegExp(`^${WORDS[name]}`)) });
    }
  });

  it('changes the content of one variant, and needs its name', async () => {
    const campaign = await running(20);
    const update = (change: object) => ledger.campaigns.update(campaign.id, change, NOW);
    for (const [change, path] of [
      [{ content: text('Hi') }, 'variant'],
      [{ content: text('Hi'), variant: 'C' }, 'variant'],
      [{ winner: 'C' }, 'winner'],
    ] as const) {
      await expect(update(change)).rejects.toMatchObject({ code: 'INPUT_INVALID', problems: [{ path }] });
    }
    await update({ content: text('Hi {{name}}'), variant: 'B' });
    for (const { chatId = '', content } of await campaign.dispatched(20)) {
      const words = variantFor(sentTo, chatId)?.name === 'A' ? /^Hello/ : /^Hi P/;
      expect(content).toMatchObject({ text: expect.stringMatching(words) as string });
    }
    const single = await new CampaignCast(ledger).running(1);
    await expect(ledger.campaigns.update(single.id, { winner: 'A' }, NOW)).rejects.toMatchObject({
      problems: [{ path: 'winner' }],
    });
  });

  it('is refused with the path of the variant that has an unknown variable, or one without a value', async () => {
    const variants = [VARIANTS[0]!, { ...VARIANTS[1]!, content: text('Hi {{nmae|you}}') }];
    const campaign = await new CampaignCast(ledger).draft({ variants });
    await expect(campaign.imported(2)).rejects.toMatchObject({
      code: 'CAMPAIGN_INCOMPLETE',
      problems: [{ path: 'variants[1].content {{nmae}}' }],
    });
    const other = await new CampaignCast(ledger).draft({ variants: VARIANTS });
    await other.imported(2, { columns: { name: { name: 'name', recipients: 1, firstMissingLine: 3 } } });
    await expect(other.start()).rejects.toMatchObject({ problems: [{ path: 'variants[0].content {{name}}' }] });
  });

  it('gives one amended text to the recipients of every variant', async () => {
    const campaign = await running(6);
    await campaign.receive(await campaign.dispatched(3), 'sent');
    const at = { nowMs: NOW, spacingMs: () => 1_000 };
    const { before, textBefore } = await ledger.amendments.begin(campaign.id, { text: 'We open at ten' }, at);
    expect(before).toMatchObject({ audience: 6, editable: 3, unsent: 3 });
    expect(textBefore).toBe('A: Hello {{name}}\nB: Good day {{name|you}}');
    expect(await view(campaign.id)).toMatchObject({
      variants: VARIANTS.map(({ name }) => ({ name, content: { text: 'We open at ten' } })),
    });
    const rest = await campaign.dispatched(3);
    expect(rest.map(({ content }) => content)).toEqual(rest.map(() => text('We open at ten')));
    expect((await campaign.report()).every(({ variant }) => variant !== undefined)).toBe(true);
  });
});

it('a stop with the text that every variant has changes no text: a retry sends it (AMEND-8)', async () => {
  const variants = VARIANTS.map((variant) => ({ ...variant, content: text('We open today') }));
  const campaign = await running(2, { variants });
  await campaign.receive(await campaign.dispatched(1), 'sent');
  const at = { nowMs: NOW, spacingMs: () => 1_000 };
  await ledger.amendments.begin(campaign.id, { text: 'We open today', stop: true }, at);
  expect(await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW)).toMatchObject({ recipients: 1 });
});

describe('a hold-out', () => {
  const heldOut = async (campaign: CampaignCast) => {
    const report = await campaign.report();
    return report.filter(({ chatId }) => isHeldOut('30%', chatId)).map(({ messageId }) => messageId);
  };

  it('gets nothing, ends held_out, and the totals add up (VARIANT-2)', async () => {
    const campaign = await running(40, { holdOut: '30%' });
    const left = await heldOut(campaign);
    expect(left.length).toBeGreaterThan(0);
    const claimed = await campaign.dispatched(40);
    expect(claimed.map(({ messageId }) => messageId)).not.toEqual(expect.arrayContaining(left.slice(0, 1)));
    await campaign.receive(claimed, 'delivered');
    expect(await campaign.endIfDone(NOW + SECOND)).toMatchObject({
      state: 'completed',
      counts: { held_out: left.length, delivered: 40 - left.length },
    });
    const report = await campaign.report();
    const rows = report.filter(({ state }) => state === 'held_out');
    expect(rows.map(({ messageId }) => messageId)).toEqual(left);
    expect(rows[0]).toMatchObject({ reason: 'hold_out', evidence: 'campaign held_out', attempts: 0 });
    expect(rows[0]).not.toHaveProperty('variant');
  });

  it('is the same recipients when one is shown before it is read', async () => {
    const campaign = await running(20, { holdOut: '30%' });
    const left = await heldOut(campaign);
    for (const id of left) expect(await ledger.messages.snapshot(id)).toBeUndefined();
    for (const id of left) expect(await ledger.views.message(id, NOW)).toMatchObject({ state: 'held_out' });
    await campaign.dispatched(20);
    expect((await campaign.states()).held_out).toBe(left.length);
  });

  it('is held out after a cancel, a look at its message and a retry', async () => {
    const campaign = await new CampaignCast(ledger).running(20, { holdOut: '30%' });
    const left = await heldOut(campaign);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone(NOW);
    for (const id of left) expect(await ledger.views.message(id, NOW)).toMatchObject({ state: 'cancelled' });
    await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW + SECOND);
    expect(await campaign.dispatched(20, 'accepted', NOW + 2 * SECOND)).toHaveLength(20 - left.length);
    expect((await campaign.states()).held_out).toBe(left.length);
  });

  it('gets the message by a retry that names it, and by no other', async () => {
    const campaign = await new CampaignCast(ledger).running(20, { holdOut: '30%' });
    const left = await heldOut(campaign);
    await campaign.receive(await campaign.dispatched(20), 'delivered');
    await campaign.endIfDone(NOW + SECOND);
    const scopes = ['suppressed', 'cancelled', 'expired', 'rejected', 'failed'] as const;
    const retry = async (of: readonly RetryScope[], nowMs: number) =>
      (await ledger.campaigns.retry(campaign.id, { scopes: [...of] }, nowMs)).recipients;
    expect(await retry(scopes, NOW + SECOND)).toBe(0);
    expect(await retry(['held_out'], NOW + 2 * SECOND)).toBe(left.length);
    const again = await campaign.dispatched(20, 'accepted', NOW + 3 * SECOND);
    expect(again.map(({ messageId }) => messageId).toSorted()).toEqual(left.toSorted());
  });

  it('ends cancelled or expired with the others if it was not read yet', async () => {
    const campaign = await running(10, { holdOut: '30%' });
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await campaign.endIfDone(NOW + DAY)).toMatchObject({ state: 'cancelled', counts: { cancelled: 10 } });
  });
});
