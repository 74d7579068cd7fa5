import { describe, expect, it } from 'vitest';
import type { CampaignDefinition } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY, NAMESPACE } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const HOUR = 60 * MINUTE;
const START = NOW + DAY;
const at = (ms: number): string => new Date(ms).toISOString();

async function scheduled(definition: Partial<CampaignDefinition> = {}): Promise<CampaignCast> {
  return new CampaignCast(ledger).running(3, { startAt: at(START), ...definition });
}

const begin = ({ id }: CampaignCast, nowMs: number) => ledger.campaigns.beginScheduled(id, nowMs);
const progressOf = ({ id }: CampaignCast, nowMs: number) => ledger.campaigns.progress(id, nowMs);

/** Proves CAMPAIGN-9. */
describe('a campaign with a start time', () => {
  it('is scheduled by its start: frozen, without a deadline, and nothing of it is claimed', async () => {
    const campaign = await scheduled();
    expect(await progressOf(campaign, NOW)).toMatchObject({
      state: 'scheduled',
      audience: 3,
      counts: { pending: 3 },
      startAt: at(START),
      waiting: { code: 'START_AT' },
    });
    expect(await progressOf(campaign, NOW)).not.toHaveProperty('deadlineAt');
    await expect(ledger.audiences.beginImport(campaign.id, NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_FROZEN' });
    expect(await campaign.claim(3, START - SECOND)).toEqual([]);
    expect(await ledger.campaigns.unfinished(NAMESPACE)).toContainEqual({ id: campaign.id, isAwaited: false });
  });

  it('begins at that time, once', async () => {
    const campaign = await scheduled();
    expect(await begin(campaign, START - 1)).toMatchObject({ state: 'scheduled' });
    const first = await begin(campaign, START);
    expect(first).toMatchObject({ state: 'running', startedAt: at(START), deadlineAt: at(START + 7 * DAY) });
    expect(await begin(campaign, START + MINUTE)).toMatchObject({ version: first.version });
    expect(await campaign.claim(3, START)).toHaveLength(3);
  });

  it.each([
    ['late within its grace time', {}, HOUR, false],
    ['after that, if its definition says so, and records that', { missedStart: 'run' }, 2 * DAY, true],
  ] as const)('runs %s', async (_, definition, lateMs, isMissed) => {
    const campaign = await scheduled(definition);
    const begunAt = at(START + lateMs);
    const { state, startedAt, startMissedAt } = await begin(campaign, START + lateMs);
    expect([state, startedAt, startMissedAt]).toEqual(['running', begunAt, isMissed ? begunAt : undefined]);
  });

  it('waits for an operator when it missed its start, and a resume begins it', async () => {
    const campaign = await scheduled({ graceTime: '10m' });
    const late = START + 11 * MINUTE;
    expect(await begin(campaign, late)).toMatchObject({
      state: 'paused',
      startMissedAt: at(late),
      waiting: { code: 'START_MISSED', since: at(late) },
    });
    expect(await campaign.claim(3, late)).toEqual([]);
    const resumed = await ledger.campaigns.resume(campaign.id, late + HOUR);
    expect(resumed).toMatchObject({
      state: 'running',
      startedAt: at(late + HOUR),
      deadlineAt: at(late + HOUR + 7 * DAY),
    });
    expect(await campaign.claim(3, late + HOUR)).toHaveLength(3);
  });

  it('is skipped when it missed its start and its definition says so: every recipient ends cancelled', async () => {
    const campaign = await scheduled({ missedStart: 'skip' });
    await begin(campaign, START + 2 * HOUR);
    expect(await campaign.endIfDone(START + 2 * HOUR)).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: 3, pending: 0 },
      startMissedAt: at(START + 2 * HOUR),
    });
  });

  it('can be paused and resumed before its time, and keeps that time', async () => {
    const campaign = await scheduled();
    expect(await ledger.campaigns.pause(campaign.id, NOW)).toMatchObject({ state: 'paused' });
    expect(await begin(campaign, START)).toMatchObject({ state: 'paused' });
    expect(await ledger.campaigns.resume(campaign.id, START - HOUR)).toMatchObject({ state: 'scheduled' });
    expect(await begin(campaign, START)).toMatchObject({ state: 'running' });
  });

  it('can be cancelled before its time, and a retry of the cancelled recipients schedules it again', async () => {
    const campaign = await scheduled();
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await campaign.endIfDone()).toMatchObject({ state: 'cancelled', counts: { cancelled: 3 } });
    expect(await begin(campaign, START)).toMatchObject({ state: 'cancelled' });
    await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW + HOUR);
    expect(await campaign.claim(3, NOW + HOUR)).toEqual([]);
    await begin(campaign, START);
    expect(await campaign.claim(3, START)).toHaveLength(3);
  });

  it('can get another time until it begins, also after a missed start', async () => {
    const campaign = await scheduled();
    const update = (startAt: number, nowMs: number) =>
      ledger.campaigns.update(campaign.id, { startAt: at(startAt) }, nowMs);
    expect(await update(START + HOUR, NOW)).toMatchObject({ state: 'scheduled', startAt: at(START + HOUR) });
    expect(await begin(campaign, START)).toMatchObject({ state: 'scheduled' });
    await expect(update(NOW - 1, NOW)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await begin(campaign, START + DAY);
    expect(await update(START + 2 * DAY, START + DAY)).toMatchObject({ state: 'scheduled' });
    await begin(campaign, START + 2 * DAY);
    await expect(update(START + 3 * DAY, START + 2 * DAY)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      problems: [{ path: 'startAt', message: expect.stringMatching(/cannot change: the campaign is running/) }],
    });
  });

  it('cannot be scheduled for a time after its deadline, nor started long after its time', async () => {
    const late = await new CampaignCast(ledger).draft({ startAt: at(START), deadline: at(START) });
    await late.imported(1);
    await expect(late.start()).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const past = await new CampaignCast(ledger).draft({ startAt: at(START) });
    await past.imported(1);
    await expect(past.start(START + 2 * HOUR)).rejects.toMatchObject({ problems: [{ path: 'startAt' }] });
    expect(await past.start(START + MINUTE)).toMatchObject({ state: 'running' });
  });
});
