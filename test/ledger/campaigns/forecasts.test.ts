/** When a started campaign ends, by counts only. Proves ETA-1 to ETA-4. */
import fc from 'fast-check';
import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planCampaign, type PlanOptions } from '../../../src/api/campaigns/plan-campaign.js';
import type {
  CampaignDefinition,
  CampaignProgress,
  InstanceSettings,
  LocalHours,
} from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { ledgerParts } from '../../../src/ledger/open-ledger.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { ENCRYPTED } from '../../support/ledger/at-rest.js';
import { aDatabase, TEXT_KEY } from '../../support/ledger/ledger.js';
import { EventLoopTurns } from '../../support/event-loop-turns.js';
import { runs } from '../../support/runs.js';
import { showQueue } from '../../support/shift.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const HOUR = 60 * MINUTE;
const at = (ms: number): string => new Date(ms).toISOString();

/** The statements of the ledger so far. */
const statements: string[] = [];
let db: Kysely<Schema>;
let ledger: Pick<Ledger, Exclude<keyof Ledger, 'wakes' | 'id' | 'digest' | 'ping' | 'close'>>;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await aDatabase());
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(JSON.stringify(node));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  ledger = ledgerParts(new Store(db.withPlugin(counting)), { ...ENCRYPTED, gatherMs: 0, textKey: TEXT_KEY });
});
afterAll(() => close());

const COUNTS = 'z.read_recipients';
const CAPS = 'select posted from daily_caps';
/** How often a statement with this text has run. */
const timesOf = (part: string): number => statements.filter((text) => text.includes(part)).length;

interface Scene {
  readonly definition?: Partial<CampaignDefinition>;
  readonly settings?: InstanceSettings;
  readonly timezones?: readonly string[];
  readonly releaseIntervalMs?: number;
  readonly depth?: number;
  /** @default its own */
  readonly instance?: string;
}

async function aDraft(recipients: number, scene: Scene = {}): Promise<CampaignCast> {
  const { definition, settings = {}, timezones = [], releaseIntervalMs = 15 * SECOND, depth = 0 } = scene;
  const campaign = new CampaignCast(ledger as Ledger, scene.instance);
  await (await campaign.draft(definition)).imported(recipients, { timezones });
  const queue = { estimatedDepth: depth, releaseIntervalMs, inFlight: 0, window: 1 };
  await showQueue(ledger, campaign.instance, queue, NOW);
  await ledger.dispatch.configure([{ instance: campaign.instance, settings }]);
  return campaign;
}

async function started(recipients: number, scene: Scene = {}): Promise<CampaignCast> {
  const campaign = await aDraft(recipients, scene);
  await campaign.start();
  return campaign;
}

async function progressOf({ id }: CampaignCast, nowMs = NOW): Promise<CampaignProgress> {
  const progress = await ledger.campaigns.progress(id, nowMs);
  if (progress === undefined) throw new Error(`no campaign ${id}`);
  return progress;
}

async function planned({ id }: CampaignCast, options: Partial<PlanOptions> = {}, settings: InstanceSettings = {}) {
  const campaign = await ledger.audiences.view(id, NOW);
  if (campaign === undefined) throw new Error(`no campaign ${id}`);
  const dependencies = {
    ledger: ledger as Ledger,
    clock: { nowMs: () => NOW },
    instances: { get: () => settings } as never,
    checkOperation: () => ({ warnings: [] }),
    askGateway: () => Promise.resolve(undefined as never),
  };
  const { signal } = new AbortController();
  return planCampaign(dependencies, campaign, { ...options, signal });
}

