/** CAMPLIFE-3: the checks of a beginning, whichever command begins the campaign. */
import { describe, expect, it } from 'vitest';
import type { CampaignDefinition, RetryRequest } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';

const ledger = useLedger();

const HOUR = 60 * MINUTE;
const iso = (ms: number): string => new Date(ms).toISOString();
const CANCELLED: RetryRequest = { scopes: ['cancelled'] };

const retry = ({ id }: CampaignCast, nowMs = NOW) => ledger.campaigns.retry(id, CANCELLED, nowMs);

/** A draft that was cancelled. */
async function cancelled(
  definition: Partial<CampaignDefinition> = {},
  given: Parameters<CampaignCast['imported']>[1] = {},
) {
  const campaign = await (await new CampaignCast(ledger).draft(definition)).imported(2, given);
  await ledger.campaigns.cancel(campaign.id, 'request', NOW);
  return campaign;
}

describe('a retry of a campaign that was cancelled as a draft', () => {
  it('CAMPLIFE-3 begins it', async () => {
    const campaign = await cancelled();
    expect(await retry(campaign)).toMatchObject({ recipients: 2, progress: { state: 'running', startedAt: iso(NOW) } });
    expect(await campaign.claim(2)).toHaveLength(2);
  });

  it('CAMPLIFE-3 schedules it if its start time is in the future, and nothing is posted before', async () => {
    const campaign = await cancelled({ startAt: iso(NOW + 30 * DAY) });
    expect(await retry(campaign)).toMatchObject({ progress: { state: 'scheduled' } });
    expect(await campaign.claim(2)).toEqual([]);
    await ledger.campaigns.beginScheduled(campaign.id, NOW + 30 * DAY);
    expect(await campaign.claim(2, NOW + 30 * DAY)).toHaveLength(2);
  });

  it('CAMPLIFE-3 is refused if a variable has no value, and it stays cancelled', async () => {
    const columns = { name: { name: 'name', recipients: 1, firstMissingLine: 3 } };
    const campaign = await cancelled({}, { columns });
    await expect(retry(campaign)).rejects.toMatchObject({ code: 'CAMPAIGN_INCOMPLETE' });
    expect(await ledger.campaigns.state(campaign.id)).toBe('cancelled');
    expect(await campaign.states()).toEqual({ cancelled: 2 });
  });

  it('CAMPLIFE-3 uses the recipients’ timezones', async () => {
    const windows = { timezone: 'recipient', windows: [{ from: '09:00', until: '18:00' }] };
    const campaign = await cancelled({ sendingWindows: windows }, { timezones: ['Europe/Berlin', 'Asia/Tokyo'] });
    await retry(campaign);
    // 11:00 in Berlin, 19:00 in Tokyo.
    expect(await campaign.claim(2)).toHaveLength(1);
    expect(await ledger.campaigns.progress(campaign.id, NOW)).toMatchObject({ state: 'running' });
  });

  it('CAMPLIFE-3 is refused without recipients, and for a campaign that is only for a plan', async () => {
    const empty = await new CampaignCast(ledger).draft();
    await ledger.campaigns.cancel(empty.id, 'request', NOW);
    expect(await retry(empty)).toMatchObject({ recipients: 0, progress: { state: 'cancelled' } });
    const { id, instance } = new CampaignCast(ledger);
    const content = { kind: 'text', text: 'Hello' } as const;
    const plan = { id, requestHash: 'h', definition: { instance, content }, nowMs: NOW, planUntilMs: NOW + DAY };
    await ledger.audiences.define(plan);
    const only = await new CampaignCast(ledger, instance, id).imported(1, { columns: {} });
    await ledger.campaigns.cancel(id, 'request', NOW);
    await expect(retry(only)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

describe('an amendment that stops a scheduled campaign', () => {
  it('CAMPLIFE-1 cancels it, and its text is sent to no recipient at the start time', async () => {
    const campaign = await new CampaignCast(ledger).running(3, { startAt: iso(NOW + HOUR) });
    const at = { nowMs: NOW, spacingMs: () => 1_000 };
    await ledger.amendments.begin(campaign.id, { text: 'Sent by mistake', stop: true }, at);
    await campaign.endIfDone();
    await ledger.campaigns.beginScheduled(campaign.id, NOW + HOUR);
    expect(await campaign.claim(3, NOW + HOUR)).toEqual([]);
    expect(await ledger.campaigns.progress(campaign.id, NOW)).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: 3 },
    });
  });
});

describe('a campaign that missed its start', () => {
  const held = async (definition: Partial<CampaignDefinition> = {}) => {
    const campaign = await new CampaignCast(ledger).running(2, { startAt: iso(NOW + HOUR), ...definition });
    await ledger.campaigns.beginScheduled(campaign.id, NOW + DAY);
    return campaign;
  };

  it('CAMPAIGN-9 shows among its commands that everpost paused or cancelled it', async () => {
    for (const [missedStart, kind] of [
      ['hold', 'pause'],
      ['skip', 'cancel'],
    ] as const) {
      const { id } = await held({ missedStart });
      expect((await ledger.audiences.view(id, NOW))?.commands).toMatchObject([
        { kind, what: 'missed start', requestedBy: 'everpost' },
      ]);
    }
  });

  it('CAMPAIGN-9 waits for a new start time, and begins then', async () => {
    const campaign = await held();
    const again = { startAt: iso(NOW + 2 * DAY) };
    expect(await ledger.campaigns.update(campaign.id, again, NOW + DAY)).toMatchObject({ state: 'scheduled' });
    expect(await ledger.campaigns.toBegin('default', NOW + 2 * DAY)).toContain(campaign.id);
    await ledger.campaigns.beginScheduled(campaign.id, NOW + 2 * DAY);
    expect(await campaign.claim(2, NOW + 2 * DAY)).toHaveLength(2);
  });

  it('CAMPAIGN-9 stays paused with a new start time if an operator had paused it', async () => {
    const campaign = await new CampaignCast(ledger).running(2, { startAt: iso(NOW + HOUR) });
    await ledger.campaigns.pause(campaign.id, NOW);
    const again = { startAt: iso(NOW + 2 * DAY) };
    expect(await ledger.campaigns.update(campaign.id, again, NOW)).toMatchObject({ state: 'paused' });
  });

  it('CAMPLIFE-3 is resumed only with a deadline that leaves time', async () => {
    const campaign = await held({ deadline: iso(NOW + 2 * DAY) });
    const resume = () => ledger.campaigns.resume(campaign.id, NOW + 2 * DAY);
    await expect(resume()).rejects.toMatchObject({ code: 'INPUT_INVALID', problems: [{ path: 'deadline' }] });
    await ledger.campaigns.update(campaign.id, { deadline: iso(NOW + 3 * DAY) }, NOW + 2 * DAY);
    expect(await resume()).toMatchObject({ state: 'running' });
  });
});

describe('a deadline', () => {
  it('CAMPAIGN-9 is refused if it is not after the start of a campaign that has not begun', async () => {
    const scheduled = await new CampaignCast(ledger).running(1, { startAt: iso(NOW + DAY) });
    const draft = await new CampaignCast(ledger).draft({ startAt: iso(NOW + DAY) });
    for (const { id } of [scheduled, draft]) {
      const update = (deadline: number) => ledger.campaigns.update(id, { deadline: iso(deadline) }, NOW);
      const refused = { code: 'INPUT_INVALID', problems: [{ path: 'deadline' }] };
      await expect(update(NOW + DAY)).rejects.toMatchObject(refused);
      expect(await update(NOW + DAY + HOUR)).toMatchObject({ deadlineAt: iso(NOW + DAY + HOUR) });
    }
  });
});
