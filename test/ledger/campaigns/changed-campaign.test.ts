/** STREAM-1, DUEROW-3: what a running campaign sends after its text, template, hours or limits were changed. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CampaignDefinition, MessageContent } from '../../../src/contract/index.js';
import { renderContent } from '../../../src/domain/index.js';
import type { DueAttempt, ReportRow } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { PLAIN_TEMPLATE } from '../../support/template.js';
import { accepted, DispatchCast, other } from '../dispatch/cast.js';
import { MINUTE, NOW } from '../cast.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';

const ledger = useLedger();

const between = (from: string, until: string, timezone = 'UTC') => ({ timezone, windows: [{ from, until }] });
const AMPLE = { free: 99, room: { urgent: 999, high: 999, normal: 999, low: 999 } };

const read = async (campaign: CampaignCast, nowMs = NOW, limit = 50) =>
  (
    await ledger.dispatch.readAhead(campaign.id, {
      limit,
      compose: ({ values, ownContent }, content) => ({
        content: ownContent ?? (renderContent(content, values) as unknown as MessageContent),
      }),
      nowMs,
    })
  ).count;

/** A running campaign whose recipients were read, and the dispatcher of its instance. */
async function running(
  recipients: number,
  definition: Partial<CampaignDefinition> = {},
  {
    timezones = [],
    limit = 50,
    c = new DispatchCast(ledger),
  }: { timezones?: readonly string[]; limit?: number; c?: DispatchCast } = {},
) {
  await c.begin();
  const campaign = new CampaignCast(ledger, c.instance);
  await campaign.draft({ deadline: new Date(NOW + 30 * DAY).toISOString(), autoPause: 'off', ...definition });
  await campaign.imported(recipients, { timezones });
  await campaign.start();
  await read(campaign, NOW, limit);
  return { c, campaign };
}

const linesOf = (claimed: readonly DueAttempt[]) => claimed.map(({ chatId = '' }) => Number(chatId.slice(4, 11)));
const update = ({ id }: CampaignCast, change: Parameters<typeof ledger.campaigns.update>[1], nowMs = NOW) =>
  ledger.campaigns.update(id, change, nowMs);

const use = (elementName: string) => ({ kind: 'template', elementName, params: [] }) as const;

async function submit({ instance }: DispatchCast, elementName: string): Promise<void> {
  const definition = { ...PLAIN_TEMPLATE, elementName };
  const key = { instance, elementName, definition, definitionHash: elementName, requestedAt: '' };
  await ledger.templates.submit(key, NOW);
  const token = randomUUID();
  await ledger.templates.claim({ key, token, reconcileAfterMs: NOW });
  const reading = { templateId: `T-${instance}-${elementName}`, status: 'PENDING' };
  await ledger.templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, NOW);
}

const review = ({ instance }: DispatchCast, elementName: string, status: string) =>
  ledger.templates.setReview({ instance, elementName }, { status }, NOW);

describe('a template of a running campaign', () => {
  it('STREAM-1 that is replaced before it is approved neither delays nor rejects the new one', async () => {
    const c = new DispatchCast(ledger);
    await submit(c, 'old');
    await submit(c, 'new');
    await review(c, 'new', 'APPROVED');
    const { campaign } = await running(4, { content: use('old') }, { c });
    expect(await c.claim()).toEqual([]);
    await update(campaign, { content: use('new') });
    await review(c, 'old', 'REJECTED');
    expect(await campaign.states()).toEqual({ pending: 4 });
    // Its instance is woken, also without a shift.
    expect(await ledger.dispatch.dueInstances(1_000, NOW + DAY)).toContain(c.instance);
    expect(await read(campaign)).toBe(4);
    expect((await c.claim()).map(({ content }) => content)).toEqual(Array.from({ length: 4 }, () => use('new')));
  });

  it('STREAM-1 can be named by a column: each one waits for its own approval', async () => {
    const c = new DispatchCast(ledger);
    for (const line of [2, 3]) await submit(c, `P${line}`);
    await review(c, 'P2', 'APPROVED');
    const { campaign } = await running(2, { content: use('{{name}}') }, { c });
    expect(linesOf(await c.claim())).toEqual([2]);
    await review(c, 'P3', 'APPROVED');
    expect(linesOf(await c.claim())).toEqual([3]);
    expect(await campaign.states()).toEqual({ sending: 2 });
  });
});

