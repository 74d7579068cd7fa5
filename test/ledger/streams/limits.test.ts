import { describe, expect, it } from 'vitest';
import type { CampaignDefinition, InstanceSettings, MessageContent } from '../../../src/contract/index.js';
import { jitterMs, renderContent } from '../../../src/domain/index.js';
import type { DueAttempt } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { accepted, aChat, DispatchCast, other } from '../dispatch/cast.js';

const HOUR = 60 * MINUTE;
/** The timezone in which a day of the cap begins. */
const MIDNIGHT = NOW + 14 * HOUR;

const ledger = useLedger();

const between = (from: string, until: string, timezone = 'UTC') => ({ timezone, windows: [{ from, until }] });

const LONG = { expiresAtMs: NOW + 30 * DAY };

const cast = (settings?: InstanceSettings): Promise<DispatchCast> => DispatchCast.begun(ledger, settings);

async function campaignOf(
  c: DispatchCast,
  recipients: number,
  definition: Partial<CampaignDefinition>,
  timezones: readonly string[] = [],
): Promise<CampaignCast> {
  const campaign = new CampaignCast(ledger, c.instance);
  await campaign.draft({ deadline: new Date(NOW + 30 * DAY).toISOString(), ...definition });
  await campaign.imported(recipients, { timezones });
  await campaign.start();
  await read(campaign);
  return campaign;
}

const read = async (campaign: CampaignCast, nowMs = NOW) =>
  (
    await ledger.dispatch.readAhead(campaign.id, {
      limit: 50,
      compose: ({ values }, content) => ({ content: renderContent(content, values) as unknown as MessageContent }),
      nowMs,
    })
  ).count;

const waitingOf = async ({ id }: CampaignCast) => (await ledger.campaigns.progress(id, NOW))?.waiting;

const refused = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: SECOND } as const;
const lost = { kind: 'unknown', code: 'GATEWAY_TIMEOUT' } as const;