describe('the end of a campaign', () => {
  it('is when every pending recipient and all queued items have left', async () => {
    const campaign = await started(11, { depth: 10 });
    expect(await progressOf(campaign)).toMatchObject({ etaAt: at(NOW + 21 * 15 * SECOND), asOf: at(NOW) });
  });

  it('is when the queue is empty once all were posted to, then unknown until the receipts are there', async () => {
    const campaign = await started(2);
    await campaign.dispatched(2);
    const queue = { estimatedDepth: 2, releaseIntervalMs: 15 * SECOND, inFlight: 0, window: 1 };
    await showQueue(ledger, campaign.instance, queue, NOW + 10 * SECOND);
    expect(await progressOf(campaign, NOW + 20 * SECOND)).toMatchObject({ etaAt: at(NOW + 50 * SECOND) });
    const later = await progressOf(campaign, NOW + MINUTE);
    expect(later).toMatchObject({ etaUnknown: 'RECEIPTS' });
    expect(later).not.toHaveProperty('etaAt');
  });

  it('is after the hours, the cap and the start time that it waits for', async () => {
    const sendingWindows = { timezone: 'Europe/Lisbon', windows: [{ from: '09:00', until: '09:10' }] };
    const hours = await started(50, { definition: { sendingWindows, limits: { perDay: 20 } } });
    expect(await hours.claim(1)).toEqual([]);
    const progress = await progressOf(hours);
    expect(progress.waiting?.code).toBe('SENDING_WINDOW_CLOSED');
    // At 10:00 the window is closed. Twenty a day: the last ten are posted on the third day.
    expect(Date.parse(progress.etaAt ?? '')).toBeGreaterThan(Date.parse('2026-03-04T09:00:00Z'));
    expect(Date.parse(progress.etaAt ?? '')).toBeLessThan(Date.parse('2026-03-04T09:10:00Z'));

    const startAt = at(NOW + DAY);
    const scheduled = await started(3, { definition: { startAt } });
    expect(await progressOf(scheduled)).toMatchObject({ state: 'scheduled', etaAt: at(NOW + DAY + 30 * SECOND) });
  });

  it('says how many recipients the deadline leaves out', async () => {
    const campaign = await started(100, { definition: { deadline: at(NOW + 10 * MINUTE) } });
    expect(await progressOf(campaign)).toMatchObject({ etaAt: at(NOW + 10 * MINUTE), willExpire: 59 });
    const sendingWindows = { timezone: 'UTC', windows: [{ from: '12:00', until: '13:00' }] };
    const tooLate = await started(3, { definition: { sendingWindows, deadline: at(NOW + HOUR) } });
    expect(await progressOf(tooLate)).toMatchObject({ etaUnknown: 'DEADLINE_TOO_SOON' });
  });

  it('is unknown, with the reason, while only an event can end a wait', async () => {
    const paused = await started(3);
    await ledger.campaigns.pause(paused.id, NOW);
    const ofInstance = await started(3);
    const seen = { instance: ofInstance.instance, reason: 'yellowCard', witness: 'test', atMs: NOW } as const;
    await ledger.instances.pause(seen);
    const unpaced = await new CampaignCast(ledger as Ledger).running(3);
    for (const [campaign, reason] of [
      [paused, 'PAUSED'],
      [ofInstance, 'INSTANCE_PAUSED'],
      [unpaced, 'RATE_UNKNOWN'],
    ] as const) {
      const progress = await progressOf(campaign);
      expect(progress).toMatchObject({ etaUnknown: reason });
      expect(progress).not.toHaveProperty('etaAt');
    }
  });

  it('is absent for a campaign that does not run', async () => {
    const draft = await aDraft(3);
    const cancelled = await started(3);
    await ledger.campaigns.cancel(cancelled.id, 'request', NOW);
    await cancelled.endIfDone();
    for (const campaign of [draft, cancelled]) {
      const progress = await progressOf(campaign);
      expect(progress).not.toHaveProperty('etaAt');
      expect(progress).not.toHaveProperty('etaUnknown');
    }
  });

  it('comes from the counts of each timezone, also while they are read at different speeds', async () => {
    // It is 10:00 in UTC: Tokyo's window of this day is over, Lisbon's is open.
    const sendingWindows = { timezone: 'recipient', windows: [{ from: '09:00', until: '12:00' }] };
    const campaign = await started(60, { definition: { sendingWindows }, timezones: ['Asia/Tokyo', 'Europe/Lisbon'] });
    const tokyo = Date.parse('2026-03-02T00:00:00Z');
    const end = at(tokyo + 29 * 15 * SECOND);
    expect(await progressOf(campaign)).toMatchObject({ etaAt: end });
    await campaign.dispatched(10);
    const posted = await progressOf(campaign, NOW + 2 * MINUTE);
    expect(posted).toMatchObject({ counts: { pending: 50 }, etaAt: end });
    const { rows } = await sql<{ timezone: string; recipients: number; read_recipients: number }>`
      select timezone, recipients, read_recipients from campaign_timezones
      where campaign_id = ${campaign.id} order by timezone`.execute(db);
    expect(rows).toEqual([
      { timezone: 'Asia/Tokyo', recipients: 30, read_recipients: 10 },
      { timezone: 'Europe/Lisbon', recipients: 30, read_recipients: 10 },
    ]);
    // From now on in the order of lines, and back: who was read before is counted once.
    for (const timezone of ['UTC', 'recipient']) {
      const change = { sendingWindows: { ...sendingWindows, timezone } };
      await ledger.campaigns.update(campaign.id, change, NOW + 2 * MINUTE);
    }
    expect(await ledger.campaigns.recipientsToPost(campaign.id)).toMatchObject([
      { timezone: 'Asia/Tokyo', recipients: 30 },
      { timezone: 'Europe/Lisbon', recipients: 20 },
    ]);
  });
});