describe('a text of a running campaign', () => {
  it('STREAM-1 that is changed is composed again in one batch, and no row is changed before', async () => {
    const { c, campaign } = await running(60);
    const before = await campaign.report();
    await update(campaign, { content: { kind: 'text', text: 'Dear {{name}}' } });
    expect((await campaign.report()).map(({ messageId }) => messageId)).toEqual(
      before.map(({ messageId }) => messageId),
    );
    expect(await c.claim(AMPLE)).toEqual([]);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, NOW)).toMatchObject([{ id: campaign.id }]);
    expect(await read(campaign)).toBe(50);
    expect(await read(campaign)).toBe(10);
    const claimed = await c.claim(AMPLE);
    expect(linesOf(claimed)).toEqual(Array.from({ length: 60 }, (_, at) => at + 2));
    expect(new Set(claimed.map(({ content }) => (content.kind === 'text' ? content.text.slice(0, 6) : '')))).toEqual(
      new Set(['Dear P']),
    );
  });

  it('STREAM-1 keeps the pause after the last message', async () => {
    const { c, campaign } = await running(3, { limits: { jitter: { minMs: 60_000, maxMs: 60_000 } } });
    expect(await c.claim()).toHaveLength(1);
    await update(campaign, { content: { kind: 'text', text: 'Dear {{name}}' } });
    await read(campaign);
    expect(await c.claim({ nowMs: NOW + 59_999 })).toEqual([]);
    expect(await c.claim({ nowMs: NOW + 60_000 })).toHaveLength(1);
  });

  it('STREAM-1 leaves no stream of a former text behind', async () => {
    const { c, campaign } = await running(3);
    for (const text of ['one', 'two', 'three']) {
      await update(campaign, { content: { kind: 'text', text } });
      await read(campaign);
    }
    await ledger.dispatch.removeEndedStreams();
    expect(await c.claim({ free: 1 })).toHaveLength(1);
    await update(campaign, { content: { kind: 'text', text: 'four' } });
    await ledger.dispatch.removeEndedStreams();
    expect(await read(campaign)).toBe(2);
    expect(await c.claim()).toHaveLength(2);
  });
});

describe('the deadline of a running campaign', () => {
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

  it('DUEROW-3 that is later holds for messages that were composed before, and none is written again', async () => {
    const { c, campaign } = await running(3, { deadline: at(1) });
    const [{ messageId }] = (await campaign.report()) as [ReportRow];
    const before = await ledger.views.message(messageId, NOW);
    await update(campaign, { deadline: at(60) });
    expect(await ledger.views.message(messageId, NOW)).toEqual({ ...before, expiresAt: at(60) });
    // The sweep corrects the due rows once.
    expect(await ledger.dispatch.expireDue(9, NOW + 2 * MINUTE)).toBe(3);
    expect(await ledger.dispatch.expireDue(9, NOW + 2 * MINUTE)).toBe(0);
    const posted = await c.claim({ nowMs: NOW + 2 * MINUTE, leavesInMs: 2 * MINUTE });
    expect(posted).toHaveLength(3);
  });

  it('DUEROW-3 that is earlier ends messages that were composed before', async () => {
    const { c, campaign } = await running(3, { deadline: at(60) });
    await update(campaign, { deadline: at(1) });
    expect(await c.claim({ leavesInMs: 2 * MINUTE })).toEqual([]);
    expect(await c.claim({ nowMs: NOW + 2 * MINUTE })).toEqual([]);
    expect(await campaign.endIfDone(NOW + 2 * MINUTE)).toMatchObject({ state: 'expired', counts: { expired: 3 } });
  });
});