describe('sending windows', () => {
  it('block a campaign until they open, and show the reason (LIMIT-1)', async () => {
    const c = await cast();
    const campaign = await campaignOf(c, 3, { sendingWindows: between('12:00', '14:00') });

    const { claimed, nextDueMs } = await c.tick();

    expect(claimed).toEqual([]);
    expect(nextDueMs).toBe(NOW + 2 * HOUR);
    const until = new Date(NOW + 2 * HOUR).toISOString();
    expect(await waitingOf(campaign)).toMatchObject({ code: 'SENDING_WINDOW_CLOSED', until });
    expect(await c.claim({ nowMs: NOW + 2 * HOUR - 1 })).toEqual([]);
    expect(await c.claim({ nowMs: NOW + 2 * HOUR })).toHaveLength(3);
  });

  it('limit the posting deadline of a claimed message', async () => {
    const c = await cast();
    await campaignOf(c, 2, { sendingWindows: between('09:00', '10:01') });
    const closesAtMs = NOW + MINUTE;
    const [one] = await c.claim({ nowMs: closesAtMs - SECOND, free: 1 });
    expect(one?.postingDeadlineMs).toBe(closesAtMs);
    expect(await c.claim({ nowMs: closesAtMs })).toEqual([]);
  });

  it('leave the closed instance asleep, and a stream with another campaign awake', async () => {
    const c = await cast();
    await campaignOf(c, 2, { sendingWindows: between('12:00', '14:00') });
    await c.tick();
    expect(await ledger.dispatch.endShift(c.shift, NOW)).toMatchObject({ nextDueMs: NOW + 2 * HOUR });
    expect(await ledger.dispatch.dueInstances(1_000, NOW + 2 * HOUR - 1)).not.toContain(c.instance);
    expect(await ledger.dispatch.dueInstances(1_000, NOW + 2 * HOUR)).toContain(c.instance);
    await c.begin();
    await campaignOf(c, 2, {});
    expect(await c.claim()).toHaveLength(2);
  });

  it('with a timezone that does not exist close their stream, say so, and delay no other (LIMIT-10)', async () => {
    const c = await cast();
    const campaign = await campaignOf(c, 1, { sendingWindows: between('00:00', '23:59', 'Mars/Olympus') });
    const single = await c.take(LONG);
    expect(await c.claimIds()).toEqual([single]);
    const text = expect.stringMatching(/Mars\/Olympus.*Correct it/) as string;
    expect(await waitingOf(campaign)).toMatchObject({ code: 'SENDING_WINDOW_CLOSED', text });
    expect((await ledger.views.instance(c.instance, NOW)).closed ?? []).toEqual([]);
  });

  it('of an instance with such a timezone close all but its urgent messages, and its caps with them (LIMIT-10)', async () => {
    const c = await cast({ limits: { timezone: 'Mars/Olympus', perDay: 5 } });
    const normal = await c.take(LONG);
    const urgent = await c.take({ ...LONG, priority: 'urgent' });
    expect(await c.claimIds()).toEqual([urgent]);
    expect((await ledger.views.message(normal, NOW))?.waiting).toMatchObject({ code: 'SENDING_WINDOW_CLOSED' });
    await expect(ledger.views.instance(c.instance, NOW)).resolves.toBeDefined();
  });

  it("block all but an instance's urgent messages, whose evidence names the window that they ignore", async () => {
    const c = await cast({ sendingWindows: between('12:00', '14:00') });
    const normal = await c.take(LONG);
    const urgent = await c.take({ ...LONG, priority: 'urgent' });
    expect(await c.claimIds()).toEqual([urgent]);
    const view = await ledger.views.message(urgent, NOW);
    expect(view?.evidence).toMatchObject([{ what: 'claimed', detail: { passed: 'SENDING_WINDOW_CLOSED' } }]);
    const until = new Date(NOW + 2 * HOUR).toISOString();
    expect((await ledger.views.message(normal, NOW))?.waiting).toMatchObject({
      code: 'SENDING_WINDOW_CLOSED',
      until,
    });
    expect(await c.claimIds({ nowMs: NOW + 2 * HOUR })).toEqual([normal]);
    const inWindow = await c.take({ ...LONG, priority: 'urgent', nowMs: NOW + 2 * HOUR });
    await c.claimIds({ nowMs: NOW + 2 * HOUR });
    const detail = (await ledger.views.message(inWindow, NOW))?.evidence[0]?.detail;
    expect(detail).not.toHaveProperty('passed');
  });

  it('open a campaign only while its instance is open, too', async () => {
    const c = await cast({ sendingWindows: between('13:00', '15:00') });
    await campaignOf(c, 2, { sendingWindows: between('12:00', '14:00') });
    expect((await c.tick()).nextDueMs).toBe(NOW + 3 * HOUR);
    expect(await c.claim({ nowMs: NOW + 3 * HOUR - 1 })).toEqual([]);
    expect(await c.claim({ nowMs: NOW + 3 * HOUR, free: 1 })).toHaveLength(1);
    expect(await c.claim({ nowMs: NOW + 4 * HOUR })).toEqual([]);
  });

  it('keep every message pending, and the instance asleep, when they never open', async () => {
    const c = await cast({
      sendingWindows: {
        timezone: 'UTC',
        windows: [{ days: ['mon'], from: '10:00', until: '11:00' }],
        holidays: mondays(),
      },
    });
    await c.take(LONG);
    const { claimed, nextDueMs } = await c.tick();
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBeUndefined();
  });
});

/** In 80 weeks from the week of NOW. */
function mondays(): string[] {
  return Array.from({ length: 80 }, (_, week) => new Date(NOW + (1 + 7 * week) * DAY).toISOString().slice(0, 10));
}

describe('quiet hours', () => {
  it('block marketing, and nothing else (LIMIT-1, HOURS-4)', async () => {
    const c = await cast({ quietHours: between('08:00', '12:00') });
    const marketing = await c.take({ ...LONG, category: 'marketing' });
    const transactional = await c.take(LONG);
    const urgent = await c.take({ ...LONG, category: 'marketing', priority: 'urgent' });
    expect((await c.claimIds()).toSorted()).toEqual([transactional, urgent].toSorted());
    const view = await ledger.views.message(urgent, NOW);
    expect(view?.evidence).toMatchObject([{ detail: { passed: 'QUIET_HOURS' } }]);
    expect((await ledger.views.message(marketing, NOW))?.waiting).toMatchObject({ code: 'QUIET_HOURS' });
    const until = new Date(NOW + 2 * HOUR).toISOString();
    expect((await ledger.views.instance(c.instance, NOW)).closed).toMatchObject([
      { messages: 'marketing', code: 'QUIET_HOURS', until },
    ]);
    expect(await c.claimIds({ nowMs: NOW + 2 * HOUR })).toEqual([marketing]);
  });
});