describe('the end at the start of a campaign', () => {
  const hour = fc.nat(23).map((value) => `${String(value).padStart(2, '0')}:00`);
  const timezone = fc.constantFrom('UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu');
  const windows = fc.array(fc.record({ from: hour, until: hour }), { minLength: 1, maxLength: 2 });
  const hours: fc.Arbitrary<LocalHours> = fc.record({ timezone, windows });
  const option = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
  const perDay = fc.integer({ min: 1, max: 30 });
  const world = fc.record({
    recipients: fc.integer({ min: 1, max: 60 }),
    sendingWindows: option(hours),
    /** Of the recipients, whose campaign uses their clocks then. */
    timezones: option(fc.uniqueArray(timezone, { minLength: 1, maxLength: 3 })),
    jitter: option(fc.constant({ minMs: 0, maxMs: 600 * SECOND, seed: 'x' })),
    perDay: option(perDay),
    quietHours: option(hours),
    ofInstance: option(perDay),
    warmUp: option(fc.record({ firstDay: fc.constant('2026-03-01'), perDay, growthPercent: fc.nat(50) })),
    startInMs: option(fc.integer({ min: SECOND, max: DAY })),
    deadlineInMs: option(fc.integer({ min: 2 * DAY, max: 20 * DAY })),
    depth: fc.nat(20),
    highWater: fc.integer({ min: 1, max: 20 }),
    releaseIntervalMs: fc.constantFrom(500, 15 * SECOND, 600 * SECOND),
  });

  it('is that of its plan, whatever its rules are', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ recipients, timezones, depth, releaseIntervalMs, ...rules }) => {
        const { sendingWindows, jitter, quietHours, ofInstance, warmUp, startInMs, deadlineInMs, highWater } = rules;
        const byClocks = timezones !== undefined && sendingWindows !== undefined;
        const limits = {
          ...(rules.perDay !== undefined && { perDay: rules.perDay }),
          // The pauses of several timezones are drawn from the same range, but are not the same.
          ...(jitter && !byClocks && { jitter }),
        };
        const definition = {
          highWater,
          ...(sendingWindows && { sendingWindows: { ...sendingWindows, ...(byClocks && { timezone: 'recipient' }) } }),
          ...(Object.keys(limits).length > 0 && { limits }),
          ...(startInMs !== undefined && { startAt: at(NOW + startInMs) }),
          ...(deadlineInMs !== undefined && { deadline: at(NOW + deadlineInMs) }),
        };
        const isCapped = ofInstance !== undefined || warmUp !== undefined;
        const settings: InstanceSettings = {
          ...(quietHours && { quietHours }),
          ...(isCapped && {
            limits: {
              timezone: 'Asia/Kolkata',
              ...(ofInstance !== undefined && { perDay: ofInstance }),
              ...(warmUp && { warmUp }),
            },
          }),
        };
        const scene = { definition, settings, releaseIntervalMs, depth, ...(byClocks && { timezones }) };
        const draft = await aDraft(recipients, scene);
        const { forecast: plan } = await planned(draft, {}, settings);
        await draft.start();
        const { etaAt, etaUnknown, willExpire = 0 } = await progressOf(draft);
        if (plan.finishesAt === undefined) {
          expect(etaUnknown).toBeDefined();
          return;
        }
        const endsAtMs = Math.max(Date.parse(plan.finishesAt), NOW + SECOND);
        expect({ etaAt, willExpire }).toEqual({
          etaAt: at(Math.ceil(endsAtMs / SECOND) * SECOND),
          willExpire: plan.notPosted,
        });
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('another running campaign of the account', () => {
  it('takes turns until it is sent, in the ETA as in the plan (FORECAST-8)', async () => {
    const first = await started(20);
    const second = await started(4, { instance: first.instance });
    expect((await planned(first)).forecast.finishesAt).toBe(at(NOW + 23 * 15 * SECOND));
    // Its own forecast is a minute old (ETA-2).
    const later = await progressOf(first, NOW + MINUTE);
    expect(later).toMatchObject({ etaAt: at(NOW + MINUTE + 23 * 15 * SECOND) });
    expect((await planned(second)).forecast.finishesAt).toBe(at(NOW + 6 * 15 * SECOND));
    expect(await progressOf(second)).toMatchObject({ etaAt: at(NOW + 6 * 15 * SECOND) });
    await ledger.campaigns.pause(second.id, NOW);
    expect((await planned(first)).forecast.finishesAt).toBe(at(NOW + 19 * 15 * SECOND));
  });

  it('goes first if its class is higher, and last if it is lower', async () => {
    const low = await started(8, { definition: { priority: 'low' } });
    const high = await started(14, { definition: { priority: 'high' }, instance: low.instance });
    const alone = NOW + MINUTE + 7 * 15 * SECOND;
    expect(Date.parse((await progressOf(low, NOW + MINUTE)).etaAt ?? '')).toBe(alone + 14 * 15 * SECOND);
    expect(Date.parse((await progressOf(high)).etaAt ?? '')).toBeLessThan(NOW + 16 * 15 * SECOND);
  });
});

it('the plan of a running campaign tells which text a recipient has', async () => {
  const campaign = await started(4);
  await campaign.receive(await campaign.dispatched(1), 'delivered');
  const update = { content: { kind: 'text', text: 'Dear {{name}}' } } as const;
  await ledger.campaigns.update(campaign.id, update, NOW);
  await campaign.receive(
    await campaign.dispatched(1, 'accepted', NOW + SECOND),
    'delivered',
    NOW + SECOND,
    NOW + SECOND,
  );
  const { samples } = await planned(campaign, { sampleLines: [2, 3, 4] });
  expect(samples.map(({ line, posted }) => [line, posted])).toEqual([
    [2, 'former'],
    [3, 'current'],
    [4, undefined],
  ]);
});

describe('a forecast', () => {
  const sendingWindows = { timezone: 'recipient', windows: [{ from: '09:00', until: '18:00' }] };
  const definition = { sendingWindows, limits: { perDay: 1_000 } };
  const scene = { definition, timezones: ['Europe/Lisbon', 'Asia/Tokyo'] };

  it('is computed once for the polls of a list, until something changes that it depends on', async () => {
    const campaigns = [];
    const instance = 'polled';
    for (let no = 0; no < 5; no += 1) campaigns.push(await started(20, { ...scene, instance }));
    const [first] = campaigns as [CampaignCast];
    /** How many forecasts a list computes, and how many statements it runs. */
    const listed = async (nowMs: number): Promise<readonly [forecasts: number, all: number]> => {
      statements.length = 0;
      await ledger.audiences.list({ instance, limit: 5 }, nowMs);
      expect(timesOf(CAPS)).toBe(timesOf(COUNTS));
      return [timesOf(CAPS), statements.length];
    };
    const computed = async (nowMs: number) => (await listed(nowMs))[0];
    // Each has one since its start.
    const [none, ofPolls] = await listed(NOW);
    expect(none).toBe(0);
    expect(await computed(NOW + 59 * SECOND)).toBe(0);
    const [all, ofComputed] = await listed(NOW + 60 * SECOND);
    expect([all, ofComputed - ofPolls]).toEqual([5, 3 * 5]);

    await first.dispatched(3, 'accepted', NOW + 61 * SECOND);
    expect(await computed(NOW + 62 * SECOND)).toBe(0);
    const settings = { sendingWindows: { timezone: 'UTC', windows: [{ from: '08:00', until: '20:00' }] } };
    await ledger.dispatch.configure([{ instance, settings }]);
    expect(await computed(NOW + 63 * SECOND)).toBe(5);
    expect(await computed(NOW + 64 * SECOND)).toBe(0);
  });

  it('is computed again at once when its campaign changes', async () => {
    const campaign = await started(20, scene);
    const update = { sendingWindows: { ...sendingWindows, timezone: 'UTC' }, limits: null };
    const before = await progressOf(campaign);
    const after = await ledger.campaigns.update(campaign.id, update, NOW);
    expect(after.etaAt).toBe(at(NOW + 19 * 15 * SECOND));
    expect(before.etaAt).not.toBe(after.etaAt);
  });

  it('is computed once for requests at the same time', async () => {
    const campaign = await started(20, scene);
    statements.length = 0;
    const requests = Array.from({ length: 10 }, () => progressOf(campaign, NOW + HOUR));
    expect(new Set((await Promise.all(requests)).map(({ etaAt }) => etaAt)).size).toBe(1);
    expect(timesOf(COUNTS)).toBe(1);
  });

  it('of many recipients is not waited for by a command, which has it once it is kept', async () => {
    const campaign = await started(3, scene);
    await sql`update campaigns set audience = 1000000 where id = ${campaign.id}`.execute(db);
    statements.length = 0;
    const update = { sendingWindows: { ...sendingWindows, timezone: 'UTC' } };
    expect(await ledger.campaigns.update(campaign.id, update, NOW)).toMatchObject({ etaUnknown: 'FORECAST_LATER' });
    expect(timesOf(COUNTS)).toBe(0);
    const { etaAt } = await progressOf(campaign);
    expect(Date.parse(etaAt ?? '')).toBeGreaterThan(NOW + 5 * DAY);
    expect(await ledger.campaigns.progress(campaign.id, NOW + SECOND, 10_000)).toMatchObject({ etaAt });
  });

  it('of a million recipients delays no other work by more than some milliseconds', async () => {
    const limits = { jitter: { minMs: 0, maxMs: 1_000 }, perDay: 60_000 };
    const deadline = at(NOW + 300 * DAY);
    const rules = { limits, deadline, sendingWindows: { ...sendingWindows, timezone: 'UTC' } };
    const campaign = await started(3, { definition: rules, releaseIntervalMs: 500 });
    await progressOf(campaign);
    await sql`update campaigns set audience = 1000000, version = version + 1 where id = ${campaign.id}`.execute(db);
    const turns = new EventLoopTurns();
    const shown = await progressOf(campaign).finally(() => turns.stop());
    expect(shown).toMatchObject({ counts: { pending: 1_000_000 } });
    expect(Date.parse(shown.etaAt ?? '')).toBeGreaterThan(NOW + 15 * DAY);
    expect(await turns.longestMs).toBeLessThan(50);
  });
});