describe('the limits of a running campaign', () => {
  it('LIMIT-4 bind no longer once they are removed, and at their new value once they are changed', async () => {
    const { c, campaign } = await running(8, { limits: { perDay: 2 } });
    expect(await c.claim()).toHaveLength(2);
    await update(campaign, { limits: { perDay: 3 } });
    expect(await c.claim()).toHaveLength(1);
    await update(campaign, { limits: null });
    expect(await c.claim()).toHaveLength(5);
  });

  it('LIMIT-4 bind no longer once they are removed, beside those of its instance', async () => {
    const c = new DispatchCast(ledger);
    c.settings = { limits: { timezone: 'UTC', perDay: 5 } };
    const { campaign } = await running(8, { limits: { perDay: 2 } }, { c });
    expect(await c.claim()).toHaveLength(2);
    await update(campaign, { limits: null });
    expect(await c.claim()).toHaveLength(3);
    expect(await c.claim()).toEqual([]);
  });

  it('LIMIT-4 of its instance count the days of a new timezone only', async () => {
    const c = new DispatchCast(ledger);
    const perDay = (timezone: string) => ({ limits: { timezone, perDay: 2 } });
    c.settings = perDay('UTC');
    await running(8, {}, { c });
    expect(await c.claim()).toHaveLength(2);
    const settings = { limits: { timezone: 'Asia/Tokyo', perDay: 4 } };
    await ledger.dispatch.configure([{ instance: c.instance, settings }]);
    expect(await c.claim()).toHaveLength(2);
  });
});

describe('the hours of a running campaign', () => {
  // 10:00 UTC is 19:00 in Tokyo.
  const timezones = ['Asia/Tokyo', 'Europe/London'];
  const recipients = { sendingWindows: between('09:00', '18:00', 'recipient') };

  it('STREAM-1 no longer follow the recipients’ clocks after a change to a fixed zone', async () => {
    const { c, campaign } = await running(6, recipients, { timezones });
    const first = await c.claim({ free: 2 });
    expect(linesOf(first)).toEqual([5, 6]);
    await c.write(...first.map((due) => accepted(due)));
    await update(campaign, { sendingWindows: between('09:00', '18:00') });
    expect(await read(campaign)).toBe(4);
    expect(await read(campaign)).toBe(0);
    expect(linesOf(await c.claim(AMPLE)).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 7]);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, NOW)).toEqual([]);
  });

  it('STREAM-1 that are fixed now pass over no recipient of a timezone that was read less far', async () => {
    const campaign = new CampaignCast(ledger);
    const c = new DispatchCast(ledger, campaign.instance);
    await c.begin();
    await campaign.draft(recipients);
    await campaign.imported(40, { timezones });
    await campaign.start();
    // Of twenty in each timezone, the first ones.
    expect(await read(campaign, NOW, 4)).toBe(8);
    await update(campaign, { sendingWindows: between('09:00', '18:00') });
    while ((await read(campaign, NOW, 4)) > 0);
    const claimed = await c.claim(AMPLE);
    expect(linesOf(claimed).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2));
  });

  it('STREAM-1 follow them again after a change back, and no recipient is read twice', async () => {
    const { c, campaign } = await running(80, recipients, { timezones });
    const seen: number[] = [];
    const claim = async () => {
      const claimed = await c.claim({ ...AMPLE, free: 15 });
      seen.push(...linesOf(claimed));
      await c.write(...claimed.map((due) => accepted(due)));
      await read(campaign, NOW, 20);
    };
    for (const sendingWindows of [between('00:00', '00:00'), between('00:00', '00:00', 'recipient'), null]) {
      await claim();
      await update(campaign, { sendingWindows });
      await read(campaign, NOW, 20);
    }
    for (let round = 0; round < 6; round += 1) await claim();
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, at) => at + 2));
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, NOW)).toEqual([]);
  });

  it('STREAM-1 reach the open zone past the retried recipients of a closed one, each composed once', async () => {
    const always = { sendingWindows: between('00:00', '00:00', 'recipient') };
    const { c, campaign } = await running(80, always, { timezones });
    const all = await c.claim(AMPLE);
    await c.write(...all.map((due) => other(due, { kind: 'rejected', code: 'NO' })));
    await campaign.endIfDone();
    await ledger.dispatch.removeEndedStreams();
    await ledger.campaigns.retry(campaign.id, { scopes: ['rejected'] } as never, NOW);
    await update(campaign, recipients);
    const counts: number[] = [];
    do counts.push(await read(campaign, NOW, 10));
    while (counts.at(-1) !== 0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(80);
    expect(linesOf(await c.claim(AMPLE)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 42),
    );
  });
});