describe('a change of settings (LIMIT-4)', () => {
  it('applies to a campaign from the next claim on', async () => {
    const c = await cast();
    const campaign = await campaignOf(c, 4, {});
    expect(await c.claim({ free: 1 })).toHaveLength(1);
    await ledger.campaigns.update(campaign.id, { sendingWindows: between('12:00', '14:00') }, NOW);
    expect((await c.tick()).nextDueMs).toBe(NOW + 2 * HOUR);
    await ledger.campaigns.update(campaign.id, { sendingWindows: null }, NOW);
    expect(await c.claim()).toHaveLength(3);
  });

  it('wakes the instance, and applies from the next claim on', async () => {
    const c = await cast({ sendingWindows: between('12:00', '14:00') });
    await c.takeMany(3, LONG);
    expect(await c.claim()).toEqual([]);
    await ledger.dispatch.endShift(c.shift, NOW);
    const settings = { sendingWindows: between('09:00', '14:00') };
    expect(await ledger.dispatch.configure([{ instance: c.instance, settings }])).toEqual([c.instance]);
    expect(await ledger.dispatch.configure([{ instance: c.instance, settings }])).toEqual([]);
    expect(await ledger.dispatch.dueInstances(1_000, NOW)).toContain(c.instance);
    expect(await c.claim({ free: 1 })).toHaveLength(1);
    await ledger.dispatch.configure([{ instance: c.instance, settings: {} }]);
    expect(await c.claim({ nowMs: NOW + 10 * HOUR })).toHaveLength(2);
  });

  it('cannot give a campaign local clocks that its import did not read', async () => {
    const c = await cast();
    const campaign = await campaignOf(c, 1, {});
    const change = { sendingWindows: between('09:00', '14:00', 'recipient') };
    await expect(ledger.campaigns.update(campaign.id, change, NOW)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

describe("recipients' clocks", () => {
  it('open one stream for each timezone, and closed streams do not block reading ahead', async () => {
    const c = await cast();
    // 10:00 in London is 19:00 in Tokyo and 05:00 in New York.
    const zones = ['Asia/Tokyo', 'Europe/London', 'America/New_York'];
    const campaign = await campaignOf(c, 300, { sendingWindows: between('09:00', '18:00', 'recipient') }, zones);
    const inLondon = await c.claim({ free: 12 });
    expect(inLondon.map(({ chatId }) => lineOf(chatId))).toEqual(Array.from({ length: 12 }, (_, at) => 102 + at));
    await c.tick({ outcomes: inLondon.map((due) => accepted(due)), free: 30 });
    // New York opens before London closes; Tokyo opens on the next day.
    expect(await read(campaign)).toBe(50);
    expect(await read(campaign)).toBe(0);
    const newYork = NOW + 4 * HOUR;
    const both = await c.claim({ free: 120, room: { urgent: 999, high: 999, normal: 999, low: 999 }, nowMs: newYork });
    expect(new Set(both.map(({ chatId }) => Math.floor((lineOf(chatId) - 2) / 100)))).toEqual(new Set([1, 2]));
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, newYork)).toMatchObject([{ id: campaign.id }]);
  });

  it('let every recipient be read once', async () => {
    const c = await cast();
    const zones = ['Asia/Tokyo', 'Europe/London'];
    const campaign = await campaignOf(c, 120, { sendingWindows: between('00:00', '00:00', 'recipient') }, zones);
    const seen: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const room = { urgent: 999, high: 999, normal: 999, low: 999 };
      const claimed = await c.claim({ free: 40, room, nowMs: NOW + round });
      seen.push(...claimed.map(({ chatId }) => lineOf(chatId)));
      await c.write(...claimed.map((due) => accepted(due, NOW + round)));
      await read(campaign, NOW + round);
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, at) => at + 2));
  });
});

function lineOf(chatId: string | undefined): number {
  return Number(chatId?.slice(4, 11));
}

