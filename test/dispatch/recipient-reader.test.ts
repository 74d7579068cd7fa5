/** Reads recipients ahead, beside a process's shifts. */
import { describe, expect, test } from 'vitest';
import type { CampaignId } from '../../src/contract/index.js';
import type { DispatcherDependencies } from '../../src/dispatch/index.js';
import { AHEAD, MOST_KNOWN, RecipientReader, type ReaderDependencies } from '../../src/dispatch/recipient-reader.js';
import type { DueAttempt } from '../../src/ledger/index.js';
import { LedClock } from './led-clock.js';

const SALE = 'sale' as CampaignId;
const log = (): void => undefined;

/** A campaign with `recipients` unread recipients, and a log of the calls. */
function aReader(recipients: number) {
  const clock = new LedClock();
  const campaign = { toRead: recipients, ahead: 0, most: 0, isFound: true, toMove: 0 };
  const happened: string[] = [];
  const ledger: Pick<DispatcherDependencies['ledger'], 'campaignsToRead' | 'readAhead'> = {
    campaignsToRead(_, below) {
      happened.push('asked');
      const isShort = campaign.isFound && campaign.toRead > 0 && campaign.ahead < below;
      return Promise.resolve(isShort ? [{ id: SALE, isMoving: campaign.toMove > 0 }] : []);
    },
    readAhead(_, { limit }) {
      const count = Math.min(limit, campaign.toRead);
      campaign.toRead -= count;
      campaign.ahead += count;
      campaign.most = Math.max(campaign.most, campaign.ahead);
      happened.push(`read ${count}`);
      const again = Math.min(count, campaign.toMove);
      campaign.toMove -= again;
      return Promise.resolve({ count, again, instances: count === 0 ? [] : ['main'] });
    },
  };
  const deps = {
    ledger,
    gateway: undefined,
    clock: clock.wall,
    timers: clock,
    pauseIfFailing: (id: CampaignId) => Promise.resolve(happened.push(`checked ${id}`) > 0),
    log,
  };
  const reader = new RecipientReader(deps as unknown as ReaderDependencies, (instance) => {
    happened.push(`woke ${instance}`);
  });
  const due = { campaignId: SALE, instance: 'main' } as DueAttempt;
  return {
    clock,
    campaign,
    happened,
    reader,
    due,
    async claim(count: number): Promise<void> {
      campaign.ahead -= count;
      reader.claimed(Array.from({ length: count }, () => due));
      await clock.settle();
    },
  };
}

describe('the recipient reader', () => {
  test('asks the ledger once for all wakes within a tenth of a second', async () => {
    const { clock, happened, reader } = aReader(0);
    for (let wakes = 0; wakes < 40; wakes += 1) {
      reader.serve('main');
      await clock.pass(4);
    }
    expect(happened).toEqual(['asked', 'asked']);
    await clock.pass(100);
    expect(happened).toEqual(['asked', 'asked', 'asked']);
    reader.leave('main');
    expect(clock.pending).toBe(0);
  });

  test('reads recipients ahead up to a bound, and again when half of them are posted (AHEAD-1)', async () => {
    const { reader, campaign, happened, claim, clock } = aReader(1_000);
    reader.serve('main');
    await clock.settle();
    expect(happened).toEqual(['asked', 'read 128', 'woke main']);
    await claim(1);
    expect(happened.slice(3)).toEqual(['read 128', 'woke main']);
    await claim(100);
    expect(happened).toHaveLength(5);
    for (let posted = 101; posted < 1_000; posted += 29) await claim(29);
    expect(campaign.toRead).toBe(0);
    expect(campaign.most).toBeLessThanOrEqual(AHEAD);
  });

  test('reads on at once after a change of the campaign that left none of its messages ahead (AHEAD-1)', async () => {
    const { reader, campaign, claim, clock } = aReader(1_000);
    reader.serve('main');
    await clock.settle();
    await claim(1);
    [campaign.toRead, campaign.ahead] = [campaign.toRead + campaign.ahead, 0];
    reader.serve('main');
    await clock.pass(100);
    for (let posted = 1; posted < 1_000 && campaign.ahead > 0; posted += 29) await claim(Math.min(29, campaign.ahead));
    expect([campaign.toRead, campaign.ahead]).toEqual([0, 0]);
  });

  test('composes the messages of an account that is out again at once, in one poll (AHEAD-4)', async () => {
    const { reader, campaign, happened, clock } = aReader(1_000);
    campaign.toMove = 300;
    reader.serve('main');
    await clock.settle();
    expect(campaign.toMove).toBe(0);
    expect(happened.filter((what) => what.startsWith('read'))).toEqual(['read 128', 'read 128', 'read 128']);
    reader.leave('main');
  });

  test('reads larger batches when claims are faster (AHEAD-1)', async () => {
    const { reader, happened, claim, clock, campaign } = aReader(10_000);
    reader.serve('main');
    await clock.settle();
    for (let ticks = 0; ticks < 20; ticks += 1) await claim(Math.min(120, campaign.ahead));
    const batches = new Set(happened.filter((what) => what.startsWith('read')));
    expect([...batches]).toEqual(['read 128', 'read 256', 'read 512']);
    expect(campaign.most).toBeLessThanOrEqual(AHEAD);
  });

  test('finds recipients that a wake missed within five seconds, while a shift serves the instance (AHEAD-2)', async () => {
    const { reader, campaign, happened, clock } = aReader(10);
    campaign.isFound = false;
    reader.serve('main');
    await clock.settle();
    campaign.isFound = true;
    await clock.pass(5_000);
    expect(happened).toEqual(['asked', 'asked', 'read 10', 'woke main']);
    reader.leave('main');
    await clock.pass(60_000);
    expect(happened).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  test('forgets the campaign that it has known longest, and reads it once more', async () => {
    const { reader, happened, clock } = aReader(0);
    const claimed = async (campaigns: readonly string[]) => {
      happened.length = 0;
      reader.claimed(campaigns.map((campaignId) => ({ campaignId, instance: 'main' }) as DueAttempt));
      await clock.settle();
      return happened.length;
    };
    expect([await claimed([SALE]), await claimed([SALE])]).toEqual([1, 0]);
    expect(await claimed(Array.from({ length: MOST_KNOWN }, (_, at) => `sale-${at}`))).toBe(MOST_KNOWN);
    expect(await claimed([SALE])).toBe(1);
  });

  test('checks a campaign for failures when one of its recipients is rejected (AHEAD-3)', async () => {
    const { reader, happened, due, clock } = aReader(0);
    reader.rejected(due);
    reader.rejected({ instance: 'main' } as DueAttempt);
    await clock.settle();
    expect(happened).toEqual([`checked ${SALE}`]);
  });
});