describe('a daily cap (LIMIT-2)', () => {
  const limits = (perDay: number) => ({ limits: { timezone: 'UTC', perDay } });

  it('is exact for an instance, and applies until the next day (LIMIT-6)', async () => {
    const c = await cast(limits(5));
    const ids = await c.takeMany(8, LONG);
    expect(await c.claimIds({ free: 3 })).toEqual(ids.slice(0, 3));
    expect(await c.claimIds()).toEqual(ids.slice(3, 5));
    const { claimed, nextDueMs } = await c.tick();
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBe(MIDNIGHT);
    const until = new Date(MIDNIGHT).toISOString();
    const waiting = {
      code: 'DAILY_LIMIT_REACHED',
      text: '5 of 5 messages posted today by the instance',
      until,
    };
    expect((await ledger.views.message(ids[7] ?? ('' as never), NOW))?.waiting).toMatchObject(waiting);
    expect(await ledger.views.instance(c.instance, NOW)).toMatchObject({ today: { posted: 5, cap: 5, until } });
    expect(await c.claim({ nowMs: MIDNIGHT - 1 })).toEqual([]);
    expect(await c.claim({ nowMs: MIDNIGHT })).toHaveLength(3);
  });

  it('lets urgent messages pass, and counts them', async () => {
    const c = await cast(limits(2));
    const urgent = await c.takeMany(3, { ...LONG, priority: 'urgent' });
    await c.takeMany(2, LONG);
    expect(await c.claimIds()).toEqual(urgent);
    expect(await ledger.views.instance(c.instance, NOW)).toMatchObject({ today: { posted: 3, cap: 2 } });
  });

  it('frees the places of messages that were not accepted, and keeps that of an unknown one (LIMIT-7)', async () => {
    const c = await cast(limits(4));
    await c.takeMany(8, LONG);
    const [first, second, third, fourth] = await c.claim();
    if (!first || !second || !third || !fourth) throw new Error('too few were claimed');
    await c.write(other(first, refused), other(second, lost), accepted(third), other(fourth, refused));
    expect(await c.claim({ nowMs: NOW + SECOND })).toHaveLength(2);
    const rejected = { kind: 'rejected', code: 'GATEWAY_REJECTED' } as const;
    await c.write(other(second, rejected, NOW + SECOND));
    expect(await c.claim({ nowMs: NOW + SECOND })).toHaveLength(1);
    // The first one was accepted after all, and takes its place again.
    await c.write(accepted(first, NOW + SECOND));
    expect((await ledger.views.instance(c.instance, NOW)).today).toMatchObject({ posted: 5 });
    expect(await c.claim({ nowMs: NOW + 2 * SECOND })).toEqual([]);
  });

  it('counts a claim once, through a takeover and a lost response', async () => {
    const c = await cast(limits(4));
    await c.takeMany(9, LONG);
    const claimed = await c.claim({ free: 2 });
    await c.begin(3);
    expect(await ledger.dispatch.claimed(c.shift)).toEqual([]);
    const more = await c.claim();
    expect(more).toHaveLength(2);
    await c.write(...claimed.map((due) => accepted(due)), ...more.map((due) => accepted(due)));
    await c.write(...claimed.map((due) => accepted(due)));
    expect((await ledger.views.instance(c.instance, NOW)).today).toMatchObject({ posted: 4 });
    expect(await c.claim({ nowMs: NOW + MINUTE })).toEqual([]);
  });

  it('counts the whole day when it is set at noon (LIMIT-5)', async () => {
    const c = await cast();
    await c.takeMany(6, LONG);
    const claimed = await c.claim({ free: 3 });
    await c.write(...claimed.slice(1).map((due) => accepted(due)));
    await ledger.dispatch.configure([{ instance: c.instance, settings: limits(4) }]);
    expect(await c.claim()).toHaveLength(1);
    expect(await c.claim()).toEqual([]);
    await ledger.dispatch.configure([{ instance: c.instance, settings: limits(5) }]);
    expect(await c.claim()).toHaveLength(1);
  });

  it('grows with a warm-up', async () => {
    const warmUp = { firstDay: '2026-03-01', perDay: 2, growthPercent: 100 };
    const c = await cast({ limits: { timezone: 'UTC', warmUp } });
    await c.takeMany(9, LONG);
    const counts: number[] = [];
    for (let day = 0; day < 3; day += 1) counts.push((await c.claim({ nowMs: NOW + day * DAY })).length);
    expect(counts).toEqual([2, 4, 3]);
  });

  it('limits only its own campaign', async () => {
    const c = await cast();
    const capped = await campaignOf(c, 5, { limits: { perDay: 2 }, category: 'transactional' });
    const free = await campaignOf(c, 3, { content: { kind: 'text', text: 'Another' } });
    expect(countByCampaign(await c.claim())).toEqual({ [capped.id]: 2, [free.id]: 1 });
    expect(await waitingOf(capped)).toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
    expect((await c.claim({ nowMs: MIDNIGHT })).filter(({ campaignId }) => campaignId === capped.id)).toHaveLength(2);
  });
});

function countByCampaign(claimed: readonly DueAttempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { campaignId = '' } of claimed) counts[campaignId] = (counts[campaignId] ?? 0) + 1;
  return counts;
}

describe('jitter', () => {
  it('pauses a campaign after each message for a time that its seed gives (LIMIT-8)', async () => {
    const c = await cast();
    const jitter = { minMs: SECOND, maxMs: 20 * SECOND, seed: 'spring' };
    await campaignOf(c, 4, { limits: { jitter } });
    let nowMs = NOW;
    for (let line = 2; line < 5; line += 1) {
      const { claimed, nextDueMs } = await c.tick({ nowMs });
      expect(claimed.map(({ chatId }) => lineOf(chatId))).toEqual([line]);
      const pauseMs = jitterMs('spring', line, jitter);
      expect(nextDueMs).toBe(nowMs + pauseMs);
      expect(await c.claim({ nowMs: nowMs + pauseMs - 1 })).toEqual([]);
      nowMs += pauseMs;
    }
  });
});

describe('the frequency cap', () => {
  const settings = { limits: { timezone: 'UTC', frequencyCap: { messages: 2, days: 7 } } };
  const toOne = (chatId: string) => ({ ...LONG, chatId, category: 'marketing' as const });

  it('ends messages over it, across campaigns, and the messages behind them leave at once (LIMIT-9)', async () => {
    const c = await cast(settings);
    const chatId = aChat();
    const ids = [];
    for (let at = 0; at < 3; at += 1) ids.push(await c.take(toOne(chatId)));
    const transactional = await c.take({ ...LONG, chatId });
    const first = await c.claimOne();
    await c.write(accepted(first));
    const second = await c.claimOne();
    await c.write(other(second, lost));
    const { claimed, hasHidden } = await c.tick();
    expect(claimed).toEqual([]);
    expect(hasHidden).toBe(true);
    expect(await c.claimIds()).toEqual([transactional]);
    const last = await ledger.views.message(ids[2] ?? ('' as never), NOW);
    expect(last).toMatchObject({ state: 'suppressed', reason: 'suppressed_frequency_cap' });
    expect(last?.evidence).toMatchObject([{ what: 'suppressed', detail: { messages: 2, days: 7 } }]);

    // The query of a plan.
    const over = (days: number, nowMs = NOW) =>
      ledger.dispatch.overFrequencyCap([aChat(), chatId], { instances: [c.instance], messages: 2, days, nowMs });
    expect(await over(7)).toEqual(new Set([chatId]));
    expect(await over(1, NOW + 2 * DAY)).toEqual(new Set());
  });

  it('counts the last days only, and no message that was not accepted', async () => {
    const c = await cast(settings);
    const chatId = aChat();
    for (let at = 0; at < 2; at += 1) {
      await c.take(toOne(chatId));
      const due = await c.claimOne();
      await c.write(at === 0 ? accepted(due) : other(due, { kind: 'rejected', code: 'GATEWAY_REJECTED' }));
    }
    await c.take({ ...toOne(chatId), nowMs: NOW + DAY });
    expect(await c.claim({ nowMs: NOW + DAY })).toHaveLength(1);
    const late = await c.take({ ...toOne(chatId), nowMs: NOW + 7 * DAY });
    const [due] = await c.claim({ nowMs: NOW + 7 * DAY });
    expect(due?.messageId).toBe(late);
  });
});
